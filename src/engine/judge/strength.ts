/**
 * How much a proof proves (docs/proof-strength.md): of the faults that were put into lines which its run reaches, how many a verification
 * sees. A requirement has the strength of all its verifications together.
 */
import { canBurn } from '../state/fuel.ts';
import { liveScripts, liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { isOpen } from '../work/task.ts';
import { requirementsOf, type FaultTrial, type Measure, type Script, type Verification } from '../work/verification.ts';
import { ofDocument } from './document-strength.ts';
import { measureOf } from './latest-measure.ts';
import { metBy } from './met-faults.ts';
import { levelOf, strengthLevels, type StrengthLevel } from './strength-level.ts';
import { lackOf, strongerWords } from './stronger.ts';
import { coveringCommits, mayBeProven, proofTank, trustOf } from './trust.ts';

export interface Strength {
  level: StrengthLevel;
  /** Faults that were seen, and those that could have been. */
  seen: number;
  reached: number;
  unseen: readonly FaultTrial[];
  /** Why it is no stronger, as the middle of a sentence; empty for `strong`. */
  why: string;
  /** What would make it strong, in a sentence; empty for `strong`, and where nobody knows. */
  stronger: string;
}

/** Undefined until it was measured; a criterion never is. */
export function strengthOf(state: State, verification: Verification): Strength | undefined {
  const measure = measureOf(state, verification);
  return measure && strength(state, [measure]);
}

/** The strength of all measured verifications of one requirement together; undefined where none was measured. */
export function strengthFor(state: State, requirement: string): Strength | undefined {
  return strengthOfAll(
    state,
    liveVerifications(state.work).filter((v) => requirementsOf(v).includes(requirement) && trustOf(state, v).trusted),
  );
}

/** The same, of the trusted verifications of the requirement, where they are known. */
export function strengthOfAll(state: State, trusted: readonly Verification[]): Strength | undefined {
  const measures = trusted.flatMap((v) => measureOf(state, v) ?? []);
  return measures.length === 0 ? undefined : strength(state, measures);
}

/**
 * Why no script of a requirement counts although one is proven, as the middle of a sentence; undefined where it counts.
 * @param known how strong its proof is, if that was found already.
 */
export function shortOfEvidence(state: State, requirement: string, known?: Strength): string | undefined {
  const { evidence } = state.config;
  if (evidence === 'any') return undefined;
  const found = known ?? strengthFor(state, requirement);
  if (!found) return 'nobody measured yet how much its proof sees';
  return rankOf(found.level) >= rankOf(evidence) ? undefined : `its proof is ${found.level}: ${found.why}`;
}

/** Proven, but with less than the evidence that the sprint asks for: QC is asked for more, once no work is open. */
export function isTooWeak(state: State, requirement: string): boolean {
  if (Object.values(state.work.tasks).some(isOpen)) return false;
  const found = strengthFor(state, requirement);
  return found !== undefined && shortOfEvidence(state, requirement, found) !== undefined;
}

/** QC wrote more for it, and nobody knows yet what that sees. */
export function isToBeMeasured(state: State, requirement: string): boolean {
  return liveScripts(state.work).some((script) => {
    if (!requirementsOf(script).includes(requirement) || measureOf(state, script) !== undefined) return false;
    if ((state.work.results[script.id]?.verdict ?? 'green') !== 'green') return false;
    return mayBeProven(state, script) && canBurn(state.ledger, [proofTank(script, 'strength')]);
  });
}

/** Whether these measures together are less than the evidence that the sprint asks for. */
export function isTooLittle(state: State, measures: readonly Measure[]): boolean {
  const { evidence } = state.config;
  return evidence !== 'any' && rankOf(strength(state, measures).level) < rankOf(evidence);
}

/** By what was tried, these measures together are strong. */
export function isStrong(state: State, measures: readonly Measure[]): boolean {
  return strength(state, measures).level === 'strong';
}

/** Trusted verifications that are green on this code, whose work is settled, and which were not measured on it. */
export function unmeasured(state: State): Script[] {
  const { work, ledger, config } = state;
  // While work is open, what is measured would have to be measured again.
  if (config.evidence === 'any' || Object.values(work.tasks).some(isOpen)) return [];
  return liveScripts(work).filter((verification) => {
    const result = work.results[verification.id];
    if (result?.verdict !== 'green' || result.code !== work.tree.code) return false;
    if (!trustOf(state, verification).trusted) return false;
    const changed = Math.max(0, ...coveringCommits(state, verification).map(({ code }) => code));
    const known = measureOf(state, verification);
    return (known === undefined || known.code < changed) && canBurn(ledger, [proofTank(verification, 'strength')]);
  });
}

function rankOf(level: StrengthLevel): number {
  return strengthLevels.indexOf(level);
}

function strength(state: State, measures: readonly Measure[]): Strength {
  const met = metBy(state, measures);
  const { seen, unseen, untold, blind, besideSeen } = met;
  const document = seen.length + unseen.length + untold.length === 0 ? ofDocument(met.measures) : undefined;
  const { level, why, also = [], way = {} } = levelOf(state, met);
  const found = {
    level,
    seen: seen.length,
    reached: seen.length + unseen.length,
    unseen: [...unseen, ...blind, ...besideSeen, ...also],
    why,
    stronger: typeof way === 'string' ? way : strongerWords({ ...lackOf(met), ...way }),
  };
  return { ...found, ...document };
}
