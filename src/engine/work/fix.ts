/** What a fixer said it did, beside what the engine saw change, and whether it was kept (spec/3). */
import { z } from 'zod';

export const fixReport = z.object({
  lineage: z.string(),
  check: z.string(),
  /** Signature of the failure that it set out to mend. */
  signature: z.string(),
  fixApplied: z.string(),
  filesChanged: z.array(z.string()),
  reasoning: z.string(),
});

export const fixFacts = [z.object({ fact: z.literal('fix.reported'), step: z.string(), report: fixReport })] as const;

/** One entry of a lineage's story. */
export interface FixRecord extends z.infer<typeof fixReport> {
  step: string;
  /** Attempt whose failure it was shown. */
  after: number;
  outcome: 'open' | 'kept' | 'undone' | 'no change';
  why: string;
  patch?: string;
  files: { path: string; kind: string }[];
}
