/**
 * Proves that green checks can fail, and for the work's sake (design §6), in scratch checkouts, without a model. Every check
 * must pass the control: it goes by what the work does and not by its text. One that was not seen red must turn red for its
 * stated reason when the covering hunks are taken out (every file stays), or else when one covering line is made wrong, by the
 * engine's rules or by a patch that QC offered; red by turns is no red. The sprint's own tests run in none of these checkouts.
 */
import type { Context } from '../context.ts';
import { canBurn } from '../state/fuel.ts';
import type { ScratchSpec, WriteFiles } from '../ports.ts';
import type { Place } from '../work/job.ts';
import type { State } from '../state/state.ts';
import { mutantsOf } from '../prove/mutants.ts';
import { silencedTests } from '../prove/own-tests.ts';
import { runChecks } from '../run/batch.ts';
import { reworded, silenced } from '../prove/source.ts';
import { textOf } from '../run/text-of.ts';
import { coveringCommits, isHonestRed, proofsOf, proofTank, trustOf, untriedPatches } from '../judge/trust.ts';
import { coveredTasks, liveChecks } from '../state/covers.ts';
import type { Check, CheckRun, Proof } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Settled } from '../work/tree.ts';
import type { Action } from './action.ts';
import { isQualified } from '../work/gate.ts';
import { tryPatches, type Found } from './patch-proof.ts';
import { prepared } from '../run/prepared.ts';

type Kind = Proof['kind'];
type Files = Record<string, string>;

