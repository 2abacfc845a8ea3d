/**
 * Going on after a crash, a stop or a wait (design §4). The journal was locked, its torn tail dropped, and folded; this
 * appends the resume, which burns fuel so that a crash loop ends too (I4). What was open is then picked up by the loop:
 * every action finds its own ended steps, probes its open effects, and never repeats what was finished (I2).
 */
import type { Draft } from './state/events.ts';
import { left, tank } from './state/fuel.ts';
import type { Kernel } from './kernel.ts';
import type { State } from './state/state.ts';

export async function resume(kernel: Kernel): Promise<void> {
  const { state } = kernel;
  await kernel.append(resumed(state));
  const { open } = state;
  if (!open || open.decision.action === 'close' || left(state.ledger, tank('sprint')) >= 0) return;
  // Crashes inside one action burn fuel as decisions do; where none is left only closing is due.
  const why = 'no fuel was left to go on with it';
  await kernel.append({ type: 'step.ended', id: open.id, outcome: 'interrupted', why, facts: [] });
}

/** A sprint without fuel still resumes: all that is due then is `close`. */
function resumed(state: State): Draft {
  const step = { id: `s${state.n}`, kind: 'resume' as const };
  return { type: 'step.begun', step, burns: [tank('sprint')] };
}
