/**
 * An edit: another text that somebody wrote into the file of a verification, and the person's answer to it. Only the person
 * can adopt it as the script; until then it is kept and never run (docs/decisions/0022).
 */
import * as z from 'zod';
import { verificationSchema, type Verification } from './verification.ts';
import { ref, type Ref } from './ref.ts';

const which = { lineage: z.string(), text: ref };

export const editFacts = [
  z.object({
    fact: z.literal('verification.edited'),
    id: z.string(),
    lineage: z.string(),
    /** Name of the saved text, next to the verification's file. */
    kept: z.string(),
    /** Null in journals of older versions, which could not adopt an edit. */
    text: ref.nullable(),
    /** Agents ran since the file was last verified, so an agent may have written the text. */
    atWork: z.boolean(),
  }),
  /** The person may answer at any time; the answer takes effect between two decisions. */
  z.object({ fact: z.literal('edit.answered'), ...which, answer: z.enum(['adopt', 'discard']) }),
  /** The person adopted it, but it no longer fitted when it should take effect. */
  z.object({ fact: z.literal('edit.refused'), ...which, why: z.string() }),
  /** The person's text is now the script of the verification. */
  z.object({ fact: z.literal('verification.adopted'), verification: verificationSchema }),
] as const;
type EditFact = z.infer<(typeof editFacts)[number]>;

export interface Edit {
  id: string;
  kept: string;
  /** Number of the last run before it. */
  after: number;
  text: string | null;
  atWork: boolean;
  answer?: 'adopt' | 'discard' | 'adopted' | 'refused';
  /** Why it was refused. */
  why?: string;
}

/** By lineage, oldest first. */
export type Edits = Record<string, Edit[]>;

/** @param runs of all verifications, by lineage. */
export function reduceEdits(edits: Edits, fact: EditFact, runs: Record<string, readonly unknown[]>): void {
  switch (fact.fact) {
    case 'verification.edited': {
      const { fact: _, lineage, ...edit } = fact;
      (edits[lineage] ??= []).push({ ...edit, after: runs[lineage]?.length ?? 0 });
      return;
    }
    case 'edit.answered':
      return update(edits, fact.lineage, fact.text, { answer: fact.answer });
    case 'edit.refused':
      return update(edits, fact.lineage, fact.text, { answer: 'refused', why: fact.why });
    case 'verification.adopted':
      return update(edits, fact.verification.lineage, fact.verification.script, { answer: 'adopted' });
  }
}

function update(edits: Edits, lineage: string, text: string, outcome: Pick<Edit, 'answer' | 'why'>): void {
  const last = edits[lineage]?.findLast((edit) => edit.text === text);
  if (last) Object.assign(last, outcome);
}

/** The file that shows a verification to the person. It never runs: the engine runs its own stored text. */
export interface VerificationFile extends Pick<Verification, 'id' | 'ext' | 'script'> {
  /** Every text that was ever the script: one of these in the file is no edit. */
  ours: readonly Ref[];
}