export const prove: Action = {
  id: 'prove',
  asksModel: false,
  due(state) {
    const checks = isQualified(state) ? liveChecks(state.work).filter((c) => lacking(state, c).length > 0) : [];
    if (checks.length === 0) return [];
    const burns = checks.flatMap((c) => lacking(state, c).map((kind) => proofTank(c, kind)));
    return [{ target: '', burns, why: `green, but not proven by failing: ${checks.map((c) => c.id).join(', ')}` }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const burns = (check: Check, kind: Kind): boolean => open.decision.burns.includes(proofTank(check, kind));
    const checks = liveChecks(state.work).filter((c) => proofKinds.some((kind) => burns(c, kind)));
    const controls = await control(context, checks.filter((c) => burns(c, 'control'))); // prettier-ignore
    const facts: Fact[] = [];
    for (const check of checks) {
      const found: [Kind, Found][] = [];
      const controlled = controls.get(check);
      if (controlled) found.push(['control', controlled]);
      if (controlled?.outcome !== 'not-red' && burns(check, 'revert')) found.push(['revert', await revert(context, check)]);
      if (isUnproven(found) && burns(check, 'mutants')) found.push(['mutants', await mutate(context, check)]);
      if (isUnproven(found) && burns(check, 'patches')) found.push(['patches', await tryPatches(context, check)]);
      facts.push(...factsOf(state, check, found));
    }
    return facts;
  },
};

const proofKinds: readonly Kind[] = ['control', 'revert', 'mutants', 'patches'];

/** The control did not refuse it, and no proof was found yet. */
function isUnproven(found: readonly [Kind, Found][]): boolean {
  return found.every(([kind, { outcome }]) => (kind === 'control') === (outcome === 'red'));
}

/** Proofs that a green check may still need, in the order in which they are tried. */
function lacking(state: State, check: Check): Kind[] {
  const { work, ledger } = state;
  const result = work.results[check.id];
  if (check.kind !== 'command' || check.guard || result?.verdict !== 'green' || result.code !== work.tree.code) return [];
  if (coveredTasks(work, check).some(isOpen)) return [];
  const tried = proofsOf(state, check);
  if (tried.some((p) => p.kind === 'control' && p.outcome === 'not-red')) return [];
  const { trusted } = trustOf(state, check);
  return proofKinds
    .filter((kind) => kind === 'control' || !trusted)
    .filter((kind) => kind !== 'patches' || untriedPatches(state, check).length > 0)
    .filter((kind) => !tried.some((p) => p.kind === kind) && canBurn(ledger, [proofTank(check, kind)]));
}

function factsOf({ work }: State, { lineage, script }: Check, found: readonly [Kind, Found][]): Fact[] {
  let told = 0;
  return found.flatMap(([kind, { outcome, why, run }]): Fact[] => [
    ...(run ? [{ fact: 'check.ran' as const, run: { ...run, n: run.n + told++ } }] : []),
    { fact: 'check.proven', proof: { lineage, script, kind, code: work.tree.code, outcome, why } },
  ]);
}

/** Other words, same behaviour: green. Same words, no behaviour: not green. The whole sprint's files, so for all checks at once. */
async function control(context: Context, checks: readonly Check[]): Promise<Map<Check, Found>> {
  if (checks.length === 0) return new Map();
  const files = await filesOf(context, context.state.work.tree.commits);
  const made = (change: typeof reworded): Files =>
    Object.fromEntries(
      Object.entries(files).flatMap(([path, text]) => (change(path, text) === text ? [] : [[path, change(path, text)]])),
    );
  const own = silencedTests(files);
  const unsure = (run: CheckRun): boolean => run.verdict === 'flaky' || isCutOff(run);
  const other = await runWith(context, { checks, files: { ...made(reworded), ...own }, again: unsure });
  // Without its services, which cannot come up when the work is silent: what is green then looks at the text alone.
  const alone = checks.map((check) => ({ ...check, requires: [] }));
  const silent =
    Object.keys(files).length === 0 ? [] : await runWith(context, { checks: alone, files: made(silenced), again: isCutOff });
  return new Map(checks.map((check, i) => [check, controlOf(other[i], silent[i], Object.keys(own))]));
}

function controlOf(other: CheckRun | undefined, silent: CheckRun | undefined, own: readonly string[]): Found {
  if (other && other.verdict !== 'green') {
    const tests = own.length > 0 ? `, and where the work’s own tests were silenced: ${own.join(', ')}` : '';
    const why = `it fails in a checkout of its own where only comments were added to the work${tests}`;
    return { outcome: 'not-red', why, run: other };
  }
  if (silent?.verdict === 'green')
    return {
      outcome: 'not-red',
      why: 'it stays green when the work it covers is taken out and only its text is left: it does not look at what it does',
      run: silent,
    };
  if (silent?.verdict === 'flaky')
    return {
      outcome: 'not-red',
      why: 'it is red and green by turns where the work it covers is taken out and only its text is left: chance proves nothing',
      run: silent,
    };
  if (silent && isCutOff(silent))
    return {
      outcome: 'not-red',
      why: 'it does not end where the work it covers is taken out and only its text is left, so that tells nothing',
      run: silent,
    };
  return { outcome: 'red', why: 'it goes by what the work does, not by its text' };
}

/** A check that was slow says what one that reads the text would say if it was slow: nothing. */
function isCutOff({ timedOut, exit }: CheckRun): boolean {
  return timedOut || exit === null;
}

/** One checkout with these files in it; a run of which `again` says so is made once more. */
function runWith(
  context: Context,
  { checks, files, again }: { checks: readonly Check[]; files: Files; again: (run: CheckRun) => boolean },
): Promise<CheckRun[]> {
  return prepared(context, { revert: [] }, async (at, write) => {
    await write(files);
    const runs = await runChecks(context, { checks, at, where: 'revert', code: null });
    for (const [i, check] of checks.entries())
      if (runs[i] && again(runs[i]))
        runs.splice(i, 1, ...(await runChecks(context, { checks: [check], at, where: 'revert', code: null })));
    return runs;
  });
}

async function revert(context: Context, check: Check): Promise<Found> {
  const commits = coveringCommits(context.state, check).map((c) => c.commit).reverse(); // prettier-ignore
  if (commits.length === 0) return { outcome: 'impossible', why: 'no commit of the sprint is covered by it' };
  const spec: ScratchSpec = { revert: commits };
  const [run] = await withoutOwnTests(context, spec, (at) => runChecks(context, { checks: [check], at, where: 'revert', code: null })); // prettier-ignore
  return run ? { ...outcomeOf(check, run, commits.length), run } : { outcome: 'impossible', why: 'it could not be run' };
}

function outcomeOf(check: Check, run: CheckRun, commits: number): Pick<Proof, 'outcome' | 'why'> {
  if (isHonestRed(run))
    return {
      outcome: 'red',
      why: `with ${commits === 1 ? 'the commit' : `the ${commits} commits`} that it covers taken out it fails for its stated reason`,
    };
  if (run.verdict === 'green')
    return { outcome: 'not-red', why: 'it stays green when the work it covers is taken out: it does not look at it' };
  if (run.verdict === 'flaky')
    return {
      outcome: 'not-red',
      why: 'it is red and green by turns when the work it covers is taken out: chance proves nothing',
    };
  const reason = run.redSeen ? `${run.kind ?? 'unknown'} is no proof` : `its output does not contain "${check.red}"`;
  return { outcome: 'not-red', why: `it fails without the work, but not for its stated reason: ${reason}` };
}

/** Until one mutant turns it red, and the line put back turns it green again: so it was that line. */
async function mutate(context: Context, check: Check): Promise<Found> {
  const { state, ports } = context;
  const commits = coveringCommits(state, check);
  const patches = await Promise.all(commits.map((c) => ports.payloads.get(c.patch)));
  const files = await filesOf(context, commits);
  const mutants = mutantsOf(files, patches);
  if (mutants.length === 0) return { outcome: 'impossible', why: 'it covers no line that the engine can make wrong' };
  return withoutOwnTests(context, { revert: [] }, async (at, write) => {
    const once = async (): Promise<CheckRun | undefined> =>
      (await runChecks(context, { checks: [check], at, where: 'revert', code: null }))[0];
    for (const { path, line, was, now, text } of mutants) {
      await write({ [path]: text });
      const run = await once();
      await write({ [path]: files[path] ?? '' });
      if (!run || !isHonestRed(run) || fellOver(run)) continue;
      const shown = `"${now.trim()}" for "${was.trim()}" in ${path}:${line}`;
      if ((await once())?.verdict !== 'green')
        return { outcome: 'not-red', why: `it fails with ${shown}, and still does when that is put back`, run };
      return { outcome: 'red', why: `with ${shown} it fails for its stated reason`, run };
    }
    return {
      outcome: 'not-red',
      why: `it failed for its stated reason with none of ${mutants.length} lines of the work made wrong`,
    };
  });
}

/** What does not run shows that it must run, and nothing of what it does. */
function fellOver({ kind }: CheckRun): boolean {
  return kind === 'compile_error' || kind === 'runtime_error';
}

/** A checkout in which the tests that the sprint wrote do not run: a check that only asks them would be the builder's own. */
async function withoutOwnTests<T>(
  context: Context,
  spec: ScratchSpec,
  use: (at: Place, write: WriteFiles) => Promise<T>,
): Promise<T> {
  const own = silencedTests(await filesOf(context, context.state.work.tree.commits));
  return prepared(context, spec, async (at, write) => {
    await write(own);
    return use(at, write);
  });
}

/** What these commits touched and is still there, as it is now. */
async function filesOf({ ports }: Context, commits: readonly Settled[]): Promise<Files> {
  const files: Files = {};
  for (const path of new Set(commits.flatMap((c) => c.files.map((f) => f.path)))) {
    const text = await textOf(ports.tree, path);
    if (text !== undefined) files[path] = text;
  }
  return files;
}
