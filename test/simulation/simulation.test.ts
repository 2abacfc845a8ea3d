/** The simulation itself: one seed always gives the same journal, and a sprint survives a crash at any point. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mutants } from './mutants.ts';
import { replay } from './report.ts';
import { calm as calmScenario } from './calm.ts';
import { troubles } from './world/runner.ts';
import { draw, isFair, kinds, smaller, type Scenario } from './scenario.ts';
import { build, decoy, reportOf } from './models/builders.ts';
import { verificationInput } from './models/honest.ts';
import { taskFeatures, type Programs } from './models/turn.ts';
import { pairOf } from './noise.ts';
import { simulate } from './sprint.ts';
import type { Feature } from './brief.ts';

/** An honest sprint in which nothing goes wrong. */
const calm: Scenario = { ...calmScenario, seed: 1, requirements: 2, tasks: 2, parts: 2 };

describe('a simulated sprint', () => {
  it('is the same, byte for byte, for the same seed', async () => {
    for (const kind of kinds) {
      const scenario = { ...draw(4711), kind, crashes: 2, crashEvery: 40, unsteady: 1 };
      const [one, two] = [await simulate(scenario), await simulate(scenario)];
      assert.equal(one.journal, two.journal, kind);
      assert.deepEqual(one, two);
    }
    assert.notEqual((await simulate({ ...draw(4711), seed: 4712 })).journal, (await simulate(draw(4711))).journal);
  });

  it('is delivered by an honest model, with all that the documents ask for', async () => {
    const outcome = await simulate(calm);
    assert.deepEqual([outcome.stop, outcome.missing, outcome.violations], ['delivered', 0, []]);
  });

  it('is delivered where one builder did what was left for another, a matter of taste included', async () => {
    const played = async (shape: Partial<Scenario>): Promise<unknown> => {
      const { stop, trace } = await simulate({ ...calmScenario, criterion: true, ...shape });
      return [stop, trace.filter((step) => step === 'execute T2').length];
    };
    const beside = { seed: 947223385, requirements: 4, tasks: 3, verifications: 2, parts: 2, brownfield: true };
    assert.deepEqual(await played(beside), ['delivered', 1]);
    assert.deepEqual(await played({ seed: 5, requirements: 1, tasks: 2, parts: 1 }), ['delivered', 2]);
  });

  it('is delivered where verifications had no result before one builder did the work of two', async () => {
    for (const seed of [10315, 12944]) {
      const { noisy } = pairOf(draw(seed));
      const { stop, reasons, violations, trace } = await simulate(noisy);
      assert.deepEqual([stop, reasons, violations], ['delivered', [], []], String(seed));
      const first = trace.indexOf('prove');
      const isBetween = (step: string, i: number): boolean =>
        i < first && step.startsWith('execute ') && trace.indexOf(step, first) > first;
      assert.ok(trace.some(isBetween), `proven between two attempts: ${trace.join(', ')}`);
    }
  });

  it('records what a session wrote that a crash broke off behind its report, also where other work shows its task done', async () => {
    assert.deepEqual((await simulate(draw(914247322))).violations, []);
  });

  it('is not delivered where a verification was rewritten to look at what another requirement asks', async () => {
    assert.deepEqual((await simulate(draw(116694954))).violations, []);
  });

  it('is not delivered where a fix for another requirement made the only place that is looked at', async () => {
    assert.deepEqual((await simulate(draw(484701298))).violations, []);
  });

  it('is not delivered where a fix for it made what another requirement asks, and nothing is looked at that its task made', async () => {
    const liars = { kind: 'lying', shallow: true, criterion: false, errorRate: 0 } as const;
    assert.deepEqual((await simulate({ ...draw(261129591), ...liars })).violations, []);
  });

  it('keeps what was found out of faults once, where two runs end while the first is written', async () => {
    assert.deepEqual((await simulate(draw(6601710))).violations, []);
  });

  it('is not delivered where a service ended by itself in the only run with a fault', async () => {
    assert.deepEqual((await simulate(draw(51005958))).violations, []);
  });

  it('is delivered in each world that the machine makes', async () => {
    const dependent = { install: true, adds: true };
    const worlds: Partial<Scenario>[] = [
      ...troubles.map((installs) => ({ ...dependent, installs })),
      { ...dependent, installs: 'killed', load: 0.2, shared: true, service: 'steady' },
      { ...dependent, installs: 'down', service: 'steady' },
      { shared: true, verifications: 2 },
      { inProcess: true },
      { service: 'misdeclared' },
    ];
    for (const world of worlds) {
      const { stop, reasons, violations } = await simulate({ ...calmScenario, ...world });
      assert.deepEqual([stop, reasons, violations], ['delivered', [], []], JSON.stringify(world));
    }
  });

  it('is delivered after a crash before, during or after any effect', async () => {
    const lives = new Set<number>();
    for (let crashEvery = 1; crashEvery < 160; crashEvery += 4) {
      const outcome = await simulate({ ...calm, seed: crashEvery, crashes: 1, crashEvery });
      assert.deepEqual([outcome.stop, outcome.violations], ['delivered', []], `dies within ${2 * crashEvery} effects`);
      lives.add(outcome.lives);
    }
    assert.ok(lives.has(2));
  });

  it('ends within its fuel even when it crashes again and again', async () => {
    const outcome = await simulate({ ...calm, crashes: 500, crashEvery: 3 });
    assert.notEqual(outcome.stop, 'broken');
    assert.ok(outcome.lives > 30);
    assert.deepEqual(outcome.violations, []);
  });

  it('goes on after a full disk, and after the person stops it', async () => {
    for (const change of [{ fullDisk: 1 }, { stops: 1 }])
      assert.deepEqual((await simulate({ ...calm, ...change, crashEvery: 30 })).stop, 'delivered');
  });

  it('ends by what the person does, where it needs them', async () => {
    const stopOf = async (person: Scenario['person']): Promise<string> => (await simulate({ ...calm, supplied: 1, person })).stop;
    assert.equal(await stopOf('helpful'), 'delivered');
    assert.equal(await stopOf('late'), 'delivered');
    assert.equal(await stopOf('absent'), 'delivered'); // They supply the file before they come back.
    assert.notEqual(await stopOf('skipping'), 'delivered');
  });

  it('is not delivered by models that only claim the work', async () => {
    for (const kind of ['lazy', 'lying', 'hostile'] as const)
      for (let seed = 1; seed <= 5; seed += 1) {
        const { stop, missing, violations } = await simulate({ ...calm, seed, kind, requirements: 3, tasks: 3 });
        assert.deepEqual(violations, []);
        assert.ok(stop !== 'delivered' || missing === 0, `${kind} ${seed}`);
      }
  });
});

