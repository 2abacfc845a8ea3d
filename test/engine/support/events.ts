/** Journals for tests of the pure engine. A story appends events like the kernel does, and folds each one at once. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { defaults, type Config } from '../../../src/engine/ground/config.ts';
import type { Draft, Event, Ref, Tank } from '../../../src/engine/state/events.ts';
import type { TankKind } from '../../../src/engine/state/tanks.ts';
import type { ActionId } from '../../../src/engine/state/rows.ts';
import { advance, opened } from '../../../src/engine/core/fold.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { presentRules } from '../../../src/engine/state/rules.ts';
import { openingSizes } from '../../../src/engine/state/tanks.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';

export function refOf(text: string): Ref {
  return createHash('sha256').update(text).digest('hex');
}

/** Freezes a value deeply, so that a test fails when the code under test writes to its input. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of value instanceof Map ? value.values() : Object.values(value)) deepFreeze(inner);
  }
  return value;
}

export function openedEvent(over: Partial<Config> = {}): Extract<Event, { type: 'run.opened' }> {
  // What proofs see is a matter of its own: test/engine/judge/strength.test.ts.
  const config = { ...defaults, evidence: 'any' as const, ...over };
  return {
    n: 1,
    owner: 1,
    at: 1_700_000_000_000,
    type: 'run.opened',
    kind: 'sprint',
    sprint: 'sprints/total',
    config,
    sizes: openingSizes(config),
    rules: presentRules,
    inputs: [
      { name: 'VISION.md', ref: refOf('# Vision') },
      { name: 'PRD.md', ref: refOf('## 1. Totals') },
    ],
    base: { commit: 'base', branch: 'main' },
    branch: 'loop/total',
  };
}

/** @param name kind and key of a tank, as tests write them: `execute/T1`. */
export function tankOf(name: string): Tank {
  const [kind = '', ...key] = name.split('/');
  return tank(kind as TankKind, key.join('/'));
}

export function nameOf({ kind, key }: Tank): string {
  return key === '' ? kind : `${kind}/${key}`;
}

export class Story {
  readonly events: Event[];
  readonly state: State;

  constructor(over: Partial<Config> = {}) {
    const first = deepFreeze(openedEvent(over));
    this.events = [first];
    this.state = opened(first);
  }

  /** Appends one frozen event, so that a fold that writes to it fails. */
  add(draft: Draft): this {
    const n = this.events.length + 1;
    const event = deepFreeze({ n, owner: 1, at: 1_700_000_000_000 + n, ...structuredClone(draft) });
    this.events.push(event);
    advance(this.state, event);
    return this;
  }

  /** @param tanks names that `tankOf` reads. */
  begin(action: ActionId, target = '', tanks: string[] = []): this {
    const decision = { action, target, why: 'because', burns: ['sprint', ...tanks].map(tankOf), behind: [] };
    const step = { id: `s${this.events.length}`, kind: 'action' as const, decision };
    return this.add({ type: 'step.begun', step, burns: decision.burns });
  }

  end(...facts: Fact[]): this {
    const id = this.state.open?.id;
    assert.ok(id, 'an action is open');
    return this.add({ type: 'step.ended', id, outcome: 'done', facts });
  }

  /** Begins and ends an action with these facts. */
  act(action: ActionId, ...facts: Fact[]): this {
    return this.begin(action).end(...facts);
  }

  said(...facts: Fact[]): this {
    return this.add({ type: 'person.said', facts });
  }

  resume(): this {
    return this.add({ type: 'step.begun', step: { id: `s${this.events.length}`, kind: 'resume' }, burns: [tank('sprint')] });
  }
}

/** A writable version of a type, for tests that change a state on purpose. */
export type Loose<T> = T extends Map<unknown, unknown> ? T : T extends object ? { -readonly [K in keyof T]: Loose<T[K]> } : T;

/** A copy of a state, changed in one way. */
export function changed(state: State, change: (copy: Loose<State>) => void): State {
  const copy = structuredClone(state) as Loose<State>;
  change(copy);
  return copy;
}
