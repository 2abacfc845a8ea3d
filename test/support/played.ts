/** Plays a sprint to its end and gives access to its decisions, runs, records and prompts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredRequest } from '../../src/engine/agents/ask.ts';
import type { Decision, Event } from '../../src/engine/state/events.ts';
import type { Ending, State } from '../../src/engine/state/state.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import type { Session } from './greeter.ts';
import { ground, run, type Ground, type RunOptions } from './sprint.ts';

export interface Played {
  at: Ground;
  state: State;
  ending: Ending;
  events: Event[];
  asks: Asked[];
  /** The runs of a lineage. */
  runs(id: string): Run[];
  /** The decisions of one row, in order. */
  decisions(action: string): Decision[];
  /** The first prompt of each fixer for a verification, attempt by attempt. */
  told(id: string): string[];
  /** The text of a file below `.loop`. */
  kept(path: string): Promise<string>;
}

interface Asked {
  /** Row and target of the action that asked. */
  action: string;
  turn: number;
  /** The messages that this ask added to the conversation. */
  text: string;
}

export async function play(sessions: readonly Session[], options: RunOptions = {}): Promise<Played> {
  const at = await ground(sessions);
  const { state, ending, events } = await run(at, sessions, options);
  const asks = await readAsks(at, events);
  return {
    at,
    state,
    ending,
    events,
    asks,
    runs: (id) => state.ledger.runs[id] ?? [],
    decisions: (action) => state.ledger.decisions.map((d) => d.decision).filter((d) => d.action === action),
    told: (id) => asks.filter((a) => a.action === `fix ${id}` && a.turn === 1).map((a) => a.text),
    kept: (path) => readFile(join(at.sprintDir, '.loop', path), 'utf8'),
  };
}

async function readAsks({ sprintDir }: Ground, events: readonly Event[]): Promise<Asked[]> {
  const asks: Asked[] = [];
  let action = '';
  for (const event of events) {
    if (event.type !== 'step.begun') continue;
    const { step } = event;
    if (step.kind === 'action') action = `${step.decision.action} ${step.decision.target}`.trim();
    if (step.kind !== 'ask') continue;
    const stored = await readFile(join(sprintDir, '.loop', 'payloads', step.request.slice(0, 2), step.request), 'utf8');
    const { messages } = JSON.parse(stored) as StoredRequest;
    const text = messages.flatMap(({ content }) => content.map((block) => (block.type === 'text' ? block.text : ''))).join('\n');
    asks.push({ action, turn: step.turn, text });
  }
  return asks;
}

export const edit = (path: string, old_string: string, new_string: string) => ({ edit_file: { path, old_string, new_string } });

/** A fixer that makes these changes and reports a fix. */
export const fixer = (purpose: string, what: string, ...calls: Record<string, { path: string; content?: string }>[]): Session => ({
  role: 'fixer',
  purpose,
  turns: [
    {
      calls: [
        ...calls,
        {
          report_fix: {
            fix_applied: what,
            files_changed: calls.flatMap((call) => Object.values(call).map(({ path }) => path)),
            reasoning: `because ${what}`,
          },
        },
      ],
    },
  ],
});

/** A fixer that gives up. */
export const idle = (purpose: string): Session => ({ role: 'fixer', purpose, turns: [{ text: 'I cannot.', repeat: true }] });

export const bash = (id: string, prd: string, ...lines: string[]) => ({
  write_verification: { path: `${id}.sh`, content: ['#!/usr/bin/env bash', `# TEST: ${id}`, `# PRD: ${prd}`, ...lines].join('\n') },
});
