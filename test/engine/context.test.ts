/** An effect on the world: intent first, looked for before it is repeated, and never done twice (I2). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Doing } from '../../src/engine/context.ts';
import { ActionLimit, Bug, Interruption } from '../../src/engine/ground/errors.ts';
import { tank } from '../../src/engine/state/fuel.ts';
import { actionTanks } from '../../src/engine/state/tanks.ts';
import { world, type World } from '../support/fakes.ts';
import { awaiting } from './support/parts.ts';
import { again, building, play } from './support/play.ts';

const effect = { name: 'commit', key: 's7', detail: 'T1' };

/** A world with one thing in it that can be done and, if it can be found, found. */
function thing(w: World, findable: boolean) {
  const done: string[] = [];
  const find = () => Promise.resolve(done[0]);
  const how: Doing = {
    run: () => {
      done.push(`c${done.length + 1}`);
      return Promise.resolve(done.at(-1) ?? '');
    },
    ...(findable ? { find } : {}),
  };
  return { done, how, lines: () => w.journal.events.length };
}

describe('an effect', () => {
  it('is begun, done and ended, and gives what it gave', async () => {
    const w = world();
    const { context } = building(w);
    const { how, done, lines } = thing(w, true);
    const before = lines();
    assert.equal(await context.effect(effect, how), 'c1');
    const id = `${context.open.id}/commit:s7`;
    const [begun, ended] = w.journal.events.slice(before).map(({ n: _n, at: _at, owner: _owner, ...line }) => line);
    assert.deepEqual(begun, {
      type: 'step.begun',
      step: { id, kind: 'effect', effect },
      burns: [tank('effects', context.open.id)],
    });
    assert.deepEqual(ended, { type: 'step.ended', id, outcome: 'done', value: 'c1', facts: [] });
    assert.deepEqual(done, ['c1']);
  });

  for (const findable of [true, false])
    it(`that ended is not done again after a crash, whether it can be found or not: ${findable}`, async () => {
      const w = world();
      const { how, done } = thing(w, findable);
      await building(w).context.effect(effect, how);
      const { context } = await again(w);
      const lines = w.journal.events.length;
      assert.equal(await context.effect(effect, how), 'c1');
      assert.deepEqual([done, w.journal.events.length], [['c1'], lines]);
    });

  for (const [findable, times] of [
    [true, 1],
    [false, 2],
  ] as const)
    it(`that was done and not ended is ${findable ? 'found' : 'done again, where that is harmless'}`, async () => {
      const w = world();
      const { how, done } = thing(w, findable);
      const { context, kernel } = building(w);
      w.journal.crashAt = kernel.state.n + 2;
      await assert.rejects(context.effect(effect, how), Interruption);
      assert.equal(await (await again(w)).context.effect(effect, how), findable ? 'c1' : 'c2');
      assert.equal(done.length, times);
    });

  it('that was begun and not done is done', async () => {
    const w = world();
    const { how, done } = thing(w, true);
    const { context, kernel } = building(w);
    w.journal.crashAt = kernel.state.n + 1;
    await assert.rejects(context.effect(effect, how), Interruption);
    assert.deepEqual(done, []);
    assert.equal(await (await again(w)).context.effect(effect, how), 'c1');
  });

  it('that failed says why, and is tried again', async () => {
    const w = world();
    const { context } = building(w);
    const failing = () => Promise.reject(new Error('disk full'));
    await assert.rejects(context.effect(effect, { run: failing }), /disk full/);
    const last = w.journal.events.at(-1);
    assert.ok(last?.type === 'step.ended');
    assert.deepEqual([last.outcome, last.why], ['failed', 'disk full']);
    assert.equal(await context.effect(effect, thing(w, false).how), 'c1');
  });

  it('that a stop cut short is left open', async () => {
    const w = world();
    const { context, abort } = building(w);
    const stopped = () => {
      abort.abort();
      return Promise.reject(new Interruption('cancelled', 'stopped'));
    };
    await assert.rejects(context.effect(effect, { run: stopped }), Interruption);
    assert.equal(w.journal.events.at(-1)?.type, 'step.begun');
  });

  for (const action of ['execute', 'close'] as const)
    it(`beyond the limit of one action is ${action === 'close' ? 'made where the sprint closes' : 'not made'}`, async () => {
      const w = world();
      const story = awaiting();
      story.begin(action, '', []);
      w.journal.events.push(...story.events);
      const { context, kernel } = play(w);
      const { id } = context.open;
      const burns = Array.from({ length: actionTanks.effects }, () => tank('effects', id));
      await kernel.append({ type: 'step.begun', step: { id: `${id}/other`, kind: 'effect', effect }, burns });
      const { how, done } = thing(w, false);
      if (action === 'close') await context.effect(effect, how);
      else await assert.rejects(context.effect(effect, how), ActionLimit);
      assert.deepEqual(done, action === 'close' ? ['c1'] : []);
    });

  it('belongs to an open action', async () => {
    const w = world();
    building(w);
    w.journal.events.pop();
    const { context } = play(w);
    await assert.rejects(context.effect(effect, { run: () => Promise.resolve('') }), Bug);
    assert.throws(() => context.open, Bug);
  });
});
