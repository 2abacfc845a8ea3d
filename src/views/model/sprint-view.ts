/**
 * What the trees, the status bar and the notifications show of a sprint: a pure rendering of its state (I1), as plain
 * JSON, since it is made in the worker and sent to the extension host.
 */
import { coverage, isCounted } from '../../engine/judge/ending.ts';
import type { ActionId, Ref } from '../../engine/state/events.ts';
import { goesOn } from '../../engine/core/fold.ts';
import { left } from '../../engine/state/fuel.ts';
import type { State, Stop, Work } from '../../engine/state/state.ts';
import { closedGates, gateOf } from '../../engine/judge/gates.ts';
import { editable, openEdit } from '../../engine/judge/edits.ts';
import { lastGreenWords } from '../../engine/judge/last-green.ts';
import type { Service } from '../../engine/work/service.ts';
import { readyWords, startWords } from '../../engine/services/words.ts';
import { dependants, downFor, probeOf, servicesOf, waitWords } from '../../engine/services/services.ts';
import { trustOf } from '../../engine/judge/trust.ts';
import { currentRunOf, statusOf, type CheckStatus } from '../../engine/judge/status.ts';
import type { Check, CheckRun } from '../../engine/work/check.ts';
import type { Finished } from '../../engine/work/finish.ts';
import { askedFor, isUnresolved, waitingFor, waitsFor, type Asked, type Pause } from '../../engine/work/pause.ts';
import { tokensOf } from '../../engine/work/spend.ts';
import type { Task } from '../../engine/work/task.ts';
import { authorWords, type Settled } from '../../engine/work/tree.ts';
import { reportOf, type TestReport } from './test-report.ts';
import { endWords } from './text.ts';
import { healthWords, strategyWords } from '../../engine/render/process.ts';
import { actionWords } from '../../engine/render/words.ts';
import type { TaskStatus } from './words.ts';

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
  pauses: PauseView[];
  /** Proven: in a clean checkout of the final tree. Verified: by a trusted check that is green so far. */
  requirements: { id: string; title: string; provenBy: string | null; verifiedBy: string | null }[];
  phases: { name: string; tasks: TaskView[] }[];
  categories: { name: string; checks: CheckView[] }[];
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
  checks: string[];
}

export interface PauseView {
  id: string;
  asks: Asked;
  status: Pause['status'];
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

export interface CheckView {
  id: string;
  title: string;
  kind: Check['kind'];
  status: CheckStatus;
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
  last: { n: number; verdict: CheckRun['verdict']; words: string; summary: string } | null;
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
    fuel: { left: left(ledger, 'sprint'), size: ledger.sizes['sprint'] ?? 0 },
    spend: {
      usd: ledger.spend.usd,
      budgetUsd: ledger.budget.usd,
      tokens: tokensOf(ledger.spend),
      budgetTokens: ledger.budget.tokens,
      calls: ledger.spend.calls,
    },
    ending: stopped ? { ...stopped, resumes: goesOn(state) } : null,
    finished: ledger.finished?.how ?? null,
    pauses: Object.values(ledger.pauses)
      .filter(isUnresolved)
      .map((pause) => pauseView(work, pause)),
    requirements: coverage(state).map(({ requirement: { id, title }, by }) => {
      const verified = Object.values(work.checks).find((c) => c.prd.includes(id) && isCounted(state, c));
      return { id, title, provenBy: by?.id ?? null, verifiedBy: verified?.id ?? null };
    }),
    phases: grouped(Object.values(work.tasks), (t) => t.phase || 'Tasks').map(([name, tasks]) => ({
      name,
      tasks: tasks.map((task) => taskView(state, task)),
    })),
    categories: grouped(Object.values(work.checks), (c) => c.category).map(([name, checks]) => ({
      name,
      checks: checks.map((check) => checkView(state, check)),
    })),
    changes: work.tree.commits.map(changeView),
    services: servicesOf(work).map((service) => serviceView(state, service)),
  };
}

function phaseOf({ open, stopped, work }: State): string {
  if (stopped) return 'Stopped';
  if (open) return actionWords[open.decision.action];
  return work.gates.includes('plan') ? 'Deciding what is next' : 'Qualifying the work';
}

function pauseView(work: Work, pause: Pause): PauseView {
  const { id, status, action, instructions, paths, command, missing } = pause;
  const tasks = waitingFor(pause, work.tasks).map((task) => task.id).join(', '); // prettier-ignore
  return { id, asks: askedFor(pause), status, action, instructions, paths, command, tasks, missing };
}

function taskView(state: State, task: Task): TaskView {
  const pause = waitsFor(state.ledger.pauses, task);
  return {
    id: task.id,
    status: taskStatus(state, task, pause),
    description: task.description,
    value: task.value,
    acceptance: task.acceptance,
    requirements: task.prdSection,
    dependencies: task.dependencies,
    waitsFor: pause?.action ?? null,
    setback: task.setback ?? null,
    attempts: state.ledger.burned[`execute/${task.id}`] ?? 0,
  };
}

function taskStatus({ open, work }: State, task: Task, pause: Pause | undefined): TaskStatus {
  if (task.status !== 'pending') return task.status;
  if (open?.decision.action === 'execute' && open.decision.target === task.id) return 'active';
  if (pause) return 'waiting';
  const met = task.dependencies.every((id) => work.tasks[id]?.status === 'done' || work.tasks[id]?.status === 'descoped');
  return met ? 'ready' : 'later';
}

function checkView(state: State, check: Check): CheckView {
  const trust = trustOf(state, check);
  const runs = state.ledger.runs[check.lineage] ?? [];
  const last = runs.findLast((run) => run.where !== 'revert');
  const status = statusOf(state, check);
  const waits = downFor(state, check);
  const edit = openEdit(state, check);
  const result = currentRunOf(state, check);
  const report = result && reportOf(status, result);
  return {
    id: check.id,
    title: check.title,
    kind: check.kind,
    status,
    gatedBy: (status === 'pending' && gateOf(check, closedGates(state))?.id) || null,
    lastGreen: lastGreenWords(state, check),
    requirements: check.prd,
    trusted: trust.trusted,
    trustWhy: trust.why,
    counted: isCounted(state, check),
    runs: runs.length,
    isOwn: check.by === 'person',
    mayEdit: goesOn(state) && !('problem' in editable(state.work, check.id)),
    edit: edit ? { text: edit.text, kept: edit.kept, atWork: edit.atWork === true } : null,
    file: `verifications/${check.id}.${check.ext}`,
    script: check.script,
    result: report ? { n: result.n, report } : null,
    waits: waits ? waitWords(waits) : null,
    last: last ? { n: last.n, verdict: last.verdict, words: endWords(last), summary: last.summary } : null,
  };
}

function serviceView(state: State, service: Service): ServiceView {
  const probe = probeOf(state, service.name);
  const words = { start: startWords(service), ready: readyWords(service) };
  const checks = dependants(state, service).map((c) => c.id);
  return { name: service.name, up: probe?.up ?? null, why: probe?.why ?? '', ...words, checks };
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
