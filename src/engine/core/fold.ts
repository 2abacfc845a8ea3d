/**
 * The state is a pure fold of the journal (I1, I3). `advance` changes the state that it gets: it replaces `work` and never
 * mutates it, so that an undo is one assignment; it updates the ledger, which only grows, in place.
 */
import type { Config } from '../ground/config.ts';
import { ending } from '../judge/ending.ts';
import { pipelineEnding } from '../judge/pipeline.ts';
import { Bug } from '../ground/errors.ts';
import type { Event, EventOf } from '../state/events.ts';
import { burn } from '../state/fuel.ts';
import { countTime } from '../state/hours.ts';
import { emptyLedger, enter, type WorkFact } from '../state/ledger.ts';
import { isClosing } from '../state/rows.ts';
import type { Ending, Opened, State, Stop, Work } from '../state/state.ts';
import { amended } from '../work/amendment.ts';
import type { Fact, FactOf } from '../work/facts.ts';
import { resultOf, type Verification } from '../work/verification.ts';
import { droppedBy } from '../work/human-action.ts';
import { provenAfter, servedAfter } from '../work/revision.ts';
import { tokensOf } from '../work/spend.ts';
import { reduceTasks, settleTask } from '../work/task.ts';
import { markRead } from '../work/word.ts';

/** @throws Bug when the first event does not open a run. */
export function fold(events: Iterable<Event>): State {
  let state: State | undefined;
  for (const event of events) {
    if (!state) state = opened(event);
    else advance(state, event);
  }
  if (!state) throw new Bug('a journal without events has no state');
  return state;
}

export function opened(event: Event): State {
  if (event.type !== 'run.opened') throw new Bug(`a journal begins with run.opened, not ${event.type}`);
  const work = noWork();
  const { config } = event;
  const budget = { usd: config.budgetUsd, tokens: config.budgetTokens, hours: config.maxHours };
  const ledger = emptyLedger(event.sizes, budget, event.pipeline);
  ledger.ran.until = event.at;
  return { opened: event, config, work, restore: work, ledger, open: null, stopped: null, n: event.n };
}

export function advance(state: State, event: Exclude<Event, Opened>): void;
export function advance(state: State, event: Event): void;
export function advance(state: State, event: Event): void {
  state.n = event.n;
  countTime(state, event);
  switch (event.type) {
    case 'run.opened':
      throw new Bug('a run is opened once');
    case 'step.begun':
      return begin(state, event);
    case 'step.ended':
      return end(state, event);
    case 'person.said':
      return apply(state, event);
  }
}

/** Whether the same command resumes the sprint. If not, it is archived and a new one starts. */
export function goesOn({ stopped, ledger }: State): boolean {
  return !ledger.finished && (!stopped || isResumable(stopped.stop));
}

/** Whether a sprint that stopped like this can be resumed; all other stops are final. */
export function isResumable(stop: Stop): boolean {
  return stop === 'waiting' || stop === 'out-of-budget';
}

function begin(state: State, event: EventOf<'step.begun'>): void {
  const { step, burns } = event;
  burn(state.ledger, burns);
  if (step.kind === 'resume') {
    state.ledger.resumes += 1;
    state.ledger.pauseAsked = false;
    for (const humanAction of Object.values(state.ledger.humanActions)) humanAction.unattended = false;
    if (state.stopped && isResumable(state.stopped.stop)) state.stopped = null;
    return;
  }
  if (step.kind === 'action') {
    if (!state.work.tree.change) state.restore = state.work;
    state.open = { id: step.id, decision: step.decision, parts: new Map(), ran: state.ledger.ran.ms };
    state.ledger.decisions.push({ id: step.id, at: event.at, decision: step.decision, outcome: 'open' });
    return;
  }
  if (step.kind === 'ask' && step.words && state.open) markRead(state.ledger.words, step.words, state.open.id);
  state.open?.parts.set(step.id, { begun: step, ended: null });
}

function end(state: State, event: EventOf<'step.ended'>): void {
  apply(state, event);
  const { open } = state;
  if (!open) return;
  if (event.id !== open.id) {
    open.parts.set(event.id, { begun: open.parts.get(event.id)?.begun ?? null, ended: event });
    return;
  }
  const record = state.ledger.decisions.at(-1);
  const { spend, milestones } = state.ledger;
  if (record) Object.assign(record, { outcome: event.outcome, tokens: tokensOf(spend), milestones: milestones.length });
  state.open = null;
  if (isClosing(open.decision.action) && event.outcome === 'done') state.stopped = endingOf(state);
}

function endingOf(state: State): Ending {
  return state.opened.kind === 'sprint' ? ending(state) : pipelineEnding(state);
}

function apply(state: State, { facts, at }: EventOf<'step.ended' | 'person.said'>): void {
  for (const told of facts) {
    const fact = told.fact === 'verification.ran' ? { ...told, run: { ...told.run, at } } : told;
    enter(state.ledger, fact);
    if (fact.fact === 'access.granted') state.config = granted(state.config, fact);
    if (fact.fact === 'models.chosen') state.config = { ...state.config, models: fact.models };
    state.work = fact.fact === 'tree.undone' ? { ...state.restore, causes: null } : reduce(state.work, fact);
    if (fact.fact === 'human-action.skipped') state.work = descope(state, fact.id);
  }
}

