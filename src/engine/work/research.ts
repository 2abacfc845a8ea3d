/** What was found out about failures that no fix mended: by research, or told by the person (spec/1 §9). */
import { z } from 'zod';

export const brief = z.object({
  /** Lineages whose fixers are told. */
  lineages: z.array(z.string()),
  topic: z.string(),
  findings: z.string(),
  /** Addresses; empty where the person said it. */
  sources: z.array(z.string()),
  by: z.enum(['research', 'person']),
});
export type Brief = z.infer<typeof brief>;

export const researchFacts = [
  z.object({ fact: z.literal('research.reported'), brief }),
  /** It was looked for, and there is nothing that would help. */
  z.object({ fact: z.literal('research.empty'), lineages: z.array(z.string()), why: z.string() }),
] as const;

/** What fixers of this lineage are told. */
export function briefsFor(briefs: readonly Brief[], lineage: string): Brief[] {
  return briefs.filter(({ lineages }) => lineages.includes(lineage));
}
