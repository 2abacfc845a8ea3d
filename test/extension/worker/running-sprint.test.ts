import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Interruption } from '../../../src/engine/ground/errors.ts';
import type { FromWorker } from '../../../src/extension/protocol.ts';
import { Run } from '../../../src/extension/worker/running-sprint.ts';
import { built, stateOf } from '../../views/model/sample.ts';

const action = { id: 'H1', action: 'Supply it', instructions: '', paths: [], task: '', tasks: [] };

function started(): { run: Run; posted: FromWorker[]; views: () => number } {
  const posted: FromWorker[] = [];
  const run = new Run('/sprint', (message) => posted.push(message));
  return { run, posted, views: () => posted.filter((m) => m.type === 'view').length };
}

describe('Run', () => {
  it('sends one view for a burst of events, soon, and the latest', async () => {
    const { run, posted, views } = started();
    for (let n = 1; n <= built.length; n++) {
      const state = stateOf(...built.slice(0, n));
      run.onEvent(state.opened, state);
    }
    assert.equal(views(), 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const view = posted.find((m) => m.type === 'view');
    assert.deepEqual([views(), view?.type === 'view' && view.view.decisions], [1, 4]);
  });

  it('sends nothing when nothing changed', () => {
    const { run, posted } = started();
    run.flush();
    assert.deepEqual(posted, []);
  });

  it('bounds a burst of log lines, and says what it left out', () => {
    const { run, posted } = started();
    for (let n = 0; n < 1000; n++) run.onProgress({ kind: 'note', text: String(n) });
    run.flush();
    const [log] = posted;
    assert.ok(log?.type === 'log');
    assert.deepEqual([log.lines.length, log.lines.at(-1)?.text], [201, '800 lines were left out here']);
  });

  it('hands the answer to whoever waits for it', async () => {
    const { run } = started();
    const answer = run.person.waitFor(action, run.signal);
    run.answer('H2', 'skip');
    run.answer('H1', 'done');
    assert.equal(await answer, 'done');
  });

  it('keeps an answer that came early, and gives it once', async () => {
    const { run } = started();
    run.answer('H1', 'skip');
    assert.equal(await run.person.waitFor(action, run.signal), 'skip');
    const again = run.person.waitFor(action, run.signal);
    run.answer('H1', 'done');
    assert.equal(await again, 'done');
  });

  it('stops waiting when the sprint is stopped', async () => {
    const { run } = started();
    const answer = run.person.waitFor(action, run.signal);
    run.stop();
    await assert.rejects(answer, (error) => error instanceof Interruption && error.reason === 'cancelled');
    await assert.rejects(run.person.waitFor(action, run.signal), Interruption);
  });

  it('tells what is still missing', () => {
    const { run, posted } = started();
    run.person.notYet(action, 'token.txt is not there');
    assert.deepEqual(posted, [{ type: 'not-yet', sprintDir: '/sprint', pause: 'H1', missing: 'token.txt is not there' }]);
  });
});
