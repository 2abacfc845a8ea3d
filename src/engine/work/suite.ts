/**
 * The repository's own suites guard against regression, with their test files as they were before the sprint. A suite that is
 * green on the base commit becomes a verification. Only QC may retire one of its tests.
 */
import * as z from 'zod';

/** Category that is reserved for verifications of suites. */
export const suiteCategory = 'suite';

/** @param id id or lineage of a verification; a suite keeps both. */
export function isSuite(id: string): boolean {
  return id.startsWith(`${suiteCategory}/`);
}

/** The verification of a suite. */
export function suiteId({ name }: Pick<DeclaredSuite, 'name'>): string {
  return `${suiteCategory}/${name}`;
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
  /** The suite ran on the base commit, without the tests retired so far. */
  z.object({ fact: z.literal('suite.tried'), tried }),
  /** QC reports that a requirement contradicts these tests. */
  z.object({ fact: z.literal('test.retired'), retired }),
] as const;
type SuiteFact = z.infer<(typeof suiteFacts)[number]>;

export interface Suites {
  tried: z.infer<typeof tried>[];
  retired: z.infer<typeof retired>[];
  /** How often suites had been tried when this one was last declared anew, by name. */
  anew: Record<string, number>;
}

export function reduceSuites(suites: Suites, fact: SuiteFact): void {
  if (fact.fact === 'suite.tried') suites.tried.push(fact.tried);
  else suites.retired.push(fact.retired);
}
