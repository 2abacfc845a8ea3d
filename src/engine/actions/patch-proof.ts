/**
 * Tries the patches that QC offered for a check (design §6), one at a time in one scratch checkout. One counts if the check
 * fails for its stated reason, otherwise than it does with that file blank (what breaks everything tells nothing of what a
 * check looks at), and is green again when the patch is taken out.
 */
import type { Context } from '../context.ts';
import type { WriteFiles } from '../ports.ts';
import { isBreakdown } from '../diagnose/classify.ts';
import { patched, patchProblem } from '../prove/patches.ts';
import { runChecks } from '../run/batch.ts';
import { textOf } from '../run/text-of.ts';
import { coveringCommits, isHonestRed, untriedPatches } from '../judge/trust.ts';
import type { Check, CheckRun, OfferedPatch, Proof } from '../work/check.ts';
import { prepared } from '../run/prepared.ts';

/** How a proof ended, and the one run that tells. */
export type Found = Pick<Proof, 'outcome' | 'why'> & { run?: CheckRun };

export async function tryPatches(context: Context, check: Check): Promise<Found> {
  const { state, ports } = context;
  const offers = untriedPatches(state, check);
  const commits = await Promise.all(coveringCommits(state, check).map((c) => ports.payloads.get(c.patch)));
  return prepared(context, { revert: [] }, async (at, write) => {
    const once = async (): Promise<CheckRun | undefined> =>
      (await runChecks(context, { checks: [check], at, where: 'revert', code: null }))[0];
    const whys: string[] = [];
    for (const offer of offers) {
      const found = await tryPatch(context, { check, offer, commits }, { write, once });
      if (found.outcome === 'red') return found;
      whys.push(`with QC's patch ${shown(offer)} ${found.why}`);
    }
    return { outcome: 'not-red', why: whys.join('; ') || 'none of the patches could be tried' };
  });
}

interface Trial {
  check: Check;
  offer: OfferedPatch;
  commits: readonly string[];
}

async function tryPatch(
  context: Context,
  { check, offer, commits }: Trial,
  { write, once }: { write: WriteFiles; once: () => Promise<CheckRun | undefined> },
): Promise<Found> {
  const { path } = offer;
  const text = await textOf(context.ports.tree, path);
  const problem = patchProblem(offer, text, { red: check.red, commits });
  if (text === undefined || problem !== undefined)
    return { outcome: 'impossible', why: `nothing can be proven any more: ${problem}` };
  const ranWith = async (now: string): Promise<CheckRun | undefined> => {
    await write({ [path]: now });
    const run = await once();
    await write({ [path]: text });
    return run;
  };
  const run = await ranWith(patched(text, offer) ?? text);
  const no = await whyNoFault(context, run);
  if (!run || no !== undefined) return { outcome: 'not-red', why: no ?? 'it could not be run' };
  const blank = await ranWith('\n');
  if (blank?.signature === run.signature)
    return {
      outcome: 'not-red',
      why: `it fails just as it does with ${path} blank: it shows no more than that something is there`,
      run,
    };
  if ((await once())?.verdict !== 'green')
    return { outcome: 'not-red', why: 'it fails, and still does when that is taken out', run };
  return { outcome: 'red', why: `with QC's patch ${shown(offer)} it fails for its stated reason: ${offer.why}`, run };
}

/** Why a run does not show that the check noticed a fault; undefined where it does. */
async function whyNoFault({ ports }: Context, run: CheckRun | undefined): Promise<string | undefined> {
  if (!run || run.verdict === 'green') return 'it stays green';
  if (!isHonestRed(run)) return 'it fails, but not for its stated reason';
  if (isBreakdown(await ports.payloads.get(run.output)))
    return 'the work does not run any more, which is no fault but a breakdown';
  return undefined;
}

function shown({ path, before, after }: OfferedPatch): string {
  const words = (text: string): string => {
    const line = text.trim().replaceAll(/\s+/g, ' ');
    return line.length > 80 ? `${line.slice(0, 79)}…` : line;
  };
  return `"${words(after)}" for "${words(before)}" in ${path}`;
}
