/**
 * The control of a proof: the same verification on work with other words and the same behaviour must be green, and on work with the
 * same words and no behaviour must not be.
 */
import type { Context } from '../context.ts';
import { silencedTests } from '../prove/own-tests.ts';
import { controlOf, isCutOff, type Found } from '../prove/outcome.ts';
import { reworded, silenced } from '../prove/source.ts';
import { runVerifications } from '../run/batch.ts';
import { prepared } from '../run/prepared.ts';
import { filesOf, type Files } from '../run/files.ts';
import type { Run, Script } from '../work/verification.ts';

/** With the whole sprint's files, so for all of them at once. */
export async function control(context: Context, verifications: readonly Script[]): Promise<Map<Script, Found>> {
  if (verifications.length === 0) return new Map();
  const files = await filesOf(context.ports.tree, context.state.work.tree.commits);
  const made = (change: typeof reworded): Files =>
    Object.fromEntries(Object.entries(files).flatMap(([path, text]) => (change(path, text) === text ? [] : [[path, change(path, text)]])));
  const own = silencedTests(files);
  const unsure = (run: Run): boolean => run.verdict === 'flaky' || isCutOff(run);
  const other = await runWith(context, { verifications, files: { ...made(reworded), ...own }, again: unsure });
  // Without its services, which cannot come up when the work is silent: what is green then looks at the text alone.
  const alone = verifications.map((verification) => ({ ...verification, requires: [] }));
  const silent =
    Object.keys(files).length === 0 ? [] : await runWith(context, { verifications: alone, files: made(silenced), again: isCutOff });
  return new Map(verifications.map((verification, i) => [verification, controlOf(other[i], silent[i], Object.keys(own))]));
}

/** One checkout with these files in it; a run of which `again` says so is made once more. */
function runWith(
  context: Context,
  { verifications, files, again }: { verifications: readonly Script[]; files: Files; again: (run: Run) => boolean },
): Promise<Run[]> {
  return prepared(context, { revert: [] }, async (at, write) => {
    await write(files);
    const runs = await runVerifications(context, { verifications, at, where: 'revert', code: null });
    for (const [i, verification] of verifications.entries())
      if (runs[i] && again(runs[i]))
        runs.splice(i, 1, ...(await runVerifications(context, { verifications: [verification], at, where: 'revert', code: null })));
    return runs;
  });
}
