/**
 * The process monitor: steady progress is never RED, even when it is slow and has errors that get fixed. Every way of being
 * stuck is RED. Generated sprints calibrate the thresholds, because guessed thresholds would raise false alarms.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/core/fold.ts';
import { metrics, thresholds } from '../../../src/engine/core/metrics.ts';
import { health } from '../../../src/engine/core/monitor.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import { changed, deepFreeze, type Story } from '../support/events.ts';
import { verificationOf, taskOf, Working } from '../support/working.ts';

type State = Story['state'];
const triggers = (state: State): string[] => health(state).triggers.map(({ metric, level }) => `${metric} ${level}`);

/** What happens to one task: undone attempts, fixes (0 fails, 1 succeeds), decisions in between without progress, tokens of a session. */
interface Course {
  attempts: number;
  fixes: number[];
  between: number;
  tokens: number;
}

/** `errors` of a hundred sessions fail, never three of a kind in a row. Every failure is fixed in the end. */
const course = (errors: number): fc.Arbitrary<Course> => {
  const fails = fc.integer({ min: 0, max: 99 }).map((n) => n < errors);
  return fc.record({
    attempts: fc.tuple(fails, fails).map(([a, b]) => (a ? (b ? 2 : 1) : 0)),
    fixes: fc.tuple(fails, fails, fails).map(([a, b, c]) => (a ? (b ? (c ? [0, 0, 1] : [0, 1]) : [1]) : [])),
    between: fc.integer({ min: 0, max: 3 }),
    tokens: fc.integer({ min: 500, max: 2000 }),
  });
};
const sprint = fc
  .constantFrom(0, 10, 20, 30)
  .chain((errors) => fc.record({ slow: fc.boolean(), courses: fc.array(course(errors), { minLength: 3, maxLength: 25 }) }));

/** Plays a sprint to its end and calls `inspect` after each decision. */
function play({ slow, courses }: { slow: boolean; courses: Course[] }, inspect: (state: State) => void): void {
  const cost = courses.reduce((sum, c) => sum + c.tokens * (1 + c.attempts + c.fixes.length), 0);
  const work = new Working(courses.length, Math.ceil(cost * 1.1));
  work.onDecision = inspect;
  for (const [n, { attempts, fixes, between, tokens }] of courses.entries()) {
    for (let i = 0; i < attempts; i += 1) work.fails(taskOf(n), tokens);
    work.settles(taskOf(n), verificationOf(n), fixes.length === 0, tokens);
    for (const mends of fixes) work.fix({ of: verificationOf(n), mends: mends === 1, kept: mends === 1 || n % 2 === 0, tokens });
    for (let i = 0; i < (slow ? between : 0); i += 1) work.act(i % 2 === 0 ? 'vrc' : 'prove');
  }
}

