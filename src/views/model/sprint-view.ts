/**
 * What the trees, the status bar and the notifications show of a sprint: a pure rendering of its state (I1), as plain
 * JSON, since it is made in the worker and sent to the extension host.
 */
import { pictureOf, type Picture, type StandingService } from '../../engine/picture/picture.ts';
import type { StandingTask, TaskStatus } from '../../engine/picture/tasks.ts';
import type { StandingVerification } from '../../engine/picture/verifications.ts';
import { healthWords, strategyWords } from '../../engine/render/process.ts';
import { actionWords } from '../../engine/render/words.ts';
import { readyWords, startWords } from '../../engine/services/service-words.ts';
import type { ActionId, Ref } from '../../engine/state/events.ts';
import type { State, Stop } from '../../engine/state/state.ts';
import type { Finished } from '../../engine/work/finished.ts';
import type { HumanAction } from '../../engine/work/human-action.ts';
import { tokensOf } from '../../engine/work/spend.ts';
import { authorWords, type Settled } from '../../engine/work/tree.ts';
import { isPersons, requirementsOf, type Run, type Verification } from '../../engine/work/verification.ts';
import { reportOf, type TestReport } from './test-report.ts';
import { endWords } from './display-text.ts';

export interface SprintView {
  name: string;
  branch: string;
  /** Milliseconds since it was opened, until now or until it stopped. */
  elapsed: number;
  phase: string;
  /** Another process runs it, as far as its lock tells; no journal does. */
  elsewhere: { process: number | null } | null;
  /** The open decision. */
  current: { action: ActionId; target: string; why: string; behind: string[] } | null;
  decisions: number;
  /** Health of the process and the strategy in force, in words. */
  process: { health: string; strategy: string };
  fuel: { left: number; size: number };
  spend: { usd: number; budgetUsd: number; tokens: number; budgetTokens: number; calls: number };
  ending: { stop: Stop; reasons: string[]; resumes: boolean } | null;
  /** What the person did with its branch in the end. */
  finished: Finished['how'] | null;
  /** Human actions that are not resolved yet. */
  humanActions: HumanActionView[];
  /** Proven: in a clean checkout of the final tree. Verified: by a trusted check that is green so far. */
  requirements: { id: string; title: string; provenBy: string | null; verifiedBy: string | null }[];
  phases: { name: string; tasks: TaskView[] }[];
  categories: { name: string; verifications: VerificationView[] }[];
  changes: ChangeView[];
  services: ServiceView[];
}

export interface ServiceView {
  name: string;
  /** As it was seen on this code; null where it was not looked at yet. */
  up: boolean | null;
  /** Why it is down; empty where it is not. */
  why: string;
  start: string;
  ready: string;
  /** Ids of the verifications that require it. */
  verifications: string[];
}

export interface HumanActionView {
  id: string;
  kind: HumanAction['kind'];
  status: HumanAction['status'];
  answer: HumanAction['answer'];
  /** How often they gave one. */
  answers: number;
  action: string;
  instructions: string;
  paths: string[];
  command: string;
  /** Ids of the tasks that wait for it. */
  tasks: string;
  missing: string;
}

export interface TaskView {
  id: string;
  status: TaskStatus;
  description: string;
  value: string;
  acceptance: string;
  requirements: string[];
  dependencies: string[];
  /** The human action that it waits for. */
  waitsFor: string | null;
  setback: string | null;
  attempts: number;
}

