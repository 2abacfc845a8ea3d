/** A pause lets the running step end, begins nothing after it, and loses nothing (I2). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { session } from '../../src/engine/agents/session.ts';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { loop } from '../../src/engine/loop.ts';
import { table } from '../../src/engine/actions/table.ts';
import { wait } from '../../src/engine/actions/wait.ts';
import { say } from '../../src/engine/person/say.ts';
import { calls, world } from '../support/fakes.ts';
import { silent } from '../support/person.ts';
import * as p from './support/parts.ts';
import { again, building, play, reported, spec, staged } from './support/play.ts';

const report = calls(['report_task_complete', reported]);
const isPause = (error: unknown): boolean => error instanceof Interruption && error.reason === 'paused';

describe('a pause', () => {
  it('lets a session’s turn and its calls end, and the session goes on there after the resume', async () => {
    const w = world({ answers: [calls(['write_file', { path: 'a', content: 'one' }]), report] });
    const { kernel, context } = building(w);
    const { ask } = w.ports.model;
    w.ports.model.ask = async (request, onText, signal) => {
      if (request.turn === 1) assert.match(await say(kernel, { kind: 'pause' }), /^It pauses after this step \(Building T1\)\./);
      return ask.call(w.ports.model, request, onText, signal);
    };
    await assert.rejects(session(context, spec), isPause);
    assert.deepEqual([w.repo.files['a'], w.model.asked.length], ['one', 1], 'the call ran, and no second turn began');
    const resumed = await again(w);
    assert.equal(resumed.kernel.state.ledger.pauseAsked, false);
    assert.deepEqual(await session(resumed.context, spec), { end: 'reported' });
    assert.equal(w.model.asked.length, 2, 'nothing is repeated');
  });

  it('begins no decision', async () => {
    const w = await staged(world(), p.awaiting().said({ fact: 'pause.asked' }));
    const lines = w.journal.events.length;
    await assert.rejects(loop(play(w).kernel, table), isPause);
    assert.equal(w.journal.events.length, lines);
  });

  it('ends a wait for the person', async () => {
    const asked = p.humanAction({ shown: true });
    const w = await staged(
      world({ person: silent }),
      p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: asked }).begin('wait', 'H1'),
    );
    const { kernel, context } = play(w);
    const waiting = wait.run('H1', context);
    await say(kernel, { kind: 'pause' });
    await assert.rejects(waiting, isPause);
  });

  it('keeps no sprint from closing', async () => {
    const { kernel } = play(await staged(world(), p.awaiting().said({ fact: 'pause.asked' })));
    const decision = { action: 'close' as const, target: '', why: '', burns: [], behind: [] };
    await kernel.append({ type: 'step.begun', step: { id: 's9', kind: 'action', decision }, burns: [{ kind: 'sprint', key: '' }] });
    assert.equal(kernel.state.open?.decision.action, 'close');
  });

  it('that is asked for twice is journaled once', async () => {
    const w = await staged(world(), p.awaiting());
    const { kernel } = play(w);
    await say(kernel, { kind: 'pause' });
    const lines = w.journal.events.length;
    await say(kernel, { kind: 'pause' });
    assert.equal(w.journal.events.length, lines);
  });
});
