/** The engine looks itself at what a person was asked for: free of fuel, told once, and nothing taken that was there before. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerHumanAction } from '../../../src/engine/person/desk.ts';
import { updateHumanActions } from '../../../src/engine/person/human-actions.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { actions } from '../../../src/engine/actions/table.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { Deed, HumanAction } from '../../../src/engine/work/human-action.ts';
import { world, type World } from '../../support/fakes.ts';
import { FakePerson } from '../../support/person.ts';
import { silent } from '../../support/person.ts';
import type { Person } from '../../../src/engine/ports.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import * as p from '../support/parts.ts';
import { again, play, staged } from '../support/play.ts';

const port = { kind: 'port' as const, port: 5432, state: 'listening' as const };
async function asked(over: Partial<Deed>, person: Person = silent): Promise<World> {
  const w = world({ person, files: { 'total.sh': 'a + b' } });
  return staged(w, p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction(over) }));
}
/** Facts of the lines that a look appended. */
async function look(w: World, times = 1): Promise<unknown[]> {
  const { context } = play(w);
  const before = w.journal.events.length;
  for (let i = 0; i < times; i += 1) await updateHumanActions(context);
  return w.journal.events.slice(before).flatMap((line): unknown[] => (line.type === 'person.said' ? line.facts : [line]));
}
const humanActionOf = (w: World): HumanAction | undefined => fold(w.journal.events).ledger.humanActions['H1'];
const told = (held: boolean) => ({ fact: 'human-action.shown', id: 'H1', held });
const done = { fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' };

describe('a look before a decision', () => {
  it('tells the person first, and takes a file once it comes after that', async () => {
    const w = await asked({});
    assert.deepEqual(await look(w), [told(false)]);
    assert.deepEqual(await look(w, 3), []);
    w.repo.supplies['prices.csv'] = '5';
    assert.deepEqual(await look(w, 3), [done]);
    assert.equal(humanActionOf(w)?.status, 'fulfilled');
  });

  it('copies nothing that was there when they were told, however often it looks (I10)', async () => {
    const w = await asked({});
    w.repo.supplies['prices.csv'] = 'private';
    const copied: string[][] = [];
    w.repo.missingInputs = () => Promise.resolve([]);
    w.repo.copyInputs = (paths) => {
      copied.push(paths);
      return Promise.resolve([]);
    };
    assert.deepEqual(await look(w), [told(true)]);
    assert.deepEqual(await look(w, 3), []);
    assert.deepEqual(copied, []);
  });

  it('does not take a verification that says yes before anything was done for its word', async () => {
    const w = await asked({ paths: [], command: 'true' });
    assert.deepEqual(await look(w), [told(true)]);
    assert.deepEqual(await look(w, 3), []);
    assert.equal(humanActionOf(w)?.status, 'open');
  });

  it('sees a port, a tool, a variable and room on the disk', async () => {
    const needs = [
      port,
      { kind: 'tool' as const, name: 'jq' },
      { kind: 'variable' as const, name: 'KEY' },
      { kind: 'disk' as const, megabytes: 5 },
    ];
    const w = await asked({ paths: [], needs });
    assert.deepEqual(await look(w), [told(false)]);
    const come = [
      () => w.machine.listening.add(5432),
      () => w.machine.tools.set('jq', '1.6'),
      () => w.machine.variables.set('KEY', 'given'),
    ];
    for (const one of come) {
      one();
      assert.deepEqual(await look(w), []);
    }
    w.machine.megabytes = 5;
    assert.deepEqual(await look(w), [done]);
  });

  it('gives a command a short time, and burns no fuel', async () => {
    const w = await asked({ paths: [], command: 'test -s key' });
    w.runner.decide = () => ({ exit: 1 });
    const before = fold(w.journal.events).ledger.burned;
    await look(w, 2);
    assert.deepEqual(
      w.runner.jobs.map(({ timeout, readonly }) => [timeout, readonly]),
      [
        [10, true],
        [10, true],
      ],
    );
    assert.deepEqual(fold(w.journal.events).ledger.burned, before);
  });

  it('asks nothing of the machine where nothing is open, or a change waits to be settled', async () => {
    const w = await asked({ paths: [], needs: [port], status: 'skipped' });
    assert.deepEqual(await look(w, 2), []);
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction({ paths: [], needs: [port] }) });
    const changed = await staged(world({ person: silent }), story.act('execute', { fact: 'tree.changed', change: p.change() }));
    assert.deepEqual(await look(changed), []);
    assert.deepEqual([w.machine.looked, changed.machine.looked], [[], []]);
  });

  it('waits with what is behind a link, or is refused otherwise, and stops nothing', async () => {
    const w = await asked({});
    await look(w);
    w.repo.missingInputs = () => Promise.resolve([]);
    w.repo.copyInputs = () => Promise.reject(new InputError('It goes through a link.', 'Put a file there.'));
    assert.deepEqual(await look(w), []);
    w.repo.missingInputs = () => Promise.reject(new InputError('It leaves the repository.', 'Name another.'));
    assert.deepEqual(await look(w), []);
    w.repo.missingInputs = () => Promise.reject(new Error('the disk is gone'));
    await assert.rejects(look(w), { message: 'the disk is gone' });
  });

  it('says nothing where nobody can be asked, and looks in the next run', async () => {
    const w = await asked({ paths: [], needs: [port] }, new FakePerson(false));
    assert.deepEqual(await look(w), []);
    const { kernel } = play(w);
    await kernel.append({ type: 'person.said', facts: [{ fact: 'human-action.unattended', id: 'H1' }] });
    w.machine.listening.add(5432);
    assert.deepEqual(await look(w), []);
    const next = await again(w);
    await updateHumanActions(next.context);
    assert.equal(next.kernel.state.ledger.humanActions['H1']?.status, 'fulfilled');
  });
});

