/**
 * Proves that green verifications can fail, and because of the work, in scratch checkouts and without a model. Every
 * verification must pass the control: it judges what the work does, not its text. One that was never red must also turn red for
 * its stated reason when the covering hunks are taken out (every file stays). If it does not, one covering line at a time is
 * made wrong, by the engine's rules or by a mutant that QC offered. A flaky run proves nothing. The sprint's own tests run in
 * none of these checkouts.
 */
import type { Context } from '../context.ts';
import { hasBurned } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { revertOf, untoldBy, type Found } from '../prove/outcome.ts';
import { runVerifications, type Batch } from '../run/batch.ts';
import { FaultBook } from '../run/fault-book.ts';
import { filesOf, type Files } from '../run/files.ts';
import { addedBy, mutantsOf, Reading, settingMutantsOf } from '../run/mutants.ts';
import { silentTests } from '../run/own-tests.ts';
import { inParallel } from '../run/schedule.ts';
import { withoutOwnTests } from './trials/without-own-tests.ts';
import { missingProofs, proofKinds } from '../judge/missing-proofs.ts';
import { coveringCommits, isHonestRed, proofTank } from '../judge/trust.ts';
import { faultWords } from '../judge/fault-words.ts';
import { liveScripts } from '../state/covers.ts';
import type { Place } from '../work/job.ts';
import type { FaultEnd, Proof, Run, Script } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import { installMissing } from './change.ts';
import { control } from './trials/control.ts';
import { tryOffers } from './trials/offered-proof.ts';

type Kind = Proof['kind'];

export const prove: Action = {
  id: 'prove',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    const verifications = liveScripts(state.work).filter((v) => missingProofs(state, v).length > 0);
    if (verifications.length === 0) return [];
    const burns = verifications.flatMap((v) => missingProofs(state, v).map((kind) => proofTank(v, kind)));
    return [{ target: '', burns, why: `green, but not proven by failing: ${verifications.map(({ id }) => id).join(', ')}` }];
  },
  async run(_target, context) {
    const { state, open } = context;
    await installMissing(context);
    const burns = (verification: Script, kind: Kind): boolean => hasBurned(open.decision, proofTank(verification, kind));
    const verifications = liveScripts(state.work).filter((v) => proofKinds.some((kind) => burns(v, kind)));
    const controls = await control(
      context,
      verifications.filter((v) => burns(v, 'control')),
    );
    const results = new Map(verifications.map((v) => [v, resultsOf(controls.get(v))]));
    const faults = { book: new FaultBook(state), reading: new Reading(context.ports.syntax) };
    const found = (verification: Script): [Kind, Found][] => results.get(verification) ?? [];
    const unproven = (kind: Kind): Script[] => verifications.filter((v) => isUnproven(found(v)) && burns(v, kind));
    const tryAll = async (kind: 'revert' | 'mutants', some: readonly Script[], redExpected: RedExpected): Promise<Script[]> => {
      const tried = kind === 'revert' ? await revert(context, some, redExpected) : await mutate(context, some, { redExpected, ...faults });
      const isUntold = (one: Found): boolean => redExpected === 'unlooked' && one.run?.verdict === 'none';
      for (const [verification, one] of tried) if (!isUntold(one)) found(verification).push([kind, one]);
      return some.filter((verification) => !found(verification).some(([known]) => known === kind));
    };
    const untold = {
      revert: await tryAll('revert', unproven('revert'), 'unlooked'),
      mutants: await tryAll('mutants', unproven('mutants'), 'unlooked'),
    };
    // Looking alone takes the longest, so it comes where nothing else is a proof, and while nothing else runs.
    for (const kind of ['revert', 'mutants'] as const)
      for (const verification of untold[kind]) if (isUnproven(found(verification))) await tryAll(kind, [verification], 'once');
    for (const verification of unproven('offered')) found(verification).push(['offered', await tryOffers(context, verification)]);
    return [...verifications.flatMap((verification) => factsOf(state, verification, found(verification))), ...faults.book.facts()];
  },
};