/** Access only grows; to withdraw it, the person unsets the variable. */
function granted(config: Config, { environment, docker, allowedHosts = [] }: FactOf<'access.granted'>): Config {
  return {
    ...config,
    environment: [...new Set([...config.environment, ...environment])],
    docker: docker || config.docker,
    allowedHosts: [...new Set([...config.allowedHosts, ...allowedHosts])],
  };
}

/** By skipping an action the person consents to dropping the tasks that waited for it. */
function descope({ work, ledger }: State, humanActionId: string): Work {
  const humanAction = ledger.humanActions[humanActionId];
  const dropped = humanAction?.status === 'skipped' ? droppedBy(humanAction, work.tasks) : [];
  const why = 'the person skipped the action it waits for';
  const tasks = dropped.reduce((known, { id }) => reduceTasks(known, { fact: 'task.descoped', id, why }), work.tasks);
  return dropped.length === 0 ? work : { ...work, tasks };
}

function reduce(work: Work, fact: Fact): Work {
  switch (fact.fact) {
    case 'requirements.read':
      return { ...work, requirements: [...work.requirements, ...fact.requirements] };
    case 'requirement.descoped':
      return withoutRequirement(work, fact);
    case 'documents.taken':
      return revised(work, fact);
    case 'constraints.read':
      return { ...work, constraints: fact.constraints };
    case 'context.discovered':
      return { ...work, context: fact.context };
    case 'context.amended':
      return work.context ? { ...work, context: amended(work.context, fact) } : work;
    case 'services.read':
      return { ...work, services: fact.services };
    case 'gate.passed':
      return work.gates.includes(fact.gate) ? work : { ...work, gates: [...work.gates, fact.gate] };
    case 'task.added':
    case 'task.modified':
    case 'task.removed':
    case 'task.moved':
    case 'task.reported':
    case 'task.shown':
    case 'task.returned':
    case 'task.reopened':
    case 'task.descoped':
      return { ...work, tasks: reduceTasks(work.tasks, fact) };
    case 'verification.written':
    case 'verification.adopted':
      return {
        ...work,
        verifications: { ...work.verifications, [fact.verification.id]: fact.verification },
        results: validResults(work, fact.verification),
        retired: work.retired.filter((id) => id !== fact.verification.id),
      };
    case 'helper.written':
      return { ...work, helpers: { ...work.helpers, [fact.helper.name]: fact.helper } };
    case 'verification.deferred':
      return { ...work, deferred: [...new Set([...work.deferred, ...fact.requirements])] };
    case 'verification.retired':
      return { ...work, retired: [...work.retired, fact.id] };
    case 'verification.ran': {
      const result = resultOf(fact.run);
      return result ? { ...work, results: { ...work.results, [fact.run.verification]: result } } : work;
    }
    case 'causes.judged':
      return { ...work, causes: { code: fact.code, groups: fact.groups } };
    case 'tree.changed':
      return { ...work, tree: { ...work.tree, change: fact.change } };
    case 'tree.settled': {
      const { author } = fact.settled;
      const tasks = author.kind === 'task' ? settleTask(work.tasks, author.task) : work.tasks;
      return { ...work, tasks, tree: { code: fact.settled.code, change: null, commits: [...work.tree.commits, fact.settled] } };
    }
    default:
      fact.fact satisfies Exclude<Fact['fact'], WorkFact>;
      return work;
  }
}

function withoutRequirement(work: Work, { id, why, chosen }: FactOf<'requirement.descoped'>): Work {
  const requirement = work.requirements.find((one) => one.id === id);
  if (!requirement) return work;
  const requirements = work.requirements.filter((one) => one !== requirement);
  return { ...work, requirements, descoped: [...work.descoped, { requirement, why, chosen }] };
}

/** What served or proved a requirement goes on under its new id; what is said otherwise now is proven by nothing. */
function revised(work: Work, fact: FactOf<'documents.taken'>): Work {
  const { requirements, constraints, removed, reworded, renumbered } = fact;
  const left = work.descoped.filter(({ requirement: { id } }) => ![...removed, ...reworded].includes(id));
  const each = <T>(all: Readonly<Record<string, T>>, change: (one: T) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(all).map(([id, one]) => [id, change(one)]));
  return {
    ...work,
    requirements,
    constraints,
    descoped: left.map((one) => ({
      ...one,
      requirement: { ...one.requirement, id: renumbered[one.requirement.id] ?? one.requirement.id },
    })),
    context: work.context && {
      ...work.context,
      needs: work.context.needs.map((need) => ({ ...need, requirements: servedAfter(need.requirements, fact) })),
    },
    tasks: each(work.tasks, (task) => ({ ...task, prdSection: servedAfter(task.prdSection, fact) })),
    verifications: each(work.verifications, (one) => (one.kind === 'suite' ? one : { ...one, prd: provenAfter(one.prd, fact) })),
    deferred: servedAfter(work.deferred, fact),
  };
}

/** A result of the old script is no result of a new one. */
function validResults({ verifications, results }: Work, { id, script }: Verification): Work['results'] {
  if (!results[id] || verifications[id]?.script === script) return results;
  return Object.fromEntries(Object.entries(results).filter(([other]) => other !== id));
}

function noWork(): Work {
  return {
    requirements: [],
    descoped: [],
    constraints: [],
    context: null,
    services: [],
    gates: [],
    tasks: {},
    verifications: {},
    retired: [],
    helpers: {},
    deferred: [],
    results: {},
    causes: null,
    tree: { code: 0, change: null, commits: [] },
  };
}
