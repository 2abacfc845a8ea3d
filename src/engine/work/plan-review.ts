/** Reviews of the plan before anything is built: it is looked at through nine lenses, each with its own verdict. */
import * as z from 'zod';
import { planLenses } from './lenses.ts';

export const lens = z.enum(planLenses);

const finding = z.object({
  lens,
  /** The task that it is about; one that was removed for it is not in the plan any more. */
  task: z.string(),
  wrong: z.string(),
  /** What to change. */
  change: z.string(),
  /** The engine saw a change of that task, or of what it waits for, in the same session. */
  mended: z.boolean(),
});
export type PlanFinding = z.infer<typeof finding>;

/** A lens without a finding approves. */
const planReview = z.object({
  findings: z.array(finding),
  /** 0 to 1: the share of the Vision's value that there would be once all tasks are done. */
  value: z.number(),
  /** Of a closer look: the lenses that it was through. Absent for a look through all. */
  lenses: z.string().optional(),
  /** By who made the plan, in the same session. */
  own: z.literal(true).optional(),
});
export type PlanReview = z.infer<typeof planReview>;

export const planReviewFacts = [z.object({ fact: z.literal('plan.judged'), review: planReview })] as const;
