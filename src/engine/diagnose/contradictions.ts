/**
 * When a change is undone, the verification that it broke may itself be wrong. No agent can doubt a green verification, so the
 * engine does, and QC decides on the same fuel as for a fixer's doubt (docs/decisions/0007).
 */
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { requirementsOf, type Verification } from '../work/verification.ts';
import type { FixReport } from '../work/fix.ts';
import { isFinding } from '../work/task.ts';
import { lineagesOf, type Change } from '../work/tree.ts';
import { openDoubt, rewriteTank, shared } from './doubt.ts';
import { runsOf } from '../judge/trust.ts';
import { liveVerifications } from '../state/covers.ts';

interface Contradiction {
  verification: Verification;
  /** Why it may be wrong. */
  evidence: string;
}

/** Doubts that follow from undoing this change. @param broke ids that it turned red; empty if none were run. */
export function contradictions(state: State, change: Change, broke: readonly string[]): FixReport[] {
  const { author } = change;
  const doubtful = author.kind === 'task' ? byTask(state, author.task, broke) : byFix(state, change, broke);
  return doubtful.filter(({ verification }) => mayAsk(state, verification)).map(doubt);
}

/** An earlier answer of QC does not prevent a doubt, because the failed change is new evidence. */
function mayAsk(state: State, verification: Verification): boolean {
  const isQCs = verification.kind === 'script' && verification.by === 'qc';
  return isQCs && canBurn(state.ledger, [rewriteTank(verification)]) && !openDoubt(state, verification);
}

/** Work for a finding broke verifications of one requirement: the finding and they may ask for different things. */
function byTask({ work }: State, id: string, broke: readonly string[]): Contradiction[] {
  const task = work.tasks[id];
  const broken = liveVerifications(work).filter((verification) => broke.includes(verification.id));
  const [first] = broken;
  const isOne = first && requirementsOf(first).some((one) => broken.every((other) => requirementsOf(other).includes(one)));
  if (!task || !isFinding(task) || !isOne) return [];
  const evidence = `Work of ${id} broke it and was taken back. It was asked for after a look at the deliverable: ${task.description}`;
  return broken.map((verification) => ({ verification, evidence }));
}

/** A fix for the same lineages, now or earlier, turned one verification green and broke another one of its requirement. */
function byFix(state: State, { author, step }: Change, broke: readonly string[]): Contradiction[] {
  if (broke.length === 0 && !wasMade(state, lineagesOf(author), step)) return [];
  const live = liveVerifications(state.work);
  const own = live.filter((verification) => lineagesOf(author).includes(verification.lineage));
  const fixes = [...state.ledger.undone.map((u) => ({ step: u.change.step, broke: u.broke })), { step, broke }];
  return live
    .filter((verification) => wasBroken(state, verification))
    .flatMap((verification) => {
      const breaking = fixes.filter((fix) => fix.broke.includes(verification.id));
      const other = own.find((v) => shared(v, verification).length > 0 && breaking.some((fix) => turnedGreen(state.ledger, v, fix.step)));
      if (!other) return [];
      const evidence = `A fix that turned ${other.id} green broke it and was taken back. Both prove ${shared(verification, other).join(', ')}: perhaps no work satisfies both.`;
      return [{ verification, evidence }];
    });
}

/** Whether the fixer reported a fix: a doubt or a missing report is no new evidence. */
function wasMade({ ledger }: State, lineages: readonly string[], step: string): boolean {
  return lineages.some((lineage) => ledger.fixes[lineage]?.some((fix) => fix.step === step && fix.answer.kind === 'fixed'));
}

/** Exactly this script was red on a tree that was undone. */
function wasBroken(state: State, verification: Verification): boolean {
  return runsOf(state, verification).some((run) => run.verdict === 'red' && run.where === 'tree' && run.code === null);
}

/** Whether the first run after the fix of this step was green, with exactly this script. */
export function turnedGreen({ fixes, runs }: State['ledger'], { lineage, script }: Verification, step: string): boolean {
  const fix = fixes[lineage]?.find((record) => record.step === step);
  const run = fix && runs[lineage]?.[fix.after];
  return run?.verdict === 'green' && run.script === script;
}

function doubt({ verification: { lineage, id, script }, evidence }: Contradiction): FixReport {
  const nothing = { signature: '', fixApplied: 'nothing: the engine doubts the verification', filesChanged: [] };
  return { lineage, verification: id, also: [], ...nothing, reasoning: evidence, answer: { kind: 'doubt', evidence, script } };
}
