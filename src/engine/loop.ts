/**
 * The algorithm. Everything hangs on this loop: decide what is due, write the intent and its fuel down, do it, write what
 * became true. State is a fold of the journal (I1), deciding is pure (I3), and every turn burns fuel (I4), so it ends.
 */
import { actions, table } from './actions/table.ts';
import { createContext, type Context } from './context.ts';
import { decide } from './core/decide.ts';
import { catchUpWithPerson } from './person/catch-up.ts';
import type { Decision, Draft } from './state/events.ts';
import type { Kernel } from './kernel.ts';
import type { Ending } from './state/state.ts';
import type { Fact } from './work/facts.ts';

/**
 * Runs a sprint until it stops. May be called again on the same journal after any crash.
 * @throws Interruption when it has to stop in the middle (cancelled, API unreachable, disk full); it resumes from there.
 */
export async function loop(kernel: Kernel): Promise<Ending> {
  const { state } = kernel;
  const context: Context = createContext(kernel);
  while (!state.stopped) {
    if (!state.open) await catchUpWithPerson(context); // what they did and said since the last decision
    const decision = state.open?.decision ?? decide(state, table); // pure and total: the last row is `close`
    if (!state.open) await kernel.append(begun(decision, state.n)); // intent and fuel, on disk first
    const facts = await actions[decision.action].run(decision.target, context); // appends its own steps
    await kernel.append(ended(state.open?.id ?? '', facts));
  }
  return state.stopped;
}

/** The engine mints ids: a decision's is the number of the line before it. */
function begun(decision: Decision, n: number): Draft {
  return { type: 'step.begun', step: { id: `s${n}`, kind: 'action', decision }, burns: decision.burns };
}

function ended(id: string, facts: Fact[]): Draft {
  return { type: 'step.ended', id, outcome: 'done', facts };
}