function resultsOf(controlled: Found | undefined): [Kind, Found][] {
  return controlled ? [['control', controlled]] : [];
}

/** `unlooked`: what the machine may have caused has no result. `once`: it is looked at alone, so nothing else may run. */
type RedExpected = 'unlooked' | 'once';

/** The control did not refuse it, and no proof was found yet. */
function isUnproven(results: readonly [Kind, Found][]): boolean {
  return results.every(([kind, { outcome }]) => (kind === 'control') === (outcome === 'red'));
}

function factsOf({ work }: State, { lineage, script }: Script, results: readonly [Kind, Found][]): Fact[] {
  let recorded = 0;
  return results.flatMap(([kind, { outcome, why, run }]): Fact[] => [
    ...(run ? [{ fact: 'verification.ran' as const, run: { ...run, n: run.n + recorded++ } }] : []),
    // Where the machine kept the run from a result, nothing is proven either way.
    ...(run?.verdict === 'none'
      ? []
      : [{ fact: 'verification.proven' as const, proof: { lineage, script, kind, code: work.tree.code, outcome, why } }]),
  ]);
}

/** Takes the covered work out. Where nothing runs then, because other work was built on it, all work is taken out. */
async function revert(context: Context, verifications: readonly Script[], redExpected: RedExpected): Promise<Map<Script, Found>> {
  const found = new Map<Script, Found>();
  for (const group of byCommits(context.state, verifications)) {
    const runs = await runWithout(context, group, redExpected);
    const why = group.commits.length === 0 ? 'no commit of the sprint is covered by it' : 'it could not be run';
    for (const verification of group.covering) {
      const run = runs.get(verification);
      found.set(verification, run ? { ...revertOf(verification, run, group.commits.length), run } : { outcome: 'impossible', why });
    }
  }
  const commits = context.state.work.tree.commits.map(({ commit }) => commit).reverse();
  const covering = verifications.filter((one) => isUnrun(found.get(one)) && coveringCommits(context.state, one).length < commits.length);
  for (const [verification, run] of await runWithout(context, { commits, covering }, redExpected))
    if (isHonestRed(run)) found.set(verification, { ...revertOf(verification, run, 'all'), run });
  return found;
}

/** Something broke down. One that only fails without its reason may look at other work. */
function isUnrun(one: Found | undefined): boolean {
  return one?.run?.verdict === 'red' && breakdowns.has(one.run.kind);
}

const breakdowns: ReadonlySet<Run['kind']> = new Set(['service_down', 'compile_error', 'runtime_error', 'tooling_error']);

async function runWithout(
  context: Context,
  { commits, covering }: { commits: readonly string[]; covering: readonly Script[] },
  redExpected: RedExpected,
): Promise<Map<Script, Run>> {
  if (commits.length === 0 || covering.length === 0) return new Map();
  const batch = { verifications: covering, where: 'revert', code: null, redExpected } as const;
  const runs = await withoutOwnTests(context, { revert: [...commits] }, (at) => runVerifications(context, { ...batch, at }));
  return new Map(
    covering.flatMap((verification): [Script, Run][] => {
      const run = runs.find(({ verification: id }) => id === verification.id);
      return run ? [[verification, run]] : [];
    }),
  );
}

/** Those that cover the same commits share a checkout; newest first. */
function byCommits(state: State, verifications: readonly Script[]): { commits: string[]; covering: Script[] }[] {
  const groups = new Map<string, { commits: string[]; covering: Script[] }>();
  for (const verification of verifications) {
    const commits = coveringCommits(state, verification)
      .map(({ commit }) => commit)
      .reverse();
    const group = groups.get(commits.join()) ?? { commits, covering: [] };
    group.covering.push(verification);
    groups.set(commits.join(), group);
  }
  return [...groups.values()];
}

