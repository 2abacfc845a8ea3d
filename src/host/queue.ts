/**
 * The rules of a queue, for the editor and the command line: sprints run one after the other, unattended. One that waits for a person,
 * fails or is out of its budget does not keep the next from beginning; only the person's stop or pause ends the queue.
 */
import { realpath } from 'node:fs/promises';
import { goesOn } from '../engine/core/fold.ts';
import type { Overrides } from '../engine/ground/config.ts';
import { InputError } from '../engine/ground/errors.ts';
import type { State } from '../engine/state/state.ts';
import { inspectSprint, readSprint } from './sprint.ts';

/** Of all of them together. */
export interface QueueBound {
  usd: number;
  tokens: number;
  hours: number;
  /** Those that are asked. One without a price is bounded in tokens alone. */
  models: string[];
}

/** All are looked at before the first begins, while the person is still there. @throws InputError before anything began. */
export async function inspectQueue(sprintDirs: readonly string[], overrides: Overrides): Promise<QueueBound> {
  await requireNoneTwice(sprintDirs);
  for (const dir of sprintDirs) await requireNotOver(dir);
  const sum: QueueBound = { usd: 0, tokens: 0, hours: 0, models: [] };
  for (const dir of sprintDirs) {
    const { bound, config } = await inspected(dir, overrides);
    sum.usd += bound.usd;
    sum.tokens += bound.tokens;
    sum.hours += bound.hours;
    sum.models.push(...Object.values(config.models));
  }
  return sum;
}

/** Which of them it is that cannot begin. */
async function inspected(dir: string, overrides: Overrides): ReturnType<typeof inspectSprint> {
  try {
    return await inspectSprint(dir, overrides);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`The sprint in ${dir} cannot begin, so none was begun: ${error.message}`, error.next);
  }
}

/** The same queue, given again, goes on with what is open; it must not begin anew what is over, also since the queue began. */
export async function requireNotOver(dir: string): Promise<void> {
  const state = await whereOver(dir);
  if (state)
    throw new InputError(
      `The sprint in ${dir} is over: ${state.stopped?.stop ?? 'finished'}. Nothing was begun.`,
      'Leave it out, or run it alone to begin another one there.',
    );
}

/** The state of a sprint that is over; undefined where one goes on, or none began. */
export async function whereOver(dir: string): Promise<State | undefined> {
  const state = await readSprint(dir);
  return state && !goesOn(state) ? state : undefined;
}

/** A link is another name of its folder. */
async function requireNoneTwice(sprintDirs: readonly string[]): Promise<void> {
  const named = new Map<string, string>();
  for (const dir of sprintDirs) {
    const real = await realpath(dir).catch(() => dir);
    const other = named.get(real);
    if (other !== undefined) throw new InputError(`${dir} is the folder ${other}, which is named too. Nothing was begun.`, 'Name it once.');
    named.set(real, dir);
  }
}
