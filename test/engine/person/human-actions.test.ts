/** The engine itself verifies open human actions: it burns no fuel, tells the person once, and uses no file that was already there. */
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
async function worldAsking(over: Partial<Deed>, person: Person = silent): Promise<World> {
  const w = world({ person, files: { 'total.sh': 'a + b' } });
  return staged(w, p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction(over) }));
}
/** Updates the human actions and returns the recorded facts. */
async function update(w: World, times = 1): Promise<unknown[]> {
  const { context } = play(w);
  const before = w.journal.events.length;
  for (let i = 0; i < times; i += 1) await updateHumanActions(context);
  return w.journal.events.slice(before).flatMap((line): unknown[] => (line.type === 'person.said' ? line.facts : [line]));
}
const humanActionOf = (w: World): HumanAction | undefined => fold(w.journal.events).ledger.humanActions['H1'];
const shown = (held: boolean) => ({ fact: 'human-action.shown', id: 'H1', held });
const fulfilled = { fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' };

describe('an update before a decision', () => {
  it('tells the person first, and copies a file that appears after that', async () => {
    const w = await worldAsking({});
    assert.deepEqual(await update(w), [shown(false)]);
    assert.deepEqual(await update(w, 3), []);
    w.repo.supplies['prices.csv'] = '5';
    assert.deepEqual(await update(w, 3), [fulfilled]);
    assert.equal(humanActionOf(w)?.status, 'fulfilled');
  });

  it('never copies a file that was already there when the person was told (I10)', async () => {
    const w = await worldAsking({});
    w.repo.supplies['prices.csv'] = 'private';
    const copied: string[][] = [];
    w.repo.missingInputs = () => Promise.resolve([]);
    w.repo.copyInputs = (paths) => {
      copied.push(paths);
      return Promise.resolve([]);
    };
    assert.deepEqual(await update(w), [shown(true)]);
    assert.deepEqual(await update(w, 3), []);
    assert.deepEqual(copied, []);
  });

  it('does not accept a command that succeeded before the person acted', async () => {
    const w = await worldAsking({ paths: [], command: 'true' });
    assert.deepEqual(await update(w), [shown(true)]);
    assert.deepEqual(await update(w, 3), []);
    assert.equal(humanActionOf(w)?.status, 'open');
  });

  it('notices a port, a tool, a variable and free disk space', async () => {
    const needs = [
      port,
      { kind: 'tool' as const, name: 'jq' },
      { kind: 'variable' as const, name: 'KEY' },
      { kind: 'disk' as const, megabytes: 5 },
    ];
    const w = await worldAsking({ paths: [], needs });
    assert.deepEqual(await update(w), [shown(false)]);
    const appear = [
      () => w.machine.listening.add(5432),
      () => w.machine.tools.set('jq', '1.6'),
      () => w.machine.variables.set('KEY', 'given'),
    ];
    for (const step of appear) {
      step();
      assert.deepEqual(await update(w), []);
    }
    w.machine.megabytes = 5;
    assert.deepEqual(await update(w), [fulfilled]);
  });

  it('runs a command with a short timeout, and burns no fuel', async () => {
    const w = await worldAsking({ paths: [], command: 'test -s key' });
    w.runner.decide = () => ({ exit: 1 });
    const before = fold(w.journal.events).ledger.burned;
    await update(w, 2);
    assert.deepEqual(
      w.runner.jobs.map(({ timeout, readonly }) => [timeout, readonly]),
      [
        [10, true],
        [10, true],
      ],
    );
    assert.deepEqual(fold(w.journal.events).ledger.burned, before);
  });

  it('does not query the machine when no human action is open, or while a change is open', async () => {
    const w = await worldAsking({ paths: [], needs: [port], status: 'skipped' });
    assert.deepEqual(await update(w, 2), []);
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction({ paths: [], needs: [port] }) });
    const changed = await staged(world({ person: silent }), story.act('execute', { fact: 'tree.changed', change: p.change() }));
    assert.deepEqual(await update(changed), []);
    assert.deepEqual([w.machine.looked, changed.machine.looked], [[], []]);
  });

  it('goes on waiting when a file is behind a link or is refused otherwise, without stopping the sprint', async () => {
    const w = await worldAsking({});
    await update(w);
    w.repo.missingInputs = () => Promise.resolve([]);
    w.repo.copyInputs = () => Promise.reject(new InputError('It goes through a link.', 'Put a file there.'));
    assert.deepEqual(await update(w), []);
    w.repo.missingInputs = () => Promise.reject(new InputError('It leaves the repository.', 'Name another.'));
    assert.deepEqual(await update(w), []);
    w.repo.missingInputs = () => Promise.reject(new Error('the disk is gone'));
    await assert.rejects(update(w), { message: 'the disk is gone' });
  });

  it('tells nothing when no person is available, and verifies again in the next run', async () => {
    const w = await worldAsking({ paths: [], needs: [port] }, new FakePerson(false));
    assert.deepEqual(await update(w), []);
    const { kernel } = play(w);
    await kernel.append({ type: 'person.said', facts: [{ fact: 'human-action.unattended', id: 'H1' }] });
    w.machine.listening.add(5432);
    assert.deepEqual(await update(w), []);
    const next = await again(w);
    await updateHumanActions(next.context);
    assert.equal(next.kernel.state.ledger.humanActions['H1']?.status, 'fulfilled');
  });
});

