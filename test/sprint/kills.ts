/** Kills a sprint at one append, runs the same command again, and compares the result with an undisturbed run (I2). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { State } from '../../src/engine/state/state.ts';
import { readJournal } from '../../src/host/journal.ts';
import { fold } from '../../src/engine/core/fold.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { addCall, noSpend, tokensOf, type Spend } from '../../src/engine/work/spend.ts';
import { honest, type Session } from '../support/greeter.ts';
import { ground, ofPerson, type Ground } from '../support/sprint.ts';
import { fingerprint } from '../host/git/fingerprint.ts';
import { moments, type When } from './die-at.ts';

export interface Undisturbed {
  sessions: readonly Session[];
  /** The journal of the whole sprint. */
  events: readonly Event[];
  story: unknown;
}

export async function undisturbed(sessions: readonly Session[] = honest): Promise<Undisturbed> {
  const at = await ground(sessions);
  try {
    assert.equal(await child(at), 0);
    const { state, events } = await read(at);
    return { sessions, events, story: story(at, state) };
  } finally {
    await at.dispose();
  }
}

export interface Kill {
  /** Number of the event that is being appended. */
  n: number;
  when: When;
}

/**
 * Kills at these shares of a journal, each at a line of its own.
 * @param first which moment comes first
 */
export function killsAt(shares: readonly number[], lines: number, first: number): Kill[] {
  const numbers = [...new Set(shares.map((share) => 1 + Math.floor(share * lines)))];
  return numbers.map((n, i) => ({ n, when: moments[(first + i) % moments.length] ?? 'after' }));
}

/** A kill, and another one of what goes on from there, which writes nothing after the last line. */
export function twice({ n, when }: Kill, lines: number): Kill[] {
  const first = { n, when };
  return n === lines && when === 'after' ? [first] : [first, { n: n + 1, when }];
}

/**
 * @param kills one sprint is killed at each of these, and goes on from there; in the order of their lines
 * @throws AssertionError when anything differs but resumes and interrupted calls
 */
export async function killAndResume(kills: readonly Kill[], expected: Undisturbed): Promise<void> {
  const at = await ground(expected.sessions);
  try {
    const before = await fingerprint(at.repo);
    for (const { n, when } of kills) assert.equal(await child(at, n, when), 'SIGKILL', `${when} line ${n}`);
    assert.equal(await child(at), 0, 'the same command goes on and delivers');
    const { state, events } = await read(at);
    assert.deepEqual(story(at, state), expected.story);
    assertCharged(events, expected.events);
    assert.deepEqual(ofPerson(await fingerprint(at.repo)), ofPerson(before));
  } finally {
    await at.dispose();
  }
}

function child(at: Ground, n = 0, when: When = 'after'): Promise<number | string | null> {
  const args = [resolve('out/test/sprint/child.mjs'), at.sprintDir, at.repo, at.recording, String(n), when];
  return new Promise((done, fail) => {
    const env = { ...process.env, LOOP_STATE_HOME: `${at.folder}/state` };
    const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'pipe'] });
    let errors = '';
    running.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    running.once('error', fail).once('close', (code, signal) => {
      if (code !== 0 && signal === null) process.stderr.write(errors);
      done(signal ?? code);
    });
  });
}

/** Each try of a call is charged. What was replied costs the same, and more only where a session went on from an interrupted call. */
export function assertCharged(events: readonly Event[], whole: readonly Event[]): void {
  const tries = events.filter((event) => event.type === 'step.begun' && event.step.kind === 'ask');
  const charges = events.flatMap((event) => (event.type === 'step.ended' ? event.facts.filter(({ fact }) => fact === 'model.spent') : []));
  assert.equal(charges.length, tries.length, 'each try is charged once');
  const [spent, usual] = [spentOnReplies(events), spentOnReplies(whole)];
  const isInterrupted = events.some((event) => event.type === 'step.ended' && event.outcome === 'interrupted');
  if (!isInterrupted) return assert.deepEqual(spent, usual);
  for (const [role, least] of Object.entries(usual))
    assert.ok(tokensOf(spent[role] ?? noSpend()) >= tokensOf(least), `what a ${role} cost`);
}

function spentOnReplies(events: readonly Event[]): Record<string, Spend> {
  const all: Record<string, Spend> = {};
  for (const event of events)
    if (event.type === 'step.ended' && event.outcome === 'done')
      for (const fact of event.facts) if (fact.fact === 'model.spent') addCall((all[fact.role] ??= noSpend()), fact.usage, fact.usd);
  return all;
}

async function read(at: Ground): Promise<{ state: State; events: Event[] }> {
  const { events } = await readJournal(`${at.sprintDir}/.loop/journal.jsonl`);
  return { state: fold(events), events };
}

/**
 * What must be the same however often the sprint was killed: everything but times, ids, hashes of commits, resumes, costs, and
 * whether the person reported something as done or the engine noticed it first.
 */
function story(at: Ground, state: State): unknown {
  const { work, ledger, opened, stopped } = state;
  const tip = at.git('rev-parse', opened.branch).trim();
  const files = at
    .git('ls-tree', '-r', tip)
    .split('\n')
    .filter((line) => !line.includes('DELIVERY_REPORT.md'));
  const report = at.git('show', `${tip}:sprint/DELIVERY_REPORT.md`).replaceAll(opened.branch, 'BRANCH');
  const author = ({ author: by, files: changed }: { author: unknown; files: unknown }) => ({ by, changed });
  return {
    stopped,
    files,
    // What it cost is compared by its events.
    report: report.replaceAll(/`[0-9a-f]{10}`/g, 'COMMIT').replace(/^## Cost$[^]*?^(?=## )/m, ''),
    subjects: at.git('log', '--format=%s', `${opened.base.commit}..${tip}`).split('\n'),
    work: { ...work, tree: { code: work.tree.code, change: work.tree.change, commits: work.tree.commits.map(author) } },
    decisions: ledger.decisions.map(({ decision: { action, target, why, behind } }) => ({ action, target, why, behind })),
    burned: { ...ledger.burned, sprint: {}, wait: {}, turns: {}, calls: {}, effects: {} },
    sprintFuel: (ledger.burned.sprint[''] ?? 0) - ledger.resumes,
    milestones: ledger.milestones,
    runs: Object.values(ledger.runs)
      .flat()
      .map(({ verification, n, where, code, exit, verdict, kind, signature }) => ({
        verification,
        n,
        where,
        code,
        exit,
        verdict,
        kind,
        signature,
      })),
    fixes: Object.values(ledger.fixes)
      .flat()
      .map(({ fixApplied, reasoning, outcome, files: changed }) => ({ fixApplied, reasoning, outcome, changed })),
    undone: ledger.undone.map(({ why, broke }) => ({ why, broke })),
    humanActions: Object.values(ledger.humanActions).map((asked) => ({ ...asked, answer: null, answers: 0 })),
    assessments: { vrcs: ledger.assessments.vrcs, evaluations: ledger.assessments.evaluations },
  };
}
