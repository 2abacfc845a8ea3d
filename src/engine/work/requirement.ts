/**
 * A requirement is a statement of PRD.md about what must be true; a value proof (`V1`, `V2` …) comes from discovery.
 * The engine reads PRD.md itself, so no model decides what must be proven.
 */
import * as z from 'zod';

/** A place in PRD.md, and what stands there. */
export const passage = z.object({
  /** Its first words, or the heading: one line, without emphasis; inline code stays as it is. */
  title: z.string(),
  /** All of it, without the mark and the number before it. */
  text: z.string(),
  /** 1-based line in PRD.md; 0 for a value proof. */
  line: z.number(),
  /** The last line that belongs to it. */
  lastLine: z.number(),
});
export type Passage = z.infer<typeof passage>;

export const requirement = passage.extend({
  /** `2.1`, `FR-001`, or `V1` for a value proof. */
  id: z.string(),
});
export type Requirement = z.infer<typeof requirement>;

/** The person took it out of the sprint by their answer to a point: nothing is planned, built or proven for it. */
const descoped = z.object({
  fact: z.literal('requirement.descoped'),
  id: z.string(),
  /** What the point found wrong. */
  why: z.string(),
  /** They chose it; else they left it to Loop, which took what it had recommended to them. */
  chosen: z.boolean(),
});
export type Descoped = Pick<z.infer<typeof descoped>, 'why' | 'chosen'> & { requirement: Requirement };

export const requirementFacts = [
  z.object({ fact: z.literal('requirements.read'), requirements: z.array(requirement) }),
  /** How the work must be built; nothing verifies it by itself. */
  z.object({ fact: z.literal('constraints.read'), constraints: z.array(passage) }),
  descoped,
] as const;

/** Accepts a number as people write it: with a section sign, with a dot at its end, or `v1` for a value proof. */
export function normalizeRequirementId(text: string): string {
  return text
    .trim()
    .replace(/^§\s*/, '')
    .replace(/\.$/, '')
    .replace(/^v(?=\d)/, 'V');
}
