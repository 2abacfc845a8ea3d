/** Says which settled changes decide how tests run, or what they run on: for the report, and for those who judge the work. */
import { coveringCommits } from '../judge/trust.ts';
import { liveScripts } from '../state/covers.ts';
import { asCode } from '../ground/markdown.ts';
import type { State } from '../state/state.ts';
import { authorWords, type Settled } from '../work/tree.ts';

/** A line for each such file of each commit. */
export function notableLines(state: State): string[] {
  return state.work.tree.commits.flatMap((commit) => {
    const covers = coversWords(state, commit);
    return (commit.notable ?? []).map(
      ({ path, kind, what }) =>
        `- ${asCode(path)}, ${what}, ${kind} by ${authorWords(commit.author)} (\`${commit.commit.slice(0, 10)}\`)${covers}`,
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

/** The verifications whose proof rests on this commit. */
function coversWords(state: State, { commit }: Settled): string {
  const covered = liveScripts(state.work).filter((one) => coveringCommits(state, one).some((other) => other.commit === commit));
  return covered.length === 0 ? '' : `: concerns ${covered.map(({ id }) => id).join(', ')}`;
}
