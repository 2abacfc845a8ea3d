/**
 * What an action works with: the state, the ports and `effect`. An effect is journaled before it is made, and looked up before
 * it is repeated (I2).
 */
import { ActionLimit, Bug, messageOf } from './ground/errors.ts';
import type { Draft, Effect, Step, StepId, Tank } from './state/events.ts';
import { canBurn, spentOf, tank } from './state/fuel.ts';
import { isClosing } from './state/rows.ts';
import type { Kernel } from './kernel.ts';
import type { AbortSignal, Ports } from './ports.ts';
import type { Fact } from './work/facts.ts';
import type { OpenAction, State } from './state/state.ts';

export interface Context {
  readonly state: State;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** The action that is running. */
  readonly open: OpenAction;
  append(draft: Draft): Promise<void>;
  /** The kernel's own. */
  untilAppended: Kernel['untilAppended'];
  /**
   * Makes one effect once. @returns what `run` or `find` returned, also when the effect was made before a crash.
   * @throws ActionLimit when the action has made as many as it may.
   */
  effect(effect: Effect, how: Doing): Promise<string>;
  beginLook(tank: Tank, why: string): Promise<boolean>;
}

export interface Doing {
  /** Looks up the effect by its key; undefined when it was not made. Left out when repeating it is harmless. */
  find?: () => Promise<string | undefined>;
  run: () => Promise<string>;
  /** What its end records, from the value that it returned. */
  facts?: (value: string) => Fact[];
}

export function createContext(kernel: Kernel): Context {
  const { state, ports, signal } = kernel;
  const append = (draft: Draft): Promise<void> => kernel.append(draft);
  return {
    state,
    ports,
    signal,
    append,
    untilAppended: (ms, until) => kernel.untilAppended(ms, until),
    get open() {
      if (!state.open) throw new Bug('no action is open');
      return state.open;
    },
    effect: (effect, how) => doOnce(kernel, effect, how),
    beginLook: (one, why) => beginLook(kernel, one, why),
  };
}

async function doOnce(kernel: Kernel, effect: Effect, { find, run, facts }: Doing): Promise<string> {
  const { open } = kernel.state;
  if (!open) throw new Bug('an effect belongs to an action');
  const id = `${open.id}/${effect.name}:${effect.key}`;
  const part = open.parts.get(id);
  if (part?.ended?.outcome === 'done') return part.ended.value ?? '';
  const earlier = part?.begun ? await find?.() : undefined;
  if (!part?.begun) await begin(kernel, open, { id, kind: 'effect', effect });
  return await finish(kernel, id, { run: earlier === undefined ? run : () => Promise.resolve(earlier), ...(facts ? { facts } : {}) });
}

/** Only closing may exceed the limit: it makes one effect for each service that Loop started. */
async function begin(kernel: Kernel, { id, decision }: OpenAction, step: Step): Promise<void> {
  const burns = [tank('effects', id)];
  if (!isClosing(decision.action) && !canBurn(kernel.state.ledger, burns))
    throw new ActionLimit(`${decision.action} ${decision.target} made as many effects as one action may.`);
  await kernel.append({ type: 'step.begun', step, burns });
}

/** After a crash a look that was begun stays burned; the next one has the next number. */
async function beginLook(kernel: Kernel, one: Tank, why: string): Promise<boolean> {
  const { open, ledger } = kernel.state;
  if (!open) throw new Bug('a look belongs to an action');
  if (!canBurn(ledger, [one])) return false;
  const id = `${open.id}/look:${one.key}:${spentOf(ledger, one) + 1}`;
  await kernel.append({ type: 'step.begun', step: { id, kind: 'look', why }, burns: [one] });
  return true;
}

async function finish(kernel: Kernel, id: StepId, { run, facts }: Doing): Promise<string> {
  try {
    const value = await run();
    await kernel.append({ type: 'step.ended', id, outcome: 'done', value, facts: facts?.(value) ?? [] });
    return value;
  } catch (error) {
    if (!kernel.signal.aborted) await kernel.append({ type: 'step.ended', id, outcome: 'failed', why: messageOf(error), facts: [] });
    throw error;
  }
}
