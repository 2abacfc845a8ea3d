/**
 * What only grows: fuel burned, attempts, milestones, spend, evidence, answers. No undo and no reset touches it (I9, I10),
 * so the fold updates it in place.
 */
import type { Decision, Sizes, StepId, Tank } from './events.ts';
import type { Fact, FactOf } from '../work/facts.ts';
import { reduceAssessments, type Assessments } from '../work/assessment.ts';
import { keepScript, resultOf, type CheckRun, type OfferedPatch, type Proof, type Scripts } from '../work/check.ts';
import { reduceEdits, type Edits } from '../work/edit.ts';
import { reduceCourse, type Course } from '../work/correction.ts';
import type { Finished } from '../work/finish.ts';
import { doubtWords, type FixRecord } from '../work/fix.ts';
import type { Brief } from '../work/research.ts';
import { markPrepared, reducePauses, type PauseFact, type Pauses } from '../work/pause.ts';
import { serviceLineage, startedAgain, type ServiceProbe, type Started } from '../work/service.ts';
import { addCall, noSpend, type Spend } from '../work/spend.ts';
import { isSuite, reduceSuites, type Suites } from '../work/suite.ts';
import { lineagesOf, type Change, type Settled } from '../work/tree.ts';

export interface Ledger extends Course {
  sizes: Sizes;
  burned: Record<Tank, number>;
  decisions: DecisionRecord[];
  resumes: number;
  /** Tasks that were added after the plan, as many as the `mint` tank holds. */
  minted: number;
  /** Counts changes of the tree, kept or not. */
  changes: number;
  milestones: string[];
  /** How many decisions had been made when the last milestone was reached. */
  lastMilestone?: number;
  /** What the person said about how to go on. */
  advice?: string[];
  runs: Record<string, CheckRun[]>;
  proofs: Proof[];
  /** Patches of the work that QC offered, at most three a lineage ever. */
  offers?: OfferedPatch[];
  /** The repository's own suites: base runs, and tests that QC retired. */
  suites?: Suites;
  /** Every script that QC gave a lineage. */
  scripts?: Scripts;
  /** Files of verifications that somebody changed, and what the person said of that. */
  edits?: Edits;
  fixes: Record<string, FixRecord[]>;
  /** What research or the person said of failures, by lineage inside. */
  briefs?: Brief[];
  /** What was seen of each service, by its lineage. */
  probes?: Record<string, ServiceProbe[]>;
  /** Services on the person's machine, by name. */
  started?: Record<string, Started>;
  undone: { change: Change; why: string; broke: string[] }[];
  pauses: Pauses;
  /** What the machine lacks and nothing waits for. */
  notes?: string[];
  assessments: Assessments;
  spend: Spend;
  spendByRole: Record<string, Spend>;
  budget: { usd: number; tokens: number };
  budgetReached: string | null;
  finished: Finished | null;
}

export interface DecisionRecord {
  id: StepId;
  at: number;
  decision: Decision;
  outcome: string;
  /** Tokens spent and milestones reached in the sprint until it ended; not there while it is open. */
  tokens?: number;
  milestones?: number;
}

export function emptyLedger(sizes: Sizes, budget: { usd: number; tokens: number }): Ledger {
  return {
    sizes: { ...sizes },
    burned: {},
    decisions: [],
    resumes: 0,
    minted: 0,
    changes: 0,
    milestones: [],
    runs: {},
    proofs: [],
    fixes: {},
    undone: [],
    pauses: {},
    assessments: { vrcs: [], evaluations: [], cleanRuns: [] },
    spend: noSpend(),
    spendByRole: {},
    budget,
    budgetReached: null,
    finished: null,
  };
}

