/**
 * What the trees, the status bar and the notifications show of a sprint: a pure rendering of its state (I1), as plain
 * JSON, since the worker sends it to the extension host.
 */
import type { StrengthLevel } from '../../engine/judge/strength-level.ts';
import { strengthWords } from '../../engine/render/trust-words.ts';
import type { Costs } from '../../engine/picture/costs.ts';
import { pictureOf, type Picture, type StandingService } from '../../engine/picture/picture.ts';
import { descopedWords } from '../../engine/render/descoped-words.ts';
import { titleOf } from '../../engine/work/task.ts';
import type { StandingTask, TaskStatus } from '../../engine/picture/tasks.ts';
import type { StandingVerification } from '../../engine/picture/verifications.ts';
import { readWords } from '../../engine/render/said.ts';
import { healthWords, strategyWords } from '../../engine/render/process.ts';
import { hoursOf } from '../../engine/state/hours.ts';
import { actionWords } from '../../engine/state/rows.ts';
import { readyWords, startWords } from '../../engine/services/service-words.ts';
import { isExternal } from '../../engine/services/external.ts';
import type { Ref } from '../../engine/state/events.ts';
import type { ActionId } from '../../engine/state/rows.ts';
import type { OpenAction, State, Stop } from '../../engine/state/state.ts';
import type { FinishWay } from '../../engine/work/finished.ts';
import type { Point } from '../../engine/work/document-review.ts';
import type { HumanAction } from '../../engine/work/human-action.ts';
import { tokensOf } from '../../engine/work/spend.ts';
import { authorWords, type Settled } from '../../engine/work/tree.ts';
import { subjectWords, type Word } from '../../engine/work/word.ts';
import { isPersons, requirementsOf, type Run, type Verification } from '../../engine/work/verification.ts';
import { reportOf, type TestReport } from './test-report.ts';
import { costsView, costView, type CostsView, type CostView } from './costs.ts';
import { endWords } from './display-text.ts';
import { t, translated } from '../words.ts';

export interface SprintView {
  name: string;
  branch: string;
  /** Milliseconds from its opening until now, or until its last decision if it stopped. */
  elapsed: number;
  phase: string;
  /** Set when another process holds its lock, which the state does not show; `process` is null when unknown. */
  elsewhere: { process: number | null } | null;
  /** The open decision; `session` is its step, where an agent works on it. */
  current: { action: ActionId; target: string; why: string; behind: string[]; session: string | null } | null;
  decisions: number;
  /** The person asked for a pause: it begins after this step, or is there. */
  pauseAsked: boolean;
  /** Health of the process and the current strategy, in words. */
  process: { health: string; strategy: string };
  fuel: { left: number; size: number };
  spend: {
    usd: number;
    unpriced: number;
    budgetUsd: number;
    tokens: number;
    budgetTokens: number;
    calls: number;
    /** Hours that it ran, without those in which it waited for the person. */
    hours: number;
    maxHours: number;
  };
  ending: { stop: Stop; reasons: string[]; resumes: boolean } | null;
  /** What the person did with its branch by *Finish*. */
  finished: FinishWay | null;
  /** Human actions that are not resolved yet. */
  humanActions: HumanActionView[];
  /** Proven: in a clean checkout of the final tree. Verified: by a trusted verification that is green so far. */
  requirements: RequirementView[];
  /** What the person said in free text, the latest last. */
  words: WordView[];
  costs: CostsView;
  phases: { name: string; tasks: TaskView[] }[];
  categories: { name: string; verifications: VerificationView[] }[];
  changes: ChangeView[];
  services: ServiceView[];
}

export interface RequirementView {
  id: string;
  title: string;
  provenBy: string | null;
  verifiedBy: string | null;
  /** `descoped by you: …`; null while it is part of the sprint. */
  descoped: string | null;
}

export interface ServiceView {
  name: string;
  /** The last probe on this code; null when it was not probed yet. */
  up: boolean | null;
  /** Why it is down; empty when it is not. */
  why: string;
  start: string;
  ready: string;
  /** It runs on the person's machine, once for all. */
  isExternal: boolean;
  /** Ids of the verifications that require it. */
  verifications: string[];
}

