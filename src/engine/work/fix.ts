/** A fix: what the fixer reported, what the engine saw change, and whether the change was kept. */
import { z } from 'zod';
import { ref } from './ref.ts';

export const fixReport = z.object({
  lineage: z.string(),
  verification: z.string(),
  /** Signature of the failure that it tried to fix. */
  signature: z.string(),
  fixApplied: z.string(),
  filesChanged: z.array(z.string()),
  reasoning: z.string(),
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed') }),
    /** The fixer says that this `script` is wrong, not the work. */
    z.object({ kind: z.literal('doubt'), evidence: z.string(), script: ref }),
  ]),
  /** Other lineages that fail for the same cause; the fix is in their history too. */
  also: z.array(z.string()),
});
export type FixReport = z.infer<typeof fixReport>;

export const fixFacts = [
  z.object({ fact: z.literal('fix.reported'), step: z.string(), report: fixReport }),
  /** QC reviewed a doubted script and answers that it is right. */
  z.object({ fact: z.literal('verification.upheld'), lineage: z.string(), script: ref, why: z.string() }),
] as const;

/** One fix in the history of a lineage; `lineage` and `verification` are those that led its group. */
export interface FixRecord extends FixReport {
  step: string;
  /** Number of the run, or of the service's probe, whose failure the fixer was shown. */
  after: number;
  outcome: 'open' | 'kept' | 'undone' | 'no change';
  why: string;
  patch?: string;
  /** QC's reason why the doubted verification is right. */
  upheld?: string;
  files: { path: string; kind: string }[];
}

/** Why the change of a fixer who doubts the verification is undone. */
export function doubtWords({ evidence }: { evidence: string }): string {
  return `it says that the verification is wrong: ${evidence}`;
}
