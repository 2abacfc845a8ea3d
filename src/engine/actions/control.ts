/**
 * The control of a proof: a verification must be green on work with other words and the same behaviour, and must not be green
 * on work with the same words and no behaviour. With another value in what it wants it must not be green either: else the work
 * speaks for it.
 */
import type { Context } from '../context.ts';
import { isHonestRed } from '../judge/trust.ts';
import { languageOf } from '../prove/language.ts';
import { controlOf, type Found } from '../prove/outcome.ts';
import { reworded, silenced } from '../prove/source.ts';
import { runVerifications } from '../run/batch.ts';
import { prepared } from '../run/prepared.ts';
import { filesOf, type Files } from '../run/files.ts';
import { silentTests } from '../run/own-tests.ts';
import { inParallel } from '../run/schedule.ts';
import { heeds, type Heeded } from '../run/wants.ts';
import type { Place } from '../work/job.ts';
import type { ChangedFile, Settled } from '../work/tree.ts';
import type { Run, Script } from '../work/verification.ts';

/** Rewrites all files of the sprint, so one checkout serves all verifications. */
export async function control(context: Context, verifications: readonly Script[]): Promise<Map<Script, Found>> {
  if (verifications.length === 0) return new Map();
  const files = await filesOf(context.ports.tree, context.state.work.tree.commits);
  const own = await silentTests(context.ports.syntax, files);
  const isFlaky = (run: Run): boolean => run.verdict === 'flaky';
  const heeded = new Map<Script, Heeded>();
  const other = await runWith(context, verifications, { ...own, ...rewritten({ ...files, ...own }, reworded) }, isFlaky, {
    whileThere: async (runs, at) => {
      const green = verifications.filter((_, i) => runs[i]?.verdict === 'green');
      const found = await inParallel(context, green, (one) => heeds(context, one, Object.keys(files), at));
      for (const [i, one] of found.entries()) if (green[i]) heeded.set(green[i], one);
    },
  });
  // Without services, which cannot come up when the work is silent: a verification that is green here judges the text alone.
  const alone = verifications.map((verification) => ({ ...verification, requires: [] }));
  const isSilent = Object.keys(files).length > 0;
  const silent = isSilent ? await runWith(context, alone, rewritten(files, silenced), () => false, { redExpected: 'again' }) : [];
  const changed = await onOldYardsticks(
    context,
    verifications.filter((one) => heeded.get(one)?.states === false),
  );
  return new Map(
    verifications.map((verification, i) => {
      const found = controlOf(other[i], silent[i], Object.keys(own));
      const problem = heeded.get(verification)?.problem ?? changed.get(verification);
      return [verification, problem === undefined || found.outcome !== 'red' ? found : { outcome: 'not-red', why: problem }];
    }),
  );
}

/**
 * Where a script states nothing that it wants, it may compare with a file that was there before. If the work changed that, the
 * script has to be green with it as it was. @returns why not.
 */
async function onOldYardsticks(context: Context, verifications: readonly Script[]): Promise<Map<Script, string>> {
  const found = new Map<Script, string>();
  const { commits } = context.state.work.tree;
  // Where nothing else was changed, such a file is the work.
  const changed = commits.some(({ files }) => files.some(isCode)) ? changedBefore(commits) : [];
  for (const verification of verifications) {
    const script = await context.ports.payloads.get(verification.script);
    const files = changed.filter((path) => script.includes(path));
    if (files.length === 0) continue;
    const spec = { revert: [], tests: { files, without: [] } };
    const [run] = await prepared(context, spec, (at) =>
      runVerifications(context, { verifications: [verification], at, where: 'revert', code: null, redExpected: 'once' }),
    );
    if (run && isHonestRed(run))
      found.set(
        verification,
        `it goes by ${files.join(', ')}, which the work changed, and is red with that as it was before the sprint: the work wrote what it is measured by. Let the script state what it wants`,
      );
  }
  return found;
}

/** Data that the sprint found and changed; code is the work itself. */
function changedBefore(commits: readonly Settled[]): string[] {
  const first = new Map<string, ChangedFile['kind']>();
  for (const { path, kind } of commits.flatMap(({ files }) => files)) if (!first.has(path)) first.set(path, kind);
  return [...first].flatMap(([path, kind]) => (kind === 'modified' && !isCode({ path }) ? [path] : []));
}

function isCode({ path }: Pick<ChangedFile, 'path'>): boolean {
  return languageOf(path, '') !== undefined;
}

function rewritten(files: Files, change: typeof reworded): Files {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => (change(path, text) === text ? [] : [[path, change(path, text)]])),
  );
}

interface More {
  redExpected?: 'again';
  /** Called with the runs while the checkout is there. */
  whileThere?: (runs: readonly Run[], at: Place) => Promise<void>;
}

/**
 * Runs them in one checkout with these files in it. Where they have to be green, they look to the work like an agent's command: work
 * that behaves only where it is judged is found out so.
 * A run is repeated once when `again` returns true for it.
 */
function runWith(
  context: Context,
  verifications: readonly Script[],
  files: Files,
  again: (run: Run) => boolean,
  { redExpected, whileThere }: More,
): Promise<Run[]> {
  const where = {
    where: 'revert' as const,
    code: null,
    ...(redExpected ? { redExpected } : {}),
    job: { alike: redExpected === undefined },
  };
  return prepared(context, { revert: [] }, async (at, write) => {
    await write(files);
    const runs = await runVerifications(context, { verifications, at, ...where });
    for (const [i, verification] of verifications.entries())
      if (runs[i] && again(runs[i]))
        runs.splice(i, 1, ...(await runVerifications(context, { verifications: [verification], at, ...where })));
    await whileThere?.(runs, at);
    return runs;
  });
}
