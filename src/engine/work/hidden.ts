/**
 * Hidden verifications (docs/decisions/0031): scripts of a second QC that no builder or fixer sees. They are none of the work's
 * verifications, so nothing that shows, lists or mends these can show one of them.
 */
import * as z from 'zod';
import { ref } from './ref.ts';
import { provenAfter, type Reopened } from './revision.ts';
import { run, script, type Run, type Script } from './verification.ts';

export const hiddenFacts = [
  z.object({ fact: z.literal('hidden.written'), verification: script }),
  z.object({ fact: z.literal('hidden.ran'), run }),
  /** Its requirement and its title are a task for a builder now. */
  z.object({ fact: z.literal('hidden.told'), lineage: z.string(), script: ref }),
] as const;
export type HiddenFact = z.infer<(typeof hiddenFacts)[number]>;

/** All that were ever written and run; a later script of a lineage replaces the one before. */
export interface Hidden {
  scripts: Script[];
  runs: Run[];
  told: { lineage: string; script: string }[];
}

export function noneHidden(): Hidden {
  return { scripts: [], runs: [], told: [] };
}

/** Those that prove nothing any more stay, with their runs, and nobody runs them. */
export function hiddenAfter(scripts: readonly Script[], revised: Reopened): Script[] {
  return scripts.map((one) => ({ ...one, prd: provenAfter(one.prd, revised) }));
}

export function reduceHidden(hidden: Hidden, fact: HiddenFact): void {
  if (fact.fact === 'hidden.written') hidden.scripts.push(fact.verification);
  else if (fact.fact === 'hidden.ran') hidden.runs.push(fact.run);
  else hidden.told.push({ lineage: fact.lineage, script: fact.script });
}
