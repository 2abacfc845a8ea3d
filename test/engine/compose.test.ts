/** Services on the person's machine that Loop starts: waited for, and known for its own after a crash (I2). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startCompose } from '../../src/engine/actions/compose.ts';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { tank } from '../../src/engine/state/fuel.ts';
import { startedByLoop } from '../../src/engine/services/services.ts';
import type { FactOf } from '../../src/engine/work/facts.ts';
import type { Docker } from '../../src/engine/ports.ts';
import type { Service } from '../../src/engine/work/service.ts';
import { world, type World } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const db: Service = { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { tcp: 5432 }, limit: 30 };
const ours: FactOf<'service.started'> = { fact: 'service.started', name: 'db', ours: true, why: 'started', beside: ['disk'] };

describe('a compose service that Loop starts', () => {
  it('is asked until it answers, since it may run before it does', async () => {
    const { w, start } = await prepared();
    let looks = 0;
    w.runner.decide = () => (++looks < 3 ? { exit: null, dead: { name: 'db', how: 'refused', exit: null } } : {});
    assert.deepEqual(await start(), [ours]);
    assert.equal(looks, 3);
  });

  it('is waited for no longer than its limit', async () => {
    const { w, start } = await prepared();
    w.runner.decide = () => ({ exit: null, dead: { name: 'db', how: 'refused', exit: null } });
    const began = w.clock.now();
    assert.deepEqual(await start(), [ours]);
    assert.equal(w.clock.now() - began, db.limit * 1000);
  });

  it('is its own also where the engine died when it had come up', async () => {
    const { w, start } = await prepared();
    w.journal.crashAt = w.journal.events.length + 4;
    await assert.rejects(start(), Interruption);
    assert.deepEqual([...running], ['theirs', 'disk', 'db']);
    w.journal.crashAt = Infinity;
    assert.deepEqual(await start(), [ours]);
  });

  it('stays its own to stop, with what came up beside it, where a later look finds it running', () => {
    const story = p.planned();
    story.act('inputs', { fact: 'services.read', services: [db] });
    story.act('prepare', { ...ours, ours: false, why: 'it was running', beside: [] });
    assert.deepEqual(startedByLoop(story.state), []);
    story.act('prepare', ours);
    story.act('prepare', { ...ours, ours: false, why: 'it was running', beside: [] });
    assert.deepEqual(startedByLoop(story.state), [{ name: 'db', file: 'compose.yaml', names: ['db', 'disk'] }]);
  });

  it('that does not come up is told of in the report, since something else may have answered in its place', () => {
    const story = p.planned();
    story.act('prepare', { ...ours, ours: false, why: 'Bind for 0.0.0.0:5432 failed: port is already allocated.' });
    const line = '- Service db in Docker: not started by Loop, Bind for 0.0.0.0:5432 failed: port is already allocated';
    assert.ok(renderReport(story.state).split('\n').includes(line));
  });
});

const running = new Set<string>();

/** A sprint in `prepare`, on a machine where something of the person runs. */
async function prepared() {
  running.clear();
  running.add('theirs');
  const w: World = world();
  w.ports = { ...w.ports, docker };
  const story = p.planned();
  story.act('inputs', { fact: 'services.read', services: [db] });
  await staged(w, story);
  const { kernel } = play(w);
  const burns = [tank('gate', 'prepare')];
  await kernel.append({
    type: 'step.begun',
    step: { id: 's9', kind: 'action', decision: { action: 'prepare', target: '', why: '', burns, behind: [] } },
    burns,
  });
  const start = () => {
    const { context } = play(w);
    Object.assign(context.state, { config: { ...context.state.config, docker: true, network: 'all' } });
    return startCompose(context);
  };
  return { w, start };
}

const docker: Docker = {
  running: () => Promise.resolve({ names: [...running] }),
  up() {
    running.add('disk').add('db');
    return Promise.resolve(undefined);
  },
  stop: () => Promise.resolve(undefined),
};
