/** The gate before any work: what the machine lacks is found without a model, and the install is made again when it came. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions, table } from '../../src/engine/actions/table.ts';
import { fold } from '../../src/engine/core/fold.ts';
import { loop } from '../../src/engine/loop.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { tank } from '../../src/engine/state/fuel.ts';
import type { DeclaredNeed } from '../../src/engine/work/needs.ts';
import type { SprintContext } from '../../src/engine/work/discovered.ts';
import { world, type World } from '../support/fakes.ts';
import { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { again, play, staged } from './support/play.ts';

const jq: DeclaredNeed = { what: { kind: 'tool', name: 'jq' }, why: 'it reads the prices', requirements: ['1'] };

/** Up to the plan, with what discovery found. */
function planned(over: Partial<SprintContext>): Story {
  const events = p.planned().events.slice(1);
  const upToPlan = events.slice(
    0,
    events.findIndex((e) => isBegun(e, 'prepare')),
  );
  const story = new Story();
  for (const { n: _n, at: _at, owner: _owner, ...draft } of upToPlan) story.add(withContext(draft as Event, over));
  return story;
}
function isBegun(event: Event, action: string): boolean {
  return event.type === 'step.begun' && event.step.kind === 'action' && event.step.decision.action === action;
}
function withContext(event: Event, over: Partial<SprintContext>): Event {
  if (event.type !== 'step.ended') return event;
  const facts = event.facts.map((f) => (f.fact === 'context.discovered' ? { ...f, context: { ...f.context, ...over } } : f));
  return { ...event, facts };
}
async function prepared(over: Partial<SprintContext>, files: Record<string, string> = {}): Promise<World> {
  const w = await staged(world({ files }), planned(over));
  w.runner.decide = () => ({ exit: w.machine.tools.has('jq') ? 0 : 1 });
  const { kernel, context } = play(w);
  await kernel.append({
    type: 'step.begun',
    step: { id: 's50', kind: 'action', decision: { action: 'prepare', target: '', why: '', burns: [tank('sprint')], behind: [] } },
    burns: [tank('sprint'), tank('gate', 'prepare')],
  });
  const facts = await actions.prepare.run('', context);
  await kernel.append({ type: 'step.ended', id: 's50', outcome: 'done', facts });
  return w;
}
const state = (w: World) => fold(w.journal.events);

describe('prepare', () => {
  it('asks the machine, and the person for what it lacks, before any work', async () => {
    const w = await prepared({ needs: [jq] });
    assert.deepEqual(w.machine.looked, [jq.what]);
    assert.equal(state(w).ledger.humanActions['H1']?.action, 'Install tools: commands do not find jq');
    assert.equal(state(w).work.gates.includes('prepare'), true);
    assert.deepEqual(actions.execute.due(state(w)), [], 'its task waits');
    assert.deepEqual(w.model.asked, []);
  });

  it('asks for nothing that is there, and asks the machine nothing where nothing is needed', async () => {
    const w = world();
    w.machine.tools.set('jq', '1.6');
    await staged(w, planned({ needs: [jq] }));
    const facts = await actions.prepare.run('', play(w).context);
    assert.deepEqual(facts, [{ fact: 'gate.passed', gate: 'prepare' }]);
    assert.deepEqual((await prepared({})).machine.looked, []);
  });

  it('installs again when a tool came, once, on the fuel of its gate', async () => {
    const w = await prepared({ needs: [jq] }, { 'package.json': '{"dependencies":{"a":"1"}}' });
    const installs = () => w.runner.jobs.filter(({ packages }) => packages === 'use').length;
    assert.equal(installs(), 2);
    const failed = Object.values(state(w).ledger.installs);
    assert.deepEqual(
      failed.map(({ exit }) => exit),
      [1],
    );
    assert.deepEqual(actions.prepare.due(state(w)), []);
    await play(w).kernel.append({
      type: 'person.said',
      facts: [{ fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' }],
    });
    assert.deepEqual(actions.prepare.due(state(w)), [
      {
        target: '',
        burns: [tank('gate', 'prepare')],
        why: 'the install may have lacked what has come: Install tools: commands do not find jq',
      },
    ]);
    const { kernel } = await again(w);
    w.ports.model.ask = () => Promise.reject(new Error('the test ends with the first model call'));
    await assert.rejects(loop(kernel, table));
    assert.equal(installs(), 4);
    assert.deepEqual([state(w).ledger.burned.gate['prepare'], actions.prepare.due(state(w))], [2, []]);
    assert.equal(Object.keys(state(w).ledger.humanActions).length, 1);
  });

  it('installs nothing again where there is nothing to install', async () => {
    const w = await prepared({ needs: [jq] });
    await play(w).kernel.append({
      type: 'person.said',
      facts: [{ fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' }],
    });
    assert.deepEqual(actions.prepare.due(state(w)), []);
  });
});
