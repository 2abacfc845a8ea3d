/**
 * The part of the state that only grows: burned fuel, attempts, milestones, spend, evidence, answers. No undo touches it (I9),
 * so the fold updates it in place.
 */
import type { Fact, FactOf } from '../work/facts.ts';
import type { AmendmentRecord } from '../work/amendment.ts';
import { reduceAssessments, type Assessments } from '../work/assessment.ts';
import { reduceCourse, type Course } from '../work/correction.ts';
import type { DocumentReview } from '../work/document-review.ts';
import { reduceEdits, type Edits } from '../work/edit.ts';
import type { FinishedSprint } from '../work/finished.ts';
import type { FixRecord } from '../work/fix.ts';
import { noneHidden, reduceHidden, type Hidden } from '../work/hidden.ts';
import { isAgents, markPrepared, reduceHumanActions, withQuestion, type HumanActions } from '../work/human-action.ts';
import { madeInstalls, reduceInstalls, takeBackInstalls, type InstallMade, type Installs } from '../work/install.ts';
import { emptyRun, reducePipeline, type PipelineRun, type Plan } from '../work/pipeline.ts';
import type { PlanReview } from '../work/plan-review.ts';
import type { Brief, BriefRecord } from '../work/research.ts';
import type { Revision } from '../work/revision.ts';
import { serviceLineage, startedAgain, type Probed, type ServiceProbe, type Started } from '../work/service.ts';
import { addCall, noSpend, raised, type Budget, type Ran, type Spend } from '../work/spend.ts';
import { isSuite, reduceSuites, type Suites } from '../work/suite.ts';
import { noTraffic, reduceTraffic, type Network } from '../work/traffic.ts';
import type { Author, Settled } from '../work/tree.ts';
import type { Word } from '../work/word.ts';
import {
  keepScript,
  resultOf,
  type FaultEnd,
  type Measure,
  type OfferedMutant,
  type Proof,
  type Run,
  type Scripts,
} from '../work/verification.ts';
import type { Decision, Sizes, StepId } from './events.ts';
import { attemptsOf, closeFix, enterFix, enterTried, markIdle, openFix, uphold, upholdDeclaration } from './fixes.ts';
import { amendTank, burn, nothingBurned, tank, type Tanks } from './fuel.ts';
import { reach, reachTask } from './milestones.ts';
import { enterSaid } from './said.ts';
import { changesWorld } from './world.ts';

export interface Ledger extends Course, Tanks {
  /** Number of the current world. It is here because no undo brings an older world back. */
  world: number;
  decisions: DecisionRecord[];
  resumes: number;
  /** Counts changes of the tree, kept or not. */
  changes: number;
  milestones: string[];
  /** How many decisions had been made when the last milestone was reached. */
  lastMilestone: number;
  /** The person's advice on how to go on. */
  advice: string[];
  /** Vision and PRD that the person changed on the way, with their word about it. */
  revisions: Revision[];
  /** Of Vision and PRD, before anything is planned. */
  documentReviews: DocumentReview[];
  planDecisions: string[];
  /** Of the plan, before it is built. */
  planReviews: PlanReview[];
  /** By lineage, as are fixes, scripts and edits. */
  runs: Record<string, Run[]>;
  proofs: Proof[];
  /** How many faults each script sees. */
  measures: Measure[];
  /** Faults that were put into the work, each once for a script, code and world. */
  faults: FaultEnd[];
  /** Verifications of the second QC, which are none of the work's. */
  hidden: Hidden;
  /** Mutants of the work that QC offered, at most three a lineage ever. */
  offers: OfferedMutant[];
  /** The repository's own suites: base runs, and tests that QC retired. */
  suites: Suites;
  /** What discovery declared and was declared anew. */
  amendments: AmendmentRecord[];
  /** Every text that a lineage ever had. */
  scripts: Scripts;
  /** Edits of verification files, with the person's answers. */
  edits: Edits;
  fixes: Record<string, FixRecord[]>;
  /** Briefs about failures, from research or from the person. */
  briefs: BriefRecord[];
  /** Probes of each service, by its lineage. */
  probes: Record<string, Probed[]>;
  /** Compose services on the person's machine, by name. */
  started: Record<string, Started>;
  /** The latest installs of the worktree. */
  installs: Installs;
  /** All of them, in order. */
  installsMade: InstallMade[];
  undone: Undone[];
  /** Files that look secret, and who made them first. */
  leftOut: Record<string, Author>;
  humanActions: HumanActions;
  /** What the person said in free text, in order. */
  words: Word[];
  /** They asked for a pause since the last resume. */
  pauseAsked: boolean;
  /** Tasks that they gave up. */
  skipped: string[];
  /** Attempts that they asked for, by task, when none was left. */
  retries: Record<string, number>;
  /** Hosts that commands asked for, where they reach only registries. */
  network: Network;
  /** Missing needs that no task waits for. */
  notes: string[];
  assessments: Assessments;
  spend: Spend;
  spendByRole: Record<string, Spend>;
  budget: Budget;
  /** Time in which it ran. */
  ran: Ran;
  budgetReached: string | null;
  finished: FinishedSprint | null;
  /** Where a pipeline runs. */
  pipeline?: PipelineRun;
}

