/**
 * Shows a running sprint as lines in a terminal: each decision with its reason and the remaining fuel, agents' texts and calls,
 * verifications as they end. Readable without colour and in a log file.
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
  if (event.type === 'run.opened') return [`Sprint ${event.sprint} on branch ${event.branch}`];
  if (event.type === 'step.begun' && event.step.kind === 'resume') return [`Resuming on branch ${state.opened.branch}`];
  if (event.type === 'step.begun' && event.step.kind === 'action') {
    const { action, target, why } = event.step.decision;
    return ['', `${time(event.at)}  ${[action, target].filter(Boolean).join(' ')}: ${why}  [${remaining(state)}]`];
  }
  if (event.type === 'step.begun') return [];
  return event.facts.flatMap((fact) => factLine(fact, state));
}

function factLine(fact: Fact, { opened }: State): string[] {
  switch (fact.fact) {
    case 'gate.passed':
      return [`    passed: ${fact.gate}`];
    case 'task.added':
      return [`    task ${fact.task.id}: ${fact.task.description}`];
    case 'verification.written':
      return [
        `    ${fact.verification.kind === 'criterion' ? 'criterion' : 'verification'} ${fact.verification.id}: ${fact.verification.title}`,
      ];
    case 'verification.edited':
      return [`    verification ${fact.id} was edited: kept as ${fact.kept}, and not run until you adopt it`];
    case 'edit.refused':
      return [`    not adopted: ${fact.why}`];
    case 'verification.adopted':
      return [`    verification ${fact.verification.id} is yours now, and is proven anew: ${fact.verification.title}`];
    case 'tree.settled':
      return [`    settled as ${fact.settled.commit.slice(0, 10)} (${counted(fact.settled.files.length, 'file')})`];
    case 'tree.undone':
      return [`    undone: ${fact.why}`];
    case 'verification.proven':
      return [`    proof of ${fact.proof.lineage}: ${fact.proof.why}`];
    case 'human-action.asked':
      return askWords(fact.humanAction, opened.worktree).map((line, index) => (index === 0 ? `    needs you: ${line}` : `    ${line}`));
    case 'environment.tried':
      return [`    the environment: ${fact.fine ? 'mended' : 'not mended'}, ${fact.why}`];
    case 'needs.noted':
      return fact.notes.map((note) => `    missing, and nothing waits for it: ${note}`);
    case 'human-action.verified':
      return [fact.fulfilled ? '    done: what was asked of you is there' : `    still missing: ${fact.missing}`];
    case 'human-action.skipped':
      return [`    skipped: what waited for ${fact.id} is dropped`];
    case 'human-action.not-needed':
      return [`    not asked of you any more: ${fact.why}`];
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
