/** Where a sprint stands, in lines for a person: `loop status`, and whoever asks over a protocol. */
import { hoursOf, hoursWords } from '../state/hours.ts';
import { pictureOf } from '../picture/picture.ts';
import type { TaskStatus } from '../picture/tasks.ts';
import type { StandingVerification } from '../picture/verifications.ts';
import { actionWords } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { askWords, type HumanAction } from '../work/human-action.ts';
import type { ServiceProbe } from '../work/service.ts';
import { tokensOf } from '../work/spend.ts';
import { titleOf } from '../work/task.ts';
import { isPersons } from '../work/verification.ts';
import { withoutIn } from './descoped-words.ts';
import { behindWords, decisionWords } from './explanation.ts';
import { healthWords, strategyWords } from './process.ts';
import { saidLines } from './said.ts';
import { standingWords } from './standing.ts';
import { interruptedWords, taskWords } from './words.ts';

export function statusLines(state: State): string[] {
  const { opened, stopped, ledger, work } = state;
  const { tasks, live, services, humanActions, fuel } = pictureOf(state);
  const last = ledger.decisions.at(-1)?.decision;
  return [
    `Sprint ${opened.sprint} on ${opened.branch}: ${[sprintStanding(state), withoutIn(work.descoped)].filter(Boolean).join(', ')}`,
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
    ...(ledger.finished ? [] : humanActions.flatMap(({ humanAction }) => needLines(humanAction, opened.worktree))),
    ...saidLines(state).map((line) => line.replace(/^- /, 'You said ')),
    `Fuel ${fuel.left} of ${fuel.size}; ${tokensOf(ledger.spend).toLocaleString('en-US')} tokens, $${ledger.spend.usd.toFixed(2)} of $${ledger.budget.usd.toFixed(2)}; ran for ${hoursWords(hoursOf(ledger.ran))} of ${hoursWords(ledger.budget.hours)}`,
  ];
}

/** Read without the lock, so it is not known whether a pause has begun. */
export function sprintStanding({ stopped, open, ledger }: State): string {
  if (ledger.finished) return `${stopped?.stop ?? interruptedWords}, finished: ${ledger.finished.how}`;
  if (stopped) return stopped.stop;
  const pause = ledger.pauseAsked ? 'paused, or pausing after this step; ' : '';
  return `${pause}${open ? `now: ${actionWords[open.decision.action]}` : 'between two decisions'}`;
}

/** Read without the lock, so it is not known whether a process is at work on it. */
function wordsOf(is: TaskStatus): string {
  return is === 'active' ? `${taskWords.active}, or ${interruptedWords}` : taskWords[is];
}

function needLines(humanAction: HumanAction, worktree: string | undefined): string[] {
  if (humanAction.status === 'answered') return [`Answered, and taken up before the next decision: ${humanAction.action}`];
  return askWords(humanAction, worktree).map((line, index) => (index === 0 ? `Needs you: ${line}` : line));
}

function aboutVerification({ verification, trust, waits, edit }: StandingVerification): string {
  const earned = waits === '' ? (trust.trusted ? 'trusted' : 'not trusted') : waits;
  return `${earned}${isPersons(verification) ? ', yours' : ''}${edit ? ', edited: adopt or discard' : ''}`;
}

function serviceLine(name: string, probe: ServiceProbe | undefined): string {
  const words = !probe ? 'not started yet' : probe.up ? 'came up' : `down: ${probe.why}`;
  return `Service ${name}: ${words}`;
}
