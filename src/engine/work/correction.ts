/** Decisions about how a sprint goes on that changed course: by a correction, or by what the person said (spec/1 §11). */
import { z } from 'zod';
import type { StrategyRecord, strategyFacts } from './strategy.ts';

export const correctionKind = z.enum(['restructure', 'new_tasks', 'rewrite_verifications', 'descope', 'escalate']);

const correction = z.object({
  kind: correctionKind,
  /** Why the sprint was stuck. */
  diagnosis: z.string(),
  /** What builders and fixers are told from then on. */
  guidance: z.string(),
});

export const correctionFacts = [
  z.object({ fact: z.literal('course.corrected'), correction }),
  z.object({ fact: z.literal('plan.reviewed'), tasks: z.array(z.string()), why: z.string() }),
] as const;

/** With where the sprint stood: numbers of decisions and of assessments then. */
export interface Correction extends z.infer<typeof correction> {
  decisions: number;
  vrcs: number;
}

/** How a sprint goes: what it works on, and how. */
export interface Course {
  corrections: Correction[];
  /** Tasks added after the plan that a review has looked at. */
  reviewed: string[];
  /** Looks at the process, whether or not they changed how it goes on. */
  strategies: StrategyRecord[];
}

export type CourseFact = z.infer<(typeof correctionFacts)[number]> | z.infer<(typeof strategyFacts)[number]>;

/** @param at where the sprint stands: numbers of decisions and of assessments. */
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
