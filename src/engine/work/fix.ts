/** A fix: what the fixer reported, what the engine saw change, and whether the change was kept. */
import * as z from 'zod';
import { ref } from './ref.ts';

export const fixReport = z.object({
  lineage: z.string(),
  verification: z.string(),
  /** Signature of the failure that it tried to fix. */
  signature: z.string(),
  fixApplied: z.string(),
  filesChanged: z.array(z.string()),
  reasoning: z.string(),
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed') }),
    /** The fixer says that this `script` is wrong, not the work. */
    z.object({ kind: z.literal('doubt'), evidence: z.string(), script: ref }),
    /** Nothing of the work is wrong: something is missing or wrong around it. `command` exits 0 once that is mended. */
    z.object({ kind: z.literal('environment'), missing: z.string(), command: z.string() }),
    /** What is declared is wrong: a suite's command, a service's start, the install. `amendments`: how many there were by then. */
    z.object({ kind: z.literal('declaration'), evidence: z.string(), amendments: z.number() }),
  ]),
  /** Other lineages that fail for the same cause; the fix is in their history too. */
  also: z.array(z.string()),
});
export type FixReport = z.infer<typeof fixReport>;

export const fixFacts = [
  z.object({ fact: z.literal('fix.reported'), step: z.string(), report: fixReport }),
  /** The engine tried to mend the environment, as the fixer of this step asked. `fine`: its command exits 0 now. */
  z.object({ fact: z.literal('environment.tried'), step: z.string(), fine: z.boolean(), why: z.string() }),
  /** The fixer of this step reported a fix, and nothing had changed: perhaps nothing is wrong any more. */
  z.object({ fact: z.literal('fix.idle'), step: z.string() }),
  /** QC reviewed a doubted script and answers that it is right. */
  z.object({ fact: z.literal('verification.upheld'), lineage: z.string(), script: ref, why: z.string() }),
] as const;

/** One fix in the history of a lineage; `lineage` and `verification` are those that led its group. */
export interface FixRecord extends FixReport {
  step: string;
  /** Number of the run, or of the service's probe, whose failure the fixer was shown. */
  after: number;
  outcome: 'open' | 'kept' | 'undone' | 'no change';
  why: string;
  patch?: string;
  /** It changed nothing. It mended nothing, so it did not fail either: a new run tells. */
  idle?: true;
  /** QC's reason why the doubted verification or declaration is right. */
  upheld?: string;
  /** What came of the engine's try to mend the environment. */
  tried?: { fine: boolean; why: string };
  files: { path: string; kind: string }[];
}

/** Why the change of a fixer is undone who says that something else than the work is wrong; undefined for a fix. */
export function answerWords(answer: FixReport['answer']): string | undefined {
  switch (answer.kind) {
    case 'fixed':
      return undefined;
    case 'doubt':
      return `it says that the verification is wrong: ${answer.evidence}`;
    case 'environment':
      return `it says that the environment is at fault: ${answer.missing}`;
    case 'declaration':
      return `it says that a declaration is wrong: ${answer.evidence}`;
  }
}
