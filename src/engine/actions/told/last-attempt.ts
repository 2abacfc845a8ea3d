/** What a builder is told of the last attempt at its task: why it was not kept, what failed by it, and its diff. */
import type { Context } from '../../context.ts';
import { excerpt, pieceOf } from '../../ground/text.ts';
import type { State } from '../../state/state.ts';
import type { Task } from '../../work/task.ts';
import { evidenceOf, nameOf } from './verification-values.ts';

/** Characters of its diff, and of what failed by it. */
const longest = { diff: 30_000, evidence: 6000 };

export async function setbackText(task: Task, { state, ports }: Pick<Context, 'state' | 'ports'>): Promise<string> {
  if (task.reopened !== undefined && !task.setback)
    return `It is open again: ${task.reopened}. The documents above hold where the task says otherwise; change what is built only where they ask for it.`;
  if (!task.setback) return 'This is the first attempt.';
  const why = `The last attempt was not kept: ${task.setback}.`;
  const last = state.ledger.undone.findLast(({ change }) => change.author.kind === 'task' && change.author.task === task.id);
  if (!last) return why;
  const diff = beginning(await ports.payloads.get(last.change.patch));
  const taken = diff === '' ? [] : [`Its diff, which was taken back:\n\n${diff}`];
  return [why, ...brokenTexts(state, last.broke), ...taken].join('\n\n');
}

/** Nothing of a diff looks like an error, so what is left out is its end. */
function beginning(diff: string): string {
  const shown = pieceOf(diff, 0, longest.diff);
  return shown.length === diff.length ? diff : `${shown}\n[${diff.length - shown.length} more characters]`;
}

/** What each verification showed that the change broke. */
function brokenTexts({ work, ledger }: State, broke: readonly string[]): string[] {
  return broke.flatMap((id) => {
    const verification = work.verifications[id];
    const runs = verification ? (ledger.runs[verification.lineage] ?? []) : [];
    const run = runs.findLast(({ where, code, verdict }) => where === 'tree' && code === null && verdict === 'red');
    if (!verification || !run) return [];
    return [`${nameOf(verification)}\n\n\`\`\`\n${excerpt(evidenceOf(run), longest.evidence / broke.length)}\n\`\`\``];
  });
}