/** A change that was taken back. `report`: of its task. */
export type Undone = Pick<FactOf<'tree.undone'>, 'change' | 'why' | 'broke' | 'report'>;

export interface DecisionRecord {
  id: StepId;
  at: number;
  decision: Decision;
  outcome: string;
  /** Tokens spent and milestones reached in the sprint when it ended; absent while it is open. */
  tokens?: number;
  milestones?: number;
  /** Of its own model calls; absent where it made none. */
  spend?: Spend;
}

export function emptyLedger(sizes: Sizes, budget: Budget, plan?: Plan): Ledger {
  return {
    world: 0,
    sizes: { ...sizes },
    burned: nothingBurned(),
    decisions: [],
    resumes: 0,
    minted: 0,
    changes: 0,
    milestones: [],
    lastMilestone: 0,
    advice: [],
    revisions: [],
    documentReviews: [],
    runs: {},
    proofs: [],
    measures: [],
    faults: [],
    hidden: noneHidden(),
    offers: [],
    suites: { tried: [], retired: [], anew: {} },
    amendments: [],
    scripts: {},
    edits: {},
    fixes: {},
    briefs: [],
    probes: {},
    started: {},
    installs: {},
    installsMade: [],
    undone: [],
    leftOut: {},
    humanActions: {},
    words: [],
    pauseAsked: false,
    skipped: [],
    retries: {},
    network: noTraffic(),
    notes: [],
    planDecisions: [],
    planReviews: [],
    corrections: [],
    reviewed: [],
    strategies: [],
    assessments: { vrcs: [], evaluations: [], cleanRuns: [] },
    spend: noSpend(),
    spendByRole: {},
    budget,
    ran: { ms: 0, until: 0 },
    budgetReached: null,
    finished: null,
    ...(plan ? { pipeline: emptyRun(plan) } : {}),
  };
}

