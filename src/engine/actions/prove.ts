/**
 * Proves that green verifications can fail, and because of the work, in scratch checkouts and without a model. Every
 * verification must pass the control: it judges what the work does, not its text. One that was never red must also turn red for
 * its stated reason when the covering hunks are taken out (every file stays). If it does not, one covering line at a time is
 * made wrong, by the engine's rules or by a mutant that QC offered. A flaky run proves nothing. The sprint's own tests run in
 * none of these checkouts.
 */
import type { Context } from '../context.ts';
import { canBurn, hasBurned } from '../state/fuel.ts';
import type { ScratchSpec } from '../ports.ts';
import type { State } from '../state/state.ts';
import { revertOf, untoldBy, type Found } from '../prove/outcome.ts';
import { runVerifications } from '../run/batch.ts';
import { filesOf } from '../run/files.ts';
import { mutantsOf, patchesOf } from '../run/mutants.ts';
import { withoutOwnTests } from './without-own-tests.ts';
import { coveringCommits, isHonestRed, proofsOf, proofTank, trustOf, untriedMutants } from '../judge/trust.ts';
import { isUnsettled } from '../judge/unsettled.ts';
import { coveredTasks, liveScripts } from '../state/covers.ts';
import type { Proof, Run, Script } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { control } from './control.ts';
import { tryOffers } from './offered-proof.ts';

type Kind = Proof['kind'];

export const prove: Action = {
  id: 'prove',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    const verifications = liveScripts(state.work).filter((v) => lacking(state, v).length > 0);
    if (verifications.length === 0) return [];
    const burns = verifications.flatMap((v) => lacking(state, v).map((kind) => proofTank(v, kind)));
    return [{ target: '', burns, why: `green, but not proven by failing: ${verifications.map(({ id }) => id).join(', ')}` }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const burns = (verification: Script, kind: Kind): boolean => hasBurned(open.decision, proofTank(verification, kind));
    const verifications = liveScripts(state.work).filter((v) => proofKinds.some((kind) => burns(v, kind)));
    const controls = await control(
      context,
      verifications.filter((v) => burns(v, 'control')),
    );
    const facts: Fact[] = [];
    for (const verification of verifications) {
      const results: [Kind, Found][] = [];
      const controlled = controls.get(verification);
      if (controlled) results.push(['control', controlled]);
      if ((!controlled || controlled.outcome === 'red') && burns(verification, 'revert'))
        results.push(['revert', await revert(context, verification)]);
      if (isUnproven(results) && burns(verification, 'mutants')) results.push(['mutants', await mutate(context, verification)]);
      if (isUnproven(results) && burns(verification, 'offered')) results.push(['offered', await tryOffers(context, verification)]);
      facts.push(...factsOf(state, verification, results));
    }
    return facts;
  },
};

const proofKinds: readonly Kind[] = ['control', 'revert', 'mutants', 'offered'];

/** The control did not refuse it, and no proof was found yet. */
function isUnproven(results: readonly [Kind, Found][]): boolean {
  return results.every(([kind, { outcome }]) => (kind === 'control') === (outcome === 'red'));
}

/** Proofs that a green verification may still need, in the order in which they are tried. */
function lacking(state: State, verification: Script): Kind[] {
  const { work, ledger } = state;
  const result = work.results[verification.id];
  if (result?.verdict !== 'green' || result.code !== work.tree.code) return [];
  if (coveredTasks(work, verification).some(isOpen)) return [];
  if (isUnsettled(state, verification, 'revert')) return [];
  const tried = proofsOf(state, verification);
  if (tried.some((p) => p.kind === 'control' && p.outcome === 'not-red')) return [];
  const { trusted } = trustOf(state, verification);
  return proofKinds
    .filter((kind) => kind === 'control' || !trusted)
    .filter((kind) => kind !== 'offered' || untriedMutants(state, verification).length > 0)
    .filter((kind) => !tried.some((p) => p.kind === kind) && canBurn(ledger, [proofTank(verification, kind)]));
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

async function revert(context: Context, verification: Script): Promise<Found> {
  const commits = coveringCommits(context.state, verification)
    .map(({ commit }) => commit)
    .reverse();
  if (commits.length === 0) return { outcome: 'impossible', why: 'no commit of the sprint is covered by it' };
  const spec: ScratchSpec = { revert: commits };
  const [run] = await withoutOwnTests(context, spec, (at) =>
    runVerifications(context, { verifications: [verification], at, where: 'revert', code: null, redExpected: 'once' }),
  );
  return run ? { ...revertOf(verification, run, commits.length), run } : { outcome: 'impossible', why: 'it could not be run' };
}

/** Tries mutants until one turns it red. Without the mutant it must be green again, or something else was the cause. */
async function mutate(context: Context, verification: Script): Promise<Found> {
  const { state, ports } = context;
  const commits = coveringCommits(state, verification);
  const patches = await patchesOf(ports.payloads, state.work.tree.commits, commits);
  const files = await filesOf(ports.tree, commits);
  const mutants = await mutantsOf(ports.syntax, files, patches);
  if (mutants.length === 0) return { outcome: 'impossible', why: 'it covers no line that the engine can make wrong' };
  return withoutOwnTests(context, { revert: [] }, async (at, write) => {
    const once = async (redExpected: 'once' | undefined): Promise<Run | undefined> =>
      (
        await runVerifications(context, {
          verifications: [verification],
          at,
          where: 'revert',
          code: null,
          ...(redExpected ? { redExpected } : {}),
        })
      )[0];
    let untold: Run | undefined;
    for (const { path, line, was, now, text } of mutants) {
      await write({ [path]: text });
      const run = await once('once');
      await write({ [path]: files[path] ?? '' });
      if (run?.verdict === 'none') untold = run;
      if (!run || !isHonestRed(run) || didNotRun(run)) continue;
      const mutant = `"${now.trim()}" for "${was.trim()}" in ${path}:${line}`;
      const back = await once(undefined);
      if (back?.verdict === 'none') return untoldBy(back);
      if (back?.verdict !== 'green')
        return { outcome: 'not-red', why: `it fails with ${mutant}, and still does when that is put back`, run };
      return { outcome: 'red', why: `with ${mutant} it fails for its stated reason`, run };
    }
    if (untold) return untoldBy(untold);
    return {
      outcome: 'not-red',
      why: `it failed for its stated reason with none of ${mutants.length} lines of the work made wrong`,
    };
  });
}

/** Work that does not run shows only that it must run, not what it must do. */
function didNotRun({ kind }: Run): boolean {
  return kind === 'compile_error' || kind === 'runtime_error';
}
