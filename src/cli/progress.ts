/**
 * A run as lines in a terminal: each decision with its reason and what is left, agents' words and calls, checks as they
 * come. Readable without colour and in a log file.
 */
import type { Event } from '../engine/state/events.ts';
import { left, tank } from '../engine/state/fuel.ts';
import type { Progress } from '../engine/ground/progress.ts';
import { counted } from '../engine/ground/text.ts';
import type { Fact } from '../engine/work/facts.ts';
import type { State } from '../engine/state/state.ts';
import { askWords } from '../engine/work/human-action.ts';
import { tokensOf } from '../engine/work/spend.ts';

type Print = (line: string) => void;

export interface ProgressLines {
  event(event: Event, state: State): void;
  progress(item: Progress): void;
}

export function progressLines(print: Print): ProgressLines {
  let said = '';
  const flush = (): void => {
    const line = said.trim();
    if (line !== '') print(`    ${line}`);
    said = '';
  };
  return {
    event(event, state) {
      flush();
      for (const line of linesOf(event, state)) print(line);
    },
    progress(item) {
      if (item.kind !== 'agent') {
        flush();
        print(`    ${describe(item)}`);
        return;
      }
      const parts = (said + item.text).split('\n');
      said = parts.pop() ?? '';
      for (const part of parts) if (part.trim() !== '') print(`    ${part.trim()}`);
    },
  };
}

function linesOf(event: Event, state: State): string[] {
  if (event.type === 'run.opened') return [`Sprint ${event.sprint} on branch ${event.branch}`];
  if (event.type === 'step.begun' && event.step.kind === 'resume') return [`Resuming on branch ${state.opened.branch}`];
  if (event.type === 'step.begun' && event.step.kind === 'action') {
    const { action, target, why } = event.step.decision;
    return ['', `${time(event.at)}  ${[action, target].filter(Boolean).join(' ')}: ${why}  [${remaining(state)}]`];
  }
  if (event.type === 'step.begun') return [];
  return event.facts.flatMap(factLine);
}

function factLine(known: Fact): string[] {
  switch (known.fact) {
    case 'gate.passed':
      return [`    passed: ${known.gate}`];
    case 'task.added':
      return [`    task ${known.task.id}: ${known.task.description}`];
    case 'verification.written':
      return [
        `    ${known.verification.kind === 'criterion' ? 'criterion' : 'verification'} ${known.verification.id}: ${known.verification.title}`,
      ];
    case 'verification.edited':
      return [`    verification ${known.id} was edited: kept as ${known.kept}, and not run until you adopt it`];
    case 'edit.refused':
      return [`    not adopted: ${known.why}`];
    case 'verification.adopted':
      return [`    verification ${known.verification.id} is yours now, and is proven anew: ${known.verification.title}`];
    case 'tree.settled':
      return [`    settled as ${known.settled.commit.slice(0, 10)} (${counted(known.settled.files.length, 'file')})`];
    case 'tree.undone':
      return [`    taken back: ${known.why}`];
    case 'verification.proven':
      return [`    proof of ${known.proof.lineage}: ${known.proof.why}`];
    case 'human-action.asked':
      return askWords(known.humanAction).map((line, index) => (index === 0 ? `    needs you: ${line}` : `    ${line}`));
    case 'needs.noted':
      return known.notes.map((note) => `    missing, and nothing waits for it: ${note}`);
    case 'human-action.verified':
      return [known.fulfilled ? '    done: what was asked of you is there' : `    still missing: ${known.missing}`];
    case 'human-action.skipped':
      return [`    skipped: what waited for ${known.id} is dropped`];
    case 'human-action.not-needed':
      return [`    not asked of you any more: ${known.why}`];
    default:
      return [];
  }
}

function describe(item: Exclude<Progress, { kind: 'agent' }>): string {
  switch (item.kind) {
    case 'tool':
      return `> ${item.name} ${item.input}`;
    case 'verification':
      return `${item.verdict.padEnd(5)} ${item.id} (${(item.duration / 1000).toFixed(1)} s)`;
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
