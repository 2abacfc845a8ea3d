/**
 * The repository's own suite (design §6): what was green before the sprint guards against regression, with its test files as
 * they were then. Discovery names it, a run on the base commit makes it a check, and only QC takes a test out of it.
 */
import { z } from 'zod';

/** Category of their checks; no other may use it. */
export const suiteCategory = 'suite';

/** By the id or the lineage of a check: a suite keeps both. */
export function isSuite(id: string): boolean {
  return id.startsWith(`${suiteCategory}/`);
}

export const suite = z.object({
  name: z.string(),
  command: z.string(),
  /** Globs of its test files. */
  files: z.array(z.string()),
});
export type Suite = z.infer<typeof suite>;

/** What makes a check of a suite: the test files that are as they were, and those of them that are left out. */
export const guard = z.object({ suite: z.string(), files: z.array(z.string()), without: z.array(z.string()) });
export type Guard = z.infer<typeof guard>;

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
