/**
 * A requirement is a numbered heading or list item of PRD.md; a value proof (`V1`, `V2` …) comes from discovery.
 * The engine parses PRD.md itself, so no model decides what must be proven.
 */
import { z } from 'zod';

export const requirement = z.object({
  /** `2.1`, or `V1` for a value proof. */
  id: z.string(),
  /** First line of its text. */
  title: z.string(),
  /** 1-based line in PRD.md; 0 for a value proof. */
  line: z.number(),
});
export type Requirement = z.infer<typeof requirement>;

export const requirementFacts = [z.object({ fact: z.literal('requirements.read'), requirements: z.array(requirement) })] as const;

/** Accepts a number as people write it: with a section sign, with a dot at its end, or `v1` for a value proof. */
export function normalizeRequirementId(text: string): string {
  return text
    .trim()
    .replace(/^§\s*/, '')
    .replace(/\.$/, '')
    .replace(/^v(?=\d)/, 'V');
}