describe('steady progress', () => {
  it('is never RED, fast or slow, with errors that get fixed', () => {
    fc.assert(
      fc.property(sprint, (generated) => {
        let decisions = 0;
        play(generated, (state) => {
          decisions += 1;
          const { level, triggers: all } = health(state);
          assert.notEqual(level, 'RED', `decision ${decisions}: ${JSON.stringify(all)}`);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('is GREEN without errors, in sprints long enough to be judged', () => {
    const courses = Array.from({ length: 20 }, () => ({ attempts: 0, fixes: [], between: 2, tokens: 1000 }));
    let judged = 0;
    play({ slow: true, courses }, (state) => {
      const { level, held } = health(state);
      assert.equal(level, 'GREEN', JSON.stringify(health(state)));
      judged += held === undefined ? 1 : 0;
    });
    assert.ok(judged > 50, `${judged}`);
  });

  it('is not RED with ten decisions for each milestone', () => {
    const work = new Working(12);
    for (let n = 0; n < 12; n += 1) {
      work.settles(taskOf(n), verificationOf(n), true);
      for (let i = 0; i < 8; i += 1) assert.notEqual(health(work.act('run-verifications').state).level, 'RED');
    }
  });
});

/** Six tasks are done, with two decisions each. */
function underWay(tasks = 12, budget?: number): Working {
  const work = new Working(tasks, budget);
  for (let n = 0; n < 6; n += 1) work.settles(taskOf(n), verificationOf(n), true);
  return work;
}

describe('looking at work that is green', () => {
  const looked = (): State => {
    const work = underWay();
    for (let i = 0; i < 14; i += 1) work.act((['prove', 'measure', 'final'] as const)[i % 3] ?? 'final');
    return work.state;
  };

  it('is no slow decision', () => assert.deepEqual(triggers(looked()), []));

  it('is one in a sprint that an older version opened', () => {
    const older = changed(looked(), (state) => void delete state.opened.rules);
    assert.ok(triggers(older).includes('velocity RED'), JSON.stringify(triggers(older)));
  });
});

describe('a stuck sprint is RED', () => {
  it('when no milestone comes, earlier than course correction would act', () => {
    const work = new Working(3);
    for (let i = 0; i < 20; i += 1) work.fails(taskOf(0));
    assert.ok(triggers(work.state).includes('velocity RED'));
    const slow = underWay();
    for (let i = 0; i < 6; i += 1) slow.fails(taskOf(7));
    assert.deepEqual(triggers(slow.state), ['efficiency YELLOW', 'velocity RED'].reverse());
  });

  it('when a session costs as much as many milestones', () => {
    const work = underWay();
    assert.deepEqual(triggers(work.act('execute', 7000).state), ['efficiency YELLOW']);
    assert.deepEqual(triggers(work.act('execute', 6000).state), ['efficiency RED']);
    assert.ok(metrics(work.state).overspent >= thresholds.overspentRed);
  });

  it('when one verification is fixed and fails again and again, even if other tasks progress', () => {
    const work = underWay();
    work.settles(taskOf(6), verificationOf(6), false);
    for (const [n, level] of [
      [7, undefined],
      [8, 'churn YELLOW'],
      [9, 'churn RED'],
    ] as const) {
      work.fix({ of: verificationOf(6), signature: `${n}`, mends: false, kept: n !== 8 });
      if (n < 9) work.settles(taskOf(n), verificationOf(n), true);
      assert.deepEqual(
        triggers(work.state).filter((t) => t.startsWith('churn')),
        level === undefined ? [] : [level],
      );
    }
    work.fix({ of: verificationOf(6), mends: true });
    assert.deepEqual(
      triggers(work.state).filter((t) => t.startsWith('churn')),
      [],
      'green again',
    );
  });

  it('when the same failure appears in one verification after another', () => {
    const work = underWay();
    for (const n of [6, 7]) work.settles(taskOf(n), verificationOf(n), false);
    const failedFix = { signature: 'refused', mends: false, file: 'a.js' };
    work.fix({ ...failedFix, of: verificationOf(6) }).fix({ ...failedFix, of: verificationOf(6), file: 'b.js' });
    work.settles(taskOf(8), verificationOf(8), true);
    assert.deepEqual(triggers(work.state), ['churn YELLOW']);
    work.fix({ ...failedFix, of: verificationOf(7), file: 'c.js' });
    assert.deepEqual(triggers(work.state), ['churn YELLOW', 'recurrence RED']);
  });

  it('when the budget is spent and the value does not come', () => {
    const work = new Working(50, 100_000);
    const pace = (from: number, to: number, tokens: number): void => {
      for (let n = from; n < to; n += 1) {
        for (let i = 0; i < 6; i += 1) work.act('vrc', tokens);
        work.settles(taskOf(n), verificationOf(n), false, tokens);
        work.fix({ of: verificationOf(n), mends: true, tokens });
      }
    };
    pace(0, 2, 1100);
    assert.ok(!triggers(work.state).some((t) => t.startsWith('divergence')), 'less than a quarter is spent');
    pace(2, 4, 1100);
    assert.deepEqual(triggers(work.state), ['divergence YELLOW'], 'an eighth of the value came');
    pace(4, 6, 2200);
    assert.ok(triggers(work.state).includes('divergence RED'), triggers(work.state).join());
  });

  it('but only YELLOW when the budget is too small and the value still comes at a steady pace', () => {
    const work = new Working(20, 20_000);
    for (let n = 0; n < 8; n += 1) work.settles(taskOf(n), verificationOf(n), true, 2000);
    assert.deepEqual(triggers(work.state), ['divergence YELLOW']);
  });

  it('but only YELLOW when the first milestones were expensive and there are few to judge by', () => {
    const work = new Working(100, 20_000).settles(taskOf(0), verificationOf(0), true, 6000);
    for (let i = 0; i < 6; i += 1) work.act('vrc');
    work.settles(taskOf(1), verificationOf(1), true, 100);
    for (let i = 0; i < 4; i += 1) work.act('vrc');
    assert.deepEqual(triggers(work.state), ['divergence YELLOW']);
  });
});

describe('a sprint is only YELLOW', () => {
  it('when one cause is behind most failures', () => {
    const work = underWay();
    for (const n of [6, 7, 8]) work.settles(taskOf(n), verificationOf(n), false);
    const { state } = work;
    const tasks = Object.values(state.work.tasks).map((task): [string, Task] => [task.id, { ...task, status: 'done' }]);
    const results = Object.entries(state.work.results).map(([id, result]) => [id, { ...result, code: state.work.tree.code }]);
    state.work = { ...state.work, tasks: Object.fromEntries(tasks), results: Object.fromEntries(results) };
    for (const n of [6, 7, 8])
      state.ledger.runs[verificationOf(n)] = (state.ledger.runs[verificationOf(n)] ?? []).map((run) => ({
        ...run,
        excerpt: "Cannot find module 'one'",
      }));
    assert.deepEqual(triggers(work.state), ['cluster YELLOW']);
  });

  it('when most fixes change the same file', () => {
    const work = underWay();
    for (const n of [6, 7, 8, 9]) {
      work.settles(taskOf(n), verificationOf(n), false).fix({ of: verificationOf(n), mends: true, file: 'shared.js' });
      assert.deepEqual(triggers(work.state), n === 9 ? ['hotspot YELLOW'] : []);
    }
  });
});

describe('health is not judged', () => {
  const stuck = (work: Working): Working => {
    for (let i = 0; i < 12; i += 1) work.fails(taskOf(8));
    return work;
  };
  const reasons = { pattern: 'x', rationale: 'y' };

  it('before enough work decisions were made', () => {
    const work = new Working(3);
    for (let i = 1; i < thresholds.fewest - 1; i += 1) work.act('execute', 50_000);
    assert.equal(health(work.state).held, 'only 11 decisions were made at work');
    assert.equal(health(work.act('execute').state).held, undefined);
  });

  for (const [name, fact] of [
    ['a change of strategy', { fact: 'strategy.changed', ...reasons, changes: { fix: 'rewrite' } }],
    ['a strategy that was kept', { fact: 'strategy.kept', ...reasons }],
    ['a course correction', { fact: 'course.corrected', correction: { kind: 'restructure', diagnosis: 'x', guidance: '' } }],
  ] as const)
    it(`in the cooldown after ${name}, and earlier failures do not count afterwards`, () => {
      const work = stuck(underWay());
      work.settles(taskOf(6), verificationOf(6), false);
      for (let i = 0; i < 3; i += 1) work.fix({ of: verificationOf(6), signature: `${i}`, mends: false });
      assert.ok(triggers(work.state).includes('churn RED'));
      work.act('strategy', 0, fact);
      for (let i = 0; i < thresholds.cooldown - 1; i += 1) assert.equal(health(work.act('vrc').state).level, 'GREEN');
      work.act('vrc');
      assert.equal(health(work.state).held, undefined);
      assert.ok(!triggers(work.state).some((t) => t.startsWith('churn') || t.startsWith('efficiency')), triggers(work.state).join());
    });

  it('when the budget is nearly spent', () => {
    const work = stuck(underWay());
    assert.equal(health(work.state).level, 'RED');
    const late = work.state.ledger.budget.tokens * thresholds.late;
    assert.equal(health(work.act('vrc', late).state).held, 'the budget is nearly spent');
  });
});

describe('the metrics', () => {
  it('depend only on the journal, and reading them changes nothing', () => {
    const work = underWay();
    for (let i = 0; i < 6; i += 1) work.fails(taskOf(7));
    const again = fold(work.story.events);
    assert.deepEqual(health(deepFreeze(again)), health(work.state));
    assert.deepEqual(metrics(again), metrics(work.state));
  });

  it('ignore the opinion of a model: a praising assessment changes nothing', () => {
    const work = underWay();
    const before = metrics(work.state);
    const vrc = {
      code: 6,
      scope: 'full',
      fallback: false,
      valueScore: 1,
      verified: 2,
      total: 2,
      blocked: 0,
      gaps: [],
      recommendation: 'SHIP_READY',
      summary: 'All there.',
    } as const;
    work.story.state.ledger.assessments.vrcs.push({ ...vrc, gaps: [] });
    assert.deepEqual(metrics(work.state), before);
  });

  it('do not count waiting for the person', () => {
    const work = underWay();
    const before = metrics(work.state);
    for (let i = 0; i < 20; i += 1) work.act('wait');
    assert.deepEqual(metrics(work.state), before);
  });
});