describe('waiting for the person', () => {
  async function startWaiting(w: World) {
    const { context, kernel, abort } = play(w);
    await kernel.append({
      type: 'step.begun',
      step: { id: 's90', kind: 'action', decision: { action: 'wait', target: 'H1', why: '', burns: [tank('sprint')], behind: [] } },
      burns: [tank('sprint')],
    });
    return { ended: actions.wait.run('H1', context), abort };
  }

  it('ends by itself when the need is met, which it tests every two seconds', async () => {
    const w = await worldAsking({ paths: [], needs: [port] });
    await update(w);
    const original = w.machine.look.bind(w.machine);
    let queries = 0;
    w.machine.look = (needs) => {
      if ((queries += 1) === 3) w.machine.listening.add(5432);
      return original(needs);
    };
    const { ended } = await startWaiting(w);
    assert.deepEqual(await ended, [fulfilled]);
    assert.deepEqual([queries, w.clock.waits], [3, [2000, 2000]]);
  });

  it('pauses ten times as long as the last verification took', async () => {
    const w = await worldAsking({ paths: [], command: 'test -s key' });
    w.runner.decide = () => ({ exit: 1 });
    await update(w);
    w.runner.decide = () => {
      w.clock.time += 3000;
      return { exit: w.clock.waits.length === 3 ? 0 : 1 };
    };
    assert.deepEqual(await (await startWaiting(w)).ended, [fulfilled]);
    assert.deepEqual(w.clock.waits, [2000, 30_000, 30_000]);
  });

  it('pauses a minute at most, also where the machine slept for hours while it looked', async () => {
    const w = await worldAsking({ paths: [], needs: [port] });
    await update(w);
    const original = w.machine.look.bind(w.machine);
    w.machine.look = (needs) => {
      if (w.clock.waits.length === 1) w.clock.time += 8 * 3_600_000;
      if (w.clock.waits.length === 2) w.machine.listening.add(5432);
      return original(needs);
    };
    assert.deepEqual(await (await startWaiting(w)).ended, [fulfilled]);
    assert.deepEqual(w.clock.waits, [2000, 60_000]);
  });

  it('ends when another human action is fulfilled meanwhile', async () => {
    const w = await worldAsking({ paths: [], needs: [port] });
    const other = p.humanAction({ id: 'H2', paths: ['house.txt'] });
    await play(w).kernel.append({ type: 'person.said', facts: [{ fact: 'human-action.asked', humanAction: other }] });
    await update(w);
    w.repo.supplies['house.txt'] = 'Salute';
    assert.deepEqual(await (await startWaiting(w)).ended, [{ ...fulfilled, id: 'H2' }]);
  });

  it('asks the person to confirm a file that was already there, and accepts the answer', async () => {
    const person = new FakePerson(true, () => 'done');
    const w = await worldAsking({}, person);
    w.repo.supplies['prices.csv'] = '5';
    await update(w);
    const { ended } = await startWaiting(w);
    assert.deepEqual([await ended, person.asked, humanActionOf(w)?.status], [[], ['H1'], 'answered']);
    assert.deepEqual(await update(w), [fulfilled]);
  });

  it('stops when the sprint is stopped', async () => {
    const w = await worldAsking({ paths: [], needs: [port] });
    await update(w);
    w.clock.sleep = (_ms, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Interruption('cancelled', 'stopped')));
      });
    const { ended, abort } = await startWaiting(w);
    await new Promise(setImmediate);
    const stopped = assert.rejects(ended, { name: 'Interruption', reason: 'cancelled' });
    abort.abort();
    await stopped;
  });
});

describe('a question to the person', () => {
  for (const [kind, lineages] of [
    ['about failures', ['value/total']],
    ['about how the sprint goes on', []],
  ] as const)
    it(`${kind} can be answered only in words`, async () => {
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
  /** The question was asked when the verification was red. These facts came after it. */
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
  const notNeeded = (why: string) => [{ fact: 'human-action.not-needed', id: 'H1', why }];

  it('stays open while the failures remain or are unknown', async () => {
    for (const w of [
      await after(),
      await after(fixed),
      await after(fixed, run({ verdict: 'red' })),
      await after(fixed, run({ verdict: 'flaky' })),
    ])
      assert.deepEqual(await update(w), []);
  });

  it('is closed when none of the failures is left, and the sprint can end', async () => {
    const w = await after(fixed, run({}));
    assert.deepEqual(await update(w, 2), notNeeded('value/total does not fail any more'));
    assert.equal(humanActionOf(w)?.status, 'not-needed');
    const state = fold(w.journal.events);
    assert.deepEqual(actions.wait.due(state), []);
    assert.notEqual(ending(state).stop, 'waiting');
    assert.deepEqual(
      await update(await after({ fact: 'verification.retired', id: 'value/total', why: 'it is wrong' })),
      notNeeded('what failed is retired'),
    );
  });

  it('is the only kind that closes by itself: how the sprint goes on is the person’s decision', async () => {
    const w = await staged(
      world({ person: silent }),
      p.proven().act('course-correct', { fact: 'human-action.asked', humanAction: p.asked() }),
    );
    assert.deepEqual(await update(w), []);
  });
});
