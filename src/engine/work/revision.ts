/**
 * A revision: what the person changed in VISION.md and PRD.md while their sprint goes on, and their word about it. Their word is
 * recorded at once; it is carried out between two decisions, on a clean tree.
 */
import * as z from 'zod';
import { ref } from './ref.ts';
import { passage, requirement } from './requirement.ts';

const document = z.object({ name: z.string(), ref });
export type DocumentRef = z.infer<typeof document>;

const reopened = z.object({
  /** Ids of requirements that ask for something else now. */
  reworded: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** The id now, by the id before: it asks for what it asked. */
  renumbered: z.record(z.string(), z.string()),
  /** Who judges the whole has to judge it anew. */
  whole: z.boolean(),
});
export type Reopened = z.infer<typeof reopened>;

export const revisionFacts = [
  /** `take`: these texts hold from the next decision on. `keep`: the sprint goes on with those that it has. */
  z.object({ fact: z.literal('documents.answered'), documents: z.array(document), answer: z.enum(['take', 'keep']) }),
  z.object({
    fact: z.literal('documents.taken'),
    documents: z.array(document),
    ...reopened.shape,
    /** All that the sprint has from now on. */
    requirements: z.array(requirement),
    constraints: z.array(passage),
  }),
] as const;
type RevisionFact = z.infer<(typeof revisionFacts)[number]>;

export interface Revision {
  documents: readonly DocumentRef[];
  answer: 'take' | 'keep';
  /** Decisions that were made before it. */
  decisions: number;
  taken: Taken | null;
}

/** What re-opened, and how many judgements there were by then: they are about the texts before. */
export interface Taken extends Reopened {
  judged: Judged;
}
export interface Judged {
  reviews: number;
  vrcs: number;
  evaluations: number;
}

export function reduceRevisions(revisions: Revision[], fact: RevisionFact, decisions: number, judged: Judged): void {
  if (fact.fact === 'documents.answered') {
    const { documents, answer } = fact;
    return void revisions.push({ documents, answer, decisions, taken: null });
  }
  const { reworded, added, removed, renumbered, whole } = fact;
  const due = dueRevision(revisions);
  if (due) due.taken = { reworded, added, removed, renumbered, whole, judged };
}

/** The one that waits to be carried out: the person's last word counts. */
export function dueRevision(revisions: readonly Revision[]): Revision | undefined {
  const last = revisions.at(-1);
  return last?.answer === 'take' && !last.taken ? last : undefined;
}

/** The judgements that are about texts which do not hold any more; none of them where only background changed. */
export function outdated(revisions: readonly Revision[]): Judged {
  return revisions.findLast(({ taken }) => taken?.whole)?.taken?.judged ?? { reviews: 0, vrcs: 0, evaluations: 0 };
}

/** What serves these serves after it: renumbered, without what left. */
export function servedAfter(ids: readonly string[], { removed, renumbered }: Pick<Reopened, 'removed' | 'renumbered'>): string[] {
  return ids.filter((id) => !removed.includes(id)).map((id) => renumbered[id] ?? id);
}

/** What proved these proves after it: not what asks for something else now. */
export function provenAfter(ids: readonly string[], { removed, reworded, renumbered }: Reopened): string[] {
  return servedAfter(ids, { removed: [...removed, ...reworded], renumbered });
}
