/** What the last evaluation found and what has changed since, so that the next one looks there first (docs/decisions/0040). */
import type { Context } from '../../context.ts';
import { promptText } from '../../ground/prompts.ts';
import { excerpt, oneLine } from '../../ground/text.ts';
import { isLockFile } from '../../judge/notable-changes.ts';
import type { Finding } from '../../work/assessment.ts';
import { authorWords, type Settled } from '../../work/tree.ts';

/** Characters of all patches together. */
const limit = 20_000;

/** Empty where nobody used the work before. */
export async function earlierText({ state, ports }: Pick<Context, 'state' | 'ports'>): Promise<string> {
  const last = state.ledger.assessments.evaluations.findLast(({ fallback }) => !fallback);
  if (!last) return '';
  const commits = state.work.tree.commits.filter(({ code }) => code > last.code);
  const share = Math.floor(limit / Math.max(1, commits.length));
  const changed = commits.map(async (commit) => commitText(commit, await ports.payloads.get(commit.patch), share));
  return promptText('evaluation-earlier', {
    summary: last.summary,
    findings: last.findings.map(findingText).join('\n') || 'Nothing was found.',
    changed: (await Promise.all(changed)).join('\n\n') || 'Nothing.',
  });
}

function findingText({ severity, description, userImpact, suggestedFix, evidence }: Finding): string {
  const more = [userImpact && `for its user: ${userImpact}`, suggestedFix && `proposed: ${suggestedFix}`, `seen: ${evidence}`];
  return [`- ${severity}: ${oneLine(description)}`, ...more.filter(Boolean).map((line) => `  - ${oneLine(line)}`)].join('\n');
}

/** A lock file's lines tell a user nothing. */
function commitText({ author, files }: Settled, patch: string, share: number): string {
  const isTold = (part: string): boolean => !isLockFile(/^diff --git a\/(.*?) b\//.exec(part)?.[1] ?? '');
  const told = patch.split(/^(?=diff --git )/m).filter(isTold);
  const names = files.map(({ path, kind }) => `${path} (${kind})`).join(', ');
  return `By ${authorWords(author)}: ${names}\n\n\`\`\`\n${excerpt(told.join('').trim(), share)}\n\`\`\``;
}
