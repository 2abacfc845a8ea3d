/**
 * Resumes a sprint after a crash, a stop or a wait, once its journal is locked and folded. The resume burns fuel, so that a
 * crash loop ends too (I4). The loop then runs the open action again, which finds its own ended steps and looks up its open
 * effects (I2).
 */
import type { Draft } from './state/events.ts';
import { left, tank } from './state/fuel.ts';
import type { Kernel } from './kernel.ts';
import { isClosing } from './state/rows.ts';
import type { OpenAction, State } from './state/state.ts';
import type { Fact } from './work/facts.ts';

export async function resume(kernel: Kernel): Promise<void> {
  const { state } = kernel;
  await kernel.append(resumed(state));
  const { open } = state;
  if (!open || isClosing(open.decision.action) || left(state.ledger, tank('sprint')) >= 0) return;
  // Each resume burns a decision's fuel. Without fuel the open action ends here, and only closing is due.
  const why = 'no fuel was left to go on with it';
  await kernel.append({ type: 'step.ended', id: open.id, outcome: 'interrupted', why, facts: unknownCosts(open) });
}

/** A model call whose reply never came is billed all the same. */
function unknownCosts({ parts }: OpenAction): Fact[] {
  return [...parts.values()].flatMap(({ begun, ended }) => (begun?.kind === 'ask' && begun.most && !ended ? [begun.most] : []));
}

/** A sprint without fuel still resumes, so that it can close. */
function resumed(state: State): Draft {
  const step = { id: `s${state.n}`, kind: 'resume' as const };
  return { type: 'step.begun', step, burns: [tank('sprint')] };
}
