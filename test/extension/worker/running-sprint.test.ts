import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { actions, table } from '../../../src/engine/actions/table.ts';
import { createContext, type Context } from '../../../src/engine/context.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import { createKernel, type Kernel } from '../../../src/engine/kernel.ts';
import { loop } from '../../../src/engine/loop.ts';
import type { Answer, Desk } from '../../../src/engine/person/desk.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { deedOf, type HumanAction } from '../../../src/engine/work/human-action.ts';
import type { FromWorker } from '../../../src/extension/protocol.ts';
import { humanActionAnswer } from '../../../src/extension/worker/worker-desk.ts';
import { RunningSprint } from '../../../src/extension/worker/running-sprint.ts';
import { systemClock } from '../../../src/host/clock.ts';
import type { Story } from '../../engine/support/events.ts';
import * as p from '../../engine/support/parts.ts';
import { staged } from '../../engine/support/play.ts';
import { world } from '../../support/fakes.ts';
import { built, stateOf } from '../../views/model/sample.ts';

/** A folder in which no sprint was started. */
const sprintDir = mkdtempSync(join(tmpdir(), 'loop-running-'));
const deed = deedOf({ id: 'H1', action: 'Supply it', instructions: '', paths: ['token.txt'] });

function start(): { run: RunningSprint; posted: FromWorker[]; views: () => number } {
  const posted: FromWorker[] = [];
  const run = new RunningSprint(sprintDir, (message) => posted.push(message));
  return { run, posted, views: () => posted.filter((m) => m.type === 'view').length };
}

/** Opens the desk of a sprint that asked for this human action. Answers are recorded at once. */
function openDesk(run: RunningSprint, humanAction: HumanAction = deed): { story: Story; desk: Desk; recorded: () => Fact[] } {
  const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction });
  const desk: Desk = { state: story.state, ports: world().ports, append: async (draft) => void story.add(draft) };
  run.open(desk);
  return { story, desk, recorded: () => story.events.flatMap((event) => (event.type === 'person.said' ? event.facts : [])) };
}

/** A kernel that waits for the deed. */
async function startWaiting(run: RunningSprint): Promise<{ kernel: Kernel; context: Context }> {
  const asked = { ...deed, shown: true };
  const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: asked }).begin('wait', 'H1');
  const { journal, ports } = await staged(world({ person: run.person }), story);
  const [state, onEvent] = [fold(journal.events), run.onEvent.bind(run)];
  const kernel = createKernel({ state, ports: { ...ports, clock: systemClock }, signal: run.signal, owner: 1, onEvent });
  run.open(kernel);
  return { kernel, context: createContext(kernel) };
}

const giveAnswer = (run: RunningSprint | undefined, id: string, answer: Answer): Promise<void> =>
  humanActionAnswer({ sprintDir, id, answer }, run);

