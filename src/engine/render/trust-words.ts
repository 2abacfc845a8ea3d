/** Describes how a verification earned trust, or why it did not: every proof that was tried, when, and what it showed (I8). Pure. */
import type { State } from '../state/state.ts';
import { proofsOf, redRunProof, type Trust } from '../judge/trust.ts';
import { counted } from '../ground/text.ts';
import { faultWords } from '../judge/fault-words.ts';
import type { Strength } from '../judge/strength.ts';
import type { CoveredRequirement } from '../picture/picture.ts';
import type { FaultTrial, Measure, Verification, Proof } from '../work/verification.ts';
import { codeWords } from './story.ts';

/** One proof in words. */
export interface ProofWords {
  /** What was done to make it fail. */
  name: string;
  outcome: string;
  why: string;
  /** The tree on which it was tried; empty for the proof by its ordinary runs. */
  when: string;
}

/** `Trusted: attempt 1 failed for its stated reason …`. */
export function trustWords({ trusted, why }: Trust): string {
  return `${trusted ? 'Trusted' : 'Not trusted yet'}: ${why}`;
}

/** `fair: it sees 6 of 11 faults`, for those who are told besides what it does not see, and why; why alone, where it met no fault. */
export function strengthCount(strength: Strength): string {
  return strength.reached > 0 ? `${strength.level}: ${countWords(strength)}` : strengthWords(strength);
}

function countWords({ seen, reached }: Strength): string {
  return `it sees ${seen} of ${counted(reached, 'fault')}`;
}

/** `strong: it sees 8 of 8 faults`. */
export function strengthWords(strength: Strength): string {
  const { level, reached, why } = strength;
  const count = countWords(strength);
  return why === '' || why.startsWith(count) ? `${level}: ${why || count}` : `${level}: ${why}${reached > 0 ? ` (${count})` : ''}`;
}

/** `fair, 7 of 7 faults seen: …`, with why it is no stronger, where that is not for those faults, and what would make it strong. */
export function strengthLine(strength: Strength): string {
  const { level, seen, reached, why, stronger } = strength;
  const reason = why === '' || why.startsWith(countWords(strength)) ? '' : `: ${why}`;
  const less = level === 'fair' && 0 < seen && 2 * seen <= reached ? ' (the others count less)' : '';
  const line = `${level}, ${seen} of ${counted(reached, 'fault')} seen${less}${reason}`;
  return stronger === '' ? line : `${line}. ${stronger}`;
}

/** Faults that a report lists. */
const mostFaults = 30;

/** Faults in the work that no verification of a requirement sees, each with those requirements; or why the proof is no stronger. */
export function blindSpots(requirements: readonly CoveredRequirement[]): string[] {
  const byFault = new Map<string, string[]>();
  for (const { requirement, strength } of requirements) {
    if (!strength || strength.level === 'strong') continue;
    const why = strength.why.startsWith(countWords(strength)) ? [] : [strength.why];
    const faults = strength.unseen.length > 0 ? strength.unseen.map(faultWords) : why;
    for (const fault of new Set(faults)) byFault.set(fault, [...(byFault.get(fault) ?? []), requirement.id]);
  }
  const lines = [...byFault].sort(([, a], [, b]) => b.length - a.length).map(([fault, ids]) => `- ${ids.join(', ')}: ${fault}`);
  return lines.length > mostFaults ? [...lines.slice(0, mostFaults), `- and ${lines.length - mostFaults} more`] : lines;
}

/** News of a measure. */
export function measureWords({ lineage, trials, document }: Measure): string {
  const all = [...trials, ...(document?.trials ?? [])];
  const of = (outcome: FaultTrial['outcome']): number => all.filter((trial) => trial.outcome === outcome).length;
  // As `strengthCount`: where it sees none, those of which nobody can tell whether it gets there count as well.
  const met = of('seen') + of('unseen') + (of('seen') === 0 ? of('untold') : 0);
  return `${lineage} sees ${of('seen')} of ${counted(met, 'fault')} in the work`;
}

/** In the order in which they are tried; none for criteria and suites, which are not proven. */
export function proofWords(state: State, verification: Verification): ProofWords[] {
  if (verification.kind !== 'script') return [];
  const tried = proofsOf(state, verification).map((proof) => describeProof(proof, state));
  const red = redRunProof(state, verification);
  if (red !== undefined) return [{ ...redRun, outcome: 'proven', why: red }, ...tried];
  const why = `none of its runs before its first green was red for its stated reason ("${verification.red}") with all the files there that its work created`;
  return [{ ...redRun, outcome: 'not proven', why }, ...tried];
}

const redRun = { name: 'Seen red before it was ever green', when: '' };

const names: Record<Proof['kind'], string> = {
  control: 'Control: the work with other comments, the script with other values, the work with its text but without its behaviour',
  revert: 'Run with the work that it covers taken out',
  mutants: 'Run with one line of the work made wrong at a time',
  offered: 'Run with a fault that QC offered put into the work',
};

function describeProof({ kind, code, outcome, why }: Proof, state: State): ProofWords {
  const passed = kind === 'control' ? 'passed' : 'proven';
  const failed = kind === 'control' ? 'failed' : 'not proven';
  const words = { red: passed, 'not-red': failed, impossible: 'could not be tried' };
  return { name: names[kind], outcome: words[outcome], why, when: codeWords(code, state) };
}
