/** Judgements of the whole: a model's VRCs, its evaluations with their criteria, and clean runs. Each names its code number. */
import * as z from 'zod';
import { ref } from './ref.ts';

export const severity = z.enum(['critical', 'blocking', 'degraded', 'polish']);

/** Verifications that stay green although it is so, and every script that their requirements had then. */
export const unseen = z.object({ by: z.array(z.string()), scripts: z.array(ref) });
export type Unseen = z.infer<typeof unseen>;

export const gap = z.object({
  id: z.string(),
  description: z.string(),
  severity,
  suggestedTask: z.string(),
  /** Absent where nobody said so. */
  unseen: unseen.optional(),
});

export const recommendation = z.enum(['CONTINUE', 'COURSE_CORRECT', 'DESCOPE', 'SHIP_READY']);

export const vrc = z.object({
  code: z.number(),
  /** `quick` judges only the engine's figures. */
  scope: z.enum(['quick', 'full', 'final']),
  /** The session ended without a report, so the figures are the engine's own and prove nothing. */
  fallback: z.boolean(),
  /** 0 to 1. */
  valueScore: z.number(),
  verified: z.number(),
  total: z.number(),
  blocked: z.number(),
  gaps: z.array(gap),
  recommendation,
  summary: z.string(),
});
export type Vrc = z.infer<typeof vrc>;

export const finding = z.object({
  severity,
  description: z.string(),
  userImpact: z.string(),
  suggestedFix: z.string(),
  evidence: z.string(),
  unseen: unseen.optional(),
});

export type Finding = z.infer<typeof finding>;

export const criterionVerdict = z.object({ verification: z.string(), met: z.boolean(), evidence: z.string() });

/** One way to use the deliverable. The engine's own record shows that it worked in a fresh checkout. */
export const use = z.object({
  what: z.string(),
  kind: z.enum(['command', 'page', 'file']),
  /** The command, the address or the path, as it was run, opened or read. */
  it: z.string(),
  /** Exit status of a command that is meant to fail. */
  exit: z.number().optional(),
  /** Of a page: the command that served it, where no other use names that. */
  serve: z.string().optional(),
});
export type Use = z.infer<typeof use>;

export const evaluation = z.object({
  code: z.number(),
  /** `work`: the work so far, while tasks are open. `final`: the final tree. */
  scope: z.enum(['work', 'final']),
  fallback: z.boolean(),
  findings: z.array(finding),
  criteria: z.array(criterionVerdict),
  /** What the evaluator tried and observed. With fewer than two findings it says why there are no more. */
  summary: z.string(),
  howToUse: z.array(use),
});
export type Evaluation = z.infer<typeof evaluation>;

/** The clean run: all verifications in a fresh checkout of the final tree. Results are in the runs; older journals have some here too. */
export const cleanRun = z.object({
  code: z.number(),
  /** Why it was made: as the first one for this tree, or as a repetition. */
  why: z.string(),
  /** Suites that are green in it, and red where the verifications lie in the tree, as on the branch in the end. */
  redBeside: z.array(z.string()).optional(),
});
export type CleanRun = z.infer<typeof cleanRun>;

export const assessmentFacts = [
  z.object({ fact: z.literal('vrc.reported'), vrc }),
  z.object({ fact: z.literal('evaluation.reported'), evaluation }),
  z.object({ fact: z.literal('clean.ran'), clean: cleanRun }),
] as const;
export type AssessmentFact = z.infer<(typeof assessmentFacts)[number]>;

export interface Assessments {
  vrcs: Vrc[];
  evaluations: Evaluation[];
  cleanRuns: CleanRun[];
}

export function reduceAssessments(all: Assessments, fact: AssessmentFact): void {
  if (fact.fact === 'vrc.reported') all.vrcs.push(fact.vrc);
  else if (fact.fact === 'evaluation.reported') all.evaluations.push(fact.evaluation);
  else all.cleanRuns.push(fact.clean);
}

/** @param target of the row `vrc`, or `vrc` for that part of the row `final`. */
export function vrcScope(target: string): Vrc['scope'] {
  return target === 'vrc' ? 'final' : target === 'quick' ? 'quick' : 'full';
}

/** @param target of the row `critical-eval`, or that part of the row `final`. */
export function evaluationScope(target: string): Evaluation['scope'] {
  return target === 'work' ? 'work' : 'final';
}

/** Whether such a finding becomes a task; all others only go to the report. */
export function mustMend(level: z.infer<typeof severity>): boolean {
  return level === 'critical' || level === 'blocking';
}