export interface VerificationView {
  id: string;
  title: string;
  kind: Verification['kind'];
  status: StandingVerification['status'];
  /** The broken verification of a lower tier that keeps it from being run. */
  gatedBy: string | null;
  /** `last green after change 2 (commit …)`. */
  lastGreen: string;
  requirements: string[];
  trusted: boolean;
  trustWhy: string;
  /** Green and trusted, or a criterion that was met: it counts towards delivery. */
  counted: boolean;
  runs: number;
  /** The person wrote it. */
  isOwn: boolean;
  /** A script of Loop's that still runs in a sprint that goes on: the person may take its place with a text of theirs. */
  mayEdit: boolean;
  /** An edit of its file that waits for the person's word; by its text's address they are asked once. */
  edit: { text: Ref; kept: string; atWork: boolean } | null;
  /** Its script below `.loop`, as `host/renderings` writes it. */
  file: string;
  /** Address of its text. */
  script: Ref;
  /** The run that its status comes from, where that is one on the code as it is. */
  result: { n: number; report: TestReport } | null;
  last: { n: number; verdict: Run['verdict']; words: string; summary: string } | null;
  /** `waits for service api: its port is taken`; null where none is down. */
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
  const decision = open?.decision;
  return {
    name: opened.sprint,
    branch: opened.branch,
    elapsed: (stopped ? (ledger.decisions.at(-1)?.at ?? now) : now) - opened.at,
    phase: phaseOf(state),
    elsewhere: null,
    current: decision ? { action: decision.action, target: decision.target, why: decision.why, behind: decision.behind } : null,
    decisions: ledger.decisions.length,
    process: { health: healthWords(state), strategy: strategyWords(state) },
    fuel: picture.fuel,
    spend: {
      usd: ledger.spend.usd,
      budgetUsd: ledger.budget.usd,
      tokens: tokensOf(ledger.spend),
      budgetTokens: ledger.budget.tokens,
      calls: ledger.spend.calls,
    },
    ending: stopped ? { ...stopped, resumes: picture.goesOn } : null,
    finished: ledger.finished?.how ?? null,
    humanActions: picture.humanActions.map(humanActionView),
    requirements: picture.requirements.map(({ requirement: { id, title }, provenBy, verifiedBy }) => {
      return { id, title, provenBy: provenBy?.id ?? null, verifiedBy: verifiedBy?.id ?? null };
    }),
    phases: grouped(picture.tasks, ({ task }) => task.phase || 'Tasks').map(([name, tasks]) => ({ name, tasks: tasks.map(taskView) })),
    categories: grouped(picture.verifications, ({ verification }) => verification.category).map(([name, verifications]) => ({
      name,
      verifications: verifications.map(verificationView),
    })),
    changes: work.tree.commits.map(changeView),
    services: picture.services.map(serviceView),
  };
}

function phaseOf({ open, stopped, work }: State): string {
  if (stopped) return 'Stopped';
  if (open) return actionWords[open.decision.action];
  return work.gates.includes('plan') ? 'Deciding what is next' : 'Qualifying the work';
}

function humanActionView({ humanAction, tasks }: Picture['humanActions'][number]): HumanActionView {
  const { id, kind, status, answer, answers, action, instructions, missing } = humanAction;
  const { paths, command } = humanAction.kind === 'deed' ? humanAction : { paths: [], command: '' };
  const ids = tasks.map((task) => task.id).join(', ');
  return { id, kind, status, answer, answers, action, instructions, paths, command, tasks: ids, missing };
}

function taskView({ task, status, waitsFor, attempts }: StandingTask): TaskView {
  const { id, description, value, acceptance, prdSection: requirements, dependencies, setback = null } = task;
  return { id, status, description, value, acceptance, requirements, dependencies, waitsFor: waitsFor?.action ?? null, setback, attempts };
}

function verificationView(one: StandingVerification): VerificationView {
  const { verification, status, trust, runs, current, edit, waits } = one;
  const last = runs.findLast((run) => run.where !== 'revert');
  const report = current && reportOf(status, current);
  return {
    id: verification.id,
    title: verification.title,
    kind: verification.kind,
    status,
    gatedBy: one.gate?.id ?? null,
    lastGreen: one.lastGreen,
    requirements: [...requirementsOf(verification)],
    trusted: trust.trusted,
    trustWhy: trust.why,
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
  return { name: service.name, up: probe?.up ?? null, why: probe?.why ?? '', ...words, verifications: [...dependants] };
}

function changeView({ code, commit, author, patch, files }: Settled): ChangeView {
  return { code, commit, title: authorWords(author), patch, files: files.map(({ path, kind }) => ({ path, kind })) };
}

/** In order of first appearance. */
function grouped<T>(items: readonly T[], nameOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups];
}
