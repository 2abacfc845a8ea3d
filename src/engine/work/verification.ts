/**
 * A verification tells whether something holds: a script that QC wrote, a suite that the repository had before the sprint, or
 * a criterion that no command can decide. Its history is in the ledger under its lineage and is never reset (I9);
 * `judge/trust.ts` derives from it whether the verification is trusted.
 */
import * as z from 'zod';
import { caseSummary } from './case.ts';
import { stops } from './job.ts';
import { ref } from './ref.ts';
import type { Attempt } from './world.ts';

const named = {
  /** `<category>/<name>`. */
  id: z.string(),
  /** Id of the first verification in its chain of rewrites. Attempts, limits and history go by it. */
  lineage: z.string(),
  title: z.string(),
  category: z.string(),
  ext: z.string(),
  /** Payload of its text: the script, the command of the suite, or the criterion in words. */
  script: ref,
};

export const script = z.object({
  ...named,
  kind: z.literal('script'),
  /** Requirement ids that it proves. */
  prd: z.array(z.string()),
  /** Requirements whose work it goes through, too: it may be red until their tasks are done. */
  after: z.array(z.string()).optional(),
  /** Text that its failure must contain. */
  red: z.string(),
  /** Services and tools that it needs. */
  requires: z.array(z.string()),
  tier: z.string(),
  /** Seconds. */
  timeout: z.number(),
  /** It makes its inputs from `SEED`, so it has to be green with several. */
  varies: z.boolean().default(false),
  /** Helpers whose text it holds, by file name; left out where it holds none. */
  uses: z.array(z.string()).optional(),
  /** Earlier texts that differ from it only in helpers. */
  sameCode: z.array(ref).optional(),
  /** Who wrote it. No agent rewrites what a person wrote. */
  by: z.enum(['qc', 'person']),
});
export type Script = z.infer<typeof script>;

/** It guards what worked before the sprint and proves no requirement. */
const suite = z.object({
  ...named,
  kind: z.literal('suite'),
  /** The suite's name from discovery. */
  suite: z.string(),
  /** Globs of test files that stay as they were before the sprint. */
  files: z.array(z.string()),
  /** Retired test files: a requirement contradicts them. */
  without: z.array(z.string()),
  /** It looks at the text of the work, as a linter does: what it finds is mended, and no work is taken back for it. */
  check: z.literal(true).optional(),
  /** Test files that were not green on the base commit, and are left out as well. */
  redAtBase: z.array(z.string()).optional(),
  /** Seconds. */
  timeout: z.number(),
});
export type Suite = z.infer<typeof suite>;

const criterion = z.object({ ...named, kind: z.literal('criterion'), prd: z.array(z.string()) });
export type Criterion = z.infer<typeof criterion>;

export const verificationSchema = z.discriminatedUnion('kind', [script, suite, criterion]);
export type Verification = z.infer<typeof verificationSchema>;
/** A verification that a machine can run. */
export type Runnable = Script | Suite;

/** File name of its script, without extension: `cli-total` for `cli/total`. */
export function scriptName({ id }: Pick<Verification, 'id'>): string {
  return id.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
}

/** Whether it is one of these texts, but for what became of its helpers: those say nothing new about the work. */
export function isOneOf(texts: readonly string[], verification: Verification): boolean {
  const same = verification.kind === 'script' ? (verification.sameCode ?? []) : [];
  return [verification.script, ...same].some((text) => texts.includes(text));
}

export function isScript(verification: Verification): verification is Script {
  return verification.kind === 'script';
}

/** The person wrote it, by adopting an edit, so no agent may rewrite it. */
export function isPersons(verification: Verification): boolean {
  return verification.kind === 'script' && verification.by === 'person';
}

export function isRunnable(verification: Verification): verification is Runnable {
  return verification.kind !== 'criterion';
}

/** Ids of the requirements that it proves; a suite proves none. */
export function requirementsOf(verification: Verification): readonly string[] {
  return verification.kind === 'suite' ? [] : verification.prd;
}

/** Services and tools that it needs; a suite names none. */
export function requiresOf(verification: Runnable): readonly string[] {
  return verification.kind === 'script' ? verification.requires : [];
}

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

