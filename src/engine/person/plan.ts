/**
 * The person's word about a plan that lies before them: its approval, and changes of tasks until then. Nothing goes by the plan
 * meanwhile, so a change takes effect at once (I1). What tasks serve stays as it is: only a skip gives that up.
 */
import * as z from 'zod';
import { InputError } from '../ground/errors.ts';
import { redact } from '../ground/redact.ts';
import { approvalIn, isBeforePerson } from '../judge/approval.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen, longestDescription, longestTitle, mostDescription } from '../work/task.ts';
import { answerHumanAction, type Desk } from './desk.ts';
import { openTask } from './tasks.ts';

export const taskChange = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  value: z.string().optional(),
  acceptance: z.string().optional(),
  /** Id of the task that it is built before, or `end`. */
  before: z.string().optional(),
});
export type TaskChange = z.infer<typeof taskChange>;

type AtDesk = Pick<Desk, 'state' | 'append'>;

/** @throws InputError when no plan waits for it. */
export async function approvePlan(desk: AtDesk): Promise<string> {
  const asked = approvalIn(desk.state);
  if (!asked) throw noApproval(desk.state);
  if (asked.status !== 'fulfilled') await answerHumanAction(desk, asked.id, 'done');
  return 'The plan is approved.';
}

/** @throws InputError when the plan does not lie before the person, or the change does not fit. */
export async function changeTask(desk: AtDesk, id: string, { before, ...texts }: TaskChange): Promise<string> {
  const { state } = desk;
  if (!isBeforePerson(state)) throw approvalIn(state) ? approvedAlready(id) : noApproval(state);
  const task = openTask(state, id);
  const change = trimmed(texts);
  const facts: Fact[] = [
    ...(Object.keys(change).length > 0 ? [{ fact: 'task.modified' as const, id, change }] : []),
    ...(before === undefined ? [] : [{ fact: 'task.moved' as const, id, before: placeOf(state, id, before) }]),
  ];
  if (facts.length === 0)
    throw new InputError(`Nothing of ${id} was given to change.`, `It may be: ${Object.keys(taskChange.shape).join(', ')}.`);
  await desk.append({ type: 'person.said', facts });
  const waits = task.dependencies.filter((one) => state.work.tasks[one] && isOpen(state.work.tasks[one]));
  const needs = before !== undefined && waits.length > 0 ? ` It is still built after what it needs: ${waits.join(', ')}.` : '';
  return `${id} is changed.${needs}`;
}

/** A description that the plan has must stay one that they can change. */
const longest: Readonly<Record<string, number>> = { title: longestTitle, description: mostDescription };

/** @throws InputError for a text that is empty or too long. */
function trimmed(texts: Omit<TaskChange, 'before'>): Omit<TaskChange, 'before'> {
  const given = Object.entries(texts).flatMap(([field, text]): [string, string][] => {
    if (text === undefined) return [];
    const words = redact(text.trim());
    const most = longest[field] ?? longestDescription;
    if (words === '') throw new InputError(`The new ${field} is empty.`, 'Write what it shall be, or leave it as it is.');
    if (words.length > most)
      throw new InputError(
        `The new ${field} has ${words.length} characters; at most ${most} fit.`,
        'Say it shorter: builders read it in their prompt.',
      );
    return [[field, words]];
  });
  return Object.fromEntries(given);
}

function placeOf({ work }: State, id: string, before: string): string | null {
  const others = Object.keys(work.tasks).filter((one) => one !== id);
  if ([id, before].some((one) => /^\d+$/.test(one)))
    throw new InputError(
      'Tasks that are named by a number are built by their number.',
      'Say in the description of a later task what it waits for.',
    );
  if (others.includes(before)) return before;
  if (before === 'end') return null;
  throw new InputError(`There is no other task ${before}.`, `Name one of ${others.join(', ') || 'none'}, or "end".`);
}

function approvedAlready(id: string): InputError {
  return new InputError(
    `The plan is approved: ${id} is built as it stands there.`,
    'Tell its builder what you want otherwise, or skip it.',
  );
}

function noApproval({ config }: State): InputError {
  return config.approvePlan
    ? new InputError('There is no plan to approve yet.', 'You are asked once it is made and reviewed.')
    : new InputError(
        'This sprint does not wait for your approval of its plan.',
        'Tell the agents what you want otherwise, or skip a task.',
      );
}
