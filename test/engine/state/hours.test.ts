/** A sprint is bounded in hours (I4): what counts is time in which it ran, not time in which it waited for a person or was stopped. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { table } from '../../../src/engine/actions/table.ts';
import { overTime } from '../../../src/engine/agents/cost.ts';
import { decide } from '../../../src/engine/core/decide.ts';
import { advance, opened } from '../../../src/engine/core/fold.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import type { Draft, Event } from '../../../src/engine/state/events.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { hoursOf, isOutOfTime } from '../../../src/engine/state/hours.ts';
import type { ActionId } from '../../../src/engine/state/rows.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { openedEvent } from '../support/events.ts';

/** A journal whose events have the times that a test gives them, in minutes after the opening. */
class Timed {
  readonly state: State;
  private n = 1;
  private readonly from: number;

  constructor(maxHours: number) {
    const first = openedEvent({ maxHours });
    this.from = first.at;
    this.state = opened(first);
  }

  add(minute: number, draft: Draft): this {
    this.n += 1;
    const event: Event = { n: this.n, owner: 1, at: this.from + minute * 60_000, ...draft };
    advance(this.state, event);
    return this;
  }

  act(action: ActionId, from: number, to: number, ...facts: Fact[]): this {
    const id = `s${this.n}`;
    const burns = [tank('sprint')];
    this.add(from, {
      type: 'step.begun',
      step: { id, kind: 'action', decision: { action, target: '', why: '', burns, behind: [] } },
      burns,
    });
    return this.add(to, { type: 'step.ended', id, outcome: 'done', facts });
  }

  resume(minute: number): this {
    return this.add(minute, { type: 'step.begun', step: { id: `s${this.n}`, kind: 'resume' }, burns: [tank('sprint')] });
  }

  get minutes(): number {
    return Math.round(hoursOf(this.state.ledger.ran) * 60);
  }
}

describe('the hours of a sprint', () => {
  it('are those between its steps', () => {
    assert.equal(new Timed(24).act('inputs', 0, 10).act('discovery', 12, 30).minutes, 30);
  });

  it('leave out the time in which it waits for a person', () => {
    assert.equal(new Timed(24).act('inputs', 0, 10).act('wait', 10, 600).act('discovery', 600, 605).minutes, 15);
  });

  it('leave out the time in which nothing ran it, also where a person spoke in between', () => {
    const timed = new Timed(24).act('inputs', 0, 10);
    assert.equal(timed.add(300, { type: 'person.said', facts: [] }).resume(400).act('discovery', 401, 405).minutes, 15);
  });

  it('count on while a person speaks in the middle of the work', () => {
    const timed = new Timed(24).act('inputs', 0, 10).add(15, { type: 'person.said', facts: [] });
    assert.equal(timed.act('discovery', 20, 30).minutes, 30);
  });

  it('are not less after a clock was put back', () => {
    assert.equal(new Timed(24).act('inputs', 0, 10).act('discovery', 5, 8).minutes, 13);
  });

  it('end the sprint at their bound: nothing more is begun or asked, and it can go on with more', () => {
    const timed = new Timed(1).act('inputs', 0, 59);
    const { state } = timed;
    assert.notEqual(decide(state, table).action, 'close');
    assert.equal(overTime(state.ledger), undefined);
    timed.act('discovery', 59, 60);
    assert.ok(isOutOfTime(state.ledger));
    assert.equal(decide(state, table).action, 'close');
    assert.deepEqual(overTime(state.ledger), { what: 'time', why: 'It ran for 1 hour, as long as it may.' });
    assert.deepEqual([ending(state).stop, ending(state).reasons[0]], ['out-of-budget', 'It ran for 1 hour, as long as it may.']);
    timed.act('close', 60, 60).add(90, { type: 'person.said', facts: [{ fact: 'budget.raised', usd: 0, tokens: 0, hours: 2 }] });
    timed.resume(91);
    assert.equal(state.ledger.budgetReached, null);
    assert.notEqual(decide(state, table).action, 'close');
    assert.equal(timed.minutes, 60);
  });

  it('stay over where only the money was raised', () => {
    const timed = new Timed(1).act('inputs', 0, 60).act('close', 60, 60);
    timed.add(90, { type: 'person.said', facts: [{ fact: 'budget.raised', usd: 1000, tokens: 0, hours: 0 }] }).resume(91);
    assert.equal(decide(timed.state, table).action, 'close');
    assert.equal(ending(timed.state).stop, 'out-of-budget');
  });
});