/** One run of one verification: the engine's own record of its exit status (I8) and the evidence (I9). */
export const run = z.object({
  verification: z.string(),
  lineage: z.string(),
  script: ref,
  /** 1-based within the lineage. */
  n: z.number(),
  /** `tree`: the sprint's worktree; `revert`: a proof's checkout, with the work taken out or changed; `clean`: a fresh checkout of the final tree. */
  where: z.enum(['tree', 'revert', 'clean']),
  /** Code number that it counts for; null if that tree was not kept. */
  code: z.number().nullable(),
  /** Number of the world that it was taken in; absent in older journals. */
  world: z.number().optional(),
  exit: z.number().nullable(),
  timedOut: z.boolean(),
  /** What else ended it; absent where it ended by itself. */
  stopped: z.enum(stops).optional(),
  /** How often it was looked at alone, because the machine may have caused its end. */
  looks: z.number().optional(),
  /** Why there is no result. */
  why: z.string().optional(),
  /** `SEED` with which it was not green; absent for a verification that does not vary. */
  seed: z.string().optional(),
  /** When it was recorded, in milliseconds since the epoch; the fold takes it from the line. */
  at: z.number().optional(),
  /** Milliseconds. */
  duration: z.number(),
  output: ref,
  /** Head, tail and error lines of the output. */
  excerpt: z.string(),
  /** `none`: no result, because the machine may have caused its end and nobody could tell. */
  verdict: z.enum(['green', 'red', 'flaky', 'none']),
  /** The output holds the script's `RED` text. */
  redSeen: z.boolean(),
  /** Kind of the failure; absent if it is green. */
  kind: failureKind.optional(),
  summary: z.string(),
  /** Equal for the same failure, different for another; empty when green. */
  signature: z.string(),
  /** Cases from a framework's report, or failing places in the output; evidence, never a verdict. */
  cases: caseSummary.optional(),
});
export type Run = z.infer<typeof run>;

/**
 * Result of running a green script on changed work. `control`: `red` if it stays green when only comments change, and fails
 * when none of the work's code runs; a script that fails the control is not trusted, and passing it alone earns no trust.
 * `revert`: the covering hunks are removed. `mutants`: one covering line at a time is made wrong. `offered`: mutants by QC,
 * where the engine knows none.
 */
export const proof = z.object({
  lineage: z.string(),
  script: ref,
  kind: z.enum(['control', 'revert', 'mutants', 'offered']),
  /** Code number at which it was tried. */
  code: z.number(),
  outcome: z.enum(['red', 'not-red', 'impossible']),
  why: z.string(),
});
export type Proof = z.infer<typeof proof>;

/** What was done to the work, in words for a person. */
export const operators = [
  'comparison reversed',
  'bound off by one',
  'arithmetic changed',
  'logic changed',
  'number changed',
  'text changed',
  'true and false swapped',
  'condition negated',
  'condition always true',
  'condition always false',
  'return left out',
  'other value returned',
  'returned value changed',
  'returned value shortened',
  'letters swapped',
  'argument given back',
  'argument emptied',
  'output extended',
  'output changed',
  'output lengthened',
  'output repeated',
  'output cut short',
  'output reversed',
  'output left out',
  'call left out',
  'arguments swapped',
  'limit left out',
  'visibility changed',
  'part left out',
  'text repeated',
] as const;
export type Operator = (typeof operators)[number];

/** One fault that was put into the work, and what the verification made of it. */
export const faultTrial = z.object({
  path: z.string(),
  /** 1-based. */
  line: z.number(),
  /** From 0; left out in older journals. */
  column: z.number().optional(),
  operator: z.enum(operators),
  was: z.string(),
  now: z.string(),
  /**
   * `unreached`: its run does not get there. `untold`: it stays green, and nobody can tell whether it gets there. `elsewhere`: it stays
   * green, and a verification of another requirement sees the fault. `loaded`: the same, where each run gets that loads the file.
   * `wording`: it was not tried, since it is in the work's own words, for which nobody could look.
   */
  outcome: z.enum(['seen', 'unseen', 'unreached', 'untold', 'elsewhere', 'loaded', 'wording']),
  /** Of a fault that is near to right: where in the file its place begins. Left out in older journals, in which all are in one. */
  place: z.number().optional(),
  /** Other requirements whose runs get there, too; left out where none does, and in older journals. */
  others: z.number().optional(),
});
export type FaultTrial = z.infer<typeof faultTrial>;
export type Fault = Pick<FaultTrial, 'path' | 'line' | 'operator' | 'was' | 'now'>;

/** Equal for the same fault; sorts by place. Faults in a call of several lines begin with the same line, so the operator tells them apart. */
export function faultKey({ path, line, operator, was, now }: Fault): string {
  return `${path}:${String(line).padStart(6, '0')}:${now}:${was}:${operator}`;
}

