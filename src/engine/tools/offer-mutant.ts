/**
 * QC offers the work made wrong in one place, where the engine's own mutants cannot prove a check (design §6). The offer is
 * tried by `prove`; up to three a lineage, ever, whatever became of them.
 */
import { z } from 'zod';
import type { State } from '../state/state.ts';
import { patchesPerLineage, patchProblem } from '../prove/patches.ts';
import { coveringCommits, proofsOf, trustOf } from '../judge/trust.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import { reportTool, ToolError } from './tool.ts';

/** Characters of a text: a fault, not another program. */
const longest = 1000;
const input = z.strictObject({
  check: z.string().min(1).describe('Id of the verification that is to be proven'),
  path: z.string().min(1).describe('File of the work'),
  old_text: z.string().min(1).max(longest).describe('What stands there now, exactly; it must occur once'),
  new_text: z.string().max(longest).describe('What makes it wrong: it still runs, and does something else'),
  why: z.string().min(20).describe('What a user would see go wrong'),
});
type Input = z.infer<typeof input>;

export const offerMutant = reportTool<Input>({
  name: 'offer_mutant',
  description:
    'Offer a small fault in the covered work that a verification must notice, to prove it by. The engine tries it in a checkout of its own: it counts if the verification fails for its stated reason, and not as it would for a broken file.',
  input,
  async look({ check: id, path, old_text: before, new_text: after }, { state, ports }) {
    const check = provable(state, id);
    const commits = await Promise.all(coveringCommits(state, check).map((c) => ports.payloads.get(c.patch)));
    const wrong = patchProblem({ path, before, after }, await ports.tree.read(path), { red: check.red, commits });
    if (wrong !== undefined) throw new ToolError(`That would prove nothing: ${wrong}.`);
  },
  handle({ check: id, path, old_text: before, new_text: after, why }, { state }) {
    const { lineage, script } = provable(state, id);
    const left = patchesPerLineage - offered(state, lineage) - 1;
    return {
      text: `Taken; the engine tries it. ${left} more may be offered for ${id}.`,
      facts: [{ fact: 'patch.offered', patch: { lineage, script, path, before, after, why } }],
    };
  },
});

/** @throws ToolError for a check that no patch could prove, or none any more. */
function provable(state: State, id: string): Check {
  const check = liveChecks(state.work).find((c) => c.id === id);
  if (check?.kind !== 'command' || check.guard) throw new ToolError(`There is no verification ${id}.`);
  if (trustOf(state, check).trusted) throw new ToolError(`${id} is proven already.`);
  if (offered(state, check.lineage) >= patchesPerLineage)
    throw new ToolError(`${patchesPerLineage} patches were offered for ${id}, and more are not taken. Write it again.`);
  const refused = proofsOf(state, check).find((p) => p.kind === 'patches' || (p.kind === 'control' && p.outcome === 'not-red'));
  if (refused) throw new ToolError(`No patch can prove ${id} as it is: ${refused.why}. Write it again.`);
  return check;
}

function offered({ ledger }: State, lineage: string): number {
  return (ledger.offers ?? []).filter((offer) => offer.lineage === lineage).length;
}
