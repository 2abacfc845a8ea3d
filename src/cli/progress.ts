/**
 * Shows a running sprint as lines in a terminal: each decision with its reason and the remaining fuel, agents' texts and calls,
 * verifications as they end. Readable without colour and in a log file.
 */
import type { Event } from '../engine/state/events.ts';
import { left, tank } from '../engine/state/fuel.ts';
import { faultsWords, type Progress } from '../engine/ground/progress.ts';
import type { Fact } from '../engine/work/facts.ts';
import type { State } from '../engine/state/state.ts';
import { decisionWords } from '../engine/render/explanation.ts';
import { newsOf } from '../engine/render/news.ts';
import { nounOf } from '../engine/render/words.ts';
import { askWords } from '../engine/work/human-action.ts';
import { tokensOf } from '../engine/work/spend.ts';

type Print = (line: string) => void;

export interface ProgressLines {
  event(event: Event, state: State): void;
  progress(item: Progress): void;
}

export function progressLines(print: Print): ProgressLines {
  let pending = '';
  const flush = (): void => {
    const line = pending.trim();
    if (line !== '') print(`    ${line}`);
    pending = '';
  };
  return {
    event(event, state) {
      flush();
      for (const line of linesOf(event, state)) print(line);
    },
    progress(item) {
      if (item.kind === 'verification-began') return;
      if (item.kind !== 'agent') {
        flush();
        print(`    ${describe(item)}`);
        return;
      }
      const parts = (pending + item.text).split('\n');
      pending = parts.pop() ?? '';
      for (const part of parts) if (part.trim() !== '') print(`    ${part.trim()}`);
    },
  };
}

function linesOf(event: Event, state: State): string[] {
  if (event.type === 'run.opened') return [`${nounOf(event)} ${event.sprint} on branch ${event.branch}`];
  if (event.type === 'step.begun' && event.step.kind === 'resume') return [`Resuming on branch ${state.opened.branch}`];
  if (event.type === 'step.begun' && event.step.kind === 'action') {
    const { decision } = event.step;
    return ['', `${time(event.at)}  ${decisionWords(decision)} (${decision.why})  [${remaining(state)}]`];
  }
  if (event.type === 'step.begun') return [];
  return event.facts.flatMap((fact) => factLines(fact, state));
}

function factLines(fact: Fact, { opened }: State): string[] {
  if (fact.fact !== 'human-action.asked') return newsOf(fact).map(({ words }) => `    ${words}`);
  const [first = '', ...more] = askWords(fact.humanAction, opened.worktree);
  // A choice stops the sprint, so its points are told at the end, or one at a time.
  return [`    needs you: ${first}`, ...(fact.humanAction.kind === 'choice' ? [] : more.map((line) => `    ${line}`))];
}

function describe(item: Exclude<Progress, { kind: 'agent' | 'verification-began' }>): string {
  switch (item.kind) {
    case 'tool':
      return `> ${item.name} ${item.input}`;
    case 'verification':
      return `${item.verdict.padEnd(5)} ${item.id} (${(item.duration / 1000).toFixed(1)} s)${item.isExpected ? ', as expected' : ''}`;
    case 'faults':
      return faultsWords(item);
    case 'retry':
      return `retry ${item.attempt} in ${Math.round(item.waitMs / 1000)} s: ${item.why}`;
    case 'note':
      return item.text;
  }
}

function remaining({ ledger }: State): string {
  const tokens = tokensOf(ledger.spend).toLocaleString('en-US');
  return `fuel ${left(ledger, tank('sprint'))} of ${ledger.sizes.sprint ?? 0}, ${tokens} tokens, $${ledger.spend.usd.toFixed(2)}`;
}

function time(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