/** Updates the ledger by one fact. */
export function enter(ledger: Ledger, fact: Fact): void {
  if (changesWorld(fact)) ledger.world += 1;
  switch (fact.fact) {
    case 'gate.passed':
      if (fact.gate === 'prepare') markAllPrepared(ledger);
      ledger.planDecisions.push(...(fact.decided ?? []));
      return reach(ledger, `gate ${fact.gate}`);
    case 'task.added':
      return void (ledger.minted += fact.task.source === 'plan' ? 0 : 1);
    case 'documents.judged':
    case 'plan.judged':
      return enterReview(ledger, fact);
    case 'task.shown':
      return reachTask(ledger, fact.id);
    case 'install.ran':
    case 'install.forgotten':
      return reduceInstalls(ledger, fact);
    case 'verification.written':
      return keepScript(ledger.scripts, fact.verification);
    case 'verification.ran':
      return enterRun(ledger, fact.run);
    case 'verification.proven':
      return void ledger.proofs.push(fact.proof);
    case 'verification.measured':
      return void ledger.measures.push(fact.measure);
    case 'fault.tried':
      return void ledger.faults.push(fact.tried);
    case 'hidden.written':
    case 'hidden.ran':
    case 'hidden.told':
      return reduceHidden(ledger.hidden, fact);
    case 'mutant.offered':
      return void ledger.offers.push(fact.mutant);
    case 'verification.edited':
    case 'edit.answered':
    case 'edit.refused':
    case 'verification.adopted':
      return reduceEdits(ledger.edits, fact, ledger.runs);
    case 'verification.upheld':
      return uphold(ledger, fact);
    case 'suite.tried':
    case 'test.retired':
      return reduceSuites(ledger.suites, fact);
    case 'tree.changed':
      ledger.changes = Math.max(ledger.changes, fact.change.n);
      return openFix(ledger, fact.change);
    case 'tree.settled':
      return enterSettled(ledger, fact.settled);
    case 'tree.undone':
      return enterUndone(ledger, fact);
    case 'secrets.left-out':
      return void (ledger.leftOut = { ...Object.fromEntries(fact.paths.map((path) => [path, fact.author])), ...ledger.leftOut });
    case 'fix.reported':
      return enterFix(ledger, fact.step, fact.report);
    case 'context.amended':
      return enterAmendment(ledger, fact);
    case 'declaration.upheld':
      return upholdDeclaration(ledger, fact);
    case 'fix.idle':
      return markIdle(ledger, fact);
    case 'environment.tried':
      return enterTried(ledger, fact);
    case 'research.reported':
      return enterBrief(ledger, fact.brief);
    case 'service.probed':
      return enterProbe(ledger, fact.probe);
    case 'service.started':
      return void (ledger.started[fact.name] = startedAgain(ledger.started[fact.name], fact));
    case 'needs.noted':
      return void (ledger.notes = fact.notes);
    case 'host.refused':
    case 'hosts.reached':
    case 'credentials.withheld':
      return reduceTraffic(ledger.network, fact);
    case 'human-action.asked':
    case 'human-action.shown':
    case 'human-action.skipped':
    case 'human-action.unattended':
    case 'human-action.verified':
    case 'human-action.not-needed':
    case 'human-action.answered':
      if (fact.fact === 'human-action.answered') enterAnswer(ledger, fact);
      return reduceHumanActions(ledger.humanActions, fact);
    case 'word.said':
    case 'pause.asked':
    case 'task.skip-asked':
    case 'task.retry-asked':
    case 'documents.answered':
    case 'documents.taken':
      return enterSaid(ledger, fact);
    case 'vrc.reported':
    case 'evaluation.reported':
    case 'clean.ran':
      return reduceAssessments(ledger.assessments, fact);
    case 'course.corrected':
    case 'plan.reviewed':
    case 'strategy.changed':
    case 'strategy.kept':
      return reduceCourse(ledger, fact, { decisions: ledger.decisions.length, vrcs: ledger.assessments.vrcs.length });
    case 'model.spent':
      return enterSpend(ledger, fact);
    case 'budget.reached':
      if (ledger.pipeline) ledger.pipeline.cut = fact.what;
      return void (ledger.budgetReached = fact.why);
    case 'budget.raised':
      return void Object.assign(ledger, { budget: raised(ledger.budget, fact), budgetReached: null });
    case 'fuel.sized':
      return size(ledger, fact);
    case 'status.reported':
    case 'iteration.ended':
    case 'queue.looked':
    case 'stop.verified':
      if (ledger.pipeline) reducePipeline(ledger.pipeline, fact, ledger.resumes);
      return;
    case 'sprint.finished':
      return void (ledger.finished = fact.finished);
    default:
      // The first two change the configuration, the third nothing. A new fact must be handled above or named here.
      fact.fact satisfies WorkFact | 'access.granted' | 'models.chosen' | 'research.empty';
  }
}

