/**
 * A check is a verification that QC wrote: a script with a header, or a criterion where no command can tell (design §6).
 * Its history lives in the ledger under its lineage and is never reset (I9); whether it is trusted is worked out in
 * `verify/trust.ts` from that history.
 */
import { z } from 'zod';
import { caseSummary } from './case.ts';
import { ref } from './ref.ts';
import { guard } from './suite.ts';

export const check = z.object({
  /** `<category>/<name>`. */
  id: z.string(),
  /** Id of the first check of its line; attempts, exhaustion and history go by it. */
  lineage: z.string(),
  kind: z.enum(['command', 'criterion']),
  /** `TEST` of its header. */
  title: z.string(),
  category: z.string(),
  ext: z.string(),
  /** The script, or the criterion's text; its hash is what a tampered file is compared with. */
  script: ref,
  /** Requirement ids that it proves. */
  prd: z.array(z.string()),
  /** Text that its failure must contain. */
  red: z.string(),
  requires: z.array(z.string()),
  tier: z.string(),
  /** Seconds. */
  timeout: z.number(),
  /** It is a suite of the repository: it guards what was there before and covers no requirement. */
  guard: guard.optional(),
  /** The person's own words, adopted from their edit: no agent writes it again. QC's where it is left out. */
  by: z.literal('person').optional(),
});
export type Check = z.infer<typeof check>;

export const failureKind = z.enum([
  'test_failure',
  'lint_failure',
  'compile_error',
  'runtime_error',
  'tooling_error',
  'timeout',
  'service_down',
  'unknown',
]);
export type FailureKind = z.infer<typeof failureKind>;

/** One run of one check: the engine's own record of its exit status (I8) and the evidence (I9). */
export const checkRun = z.object({
  check: z.string(),
  lineage: z.string(),
  script: ref,
  /** 1-based within the lineage. */
  n: z.number(),
  /** `tree`: the sprint's worktree; `revert`: a proof's checkout, with the work taken out or changed; `clean`: a fresh checkout of the final tree. */
  where: z.enum(['tree', 'revert', 'clean']),
  /** Code number that it counts for; null when that tree was not kept. */
  code: z.number().nullable(),
  exit: z.number().nullable(),
  timedOut: z.boolean(),
  /** Milliseconds. */
  duration: z.number(),
  output: ref,
  /** Head, tail and error lines of the output. */
  excerpt: z.string(),
  verdict: z.enum(['green', 'red', 'flaky']),
  /** The output holds the check's `RED` text. */
  redSeen: z.boolean(),
  kind: failureKind.optional(),
  summary: z.string(),
  /** Equal for the same failure, different for another; empty when green. */
  signature: z.string(),
  /** What its framework reports of single cases, or places found in its text; evidence, never a verdict. */
  cases: caseSummary.optional(),
});
export type CheckRun = z.infer<typeof checkRun>;

/**
 * Outcome of running a green check where the work is changed. `control`: `red` when it stays green with other words and not
 * without the behaviour, which earns no trust but is needed for it. `revert`: the covering hunks taken out. `mutants`: one
 * covering line at a time made wrong. `patches`: the same in QC's own words, where the engine knows none.
 */
export const proof = z.object({
  lineage: z.string(),
  script: ref,
  kind: z.enum(['control', 'revert', 'mutants', 'patches']),
  /** Code number at which it was tried. */
  code: z.number(),
  outcome: z.enum(['red', 'not-red', 'impossible']),
  why: z.string(),
});
export type Proof = z.infer<typeof proof>;

/** The work made wrong in one place, as QC offers it to prove a check by: `before` occurs once in the file. */
export const offeredPatch = z.object({
  lineage: z.string(),
  script: ref,
  path: z.string(),
  before: z.string(),
  after: z.string(),
  /** What a user would see go wrong. */
  why: z.string(),
});
export type OfferedPatch = z.infer<typeof offeredPatch>;

export const checkFacts = [
  z.object({ fact: z.literal('check.written'), check }),
  z.object({ fact: z.literal('check.deferred'), requirements: z.array(z.string()), why: z.string() }),
  z.object({ fact: z.literal('check.retired'), id: z.string(), why: z.string() }),
  z.object({ fact: z.literal('check.ran'), run: checkRun }),
  z.object({ fact: z.literal('check.proven'), proof }),
  z.object({ fact: z.literal('patch.offered'), patch: offeredPatch }),
] as const;

/** Latest result of a check on the tree that is kept. */
export interface Result {
  code: number;
  verdict: CheckRun['verdict'];
  signature: string;
}
export type Checks = Readonly<Record<string, Check>>;
export type Results = Readonly<Record<string, Result>>;

/** By lineage. */
export type Scripts = Record<string, string[]>;

export function keepScript(scripts: Scripts, { lineage, script }: Check): void {
  const known = (scripts[lineage] ??= []);
  if (!known.includes(script)) known.push(script);
}

export function resultOf(run: CheckRun): Result | undefined {
  if (run.where === 'revert' || run.code === null) return undefined;
  return { code: run.code, verdict: run.verdict, signature: run.signature };
}
