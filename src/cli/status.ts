/** `loop status`: shows the state of a sprint, read from its journal without the lock. */
import { InputError } from '../engine/ground/errors.ts';
import { health } from '../engine/core/monitor.ts';
import { hoursOf, hoursWords } from '../engine/state/hours.ts';
import { actionWords } from '../engine/state/rows.ts';
import type { State } from '../engine/state/state.ts';
import { isPersons } from '../engine/work/verification.ts';
import { askWords } from '../engine/work/human-action.ts';
import type { ServiceProbe } from '../engine/work/service.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { strategyOf } from '../engine/work/strategy.ts';
import { readSprint } from '../host/sprint.ts';
import { behindWords, decisionWords } from '../engine/render/explanation.ts';
import type { Costs } from '../engine/picture/costs.ts';
import { pictureOf } from '../engine/picture/picture.ts';
import { titleOf } from '../engine/work/task.ts';
import type { TaskStatus } from '../engine/picture/tasks.ts';
import type { StandingVerification } from '../engine/picture/verifications.ts';
import { interruptedWords, taskWords } from '../engine/render/words.ts';
import { saidLines } from '../engine/render/said.ts';
import { standingWords } from '../engine/render/standing.ts';
import { withoutIn } from '../engine/render/descoped-words.ts';
import { healthWords, strategyWords } from '../engine/render/process.ts';
import type { Command } from './arguments.ts';
import { plain } from './plain.ts';
import { codeOfState } from './exit-codes.ts';

/** @returns the exit code for the sprint's state so far. */
export async function status({ sprintDir, json }: Extract<Command, { name: 'status' }>, out: (text: string) => void): Promise<number> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, `Start one with: loop run ${sprintDir}`);
  out(json ? `${JSON.stringify(summary(state), null, 2)}\n` : `${plain(describe(state).join('\n'))}\n`);
  return codeOfState(state);
}

function summary(state: State) {
  const { opened, stopped, open, ledger, work } = state;
  const picture = pictureOf(state);
  return {
    sprint: opened.sprint,
    branch: opened.branch,
    stopped,
    doing: open?.decision ?? null,
    lastDecision: ledger.decisions.at(-1)?.decision ?? null,
    code: work.tree.code,
    tasks: picture.tasks.map(({ task, status: is }) => ({ id: task.id, status: is, title: titleOf(task), description: task.description })),
    verifications: picture.live.map(({ verification: { id }, status: is, trust }) => ({ id, status: is, trust })),
    requirements: picture.requirements.map(({ requirement, provenBy }) => ({ ...requirement, provenBy: provenBy?.id ?? null })),
    descoped: work.descoped,
    services: picture.services.map(({ service: { name }, probe }) => ({ name, up: probe?.up ?? null, why: probe?.why ?? '' })),
    humanActions: Object.values(ledger.humanActions),
    words: ledger.words,
    process: health(state),
    strategy: strategyOf(ledger),
    fuelLeft: picture.fuel.left,
    spend: ledger.spend,
    costs: costsJson(picture.costs),
    budget: ledger.budget,
    hoursRan: hoursOf(ledger.ran),
  };
}

function costsJson({ steps, roles, phases }: Costs) {
  const tasks = phases.flatMap((phase) => phase.tasks.map(({ of, spend }) => ({ of: of.id, spend })));
  return { steps, roles, phases: phases.map(({ of, spend }) => ({ of, spend })), tasks };
}

function describe(state: State): string[] {
  const { opened, stopped, ledger, work } = state;
  const { tasks, live, services, humanActions, fuel } = pictureOf(state);
  const last = ledger.decisions.at(-1)?.decision;
  return [
    `Sprint ${opened.sprint} on ${opened.branch}: ${[standingOf(state), withoutIn(work.descoped)].filter(Boolean).join(', ')}`,
    ...(stopped?.reasons ?? []).map((r) => `  - ${r}`),
    ...(last
      ? [`Last decision: ${decisionWords(last)}, because ${last.why}`, `Behind it: ${last.behind.map(behindWords).join(', ') || 'nothing'}`]
      : []),
    `Process: ${healthWords(state)}`,
    `Strategy: ${strategyWords(state)}`,
    '',
    ...tasks.map(({ task, status: is }) => `${task.id}: ${wordsOf(is)}, ${titleOf(task)}`),
    '',
    ...live.map((standing) => `${standing.verification.id}: ${standingWords(standing)}, ${aboutVerification(standing)}`),
    '',
    ...services.map(({ service, probe }) => serviceLine(service.name, probe)),
    ...humanActions.flatMap(({ humanAction }) =>
      askWords(humanAction, opened.worktree).map((line, index) => (index === 0 ? `Needs you: ${line}` : line)),
    ),
    ...saidLines(state).map((line) => line.replace(/^- /, 'You said ')),
    `Fuel ${fuel.left} of ${fuel.size}; ${tokensOf(ledger.spend).toLocaleString('en-US')} tokens, $${ledger.spend.usd.toFixed(2)} of $${ledger.budget.usd.toFixed(2)}; ran for ${hoursWords(hoursOf(ledger.ran))} of ${hoursWords(ledger.budget.hours)}`,
  ];
}

/** Read without the lock, so it is not known whether a pause has begun. */
function standingOf({ stopped, open, ledger }: State): string {
  if (stopped) return stopped.stop;
  const pause = ledger.pauseAsked ? 'paused, or pausing after this step; ' : '';
  return `${pause}${open ? `now: ${actionWords[open.decision.action]}` : 'between two decisions'}`;
}

/** Read without the lock, so it is not known whether a process is at work on it. */
function wordsOf(is: TaskStatus): string {
  return is === 'active' ? `${taskWords.active}, or ${interruptedWords}` : taskWords[is];
}

function aboutVerification({ verification, trust, waits, edit }: StandingVerification): string {
  const earned = waits === '' ? (trust.trusted ? 'trusted' : 'not trusted') : waits;
  return `${earned}${isPersons(verification) ? ', yours' : ''}${edit ? ', edited: adopt or discard' : ''}`;
}

function serviceLine(name: string, probe: ServiceProbe | undefined): string {
  const words = !probe ? 'not started yet' : probe.up ? 'came up' : `down: ${probe.why}`;
  return `Service ${name}: ${words}`;
}
