/**
 * Tries the mutants that QC offered for a verification, one at a time in one scratch checkout. A mutant counts if the
 * verification fails for its stated reason, and is green again when the mutant is taken out. It must also fail otherwise than
 * with that file blank, because breaking everything proves nothing.
 */
import type { Context } from '../../context.ts';
import type { WriteFiles } from '../../ports.ts';
import { clip, oneLine } from '../../ground/text.ts';
import { isBreakdown } from '../../diagnose/classify.ts';
import { mutated } from '../../prove/offered.ts';
import { untoldBy, type Found } from '../../prove/outcome.ts';
import { runVerifications } from '../../run/batch.ts';
import { textOf } from '../../run/files.ts';
import { problemOfOffer } from '../../run/offered.ts';
import { withoutOwnTests } from './without-own-tests.ts';
import { coveringCommits, isHonestRed, untriedMutants } from '../../judge/trust.ts';
import type { OfferedMutant, Run, Script } from '../../work/verification.ts';

export async function tryOffers(context: Context, verification: Script): Promise<Found> {
  const { state, ports } = context;
  const offers = untriedMutants(state, verification);
  const commits = await Promise.all(coveringCommits(state, verification).map((commit) => ports.payloads.get(commit.patch)));
  return withoutOwnTests(context, { revert: [] }, async (at, write) => {
    const where = { at, where: 'revert' as const, code: null };
    const once = async (redExpected: 'once' | undefined): Promise<Run | undefined> =>
      (await runVerifications(context, { verifications: [verification], ...where, ...(redExpected ? { redExpected } : {}) }))[0];
    const whys: string[] = [];
    for (const offer of offers) {
      const tried = await tryOffer(context, { verification, offer, commits }, write, once);
      if (tried.outcome === 'red' || tried.run?.verdict === 'none') return tried;
      whys.push(`with QC's mutant ${mutantWords(offer)} ${tried.why}`);
    }
    return { outcome: 'not-red', why: whys.join('; ') || 'none of the mutants could be tried' };
  });
}

interface Trial {
  verification: Script;
  offer: OfferedMutant;
  commits: readonly string[];
}

async function tryOffer(
  context: Context,
  { verification, offer, commits }: Trial,
  write: WriteFiles,
  once: (redExpected: 'once' | undefined) => Promise<Run | undefined>,
): Promise<Found> {
  const { path } = offer;
  const text = await textOf(context.ports.tree, path);
  const problem = await problemOfOffer(context.ports.syntax, offer, text, { red: verification.red, commits });
  if (text === undefined || problem !== undefined) return { outcome: 'impossible', why: `nothing can be proven any more: ${problem}` };
  const runWith = async (now: string): Promise<Run | undefined> => {
    await write({ [path]: now });
    const run = await once('once');
    await write({ [path]: text });
    return run;
  };
  const run = await runWith(mutated(text, offer) ?? text);
  if (run?.verdict === 'none') return untoldBy(run);
  const objection = await whyNoFault(context, run);
  if (!run || objection !== undefined) return { outcome: 'not-red', why: objection ?? 'it could not be run' };
  const blank = await runWith('\n');
  if (blank?.signature === run.signature)
    return {
      outcome: 'not-red',
      why: `it fails just as it does with ${path} blank: it shows no more than that something is there`,
      run,
    };
  const back = await once(undefined);
  if (back?.verdict === 'none') return untoldBy(back);
  if (back?.verdict !== 'green') return { outcome: 'not-red', why: 'it fails, and still does when that is taken out', run };
  return { outcome: 'red', why: `with QC's mutant ${mutantWords(offer)} it fails for its stated reason: ${offer.why}`, run };
}

/** Why a run does not show that the verification noticed a fault; undefined when it does. */
async function whyNoFault({ ports }: Context, run: Run | undefined): Promise<string | undefined> {
  if (!run || run.verdict === 'green') return 'it stays green';
  if (!isHonestRed(run)) return 'it fails, but not for its stated reason';
  const [output, script] = await Promise.all([run.output, run.script].map((ref) => ports.payloads.get(ref)));
  if (isBreakdown({ output: output ?? '', script: script ?? '' }))
    return 'the work does not run any more, which is no fault but a breakdown';
  return undefined;
}

function mutantWords({ path, before, after }: OfferedMutant): string {
  const short = (text: string): string => clip(oneLine(text), 80);
  return `"${short(after)}" for "${short(before)}" in ${path}`;
}
