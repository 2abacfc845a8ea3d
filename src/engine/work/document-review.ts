/** A review of Vision and PRD before anything is planned: five lenses on the Vision, and what is open in the documents. */
import * as z from 'zod';
import { visionLenses } from './lenses.ts';

const lensVerdict = z.object({ verdict: z.enum(['PASS', 'CONDITIONAL', 'FAIL']), why: z.string() });

const option = z.object({
  answer: z.string(),
  /** What follows from it. */
  follows: z.string(),
  /** Ids of the requirements that it takes out of the sprint; absent where it takes out none. */
  descopes: z.array(z.string()).optional(),
});
export type PointOption = z.infer<typeof option>;

/** Something in the documents that is wrong, or that they do not say. */
export const point = z.object({
  /** `P1`, `P2` … over all reviews of a sprint. */
  id: z.string(),
  /** A HARD one is the person's to decide; for a SOFT one Loop takes the recommended answer. */
  weight: z.enum(['HARD', 'SOFT']),
  kind: z.enum(['outcome', 'infeasible', 'untestable', 'contradiction', 'scope', 'dependency', 'question']),
  verdict: z.enum(['AMEND', 'DESCOPE', 'REJECT']),
  document: z.string(),
  /** Empty for one that is about no single requirement. */
  requirement: z.string(),
  /** Words of the document; empty where something is missing. */
  quote: z.string(),
  wrong: z.string(),
  /** Wording that would mend it. */
  proposed: z.string(),
  options: z.array(option).min(1),
  /** Place in `options`, from 0. */
  recommended: z.number(),
});
export type Point = z.infer<typeof point>;

const documentReview = z.object({
  verdict: z.enum(['APPROVE', 'AMEND', 'DESCOPE', 'REJECT']),
  why: z.string(),
  vision: z.record(z.enum(visionLenses), lensVerdict),
  /** What the Vision says would make the work pointless. */
  killCriteria: z.array(z.string()),
  points: z.array(point),
  /** Of a closer look: the lenses that it was through. Absent for a look through all. */
  lenses: z.string().optional(),
});
export type DocumentReview = z.infer<typeof documentReview>;

export const documentFacts = [z.object({ fact: z.literal('documents.judged'), review: documentReview })] as const;
