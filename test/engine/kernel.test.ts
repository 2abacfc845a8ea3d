/** The one writer's end of the journal (I1): durable first, in order, and nothing after a stop or a failed write. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Interruption } from '../../src/engine/ground/errors.ts';
import type { Draft, Event } from '../../src/engine/state/events.ts';
import { createKernel } from '../../src/engine/kernel.ts';
import { world } from '../support/fakes.ts';
import { Story } from './support/events.ts';

const said = (usd: number): Draft => ({ type: 'person.said', facts: [{ fact: 'budget.raised', usd, tokens: 0, hours: 0 }] });

function started() {
  const w = world();
  const story = new Story();
  w.journal.events.push(...story.events);
  const abort = new AbortController();
  const seen: [Event, number][] = [];
  const kernel = createKernel({
    state: story.state,
    ports: w.ports,
    signal: abort.signal,
    owner: 3,
    onEvent: (event, { ledger }) => void seen.push([event, ledger.budget.usd]),
  });
  return { w, abort, seen, kernel };
}

describe('append', () => {
  it('stamps an event, has it on disk, and only then lets state and listeners know', async () => {
    const { w, seen, kernel } = started();
    const order: string[] = [];
    const append = w.journal.append.bind(w.journal);
    w.journal.append = (event) => {
      order.push(`disk ${kernel.state.n}`);
      return append(event);
    };
    await kernel.append(said(99));
    const event = { n: 2, owner: 3, at: w.clock.time, ...said(99) };
    assert.deepEqual(w.journal.events.at(-1), event);
    assert.deepEqual([order, seen, kernel.state.n], [['disk 1'], [[event, 99]], 2]);
  });

  it('keeps the order of those who append at the same time', async () => {
    const { w, kernel } = started();
    await Promise.all([30, 40, 50].map((usd) => kernel.append(said(usd))));
    const raised = w.journal.events.slice(1).map((e) => (e.type === 'person.said' ? [e.n, e.facts] : []));
    assert.deepEqual(
      raised,
      [30, 40, 50].map((usd, i) => [i + 2, (said(usd) as { facts: unknown }).facts]),
    );
  });

  it('writes nothing once the person has stopped it', async () => {
    const { w, abort, seen, kernel } = started();
    abort.abort();
    await assert.rejects(kernel.append(said(99)), (error) => error instanceof Interruption && error.reason === 'cancelled');
    assert.deepEqual([w.journal.events.length, seen, kernel.state.n], [1, [], 1]);
  });

  it('changes no state when the write failed, and writes nothing after it', async () => {
    const { w, seen, kernel } = started();
    w.journal.crashAt = 2;
    await assert.rejects(kernel.append(said(99)), Interruption);
    w.journal.crashAt = Infinity;
    await assert.rejects(kernel.append(said(98)), Interruption);
    assert.deepEqual([w.journal.events.length, seen, kernel.state.n, kernel.state.ledger.budget.usd], [1, [], 1, 25]);
  });
});