export interface HumanActionView {
  id: string;
  kind: HumanAction['kind'];
  status: HumanAction['status'];
  answer: HumanAction['answer'];
  /** Number of answers that the person gave. */
  answers: number;
  action: string;
  instructions: string;
  paths: string[];
  /** Ids of the tasks that wait for it. */
  tasks: string;
  missing: string;
  /** What is open in the documents; empty for anything else. */
  points: Point[];
}

export interface WordView {
  id: string;
  words: string;
  /** `the whole sprint`, `task T1`. */
  about: string;
  /** Which sessions read it, in words. */
  read: string;
  isRead: boolean;
}

export interface TaskView {
  id: string;
  status: TaskStatus;
  title: string;
  description: string;
  value: string;
  acceptance: string;
  requirements: string[];
  dependencies: string[];
  /** The human action that it waits for. */
  waitsFor: string | null;
  setback: string | null;
  /** Why it is open again. */
  reopened: string | null;
  /** Why it was dropped. */
  dropped: string | null;
  attempts: number;
  /** Of its builders; null where none worked on it. */
  cost: CostView | null;
}

export interface VerificationView {
  id: string;
  title: string;
  kind: Verification['kind'];
  status: StandingVerification['status'];
  /** The broken verification of a lower tier that holds it back. */
  heldBackBy: string | null;
  /** `last green after change 2 (commit …)`. */
  lastGreen: string;
  requirements: string[];
  trusted: boolean;
  trustWhy: string;
  /** How many faults in the work it sees; null until that was measured. */
  strength: { level: StrengthLevel; words: string } | null;
  /** Green and trusted, or a criterion that was met: it counts towards delivery. */
  counted: boolean;
  runs: number;
  /** The person wrote it, by an edit that they adopted. */
  isOwn: boolean;
  /** The person may replace its script by an edit: it is a script that still runs, in an unfinished sprint. */
  mayEdit: boolean;
  /** An edit of its file that is not adopted or discarded yet. The hash of its text shows whether the person was asked. */
  edit: { text: Ref; kept: string; atWork: boolean } | null;
  /** Its script below `.loop`, as `host/renderings` writes it. */
  file: string;
  /** Hash of its text. */
  script: Ref;
  /** The run that its status comes from; null when none ran on the current code. */
  result: { n: number; report: TestReport } | null;
  last: { n: number; verdict: Run['verdict']; words: string; summary: string } | null;
  /** `waits for service api: its port is taken`; null when no service that it requires is down. */
  waits: string | null;
}

export interface ChangeView {
  code: number;
  commit: string;
  title: string;
  patch: Ref;
  files: { path: string; kind: Settled['files'][number]['kind'] }[];
}

/** @param now milliseconds since the epoch. */
export function sprintView(state: State, now: number): SprintView {
  const { opened, ledger, work, open, stopped } = state;
  const picture = pictureOf(state);
  return {
    name: opened.sprint,
    branch: opened.branch,
    elapsed: (stopped ? (ledger.decisions.at(-1)?.at ?? now) : now) - opened.at,
    phase: phaseOf(state),
    elsewhere: null,
    current: open && currentView(open),
    decisions: ledger.decisions.length,
    pauseAsked: ledger.pauseAsked,
    process: { health: healthWords(state), strategy: strategyWords(state) },
    fuel: picture.fuel,
    spend: {
      usd: ledger.spend.usd,
      unpriced: ledger.spend.unpriced ?? 0,
      budgetUsd: ledger.budget.usd,
      tokens: tokensOf(ledger.spend),
      budgetTokens: ledger.budget.tokens,
      calls: ledger.spend.calls,
      hours: hoursOf(ledger.ran),
      maxHours: ledger.budget.hours,
    },
    ending: stopped ? { ...stopped, resumes: picture.goesOn } : null,
    finished: ledger.finished?.how ?? null,
    humanActions: picture.humanActions.map(humanActionView),
    requirements: requirementViews(picture),
    words: ledger.words.map((word) => wordView(state, word)),
    costs: costsView(picture.costs),
    phases: groupBy(picture.tasks, ({ task }) => task.phase || t('Tasks')).map(([name, tasks]) => ({
      name,
      tasks: tasks.map((one) => taskView(one, picture.costs)),
    })),
    categories: groupBy(picture.verifications, ({ verification }) => verification.category).map(([name, verifications]) => ({
      name,
      verifications: verifications.map(verificationView),
    })),
    changes: work.tree.commits.map(changeView),
    services: picture.services.map(serviceView),
  };
}

