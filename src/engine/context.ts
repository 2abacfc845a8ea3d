/**
 * What an action may do besides deciding: read the state, use the ports, and act on the world through `effect`, which
 * writes the intent first and looks before it repeats (I2).
 */
import { messageOf, Bug } from './ground/errors.ts';
import type { Draft, Effect, StepId } from './state/events.ts';
import type { Kernel } from './kernel.ts';
import type { AbortSignal, Ports } from './ports.ts';
import type { OpenAction, State } from './state/state.ts';

export interface Context {
  readonly state: State;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** The action that is being run. */
  readonly open: OpenAction;
  append(draft: Draft): Promise<void>;
  /** Does something to the world once. @returns what `run` or the probe gave, also when it was done before a crash. */
  effect(effect: Effect, how: Doing): Promise<string>;
}

export interface Doing {
  /** Finds the effect by its key; undefined when it is not there. Left out where doing it again is harmless. */
  probe?: () => Promise<string | undefined>;
  run: () => Promise<string>;
}

/** Effects and waits of one action; asks have their role's turn limit. */
const effectsPerAction = 200;

export function createContext(kernel: Kernel): Context {
  const { state, ports, signal } = kernel;
  const append = (draft: Draft): Promise<void> => kernel.append(draft);
  return {
    state,
    ports,
    signal,
    append,
    get open() {
      if (!state.open) throw new Bug('no action is open');
      return state.open;
    },
    effect: (effect, how) => doOnce(kernel, effect, how),
  };
}

async function doOnce(kernel: Kernel, effect: Effect, { probe, run }: Doing): Promise<string> {
  const { open } = kernel.state;
  if (!open) throw new Bug('an effect belongs to an action');
  const id = `${open.id}/${effect.name}:${effect.key}`;
  const part = open.parts.get(id);
  if (part?.ended?.outcome === 'done') return part.ended.why ?? '';
  const found = part?.begun ? await probe?.() : undefined;
  if (!part?.begun) await kernel.append({ type: 'step.begun', step: { id, kind: 'effect', effect }, burns: [tank(open.id)] });
  return await finish(kernel, id, found === undefined ? run : () => Promise.resolve(found));
}

async function finish(kernel: Kernel, id: StepId, run: () => Promise<string>): Promise<string> {
  try {
    const why = await run();
    await kernel.append({ type: 'step.ended', id, outcome: 'done', why, facts: [] });
    return why;
  } catch (error) {
    if (!kernel.signal.aborted)
      await kernel.append({ type: 'step.ended', id, outcome: 'failed', why: messageOf(error), facts: [] });
    throw error;
  }
}

function tank(openId: StepId): string {
  return `steps/${effectsPerAction}/${openId}`;
}
