/**
 * What a person says of one task: to give it up, or to try it once more. A skip is carried out between two decisions and on a
 * clean tree, so that no open action and no undo meets another plan (I1, I10). Neither proves anything: what a skipped task
 * served stays unproven, unless other work proves it.
 */
import { isBeforePerson } from '../judge/approval.ts';
import { InputError } from '../ground/errors.ts';
import { rests } from '../judge/missing-proofs.ts';
import { attemptTank, canBurn, left, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { isQualified } from '../work/gate.ts';
import { isReady } from '../work/human-action.ts';
import { isOpen, type Task } from '../work/task.ts';
import { recordSaid, type Desk } from './desk.ts';
import { wordFact } from './tell.ts';

type AtDesk = Pick<Desk, 'state' | 'append'>;

/** @throws InputError when there is no such task, or it is done or dropped. */
export async function skipTask(desk: AtDesk, id: string): Promise<string> {
  const task = openTask(desk.state, id);
  if (!desk.state.ledger.skipped.includes(task.id)) await recordSaid(desk, { fact: 'task.skip-asked', id: task.id });
  const { open } = desk.state;
  const serves =
    task.prdSection.length > 0 ? ` What it serves (${task.prdSection.join(', ')}) stays unproven, unless other work proves it.` : '';
  return open?.decision.action === 'execute' && open.decision.target === id
    ? `${id} is being built: it is dropped when this attempt has ended, unless the attempt is kept.${serves}`
    : `${id} is dropped before the next decision.${serves}`;
}

/** @param hint what its next builder should know. @throws InputError when it cannot be tried again. */
export async function retryTask(desk: AtDesk, { task: id, hint }: { task: string; hint: string }, letter?: string): Promise<string> {
  const { state } = desk;
  if (letter !== undefined && state.ledger.words.some((word) => word.letter === letter)) return retryWords(id);
  const task = openTask(state, id);
  if (state.ledger.skipped.includes(id))
    throw new InputError(`${id} is to be dropped, as you said: a hint to its builder would be in vain.`, 'Ask for it in the next sprint.');
  const isGivenUp = !canBurn(state.ledger, [attemptTank(state.ledger, task.id)]);
  const asked = state.ledger.retries[task.id] ?? 0;
  if (isGivenUp && left(state.ledger, tank('retry', task.id)) <= 0)
    throw new InputError(
      `No attempt at ${id} is left, and you asked for ${asked} more already.`,
      'Skip it, or say what is wanted in PRD.md, and start another sprint.',
    );
  const facts: Fact[] = [wordFact(state, { words: hint, about: `task ${id}` }, letter)];
  if (isGivenUp) facts.push({ fact: 'task.retry-asked', id });
  await desk.append({ type: 'person.said', facts });
  return retryWords(id);
}

function retryWords(id: string): string {
  return `Taken: ${id} is tried again, and its builder reads your hint.`;
}

/** Drops the tasks that the person gave up. */
export async function dropSkipped(desk: AtDesk): Promise<void> {
  for (const { id } of toDrop(desk.state)) await recordSaid(desk, { fact: 'task.descoped', id, why: 'the person skipped it' });
}

/** Something was said of a task that the next decision goes by, so nothing need be waited for. */
export function isSaidOfTask(state: State): boolean {
  const { work, ledger } = state;
  const isRetried = ({ id }: Task): boolean => attemptTank(ledger, id).kind === 'retry' && canBurn(ledger, [attemptTank(ledger, id)]);
  const isDue = (task: Task): boolean => isReady(task, work.tasks, ledger.humanActions) && !rests(state, task);
  const retried = Object.values(work.tasks).filter((task) => isRetried(task) && isDue(task));
  return toDrop(state).length > 0 || (retried.length > 0 && ledger.budgetReached === null);
}

function toDrop(state: State): Task[] {
  if (!isQualified(state) && !isBeforePerson(state)) return [];
  return state.ledger.skipped.flatMap((id) => {
    const task = state.work.tasks[id];
    return task && isOpen(task) ? [task] : [];
  });
}

/** @throws InputError when there is no such task, or it is done or dropped. */
export function openTask({ work }: State, id: string): Task {
  const task = Object.hasOwn(work.tasks, id) ? work.tasks[id] : undefined;
  if (!task) throw new InputError(`There is no task ${id}.`, `There are: ${Object.keys(work.tasks).join(', ') || 'none yet'}.`);
  if (task.status === 'done')
    throw new InputError(`${id} is done already.`, 'What is wrong with it can be told to the agents, about its requirement.');
  if (task.status === 'descoped') throw new InputError(`${id} is dropped already.`, 'Nothing more is done for it in this sprint.');
  return task;
}
