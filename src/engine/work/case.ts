/**
 * A case: one test in a framework's report, or one failing place that a verification printed. Cases are evidence only: the
 * exit status alone is the verdict (I8).
 */
import * as z from 'zod';
import { ref } from './ref.ts';

export const testCase = z.object({
  /** The framework's name for it; suites and test are joined by ` › `. */
  name: z.string(),
  /** Relative to the tree if the file is inside it. */
  file: z.string().optional(),
  /** 1-based. */
  line: z.number().optional(),
  verdict: z.enum(['passed', 'failed', 'skipped']),
  message: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** The difference as the framework printed it. */
  diff: z.string().optional(),
  /** Milliseconds. */
  duration: z.number().optional(),
});
export type TestCase = z.infer<typeof testCase>;

/** The cases of a run as the journal keeps them. */
export const caseSummary = z.object({
  /** As the report counts them; it may not name them all. */
  total: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** The first failed cases, with shortened texts. */
  shown: z.array(testCase),
  /** Payload with all named cases, as JSON. */
  ref,
});
export type CaseSummary = z.infer<typeof caseSummary>;