/** Facts that the ledger keeps; all others are the work's. */
export function enter(ledger: Ledger, fact: Fact): void {
  switch (fact.fact) {
    case 'gate.passed':
      return enterGate(ledger, fact.gate);
    case 'check.ran':
    case 'check.proven':
    case 'patch.offered':
      return enterCheck(ledger, fact);
    case 'task.added':
      if (fact.task.source !== 'plan') ledger.minted += 1;
      return;
    case 'task.shown':
      return mark(ledger, `task ${fact.id}`);
    case 'tree.changed':
      ledger.changes = Math.max(ledger.changes, fact.change.n);
      return openFix(ledger, fact.change);
    case 'tree.settled':
      return enterSettled(ledger, fact.settled);
    case 'tree.undone':
      ledger.undone.push({ change: fact.change, why: fact.why, broke: fact.broke });
      return closeFix(ledger, { step: fact.change.step, outcome: 'undone', why: fact.why, change: fact.change });
    case 'fix.reported':
      return enterFix(ledger, fact.step, fact.report);
    case 'check.upheld':
      return uphold(ledger, fact);
    case 'pause.opened':
    case 'pause.told':
    case 'pause.answered':
    case 'pause.unattended':
    case 'pause.checked':
    case 'pause.mooted':
      return enterPause(ledger, fact);
    case 'vrc.reported':
    case 'evaluation.reported':
    case 'clean.ran':
      return reduceAssessments(ledger.assessments, fact);
    case 'model.spent':
      return enterSpend(ledger, fact.role, fact.usage, fact.usd);
    case 'budget.reached':
    case 'budget.raised':
    case 'fuel.sized':
    case 'sprint.finished':
      return enterLimit(ledger, fact);
    default:
      return enterKnowledge(ledger, fact);
  }
}

/** What was found out on the way: texts of verifications, the repository, its services, the machine, where the sprint is going. */
function enterKnowledge(ledger: Ledger, fact: Fact): void {
  switch (fact.fact) {
    case 'check.written':
      return keepScript((ledger.scripts ??= {}), fact.check);
    case 'check.edited':
    case 'edit.answered':
    case 'edit.refused':
    case 'check.adopted':
      return reduceEdits((ledger.edits ??= {}), fact, ledger.runs);
    case 'suite.tried':
    case 'test.retired':
      return reduceSuites((ledger.suites ??= { tried: [], retired: [] }), fact);
    case 'service.probed':
    case 'service.started':
      return enterService(ledger, fact);
    case 'needs.noted':
      ledger.notes = fact.notes;
      return;
    case 'research.reported':
      return void (ledger.briefs ??= []).push(fact.brief);
    case 'course.corrected':
    case 'plan.reviewed':
    case 'strategy.changed':
    case 'strategy.kept':
      return reduceCourse(ledger, fact, { decisions: ledger.decisions.length, vrcs: ledger.assessments.vrcs.length });
    default:
      return;
  }
}

export function burn(ledger: Ledger, tanks: readonly Tank[]): void {
  for (const tank of tanks) ledger.burned[tank] = (ledger.burned[tank] ?? 0) + 1;
}

function enterGate(ledger: Ledger, gate: FactOf<'gate.passed'>['gate']): void {
  if (gate === 'prepare') markPrepared(ledger.pauses);
  mark(ledger, `gate ${gate}`);
}

function enterPause(ledger: Ledger, fact: PauseFact): void {
  if (fact.fact === 'pause.answered') enterAnswer(ledger, fact);
  reducePauses(ledger.pauses, fact);
}

/** A milestone counts once: a gate first passed, a task first settled, a lineage first green (I5); a suite was green before. */
function mark(ledger: Ledger, milestone: string): void {
  if (ledger.milestones.includes(milestone)) return;
  ledger.milestones.push(milestone);
  ledger.lastMilestone = ledger.decisions.length;
}

function enterSettled(ledger: Ledger, settled: Settled): void {
  if (settled.author.kind === 'task') mark(ledger, `task ${settled.author.task}`);
  closeFix(ledger, { step: settled.step, outcome: 'kept', why: 'nothing that was green broke', change: settled });
}

/** What is known of a check: its runs, what it was proven by or is offered to be. */
function enterCheck(ledger: Ledger, fact: FactOf<'check.ran' | 'check.proven' | 'patch.offered'>): void {
  if (fact.fact === 'check.ran') enterRun(ledger, fact.run);
  else if (fact.fact === 'check.proven') ledger.proofs.push(fact.proof);
  else (ledger.offers ??= []).push(fact.patch);
}

function enterRun(ledger: Ledger, run: CheckRun): void {
  (ledger.runs[run.lineage] ??= []).push(run);
  if (run.verdict === 'green' && resultOf(run) && !isSuite(run.lineage)) mark(ledger, `check ${run.lineage}`);
}