describe('liars whose verifications look at little', () => {
  it('deliver nothing that does not hold, and what does hold is not refused for its work alone', async () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 12; seed += 1) {
      const { stop, missing, violations } = await simulate({ ...calm, seed, kind: 'lying', shallow: true, inProcess: seed % 2 === 0 });
      assert.deepEqual(violations, []);
      assert.ok(stop !== 'delivered' || missing === 0, String(seed));
      ends.add(stop === 'delivered' ? 'delivered' : 'refused');
    }
    assert.deepEqual([...ends].sort(), ['delivered', 'refused']);
  });

  it('deliver nothing where one task wrote words alone, and its verification looks at what another task built', async () => {
    const asked: string[] = [];
    const twist: Programs = {
      report_task_complete: (turn) => {
        const [feature] = taskFeatures(turn);
        if (feature?.name !== 'feature_1') return build(turn);
        return [
          ['write_file', { path: feature.path, content: decoy(turn, [feature]) }],
          ['report_task_complete', reportOf(turn)],
        ];
      },
      report_verifications_complete: ({ brief, target, attempt }) => {
        asked.push(target);
        const bodyOf = ({ name, value }: Feature): string => (name === 'feature_1' ? 'defined feature_2' : `expect ${name} ${value}`);
        const body = (feature: Feature): string => (target === 'plan' ? 'exit 0' : `# again ${attempt}\n${bodyOf(feature)}`);
        const calls = brief.features.map((feature) => verificationInput(feature, { k: 0, body: body(feature) }));
        return [...calls, ['report_verifications_complete', { summary: 'All of it is verified.' }]];
      },
    };
    const { stop, reasons, violations } = await simulate({ ...calm, kind: 'lazy', parts: 1 }, twist);
    assert.deepEqual(violations, []);
    assert.notEqual(stop, 'delivered');
    assert.match(reasons.join(), /its own work has no place for a fault/);
    assert.ok(asked.length > 2, asked.join());
  });
});

describe('a scenario', () => {
  it('keeps all other parameters when one is changed', () => {
    const one = draw(99);
    assert.deepEqual({ ...draw(99), kind: 'lying' }, { ...one, kind: 'lying' });
    assert.ok(smaller(one).every((candidate) => JSON.stringify(candidate) !== JSON.stringify(one) && candidate.seed === 99));
    assert.deepEqual(smaller({ ...calm, requirements: 1, tasks: 1, parts: 1 }), []);
  });

  it('is fair where an honest model can deliver', () => {
    assert.ok(isFair(calm));
    for (const change of [{ unsteady: 1 }, { already: 1 }, { crashes: 9 }, { supplied: 1, person: 'skipping' as const }])
      assert.ok(!isFair({ ...calm, ...change }), JSON.stringify(change));
  });

  it('is named in the command that reproduces a failure', () => {
    const failure = { seed: 99, guarantee: 'undo' as const, detail: '' };
    const { kind } = draw(99);
    assert.equal(replay(failure, draw(99)), 'npm run simulate -- --seed 99 --sprints 1');
    const other = kinds.find((k) => k !== kind) ?? kind;
    assert.equal(replay(failure, { ...draw(99), kind: other }), `npm run simulate -- --seed 99 --sprints 1 --with '{"kind":"${other}"}'`);
  });
});

describe('the mutants', () => {
  it('are many, each with a name of its own', () => {
    assert.ok(mutants.length >= 56);
    assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
  });
});
