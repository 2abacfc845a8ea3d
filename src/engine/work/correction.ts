/** What changes the course of a sprint: corrections, reviews of the plan, and strategies. */
import * as z from 'zod';
import type { StrategyRecord, strategyFacts } from './strategy.ts';

export const correctionKind = z.enum(['restructure', 'new_tasks', 'rewrite_verifications', 'amend', 'descope', 'escalate']);

const correction = z.object({
  /** `unreported`: the session ended without a report. */
  kind: z.enum([...correctionKind.options, 'unreported']),
  /** Why the sprint was stuck. */
  diagnosis: z.string(),
  /** Goes into the prompts of all later builders and fixers. */
  guidance: z.string(),
});

export const correctionFacts = [
  z.object({ fact: z.literal('course.corrected'), correction }),
  z.object({ fact: z.literal('plan.reviewed'), tasks: z.array(z.string()), why: z.string() }),
] as const;

/** With the numbers of decisions and VRCs when it was made. */
export interface Correction extends z.infer<typeof correction> {
  decisions: number;
  vrcs: number;
}

/** Everything that changed what the sprint works on, or how. */
export interface Course {
  corrections: Correction[];
  /** Tasks added after the plan that `plan-health` has reviewed. */
  reviewed: string[];
  /** Reviews of the strategy, whether or not they changed it. */
  strategies: StrategyRecord[];
}

export type CourseFact = z.infer<(typeof correctionFacts)[number]> | z.infer<(typeof strategyFacts)[number]>;

/** @param at numbers of decisions and VRCs so far. */
export function reduceCourse(course: Course, fact: CourseFact, at: { decisions: number; vrcs: number }): void {
  switch (fact.fact) {
    case 'plan.reviewed':
      course.reviewed.push(...fact.tasks);
      return;
    case 'course.corrected':
      course.corrections.push({ ...fact.correction, ...at });
      return;
    case 'strategy.changed':
    case 'strategy.kept': {
      const { pattern, rationale } = fact;
      const changes = fact.fact === 'strategy.changed' ? fact.changes : {};
      course.strategies.push({ pattern, rationale, changes, decisions: at.decisions });
    }
  }
}
