/** Says which settled changes decide how tests run, or what they run on: for the report, and for those who judge the work. */
import { coveringCommits } from '../judge/trust.ts';
import { liveScripts } from '../state/covers.ts';
import { asCode } from '../ground/markdown.ts';
import type { State } from '../state/state.ts';
import { authorWords } from '../work/tree.ts';

/** A line for each such file of each commit. */
export function notableLines(state: State): string[] {
  const commits = state.work.tree.commits.filter(({ notable = [] }) => notable.length > 0);
  if (commits.length === 0) return [];
  const scripts = liveScripts(state.work).map((one) => ({ id: one.id, rests: new Set(coveringCommits(state, one)) }));
  return commits.flatMap((commit) => {
    const concerned = scripts.filter(({ rests }) => rests.has(commit)).map(({ id }) => id);
    const concerns = concerned.length === 0 ? '' : `: concerns ${concerned.join(', ')}`;
    return (commit.notable ?? []).map(
      ({ path, kind, what }) =>
        `- ${asCode(path)}, ${what}, ${kind} by ${authorWords(commit.author)} (\`${commit.commit.slice(0, 10)}\`)${concerns}`,
    );
  });
}

/** Lines that a prompt shows. */
const most = 40;

/** For a prompt. */
export function notableText(state: State): string {
  const lines = notableLines(state);
  const more = lines.length > most ? [`- and ${lines.length - most} more`] : [];
  return [...lines.slice(0, most), ...more].join('\n') || 'None.';
}
