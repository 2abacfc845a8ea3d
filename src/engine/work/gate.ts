/** Gates of qualification, in their order. A passed gate stays passed. */
import * as z from 'zod';
import type { TreeState } from './tree.ts';

export const gates = ['inputs', 'discovery', 'plan', 'prepare'] as const;
export const gate = z.enum(gates);
export type Gate = z.infer<typeof gate>;

export const gateFacts = [
  z.object({
    fact: z.literal('gate.passed'),
    gate,
    /** Of the plan: what its tasks decide that the documents leave open. */
    decided: z.array(z.string()).optional(),
  }),
] as const;

/** All gates are passed and no change is open, so the rows after qualification may be due. */
export function isQualified({ work }: { work: { gates: readonly Gate[]; tree: Pick<TreeState, 'change'> } }): boolean {
  return gates.every((g) => work.gates.includes(g)) && !work.tree.change;
}
