/**
 * The repository's own suites: what was green before the sprint guards against regression, with its test files as they were
 * then. Discovery names a suite, a run on the base commit makes a verification of it, and only QC takes a test out of it.
 */
import { z } from 'zod';

/** Category of their verifications; no other may use it. */
export const suiteCategory = 'suite';

/** By the id or the lineage of a verification: a suite keeps both. */
export function isSuite(id: string): boolean {
  return id.startsWith(`${suiteCategory}/`);
}

/** As discovery reports it. */
export const declaredSuite = z.object({
  name: z.string(),
  command: z.string(),
  /** Globs of its test files. */
  files: z.array(z.string()),
});
export type DeclaredSuite = z.infer<typeof declaredSuite>;

const tried = z.object({ suite: z.string(), without: z.array(z.string()), used: z.boolean(), why: z.string() });
const retired = z.object({ suite: z.string(), files: z.array(z.string()), requirement: z.string(), why: z.string() });

export const suiteFacts = [
  /** It ran on the base commit, without the tests that were retired by then. */
  z.object({ fact: z.literal('suite.tried'), tried }),
  /** QC says that a requirement contradicts these tests. */
  z.object({ fact: z.literal('test.retired'), retired }),
] as const;
type SuiteFact = z.infer<(typeof suiteFacts)[number]>;

export interface Suites {
  tried: z.infer<typeof tried>[];
  retired: z.infer<typeof retired>[];
}

export function reduceSuites(suites: Suites, fact: SuiteFact): void {
  if (fact.fact === 'suite.tried') suites.tried.push(fact.tried);
  else suites.retired.push(fact.retired);
}