/**
 * A fault that was put into the work, and how the run of one script ended with it. It is put in once, for proof and strength alike.
 */
export const faultEnd = z.object({
  lineage: z.string(),
  script: ref,
  /** Code and world that the run saw. */
  code: z.number(),
  world: z.number(),
  path: z.string(),
  /** 1-based. */
  line: z.number(),
  operator: z.enum(operators),
  was: z.string(),
  now: z.string(),
  /** `broken`: the work does not run any more, or not to its end, which tells nothing. `unbuilt`: a compiler refuses it. */
  end: z.enum(['green', 'red', 'broken', 'unbuilt']),
});
export type FaultEnd = z.infer<typeof faultEnd>;

/** How many faults in the work that it covers a verification sees. */
export const measure = z.object({
  lineage: z.string(),
  script: ref,
  /** Code number at which it was measured. */
  code: z.number(),
  trials: z.array(faultTrial),
  /** All of them are where only runs for its own requirement get; left out otherwise, and in older journals. */
  own: z.literal(true).optional(),
  /** No run for its requirement gets to what was made for that: all of them are there. */
  missed: z.literal(true).optional(),
  /** Its own work has no place for a fault: all of them are in what its run reaches of other work of the sprint. */
  inOtherWork: z.literal(true).optional(),
  /** Faults that are near to right, in one place or a few; none in a measure of an older version. */
  near: z.array(faultTrial).optional(),
  /** Faults in further values of the work; only where all others make it strong, and none in a measure of an older version. */
  values: z.array(faultTrial).optional(),
  /** Faults that were not tried, since time was over and those before told enough. */
  left: z.number().optional(),
  /**
   * Of a run that gets to no place for a fault: the file that its requirement names, or its work is, in no language into which faults
   * can be put. `seen`: it turns red by one of `trials`, which older journals lack.
   */
  document: z.object({ path: z.string(), seen: z.boolean(), trials: z.array(faultTrial).optional() }).optional(),
  /** Lines of the work that its run reaches, whole or in part, by path; a path is left out where nobody can tell. */
  reached: z.record(z.string(), z.array(z.union([z.number(), z.tuple([z.number(), z.number(), z.number()])]))),
  /** Why it is never more than fair, each as the middle of a sentence. */
  limits: z.array(z.string()),
});
export type Measure = z.infer<typeof measure>;

/** A mutant that QC offers to prove a script: `before` occurs exactly once in the file and becomes `after`. */
export const offeredMutant = z.object({
  lineage: z.string(),
  script: ref,
  path: z.string(),
  before: z.string(),
  after: z.string(),
  /** What a user would notice. */
  why: z.string(),
});
export type OfferedMutant = z.infer<typeof offeredMutant>;

export const verificationFacts = [
  z.object({ fact: z.literal('verification.written'), verification: verificationSchema }),
  z.object({ fact: z.literal('verification.deferred'), requirements: z.array(z.string()), why: z.string() }),
  z.object({ fact: z.literal('verification.retired'), id: z.string(), why: z.string() }),
  z.object({ fact: z.literal('verification.ran'), run }),
  z.object({ fact: z.literal('verification.proven'), proof }),
  z.object({ fact: z.literal('verification.measured'), measure }),
  z.object({ fact: z.literal('fault.tried'), tried: faultEnd }),
  z.object({ fact: z.literal('mutant.offered'), mutant: offeredMutant }),
] as const;

/** Latest result of a verification on the kept tree. */
export interface Result extends Attempt {
  code: number;
  verdict: Exclude<Run['verdict'], 'none'>;
  signature: string;
}
export type Verifications = Readonly<Record<string, Verification>>;
export type Results = Readonly<Record<string, Result>>;

/** Every text that a lineage ever had, by lineage. */
export type Scripts = Record<string, string[]>;

export function keepScript(scripts: Scripts, { lineage, script: text }: Verification): void {
  const known = (scripts[lineage] ??= []);
  if (!known.includes(text)) known.push(text);
}

/** Undefined for a proof, a tree that was not kept, and a run without a result: these tell nothing about the kept tree. */
export function resultOf({ where, code, verdict, signature, n, world }: Run): Result | undefined {
  if (where === 'revert' || code === null || verdict === 'none') return undefined;
  return { code, verdict, signature, n, ...(world === undefined ? {} : { world }) };
}
