/** Briefs about failures that fixes did not solve, from research or from the person. */
import * as z from 'zod';

export const brief = z.object({
  /** Lineages whose fixers get the brief. */
  lineages: z.array(z.string()),
  topic: z.string(),
  findings: z.string(),
  /** Web addresses; empty for a brief from the person. */
  sources: z.array(z.string()),
  by: z.enum(['research', 'person']),
});
export type Brief = z.infer<typeof brief>;

/** A brief with where it stands in the story of each of its lineages: after so many attempts and fixes. */
export interface BriefRecord extends Brief {
  after: Record<string, { attempts: number; fixes: number }>;
}

export const researchFacts = [
  z.object({ fact: z.literal('research.reported'), brief }),
  /** Research found nothing that would help. */
  z.object({ fact: z.literal('research.empty'), lineages: z.array(z.string()), why: z.string() }),
] as const;

/** The briefs for fixers of this lineage. */
export function briefsFor(briefs: readonly BriefRecord[], lineage: string): BriefRecord[] {
  return briefs.filter(({ lineages }) => lineages.includes(lineage));
}
