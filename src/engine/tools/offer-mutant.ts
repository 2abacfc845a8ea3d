/**
 * QC offers a mutant, where the engine's own mutants cannot prove a verification. `prove` tries it. A lineage gets three offers
 * ever, whatever becomes of them.
 */
import * as z from 'zod';
import type { State } from '../state/state.ts';
import { offersPerLineage } from '../prove/offered.ts';
import { problemOfOffer } from '../run/offered.ts';
import { coveringCommits, proofsOf, trustOf } from '../judge/trust.ts';
import { liveScripts } from '../state/covers.ts';
import type { Script } from '../work/verification.ts';
import { reportTool, ToolError } from './tool.ts';

/** Characters of a text: a mutant is a small fault, not another program. */
const longest = 1000;
const input = z.strictObject({
  verification: z.string().min(1).describe('Id of the verification that is to be proven'),
  path: z.string().min(1).describe('File of the work'),
  old_string: z
    .string()
    .min(1)
    .max(longest)
    .describe('What stands there now, exactly, on lines that the covered work wrote; it must occur once'),
  new_string: z
    .string()
    .max(longest)
    .describe(
      'What makes it wrong: one of these lines is changed or gone, and not only others added; it still runs, and does something else',
    ),
  why: z.string().min(20).describe('What a user would see go wrong'),
});
type Input = z.infer<typeof input>;

export const offerMutant = reportTool<Input>({
  name: 'offer_mutant',
  description:
    'Offer a small fault in the covered work that a verification must notice, to prove it by. The engine tries it in a checkout of its own: it counts if the verification fails for its stated reason, and not as it would for a broken file.',
  input,
  async look({ verification: id, path, old_string: before, new_string: after }, { state, ports }) {
    const verification = provable(state, id);
    const commits = await Promise.all(coveringCommits(state, verification).map((commit) => ports.payloads.get(commit.patch)));
    const about = { red: verification.red, commits };
    const wrong = await problemOfOffer(ports.syntax, { path, before, after }, await ports.tree.read(path), about);
    if (wrong !== undefined) throw new ToolError(`That would prove nothing: ${wrong}.`);
  },
  handle({ verification: id, path, old_string: before, new_string: after, why }, { state }) {
    const { lineage, script } = provable(state, id);
    const left = offersPerLineage - offered(state, lineage) - 1;
    return {
      text: `Taken; the engine tries it. ${left} more may be offered for ${id}.`,
      facts: [{ fact: 'mutant.offered', mutant: { lineage, script, path, before, after, why } }],
    };
  },
});

/** @throws ToolError when no offered mutant can prove the script, or none is left. */
function provable(state: State, id: string): Script {
  const verification = liveScripts(state.work).find((v) => v.id === id);
  if (!verification) throw new ToolError(`There is no verification ${id}.`);
  if (trustOf(state, verification).trusted)
    throw new ToolError(`${id} can fail, as it is known already. Where its proof is weak, only a verification that sees more helps.`);
  if (offered(state, verification.lineage) >= offersPerLineage)
    throw new ToolError(`${offersPerLineage} mutants were offered for ${id}, and more are not taken. Write it again.`);
  const refused = proofsOf(state, verification).find((p) => p.kind === 'offered' || (p.kind === 'control' && p.outcome === 'not-red'));
  if (refused) throw new ToolError(`No mutant can prove ${id} as it is: ${refused.why}. Write it again.`);
  return verification;
}

function offered({ ledger }: State, lineage: string): number {
  return ledger.offers.filter((offer) => offer.lineage === lineage).length;
}
