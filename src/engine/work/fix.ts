/** What a fixer said it did, beside what the engine saw change, and whether it was kept (spec/3). */
import { z } from 'zod';
import { ref } from './ref.ts';

export const fixReport = z.object({
  lineage: z.string(),
  verification: z.string(),
  /** Signature of the failure that it set out to mend. */
  signature: z.string(),
  fixApplied: z.string(),
  filesChanged: z.array(z.string()),
  reasoning: z.string(),
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed') }),
    /** The verification is wrong, not the work; `script` is the one that is meant. */
    z.object({ kind: z.literal('doubt'), evidence: z.string(), script: ref }),
  ]),
  /** Lineages besides that fail for the same cause: the fix was made for them too, and is in their history. */
  also: z.array(z.string()),
});
export type FixReport = z.infer<typeof fixReport>;

export const fixFacts = [
  z.object({ fact: z.literal('fix.reported'), step: z.string(), report: fixReport }),
  /** QC looked at the script that a fixer calls wrong, and answers that it is right. */
  z.object({ fact: z.literal('verification.upheld'), lineage: z.string(), script: ref, why: z.string() }),
] as const;

/** One entry of a lineage's story; `lineage` and `verification` are those that led the fix. */
export interface FixRecord extends FixReport {
  step: string;
  /** Attempt whose failure it was shown. */
  after: number;
  outcome: 'open' | 'kept' | 'undone' | 'no change';
  why: string;
  patch?: string;
  /** QC's answer to a doubt: the verification is right, because of this. */
  upheld?: string;
  files: { path: string; kind: string }[];
}

/** Why nothing of a change is kept whose fixer says that the verification is wrong. */
export function doubtWords({ evidence }: { evidence: string }): string {
  return `it says that the verification is wrong: ${evidence}`;
}
