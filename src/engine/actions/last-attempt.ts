/** What a builder has of the last attempt at its task: the change itself, why it was not kept, what failed by it, and its diff. */
import type { Context } from '../context.ts';
import { excerpt } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import type { Task } from '../work/task.ts';
import type { Change } from '../work/tree.ts';
import { evidenceOf, nameOf } from './verification-values.ts';

/** Characters of its diff, and of what failed by it. */
const longest = { diff: 20_000, evidence: 6000 };

/**
 * Puts the change of the last attempt into the tree again where it only broke something else, so that it is mended and not written
 * anew. Once for each task: who breaks the same again begins from the last commit.
 */
export async function bringBack(task: Task, context: Context): Promise<boolean> {
  const { state, ports } = context;
  const attempts = attemptsAt(task, state);
  const last = attempts.at(-1);
  const isFirst = attempts.filter(({ broke }) => broke.length > 0).length === 1;
  if (!task.setback || !last || last.broke.length === 0 || !isFirst || isCommittedSince(state, last.change)) return false;
  const detail = `the change of ${task.id} that was taken back`;
  await context.effect(
    { name: 'bring-back', key: last.change.step, detail },
    { run: async () => (await ports.repo.restore(await ports.payloads.get(last.change.patch)), '') },
  );
  return true;
}

function attemptsAt({ id }: Task, { ledger }: State): State['ledger']['undone'] {
  return ledger.undone.filter(({ change }) => change.author.kind === 'task' && change.author.task === id);
}

/** Then it may not apply any more. The id of a step is the number of the journal line before it. */
function isCommittedSince({ work }: State, { step }: Change): boolean {
  const numberOf = (id: string): number => Number(id.slice(1));
  return work.tree.commits.some((commit) => numberOf(commit.step) > numberOf(step));
}

/** @param isBack whether its change is in the tree again. */
export async function setbackText(task: Task, isBack: boolean, { state, ports }: Pick<Context, 'state' | 'ports'>): Promise<string> {
  if (task.reopened !== undefined && !task.setback)
    return `It is open again: ${task.reopened}. The documents above hold where the task says otherwise; change what is built only where they ask for it.`;
  if (!task.setback) return 'This is the first attempt.';
  const why = `The last attempt was not kept: ${task.setback}.`;
  const last = attemptsAt(task, state).at(-1);
  if (!last) return why;
  const diff = (await ports.payloads.get(last.change.patch)).slice(0, longest.diff);
  return [
    why,
    ...brokenTexts(state, last.broke),
    `${isBack ? 'Its change is in the tree again: mend it, and leave what is right. Its diff:' : 'Its diff, which was taken back:'}\n\n${diff}`,
  ].join('\n\n');
}

/** What each verification showed that the change broke. */
function brokenTexts({ work, ledger }: State, broke: readonly string[]): string[] {
  return broke.flatMap((id) => {
    const verification = work.verifications[id];
    const run = verification && ledger.runs[verification.lineage]?.findLast(({ code, verdict }) => code === null && verdict === 'red');
    if (!run) return [];
    return [`${nameOf(verification)}\n\n\`\`\`\n${excerpt(evidenceOf(run), longest.evidence / broke.length)}\n\`\`\``];
  });
}