function enterFix(ledger: Ledger, step: StepId, report: Omit<FixRecord, 'step' | 'after' | 'outcome' | 'why' | 'files'>): void {
  const why = report.wrong ? doubtWords(report.wrong) : 'no file was changed';
  for (const lineage of [report.lineage, ...(report.also ?? [])]) {
    const after = attemptsOf(ledger, lineage);
    const others = (ledger.fixes[lineage] ?? []).filter((record) => record.step !== step);
    ledger.fixes[lineage] = [...others, { ...report, step, after, outcome: 'no change', why, files: [] }];
  }
}

function enterService(ledger: Ledger, fact: FactOf<'service.probed' | 'service.started'>): void {
  if (fact.fact === 'service.started') (ledger.started ??= {})[fact.name] = startedAgain(ledger.started[fact.name], fact);
  else ((ledger.probes ??= {})[serviceLineage(fact.probe.name)] ??= []).push(fact.probe);
}

/** Runs of a check, or probes of a service. */
function attemptsOf({ runs, probes }: Ledger, lineage: string): number {
  return (runs[lineage] ?? probes?.[lineage] ?? []).length;
}

/** QC's answer goes to every fix that calls this script wrong. */
function uphold(ledger: Ledger, { lineage, script, why }: FactOf<'check.upheld'>): void {
  for (const fix of ledger.fixes[lineage] ?? [])
    if (fix.wrong?.script === script && fix.upheld === undefined)
      Object.assign(fix, { upheld: why, why: `${fix.why}; QC answers that it is right: ${why}` });
}

/** What the person says of failures is a brief like any other. */
function enterAnswer(ledger: Ledger, fact: FactOf<'pause.answered'>): void {
  const findings = fact.said?.trim() ?? '';
  const lineages = ledger.pauses[fact.id]?.lineages;
  if (fact.answer === 'done') burn(ledger, ['wait']);
  if (lineages?.length === 0 && findings !== '') (ledger.advice ??= []).push(findings);
  else if (lineages && findings !== '')
    (ledger.briefs ??= []).push({ lineages, topic: 'What the person says', findings, sources: [], by: 'person' });
}

/** A report is followed by what really changed, if anything did. */
function openFix(ledger: Ledger, { author, step }: Change): void {
  for (const lineage of lineagesOf(author)) {
    const record = ledger.fixes[lineage]?.find((r) => r.step === step);
    if (record) Object.assign(record, { outcome: 'open', why: '' });
  }
}

interface Closing {
  step: StepId;
  outcome: 'kept' | 'undone';
  why: string;
  change: Pick<Change, 'author' | 'files' | 'patch'>;
}

/** A change by a fixer closes its record; one that the fixer never reported gets a record of its own. */
function closeFix(ledger: Ledger, { step, outcome, why, change }: Closing): void {
  const { author, files, patch } = change;
  if (author.kind !== 'fix') return;
  const seen = { outcome, why, files, patch };
  const silent = { ...author, signature: '', fixApplied: '(not reported)', filesChanged: [], reasoning: '', step };
  for (const lineage of lineagesOf(author)) {
    const records = (ledger.fixes[lineage] ??= []);
    const open = records.find((r) => r.step === step);
    if (open) Object.assign(open, seen);
    else records.push({ ...silent, after: attemptsOf(ledger, lineage), ...seen });
  }
}

/** Budgets, sizes, and the end: what bounds the sprint. */
function enterLimit(ledger: Ledger, fact: FactOf<'budget.reached' | 'budget.raised' | 'fuel.sized' | 'sprint.finished'>): void {
  if (fact.fact === 'budget.reached') {
    ledger.budgetReached = fact.why;
  } else if (fact.fact === 'budget.raised') {
    ledger.budget = { usd: Math.max(ledger.budget.usd, fact.usd), tokens: Math.max(ledger.budget.tokens, fact.tokens) };
    ledger.budgetReached = null;
  } else if (fact.fact === 'sprint.finished') {
    ledger.finished = fact.finished;
  } else {
    const { sprint, mint, evaluation } = fact;
    Object.assign(ledger.sizes, { sprint, mint, ...(evaluation === undefined ? {} : { evaluation }) });
  }
}

function enterSpend(ledger: Ledger, role: string, used: Omit<Spend, 'usd' | 'calls'>, usd: number): void {
  for (const s of [ledger.spend, (ledger.spendByRole[role] ??= noSpend())]) addCall(s, used, usd);
}