/** All in one checkout, each with its mutants mounted for that run alone. */
async function mutate(context: Context, verifications: readonly Script[], how: Omit<Trials, 'at'>): Promise<Map<Script, Found>> {
  if (verifications.length === 0) return new Map();
  return withoutOwnTests(context, { revert: [] }, async (at) => {
    const tryOne = async (one: Script): Promise<readonly [Script, Found]> => [one, await tryMutants(context, one, { at, ...how })];
    return new Map(await inParallel(context, verifications, tryOne));
  });
}

interface Trials {
  at: Place;
  redExpected: RedExpected;
  book: FaultBook;
  reading: Reading;
}

/** Tries mutants until one turns it red. Without the mutant it must be green again, or something else was the cause. */
async function tryMutants(context: Context, verification: Script, { at, redExpected, book, reading }: Trials): Promise<Found> {
  const { state, ports } = context;
  const commits = coveringCommits(state, verification);
  const added = await addedBy(ports.payloads, state.work.tree.commits, commits);
  const work = await filesOf(ports.tree, commits);
  const inCode = await mutantsOf(await reading.covered(work, added));
  const mutants = inCode.length > 0 ? inCode : settingMutantsOf(work, added);
  if (mutants.length === 0) return { outcome: 'impossible', why: 'it covers no line that the engine can make wrong' };
  const runWith = async (files: Files, more: Pick<Batch, 'redExpected'>): Promise<Run | undefined> => {
    const job = { files: { ...files, ...(await silentTests(ports.syntax, files)) } };
    return (await runVerifications(context, { verifications: [verification], at, where: 'revert', code: null, job, ...more }))[0];
  };
  const sound = (): Promise<Run | undefined> => runWith({}, redExpected === 'unlooked' ? { redExpected } : {});
  let isCutOff = false;
  for (const fault of mutants) {
    if (context.signal.aborted) break;
    const known = book.endWith(verification, fault);
    if (known !== undefined && known !== 'red') continue;
    // One red run shows a fault, but no proof: that takes a second one, which is kept as its evidence.
    const run = await runWith({ [fault.path]: fault.text }, { redExpected });
    isCutOff ||= run?.verdict === 'none' || run?.timedOut === true;
    const end = run && endOf(run);
    if (end && end !== known) book.add(verification, fault, end);
    if (!run || end !== 'red' || !isHonestRed(run)) continue;
    const mutant = faultWords(fault);
    const back = await sound();
    if (back?.verdict === 'none') return untoldBy(back);
    if (back?.verdict !== 'green') return { outcome: 'not-red', why: `it fails with ${mutant}, and still does when that is put back`, run };
    return { outcome: 'red', why: `with ${mutant} it fails for its stated reason`, run };
  }
  if (isCutOff) {
    // Where the sound work is green, it was the faults that took the time.
    const whole = await sound();
    if (whole?.verdict === 'none') return untoldBy(whole);
    if (whole?.verdict !== 'green')
      return {
        outcome: 'impossible',
        why: 'in a checkout of its own it is not green with the sound work either',
        ...(whole ? { run: whole } : {}),
      };
  }
  return {
    outcome: 'not-red',
    why: `it failed for its stated reason with none of ${mutants.length} lines of the work made wrong`,
  };
}

/** Work that does not run shows only that it must run, not what it must do. Undefined where the fault may only have been slow. */
function endOf(run: Run): FaultEnd['end'] | undefined {
  const { verdict, kind, exit, timedOut } = run;
  if (verdict === 'none' || timedOut) return undefined;
  if (verdict === 'green') return 'green';
  // An exception of the script's own says its reason, and a service may end by itself: measuring looks again.
  if ((kind === 'runtime_error' && run.redSeen) || kind === 'service_down') return undefined;
  if (verdict === 'flaky' || exit === null || kind === 'compile_error' || kind === 'runtime_error') return 'broken';
  return kind === 'tooling_error' ? 'broken' : 'red';
}