describe('waiting for a person', () => {
  async function waiting(w: World) {
    const { context, kernel, abort } = play(w);
    await kernel.append({
      type: 'step.begun',
      step: { id: 's90', kind: 'action', decision: { action: 'wait', target: 'H1', why: '', burns: [tank('sprint')], behind: [] } },
      burns: [tank('sprint')],
    });
    return { ended: actions.wait.run('H1', context), abort };
  }

  it('ends by itself within one look once it is there, every two seconds', async () => {
    const w = await asked({ paths: [], needs: [port] });
    await look(w);
    const look3 = w.machine.look.bind(w.machine);
    let looks = 0;
    w.machine.look = (needs) => {
      if ((looks += 1) === 3) w.machine.listening.add(5432);
      return look3(needs);
    };
    const { ended } = await waiting(w);
    assert.deepEqual(await ended, [done]);
    assert.deepEqual([looks, w.clock.waits], [3, [2000, 2000]]);
  });

  it('rests ten times as long as a look took', async () => {
    const w = await asked({ paths: [], command: 'test -s key' });
    w.runner.decide = () => ({ exit: 1 });
    await look(w);
    w.runner.decide = () => {
      w.clock.time += 3000;
      return { exit: w.clock.waits.length === 3 ? 0 : 1 };
    };
    assert.deepEqual(await (await waiting(w)).ended, [done]);
    assert.deepEqual(w.clock.waits, [2000, 30_000, 30_000]);
  });

  it('goes on with another action that came meanwhile', async () => {
    const w = await asked({ paths: [], needs: [port] });
    const other = p.humanAction({ id: 'H2', paths: ['house.txt'] });
    await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'human-action.asked', humanAction: other }] });
    await look(w);
    w.repo.supplies['house.txt'] = 'Salute';
    assert.deepEqual(await (await waiting(w)).ended, [{ ...done, id: 'H2' }]);
  });

  it('asks for the word of a person about what was there already, and takes it', async () => {
    const person = new FakePerson(true, () => 'done');
    const w = await asked({}, person);
    w.repo.supplies['prices.csv'] = '5';
    await look(w);
    const { ended } = await waiting(w);
    assert.deepEqual([await ended, person.asked, humanActionOf(w)?.status], [[], ['H1'], 'answered']);
    assert.deepEqual(await look(w), [done]);
  });

  it('stops when it is told to', async () => {
    const w = await asked({ paths: [], needs: [port] });
    await look(w);
    w.clock.sleep = (_ms, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Interruption('cancelled', 'stopped')));
      });
    const { ended, abort } = await waiting(w);
    await new Promise(setImmediate);
    const stopped = assert.rejects(ended, { name: 'Interruption', reason: 'cancelled' });
    abort.abort();
    await stopped;
  });
});

