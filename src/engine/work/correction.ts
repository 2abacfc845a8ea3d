/** Decisions about how a sprint goes on that changed course: by a correction, or by what the person said (spec/1 §11). */
import { z } from 'zod';

export const correctionKind = z.enum(['restructure', 'new_tasks', 'regenerate_checks', 'descope', 'escalate']);

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