/** Facts that concern only the work: `core/fold.ts` must reduce each of them. */
export type WorkFact =
  | `task.${'modified' | 'removed' | 'moved' | 'reported' | 'returned' | 'reopened' | 'descoped'}`
  | `verification.${'deferred' | 'retired'}`
  | 'helper.written'
  | 'requirements.read'
  | 'requirement.descoped'
  | 'constraints.read'
  | 'context.discovered'
  | 'services.read'
  | 'causes.judged';

function enterReview(ledger: Ledger, fact: Extract<Fact, { fact: `${string}.judged`; review: unknown }>): void {
  if (fact.fact === 'plan.judged') ledger.planReviews.push(fact.review);
  else ledger.documentReviews.push(fact.review);
}

function enterSettled(ledger: Ledger, settled: Settled): void {
  ledger.installs = madeInstalls(ledger.installs);
  if (settled.author.kind === 'task') reachTask(ledger, settled.author.task);
  closeFix(ledger, settled, 'kept', 'nothing that was green broke');
}

function enterUndone(ledger: Ledger, { change, why, broke, report }: FactOf<'tree.undone'>): void {
  takeBackInstalls(ledger);
  ledger.undone.push({ change, why, broke, ...(report ? { report } : {}) });
  closeFix(ledger, change, 'undone', why);
}

function enterRun(ledger: Ledger, run: Run): void {
  (ledger.runs[run.lineage] ??= []).push(run);
  if (run.verdict === 'green' && resultOf(run) && !isSuite(run.lineage)) reach(ledger, `verification ${run.lineage}`);
}

function enterProbe({ probes }: Ledger, probe: ServiceProbe): void {
  const known = (probes[serviceLineage(probe.name)] ??= []);
  known.push({ ...probe, n: known.length + 1 });
}

function enterBrief(ledger: Ledger, brief: Brief): void {
  const after = brief.lineages.map((lineage) => [
    lineage,
    { attempts: attemptsOf(ledger, lineage), fixes: ledger.fixes[lineage]?.length ?? 0 },
  ]);
  ledger.briefs.push({ ...brief, after: Object.fromEntries(after) as BriefRecord['after'] });
}

function markAllPrepared({ humanActions, amendments }: Ledger): void {
  markPrepared(humanActions);
  for (const amendment of amendments) amendment.prepared = true;
}

/** A suite that is declared anew runs on the base commit anew. */
function enterAmendment(ledger: Ledger, { declared, why, by }: FactOf<'context.amended'>): void {
  burn(ledger, [amendTank]);
  ledger.amendments.push({ declared, why, by, prepared: false });
  for (const { name } of declared.suites ?? []) ledger.suites.anew[name] = ledger.suites.tried.length;
}

/** Only the first of two answers counts. What the person says about failures becomes a brief. */
function enterAnswer(ledger: Ledger, { id, answer, said = '' }: FactOf<'human-action.answered'>): void {
  const asked = ledger.humanActions[id];
  if (asked?.status !== 'open') return;
  if (answer === 'done') burn(ledger, [tank('wait')]);
  if (said.trim() === '') return;
  const findings = withQuestion(asked, said.trim());
  if (asked.kind === 'advice' && !isAgents(asked)) ledger.advice.push(findings);
  if (asked.kind === 'hint')
    enterBrief(ledger, { lineages: asked.lineages, topic: 'What the person says', findings, sources: [], by: 'person' });
}

function size({ sizes }: Ledger, { sprint, mint, evaluation }: FactOf<'fuel.sized'>): void {
  Object.assign(sizes, { sprint, mint, evaluation });
}

function enterSpend(ledger: Ledger, { role, usage, usd }: FactOf<'model.spent'>): void {
  const all = [ledger.spend, (ledger.spendByRole[role] ??= noSpend())];
  const open = ledger.decisions.at(-1);
  if (open) all.push((open.spend ??= noSpend()));
  for (const spend of all) addCall(spend, usage, usd);
}