describe('a question to the person', () => {
  for (const [kind, lineages] of [
    ['about failures', ['value/total']],
    ['how the sprint goes on', []],
  ] as const)
    it(`${kind} is answered by words alone, and by nothing else`, async () => {
      const question = p.asked(lineages);
      const w = await staged(world({ person: silent }), p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: question }));
      const { kernel } = play(w);
      for (const answer of ['done', { said: ' ' }] as const)
        await assert.rejects(answerHumanAction(kernel, 'H1', answer), { name: 'InputError', next: 'Answer it in words, or skip it.' });
      assert.equal(humanActionOf(w)?.status, 'open');
      await answerHumanAction(kernel, 'H1', { said: 'The second one.' });
      assert.equal(humanActionOf(w)?.status, 'fulfilled');
      assert.deepEqual(actions.wait.due(kernel.state), []);
    });
});

describe('a question about failures', () => {
  const question = p.asked(['value/total']);
  const red = p.run({ n: 2, code: 1, verdict: 'red' });
  /** Asked when all is built and the verification is red; then a fix was settled, and the verification is as these facts say. */
  async function after(...facts: Fact[]): Promise<World> {
    const story = p.built();
    const { step } = story.state.work.tree.change ?? p.change();
    const settled: Fact = { fact: 'tree.settled', settled: p.settled({ step }) };
    story
      .act('settle', settled, { fact: 'verification.ran', run: red })
      .act('research', { fact: 'human-action.asked', humanAction: question });
    return staged(world({ person: silent }), facts.length > 0 ? story.act('settle', ...facts) : story);
  }
  const fixed: Fact = { fact: 'tree.settled', settled: p.settled({ code: 2, author: p.byFix }) };
  const run = (over: Partial<Run>): Fact => ({ fact: 'verification.ran', run: p.run({ n: 3, code: 2, ...over }) });
  const mooted = (why: string) => [{ fact: 'human-action.not-needed', id: 'H1', why }];

  it('stays while they are there, and while that is not known', async () => {
    for (const w of [
      await after(),
      await after(fixed),
      await after(fixed, run({ verdict: 'red' })),
      await after(fixed, run({ verdict: 'flaky' })),
    ])
      assert.deepEqual(await look(w), []);
  });

  it('is closed once none of them is left, and keeps nothing from ending', async () => {
    const w = await after(fixed, run({}));
    assert.deepEqual(await look(w, 2), mooted('value/total does not fail any more'));
    assert.equal(humanActionOf(w)?.status, 'not-needed');
    const state = fold(w.journal.events);
    assert.deepEqual(actions.wait.due(state), []);
    assert.notEqual(ending(state).stop, 'waiting');
    assert.deepEqual(
      await look(await after({ fact: 'verification.retired', id: 'value/total', why: 'it is wrong' })),
      mooted('what failed is retired'),
    );
  });

  it('is the only one: how the sprint goes on is for the person to say', async () => {
    const w = await staged(
      world({ person: silent }),
      p.proven().act('course-correct', { fact: 'human-action.asked', humanAction: p.asked() }),
    );
    assert.deepEqual(await look(w), []);
  });
});
