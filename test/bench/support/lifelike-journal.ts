/**
 * Journals of any length, drawn from a seed, with the mix of events of a real sprint: sessions of model and tool calls, settled changes,
 * runs of verifications with excerpts. A sprint makes at most 500 decisions (I4), so 100,000 events mean long sessions: sixty turns
 * with five tool calls each.
 */
import { writeFile } from 'node:fs/promises';

import type { Draft, Event, Step } from '../../../src/engine/state/events.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { encodeLine } from '../../../src/host/journal-lines.ts';
import { openedEvent, refOf } from '../../engine/support/events.ts';
import { change, verification, report, run, settled, task } from '../../engine/support/parts.ts';
import { seeded } from '../../support/random.ts';
import { tank } from '../../../src/engine/state/fuel.ts';

const taskCount = 40;
const verificationCount = 60;
const turnCount = 60;
/** Tool calls of a turn that act on the world and so have a line for their intent as well. */
const actingCalls = 3;
/** Other tool calls of a turn. */
const readingCalls = 2;
/** Verifications that one change affects. */
const runCount = 12;
const maxExcerpt = 4000;
const startTime = 1_700_000_000_000;

type Random = () => number;

/** Writes a journal of `count` events, which depends only on the seed. */
export async function writeLifelikeJournal(path: string, count: number, seed: number): Promise<void> {
  await writeFile(path, Buffer.concat(lifelikeEvents(count, seed).map(encodeLine)));
}

/** The first `count` events of an endless sprint. */
export function lifelikeEvents(count: number, seed: number): Event[] {
  const events: Event[] = [openedEvent()];
  for (const draft of drafts(seeded(seed))) {
    if (events.length >= count) return events;
    const n = events.length + 1;
    events.push({ ...draft, n, owner: 1, at: startTime + n * 250 });
  }
  return events;
}

function* drafts(random: Random): Generator<Draft> {
  const ids = Array.from({ length: verificationCount }, (_, i) => `group/verification-${i}`);
  const added = Array.from({ length: taskCount }, (_, i): Fact => ({ fact: 'task.added', task: task({ id: `T${i}` }) }));
  const written = ids.map((id): Fact => ({ fact: 'verification.written', verification: verification({ id, lineage: id }) }));
  yield* action('plan', 0, [...added, ...written]);
  for (let code = 1; ; code += 1) {
    yield* session(code, random);
    yield* settling(code, random, ids);
  }
}

function* session(code: number, random: Random): Generator<Draft> {
  const id = `T${code % taskCount}`;
  const step = `execute-${code}`;
  yield begun(actionStep('execute', step, id));
  for (let turn = 1; turn <= turnCount; turn += 1) yield* turnOf(`${step}.${turn}`, turn, random);
  const treeChange = change({ n: code, author: { kind: 'task', task: id }, step });
  yield ended(step, [
    { fact: 'task.reported', id, report },
    { fact: 'tree.changed', change: treeChange },
  ]);
}

/** A model call, and its tool calls. */
function* turnOf(step: string, turn: number, random: Random): Generator<Draft> {
  const usage = { input: 4, output: drawBelow(random, 900), cacheRead: drawBelow(random, 60_000), cacheWrite: drawBelow(random, 3000) };
  const usd = usage.output / 100_000;
  yield begun({ id: step, kind: 'ask', request: refOf(step), role: 'builder', purpose: 'execute/T1', turn });
  yield ended(step, [{ fact: 'model.spent', role: 'builder', model: 'claude-sonnet-5-5', usage, usd }]);
  for (let call = 1; call <= actingCalls + readingCalls; call += 1) {
    const id = `${step}.c${call}`;
    if (call <= actingCalls) yield begun({ id, kind: 'call', tool: 'bash' });
    yield ended(id);
  }
}

function* settling(code: number, random: Random, ids: readonly string[]): Generator<Draft> {
  const id = `settle-${code}`;
  const effect = { name: 'commit', key: id, detail: `Task T${code % taskCount}` };
  const author = { kind: 'task', task: `T${code % taskCount}` } as const;
  yield begun(actionStep('settle', id, `code ${code}`));
  yield begun({ id: `${id}.e`, kind: 'effect', effect });
  yield ended(`${id}.e`);
  yield ended(id, [
    { fact: 'tree.settled', settled: settled({ code, author, step: id, commit: refOf(id).slice(0, 40) }) },
    ...runFacts(code, random, ids),
  ]);
  yield* action('run-verifications', code, runFacts(code, random, ids));
}

function runFacts(code: number, random: Random, ids: readonly string[]): Fact[] {
  return Array.from({ length: runCount }, () => runFact(code, random, ids));
}

function runFact(code: number, random: Random, ids: readonly string[]): Fact {
  const id = ids[drawBelow(random, ids.length)] ?? '';
  const excerpt = 'expected “23.50”, got 23.5\n\tat line 7\n'.repeat(1 + drawBelow(random, maxExcerpt / 40));
  const verdict = random() < 0.2 ? 'red' : 'green';
  return { fact: 'verification.ran', run: run({ verification: id, lineage: id, n: code, code, verdict, excerpt }) };
}

function* action(name: 'plan' | 'run-verifications', code: number, facts: Fact[]): Generator<Draft> {
  const id = `${name}-${code}`;
  yield begun(actionStep(name, id, `code ${code}`));
  yield ended(id, facts);
}

function actionStep(name: 'plan' | 'run-verifications' | 'execute' | 'settle', id: string, target: string): Step {
  const burns = [tank('sprint'), name === 'execute' ? tank('execute', target) : tank('limits')];
  return { id, kind: 'action', decision: { action: name, target, why: 'it is due', burns, behind: ['run-verifications', 'final'] } };
}

function begun(step: Step): Draft {
  return { type: 'step.begun', step, burns: step.kind === 'action' ? [tank('sprint')] : [tank('turns', step.id.split('/')[0])] };
}

function ended(id: string, facts: Fact[] = []): Draft {
  return { type: 'step.ended', id, outcome: 'done', result: refOf(id), facts };
}

function drawBelow(random: Random, below: number): number {
  return Math.floor(random() * below);
}
