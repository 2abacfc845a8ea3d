/**
 * An edit: another text that somebody put into the file of a verification, and what a person said of it. A script of the
 * sprint becomes of it only on a person's word (`check.adopted`); until then it is kept and runs nowhere.
 */
import { z } from 'zod';
import { verificationSchema, type Verification } from './verification.ts';
import { ref, type Ref } from './ref.ts';

const which = { lineage: z.string(), text: ref };

export const editFacts = [
  z.object({
    fact: z.literal('verification.edited'),
    id: z.string(),
    lineage: z.string(),
    /** Where the text lies, beside the file. */
    kept: z.string(),
    /** Null in the journals of a version that could not adopt it. */
    text: ref.nullable(),
    /** Agents were at work since the file was last seen as it should be: nothing says that it was the person. */
    atWork: z.boolean(),
  }),
  /** The person's word, whenever they say it; it is carried out between two decisions. */
  z.object({ fact: z.literal('edit.answered'), ...which, answer: z.enum(['adopt', 'discard']) }),
  /** It could not be adopted any more when its time came. */
  z.object({ fact: z.literal('edit.refused'), ...which, why: z.string() }),
  /** The person's text is the verification now. */
  z.object({ fact: z.literal('verification.adopted'), verification: verificationSchema }),
] as const;
type EditFact = z.infer<(typeof editFacts)[number]>;

export interface Edit {
  id: string;
  kept: string;
  /** Number of the run before it. */
  after: number;
  text: string | null;
  atWork: boolean;
  answer?: 'adopt' | 'discard' | 'adopted' | 'refused';
  /** Why it was refused. */
  why?: string;
}

/** By lineage, oldest first. */
export type Edits = Record<string, Edit[]>;

/** @param runs of all checks, by lineage. */
export function reduceEdits(edits: Edits, fact: EditFact, runs: Record<string, readonly unknown[]>): void {
  switch (fact.fact) {
    case 'verification.edited': {
      const { fact: _, lineage, ...edit } = fact;
      (edits[lineage] ??= []).push({ ...edit, after: runs[lineage]?.length ?? 0 });
      return;
    }
    case 'edit.answered':
      return mark(edits, fact, { answer: fact.answer });
    case 'edit.refused':
      return mark(edits, fact, { answer: 'refused', why: fact.why });
    case 'verification.adopted':
      return mark(edits, { lineage: fact.verification.lineage, text: fact.verification.script }, { answer: 'adopted' });
  }
}

function mark(edits: Edits, { lineage, text }: { lineage: string; text: string }, said: Pick<Edit, 'answer' | 'why'>): void {
  const last = edits[lineage]?.findLast((edit) => edit.text === text);
  if (last) Object.assign(last, said);
}

/** The file in which a person sees a verification. What runs is the engine's own text by its hash, never this. */
export interface VerificationFile extends Pick<Verification, 'id' | 'ext' | 'script'> {
  /** Every text that it had to have at some time: an older one there is no edit. */
  ours: readonly Ref[];
}
