/**
 * A case: one test of a framework's own report, or one failing place that a verification printed. Evidence only: the verdict
 * of a verification is its exit status, whatever its cases say (I8).
 */
import { z } from 'zod';
import { ref } from './ref.ts';

export const testCase = z.object({
  /** As its framework names it; suites and test are joined by ` › `. */
  name: z.string(),
  /** Where it failed: relative to the tree where it lies in it. */
  file: z.string().optional(),
  /** 1-based. */
  line: z.number().optional(),
  verdict: z.enum(['passed', 'failed', 'skipped']),
  message: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** What the framework printed of the difference. */
  diff: z.string().optional(),
  /** Milliseconds. */
  duration: z.number().optional(),
});
export type TestCase = z.infer<typeof testCase>;

/** What a run's record says of its cases. */
export const caseSummary = z.object({
  /** As many as the report counts; not all of them need to be named. */
  total: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** The first that failed, shortened. */
  shown: z.array(testCase),
  /** All that were named, as JSON. */
  ref,
});
export type CaseSummary = z.infer<typeof caseSummary>;