describe('RunningSprint', () => {
  after(() => rmSync(sprintDir, { recursive: true }));

  it('sends one view for a burst of events: soon, and with the latest state', async () => {
    const { run, posted, views } = start();
    for (let n = 1; n <= built.length; n++) {
      const state = stateOf(...built.slice(0, n));
      run.onEvent(state.opened, state);
    }
    assert.equal(views(), 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const view = posted.find((m) => m.type === 'view');
    assert.deepEqual([views(), view?.type === 'view' && view.view.decisions], [1, stateOf(...built).ledger.decisions.length]);
  });

  it('tells each second what is done now, and nothing once it is closed', async () => {
    const { run, posted } = start();
    const told = (): FromWorker[] => posted.filter(({ type }) => type === 'activity');
    const { events, state } = p.awaiting().begin('execute', 'T1');
    const last = events.at(-1);
    assert.ok(last);
    run.onEvent(last, state);
    run.onProgress({ kind: 'tool', name: 'bash', input: 'npm test' });
    await systemClock.sleep(1300, run.signal);
    run.close();
    const [first] = told();
    assert.ok(first?.type === 'activity');
    assert.equal(first.activity.lines[0]?.words, 'runs a command: npm test');
    const count = told().length;
    await systemClock.sleep(1300, run.signal);
    assert.equal(told().length, count);
  });

  it('tells with the view of a new action that nothing of it is done yet, and not again with its next views', () => {
    const { run, posted } = start();
    const { events, state } = p.awaiting().begin('execute', 'T1');
    const last = events.at(-1);
    assert.ok(last?.type === 'step.begun');
    run.onProgress({ kind: 'verification-began', id: 'cli/name' });
    run.onEvent(last, state);
    run.flush();
    run.onEvent({ ...last, step: { ...last.step, id: 's9/a1', kind: 'ask', request: '', role: 'builder', purpose: '', turn: 1 } }, state);
    run.flush();
    const told = posted.flatMap((message) => (message.type === 'activity' ? [message.activity.lines] : []));
    assert.deepEqual([posted.map(({ type }) => type).filter((type) => type !== 'log'), told], [['view', 'activity', 'view'], [[]]]);
  });

  it('sends nothing when nothing changed', () => {
    const { run, posted } = start();
    run.flush();
    assert.deepEqual(posted, []);
  });

  it('limits a burst of log lines, and says how many it left out', () => {
    const { run, posted } = start();
    for (let n = 0; n < 1000; n++) run.onProgress({ kind: 'note', text: String(n) });
    run.flush();
    const [log] = posted;
    assert.ok(log?.type === 'log');
    assert.deepEqual([log.lines.length, log.lines.at(-1)?.text], [201, '800 lines were left out here']);
  });

  it('shows a human action at once, with what is still missing', async () => {
    const { run, posted, views } = start();
    const { story } = openDesk(run, { ...deed, missing: 'token.txt is not there' });
    for (const event of story.events) run.onEvent(event, story.state);
    assert.equal(views(), 0, 'the view is delayed');
    void run.person.ask(deed, [], run.signal);
    const view = posted.find((m) => m.type === 'view');
    assert.ok(view?.type === 'view');
    assert.deepEqual(
      view.view.humanActions.map(({ id, missing }) => [id, missing]),
      [['H1', 'token.txt is not there']],
    );
    run.stop();
  });

  it('records an answer at once and only once, whether the engine waits for it or not', async () => {
    const { run } = start();
    const { recorded } = openDesk(run);
    await assert.rejects(giveAnswer(run, 'H2', 'skip'), InputError);
    await giveAnswer(run, 'H1', 'skip');
    assert.deepEqual(recorded(), [{ fact: 'human-action.answered', id: 'H1', answer: 'skip' }]);
    await assert.rejects(giveAnswer(run, 'H1', 'done'), InputError);
    assert.equal(recorded().length, 1);
  });

  it('takes an answer that is faster than the sprint opens', async () => {
    const { run } = start();
    const answered = giveAnswer(run, 'H1', 'skip');
    const { recorded } = openDesk(run);
    await answered;
    assert.deepEqual(recorded(), [{ fact: 'human-action.answered', id: 'H1', answer: 'skip' }]);
  });

  it('stops waiting when an answer is recorded', async () => {
    const { run } = start();
    const { kernel, context } = await startWaiting(run);
    const over = actions.wait.run('H1', context);
    await new Promise(setImmediate);
    await giveAnswer(run, 'H1', 'done');
    assert.deepEqual([await over, kernel.state.ledger.humanActions['H1']?.status], [[], 'answered']);
    assert.equal(run.signal.aborted, false);
  });

  it('gives an answer to the sprint on disk when its own desk is closed or was never open', async () => {
    const { run } = start();
    const atRest = { message: `No sprint was started in ${sprintDir}.` };
    const { run: ended } = start();
    const answered = giveAnswer(ended, 'H1', 'skip');
    ended.close();
    await assert.rejects(answered, atRest);
    const { desk, recorded } = openDesk(run);
    run.open({ ...desk, state: { ...desk.state, stopped: { stop: 'waiting', reasons: [] } } });
    await assert.rejects(giveAnswer(run, 'H1', 'skip'), atRest);
    await assert.rejects(giveAnswer(undefined, 'H1', 'skip'), atRest);
    assert.deepEqual(recorded(), []);
  });

  it('stops waiting when the sprint is stopped', async () => {
    const { run } = start();
    const { kernel } = await startWaiting(run);
    const over = assert.rejects(loop(kernel, table), (error) => error instanceof Interruption && error.reason === 'cancelled');
    await new Promise(setImmediate);
    run.stop();
    await over;
    assert.equal(kernel.state.open?.decision.action, 'wait', 'the next run continues with the wait');
    await run.person.ask(deed, [], run.signal);
    await assert.rejects(giveAnswer(run, 'H1', 'skip'), Interruption);
  });

  it('stops waiting when the requested file is there', async () => {
    const { run } = start();
    const appeared = new AbortController();
    const ask = run.person.ask(deed, [], appeared.signal);
    appeared.abort();
    await ask;
    assert.equal(run.signal.aborted, false);
  });
});
