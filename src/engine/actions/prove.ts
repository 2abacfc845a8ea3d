/**
 * Proves that green checks can fail, and for the work's sake (design §6), in scratch checkouts, without a model. Every check
 * must pass the control: it goes by what the work does and not by its text. One that was not seen red must turn red for its
 * stated reason when the covering hunks are taken out (every file stays), or else when one covering line is made wrong, by the
 * engine's rules or by one that QC offered; red by turns is no red. The sprint's own tests run in none of these checkouts.
 */
import type { Context } from '../context.ts';
import { canBurn, hasBurned } from '../state/fuel.ts';
import type { ScratchSpec, WriteFiles } from '../ports.ts';
import type { Place } from '../work/job.ts';
import type { State } from '../state/state.ts';
import { mutantsOf } from '../prove/mutants.ts';
import { revertOf, type Found } from '../prove/outcome.ts';
import { silencedTests } from '../prove/own-tests.ts';
import { runVerifications } from '../run/batch.ts';
import { filesOf } from '../run/files.ts';
import { coveringCommits, isHonestRed, proofsOf, proofTank, trustOf, untriedMutants } from '../judge/trust.ts';
import { coveredTasks, liveScripts } from '../state/covers.ts';
import type { Proof, Run, Script } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { control } from './control.ts';
import { tryOffers } from './offered-proof.ts';
import { prepared } from '../run/prepared.ts';

type Kind = Proof['kind'];

export const prove: Action = {
  id: 'prove',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    const verifications = liveScripts(state.work).filter((c) => lacking(state, c).length > 0);
    if (verifications.length === 0) return [];
    const burns = verifications.flatMap((c) => lacking(state, c).map((kind) => proofTank(c, kind)));
    return [{ target: '', burns, why: `green, but not proven by failing: ${verifications.map((c) => c.id).join(', ')}` }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const burns = (verification: Script, kind: Kind): boolean => hasBurned(open.decision, proofTank(verification, kind));
    const verifications = liveScripts(state.work).filter((c) => proofKinds.some((kind) => burns(c, kind)));
    const controls = await control(
      context,
      verifications.filter((c) => burns(c, 'control')),
    );
    const facts: Fact[] = [];
    for (const verification of verifications) {
      const found: [Kind, Found][] = [];
      const controlled = controls.get(verification);
      if (controlled) found.push(['control', controlled]);
      if (controlled?.outcome !== 'not-red' && burns(verification, 'revert')) found.push(['revert', await revert(context, verification)]);
      if (isUnproven(found) && burns(verification, 'mutants')) found.push(['mutants', await mutate(context, verification)]);
      if (isUnproven(found) && burns(verification, 'offered')) found.push(['offered', await tryOffers(context, verification)]);
      facts.push(...factsOf(state, verification, found));
    }
    return facts;
  },
};

const proofKinds: readonly Kind[] = ['control', 'revert', 'mutants', 'offered'];

/** The control did not refuse it, and no proof was found yet. */
function isUnproven(found: readonly [Kind, Found][]): boolean {
  return found.every(([kind, { outcome }]) => (kind === 'control') === (outcome === 'red'));
}

/** Proofs that a green check may still need, in the order in which they are tried. */
function lacking(state: State, verification: Script): Kind[] {
  const { work, ledger } = state;
  const result = work.results[verification.id];
  if (result?.verdict !== 'green' || result.code !== work.tree.code) return [];
  if (coveredTasks(work, verification).some(isOpen)) return [];
  const tried = proofsOf(state, verification);
  if (tried.some((p) => p.kind === 'control' && p.outcome === 'not-red')) return [];
  const { trusted } = trustOf(state, verification);
  return proofKinds
    .filter((kind) => kind === 'control' || !trusted)
    .filter((kind) => kind !== 'offered' || untriedMutants(state, verification).length > 0)
    .filter((kind) => !tried.some((p) => p.kind === kind) && canBurn(ledger, [proofTank(verification, kind)]));
}

function factsOf({ work }: State, { lineage, script }: Script, found: readonly [Kind, Found][]): Fact[] {
  let told = 0;
  return found.flatMap(([kind, { outcome, why, run }]): Fact[] => [
    ...(run ? [{ fact: 'verification.ran' as const, run: { ...run, n: run.n + told++ } }] : []),
    { fact: 'verification.proven', proof: { lineage, script, kind, code: work.tree.code, outcome, why } },
  ]);
}

async function revert(context: Context, verification: Script): Promise<Found> {
  const commits = coveringCommits(context.state, verification)
    .map((c) => c.commit)
    .reverse();
  if (commits.length === 0) return { outcome: 'impossible', why: 'no commit of the sprint is covered by it' };
  const spec: ScratchSpec = { revert: commits };
  const [run] = await withoutOwnTests(context, spec, (at) =>
    runVerifications(context, { verifications: [verification], at, where: 'revert', code: null }),
  );
  return run ? { ...revertOf(verification, run, commits.length), run } : { outcome: 'impossible', why: 'it could not be run' };
}

/** Until one mutant turns it red, and the line put back turns it green again: so it was that line. */
async function mutate(context: Context, verification: Script): Promise<Found> {
  const { state, ports } = context;
  const commits = coveringCommits(state, verification);
  const patches = await Promise.all(commits.map((c) => ports.payloads.get(c.patch)));
  const files = await filesOf(ports.tree, commits);
  const mutants = mutantsOf(files, patches);
  if (mutants.length === 0) return { outcome: 'impossible', why: 'it covers no line that the engine can make wrong' };
  return withoutOwnTests(context, { revert: [] }, async (at, write) => {
    const once = async (): Promise<Run | undefined> =>
      (await runVerifications(context, { verifications: [verification], at, where: 'revert', code: null }))[0];
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
function fellOver({ kind }: Run): boolean {
  return kind === 'compile_error' || kind === 'runtime_error';
}

/** A checkout in which the tests that the sprint wrote do not run: a check that only asks them would be the builder's own. */
async function withoutOwnTests<T>(context: Context, spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T> {
  const own = silencedTests(await filesOf(context.ports.tree, context.state.work.tree.commits));
  return prepared(context, spec, async (at, write) => {
    await write(own);
    return use(at, write);
  });
}
