/** What the editor holds about the sprint that it shows, beside an engine whose answers come late. */
import * as assert from 'node:assert/strict';

import { afterEach, beforeEach, describe, it } from 'mocha';

import { EngineFailure, type EngineClient } from '../../../src/extension/editor/engine-client.ts';
import { SprintStore } from '../../../src/extension/editor/sprint-store.ts';
import { whileReplaced } from './replaced.ts';

const choice = { model: { kind: 'anthropic' as const }, overrides: {}, baseURL: null };
const view = { finished: null, ending: null, elsewhere: null };

interface Asked {
  what: string;
  answer(value: unknown): void;
  fail(error: EngineFailure): void;
}

describe('the sprint that the editor shows', () => {
  let asked: Asked[];
  let store: SprintStore;
  beforeEach(() => {
    asked = [];
    const engine: Pick<EngineClient, 'request'> = {
      request: (kind, params) =>
        new Promise((resolve, fail) => {
          const dir = 'sprintDir' in params ? params.sprintDir : '';
          asked.push({ what: `${kind} ${dir}`, answer: (value) => resolve(value as never), fail });
        }),
    };
    store = new SprintStore(() => engine as EngineClient);
  });
  afterEach(() => store.dispose());

  const newest = async (what: string): Promise<Asked> => {
    await new Promise(setImmediate);
    const one = asked.findLast((request) => request.what === what);
    assert.ok(one, `${what} was not asked, but ${asked.map((request) => request.what).join(', ')}`);
    return one;
  };
  const wasShown = async (dir: string, was: object = view): Promise<void> => {
    const showing = store.show(dir);
    (await newest(`read ${dir}`)).answer(was);
    await showing;
  };

  it('runs also where it began while its last state was read', async () => {
    const showing = store.show('/sprint');
    store.run('/sprint', choice);
    (await newest('read /sprint')).answer(view);
    await showing;
    assert.equal(store.shown?.running, true);
  });

  it('is the only one that runs, whatever the person started meanwhile', async () => {
    store.run('/a', choice);
    assert.throws(() => store.run('/a', choice), EngineFailure);
    assert.throws(() => store.run('/b', choice), EngineFailure);
    assert.throws(() => void store.runQueue([{ dir: '/b', choice }]), EngineFailure);
    assert.deepEqual([store.shown?.dir, store.shown?.running], ['/a', true]);
    await newest('run /a');
    assert.deepEqual(
      asked.map(({ what }) => what),
      ['run /a'],
    );
  });

  for (const { reason, begun } of [
    { reason: 'cancelled', begun: 1 },
    { reason: 'paused', begun: 1 },
    { reason: 'unreachable', begun: 2 },
  ] as const)
    it(`is ${begun === 1 ? 'the last' : 'not the last'} of a queue where it is ${reason}`, async () => {
      const outcomes = store.runQueue(['/a', '/b'].map((dir) => ({ dir, choice })));
      const failure = { kind: 'interruption' as const, message: '', next: '', reason };
      for (const dir of ['/a', '/b'].slice(0, begun)) {
        (await newest(`run ${dir}`)).fail(new EngineFailure(failure));
        (await newest(`read ${dir}`)).answer(view);
      }
      assert.equal((await outcomes).length, begun);
      assert.equal(store.queue, null);
    });

  it('is the last of a queue where it ended just before the person stopped it', async () => {
    const outcomes = store.runQueue(['/a', '/b'].map((dir) => ({ dir, choice })));
    (await newest('run /a')).answer({ stop: 'delivered', reasons: [] });
    const state = await newest('read /a');
    const stopping = store.stop();
    (await newest('stop /a')).answer(null);
    state.answer(view);
    assert.deepEqual([(await outcomes).length, store.queue, store.shown?.running], [1, null, false]);
    await stopping;
    assert.equal(asked.filter(({ what }) => what === 'run /b').length, 0);
  });

  it('is the one from before where a new one is refused before it is open', async () => {
    await wasShown('/a');
    store.run('/b', choice);
    (await newest('run /b')).fail(new EngineFailure({ kind: 'input', message: '', next: '' }));
    (await newest('read /b')).answer(null);
    await new Promise(setImmediate);
    assert.deepEqual([store.shown?.dir, store.shown?.running, store.resumable], ['/a', false, true]);
  });

  it('is the one that the person asked for last', async () => {
    const [first, second] = [store.show('/a'), store.show('/b')];
    (await newest('read /b')).answer(view);
    (await newest('read /a')).answer(view);
    await Promise.all([first, second]);
    assert.equal(store.shown?.dir, '/b');
  });

  it('stays where the state of the one before it comes late', async () => {
    const polls: (() => void)[] = [];
    const usual = globalThis.setTimeout;
    const setTimeout = (act: () => void, ms: number): unknown => (ms === 5000 ? polls.push(act) : usual(act, ms));
    await whileReplaced(globalThis, { setTimeout }, () => wasShown('/a', { ...view, elsewhere: { process: 1 } }));
    polls.forEach((poll) => poll());
    const late = await newest('read /a');
    assert.equal(asked.length, 2, 'it is not looked at again while it runs elsewhere');
    await wasShown('/b');
    late.answer(view);
    await new Promise(setImmediate);
    assert.equal(store.shown?.dir, '/b');
  });

  it('is looked at again where it runs elsewhere and could not be read once', async () => {
    const polls: (() => void)[] = [];
    const usual = globalThis.setTimeout;
    const setTimeout = (act: () => void, ms: number): unknown => (ms === 5000 ? polls.push(act) : usual(act, ms));
    await whileReplaced(globalThis, { setTimeout }, async () => {
      await wasShown('/a', { ...view, elsewhere: { process: 1 } });
      polls[0]?.();
      (await newest('read /a')).fail(new EngineFailure({ kind: 'error', message: '', detail: '' }));
      await new Promise(setImmediate);
    });
    assert.equal(polls.length, 2);
  });
});
