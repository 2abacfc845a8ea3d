/**
 * Tasks for what an assessment or evaluation found: critical and blocking gaps and findings, and every one where a final
 * assessment does not recommend shipping, as many as may still be added (I4). The rest goes into the report, and so does polish
 * beside anything worse: each task costs a builder and another look at everything.
 */
import { pieceOf, withFullStop } from '../ground/text.ts';
import { requirementsUnseen } from '../judge/unseen.ts';
import { mintLeft } from '../state/fuel.ts';
import { goesBy } from '../state/rules.ts';
import type { State } from '../state/state.ts';
import { mustMend, type Evaluation, type Finding, type Unseen, type Vrc } from '../work/assessment.ts';
import type { Fact } from '../work/facts.ts';
import { freeIds, longestDescription, type Task } from '../work/task.ts';
import type { Script } from '../work/verification.ts';

/**
 * @param reported the new assessment or evaluation; undefined when there is none.
 * @param vrc the assessment that the evaluator gave with the evaluation.
 */
export function tasksFor(state: State, source: 'vrc' | 'evaluation', reported: Vrc | Evaluation | undefined, vrc?: Vrc): Fact[] {
  return minted(state, source, reported ? wantedBy(state, reported, vrc) : []);
}

/** All that a builder ever gets to know of a hidden verification: its requirement, and its title. */
export function tasksForHidden(state: State, failed: readonly Script[]): Fact[] {
  const told = failed.slice(0, Math.max(0, mintLeft(state.ledger)));
  const wants = told.map(({ prd, title }) => ({
    found: `A hidden verification of ${prd.join(', ')} fails: ${title}`,
    value: `${prd.join(', ')} holds for inputs that no other verification tried`,
    proposal: '',
    evidence: '',
  }));
  return [...minted(state, 'hidden', wants), ...told.map(({ lineage, script }): Fact => ({ fact: 'hidden.told', lineage, script }))];
}

function minted(state: State, source: Task['source'], wanted: readonly Want[]): Fact[] {
  const wants = wanted.slice(0, Math.max(0, mintLeft(state.ledger)));
  const ids = freeIds(state.work.tasks, 'G', wants.length);
  return wants.map((want, index) => ({ fact: 'task.added', task: gapTask(state, { id: ids[index] ?? '', source, ...want }) }));
}

interface Want {
  /** Of which the task is to make an end. */
  found: string;
  value: string;
  /** How its finder would mend it; may be empty. */
  proposal: string;
  /** How its finder saw it; may be empty. */
  evidence: string;
  unseen?: Unseen | undefined;
}

function wantedBy(state: State, reported: Vrc | Evaluation, vrc: Vrc | undefined): Want[] {
  if ('gaps' in reported) {
    const gaps = worthATask(state, reported.gaps, holdsBack(reported));
    return gaps.map(({ description: found, severity, suggestedTask: proposal, unseen }) => ({
      found,
      value: `an assessment calls this ${severity}`,
      proposal,
      evidence: '',
      unseen,
    }));
  }
  const findings = worthATask(state, reported.findings, vrc !== undefined && holdsBack(vrc));
  return findings.map(({ description: found, userImpact: value, suggestedFix: proposal, evidence, unseen }) => ({
    found,
    value,
    proposal,
    evidence,
    unseen,
  }));
}

/** Where polish alone holds the sprint back it is mended, and nobody writes a verification for it. */
function worthATask<T extends Pick<Finding, 'severity' | 'unseen'>>(state: State, found: readonly T[], isHeldBack: boolean): T[] {
  if (!isHeldBack) return found.filter(({ severity }) => mustMend(severity));
  if (!goesBy(state.opened, 'polish stays')) return [...found];
  const worse = found.filter(({ severity }) => severity !== 'polish');
  return worse.length > 0 ? worse : found.map((one) => ({ ...one, unseen: undefined }));
}

/** The sprint would end undelivered for its gaps, however small. */
function holdsBack({ scope, recommendation }: Vrc): boolean {
  return scope === 'final' && recommendation !== 'SHIP_READY';
}

/**
 * Where verifications did not see it, QC writes one that does: task and verification are one thing, so its red waits for the task.
 * Any other gap names no requirement: nothing waits for its task or covers it because of one.
 */
function gapTask(
  state: State,
  { id, source, found, value, proposal, evidence, unseen }: Want & { id: string; source: Task['source'] },
): Task {
  return {
    id,
    status: 'pending',
    source,
    description: pieceOf(found, 0, longestDescription),
    value,
    prdSection: unseen ? requirementsUnseen(state, unseen) : [],
    ...(unseen ? { unseen: unseen.scripts } : {}),
    acceptance: pieceOf(`That no longer holds.${labelled('Proposed', proposal)}${labelled('Seen', evidence)}`, 0, longestDescription),
    dependencies: [],
    phase: 'gaps',
    filesExpected: [],
  };
}

function labelled(what: string, words: string): string {
  return words.trim() === '' ? '' : ` ${what}: ${withFullStop(words.trim())}`;
}