/** Those that the person took out of the sprint stand last. */
function requirementViews({ state, requirements }: Picture): RequirementView[] {
  const inside = requirements.map(({ requirement: { id, title }, provenBy, verifiedBy }) => {
    return { id, title, provenBy: provenBy?.id ?? null, verifiedBy: verifiedBy?.id ?? null, descoped: null };
  });
  const outside = state.work.descoped.map((one) => {
    const { id, title } = one.requirement;
    return { id, title, provenBy: null, verifiedBy: null, descoped: descopedWords(one) };
  });
  return [...inside, ...outside];
}

function currentView({ id, decision, parts }: OpenAction): SprintView['current'] {
  const { action, target, why, behind } = decision;
  const isSession = [...parts.values()].some(({ begun }) => begun?.kind === 'ask');
  return { action, target, why, behind, session: isSession ? id : null };
}

function phaseOf({ open, stopped, work }: State): string {
  if (stopped) return t('Stopped');
  if (open) return translated(actionWords[open.decision.action]);
  return work.gates.includes('plan') ? t('Deciding what is next') : t('Qualifying the work');
}

function humanActionView({ humanAction, tasks }: Picture['humanActions'][number]): HumanActionView {
  const { id, kind, status, answer, answers, action, instructions, missing } = humanAction;
  const { paths } = humanAction.kind === 'deed' ? humanAction : { paths: [] };
  const points = humanAction.kind === 'choice' ? humanAction.points : [];
  const ids = tasks.map((task) => task.id).join(', ');
  return { id, kind, status, answer, answers, action, instructions, paths, tasks: ids, missing, points };
}

function wordView(state: State, word: Word): WordView {
  const { id, words, about, readIn } = word;
  return { id, words, about: subjectWords(about), read: readWords(state, word), isRead: readIn.length > 0 };
}

function taskView({ task, status, waitsFor, attempts }: StandingTask, costs: Costs): TaskView {
  const {
    id,
    description,
    value,
    acceptance,
    prdSection: requirements,
    dependencies,
    setback = null,
    reopened = null,
    dropped = null,
  } = task;
  const paid = costs.phases.flatMap(({ tasks }) => tasks).find(({ of }) => of.id === id);
  const cost = paid ? costView(titleOf(task), paid.spend) : null;
  const standing = { status, waitsFor: waitsFor?.action ?? null, attempts, cost };
  return { id, title: titleOf(task), description, value, acceptance, requirements, dependencies, setback, reopened, dropped, ...standing };
}

function verificationView(one: StandingVerification): VerificationView {
  const { verification, status, trust, strength, runs, current, edit, waits } = one;
  const last = runs.findLast((run) => run.where !== 'revert');
  const report = current && reportOf(status, current);
  return {
    id: verification.id,
    title: verification.title,
    kind: verification.kind,
    status,
    heldBackBy: one.barrier?.id ?? null,
    lastGreen: one.lastGreen,
    requirements: [...requirementsOf(verification)],
    trusted: trust.trusted,
    trustWhy: trust.why,
    strength: strength ? { level: strength.level, words: strengthWords(strength) } : null,
    counted: one.isCounted,
    runs: runs.length,
    isOwn: isPersons(verification),
    mayEdit: one.mayEdit,
    edit: edit ? { text: edit.text, kept: edit.kept, atWork: edit.atWork } : null,
    file: `verifications/${verification.id}.${verification.ext}`,
    script: verification.script,
    result: report ? { n: current.n, report } : null,
    waits: waits === '' ? null : waits,
    last: last ? { n: last.n, verdict: last.verdict, words: endWords(last), summary: last.summary } : null,
  };
}

function serviceView({ service, probe, dependants }: StandingService): ServiceView {
  const words = { start: startWords(service), ready: readyWords(service) };
  return {
    name: service.name,
    up: probe?.up ?? null,
    why: probe?.why ?? '',
    ...words,
    isExternal: isExternal(service),
    verifications: [...dependants],
  };
}

function changeView({ code, commit, author, patch, files }: Settled): ChangeView {
  return { code, commit, title: authorWords(author), patch, files: files.map(({ path, kind }) => ({ path, kind })) };
}

/** In order of first appearance. */
function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups];
}
