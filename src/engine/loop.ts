/**
 * The algorithm: decide what is due, journal the intent and its fuel, do it, journal what became true. State is a fold of the
 * journal (I1), deciding is pure (I3), and every decision burns fuel (I4), so the loop ends.
 */
import type { Action } from './actions/action.ts';
import { createContext, type Context } from './context.ts';
import { decide } from './core/decide.ts';
import { catchUpWithPerson } from './person/catch-up.ts';
import { ActionLimit, Bug } from './ground/errors.ts';
import type { Decision, Draft, Ended } from './state/events.ts';
import type { Kernel } from './kernel.ts';
import type { Ending } from './state/state.ts';

/**
 * Runs a table until it stops. It may be called again on the same journal after any crash.
 * @param table its last row is `close`.
 * @throws Interruption when it has to stop in the middle (cancelled, API unreachable, disk full); a later call resumes there.
 */
export async function loop(kernel: Kernel, table: readonly Action[]): Promise<Ending> {
  const { state } = kernel;
  const context: Context = createContext(kernel);
  while (!state.stopped) {
    if (!state.open) await catchUpWithPerson(context); // what the person did and answered since the last decision
    const decision = state.open?.decision ?? decide(state, table); // pure and total: the last row is `close`
    if (!state.open) await kernel.append(begun(decision, state.n)); // intent and fuel, on disk first
    const end = await run(rowOf(table, decision), decision.target, context); // appends its own steps and returns facts
    await kernel.append({ type: 'step.ended', id: context.open.id, ...end });
  }
  return state.stopped;
}

/** The id of a decision is the number of the journal line before it. */
function begun(decision: Decision, n: number): Draft {
  return { type: 'step.begun', step: { id: `s${n}`, kind: 'action', decision }, burns: decision.burns };
}

function rowOf(table: readonly Action[], { action }: Decision): Action {
  const row = table.find(({ id }) => id === action);
  if (!row) throw new Bug(`the table has no row ${action}`);
  return row;
}

type End = Pick<Ended, 'outcome' | 'why' | 'facts'>;

/** An action that exceeds a limit of its own ends there, and the next decision finds what it left. */
async function run(action: Action, target: string, context: Context): Promise<End> {
  try {
    return { outcome: 'done', facts: await action.run(target, context) };
  } catch (error) {
    if (!(error instanceof ActionLimit)) throw error;
    return { outcome: 'failed', why: error.message, facts: [] };
  }
}
