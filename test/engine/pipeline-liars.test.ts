/** Pipelines with agents that lie, at random: each ends within its bound, and none as complete that is not. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AskReply } from '../../src/engine/ground/messages.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { PlanNode } from '../../src/engine/work/pipeline.ts';
import { calls, says, type World } from '../support/fakes.ts';
import { seeded } from '../support/random.ts';
import { begun, iterations, node, play, status, type Agent, type Asked } from './support/pipeline.ts';

/** `LOOP_PIPELINES=5000` plays more of them. */
const count = Number(process.env['LOOP_PIPELINES'] ?? 100);
const seed = Number(process.env['LOOP_SEED'] ?? Date.now() % 1_000_000);

describe(`pipelines with liars (seed ${seed})`, () => {
  it(`end within their bound, and none as complete that is not (${count} of them)`, async () => {
    const ends: Record<string, number> = {};
    for (let i = 0; i < count; i += 1) {
      const random = seeded(seed + i);
      const nodes = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => nodeAt(at, random));
      if (random() < 0.4) for (const one of nodes.slice(1)) Object.assign(one, { block: 'both', writes: [] });
      const w = begun(nodes, liar(random), { config: { budgetTokens: 100_000 } });
      const looks: Record<string, string> = {};
      const verified: Record<string, number> = {};
      w.runner.decide = (_files, { run, view }) => {
        if (view) {
          const exit = random() < 0.5 ? 0 : 1;
          verified[iterateOf(w)] = exit;
          return { exit };
        }
        const end = random() < 0.1 ? { exit: 1, output: '' } : { output: random() < 0.3 ? '' : 'left\n' };
        looks['command' in run ? run.command : ''] = 'exit' in end ? 'failed' : end.output;
        return end;
      };
      const state = await played(w, random);
      const stop = state.stopped?.stop ?? 'none';
      ends[stop] = (ends[stop] ?? 0) + 1;
      judge(state, { nodes, looks, verified, what: `seed ${seed + i}` });
      assert.equal(w.repo.files['README.md'], 'mine', 'what no stage may write');
    }
    assert.ok((ends['complete'] ?? 0) > 0 && (ends['waiting'] ?? 0) > 0, JSON.stringify(ends));
  });
});

/** A person who resumes a few times. */
async function played(w: World, random: () => number): Promise<State> {
  let state = await play(w);
  while (state.stopped?.stop === 'waiting' && random() < 0.7) state = await play(w);
  return state;
}

interface Truth {
  nodes: readonly PlanNode[];
  /** What each queue's command printed last. */
  looks: Record<string, string>;
  /** Exit status of each stop's verification, by the purpose of its session. */
  verified: Record<string, number>;
  what: string;
}

/** By another way than the engine's: from the list of iterations alone. */
function judge(state: State, { nodes, looks, verified, what }: Truth): void {
  const all = iterations(state);
  const most = nodes.reduce((sum, one) => sum + one.maxIterations, 0);
  assert.ok(all.length <= most, `${what}: ${all.length} iterations of ${most}`);
  for (const { id, maxIterations } of nodes) assert.ok(all.filter((one) => one.node === id).length <= maxIterations, what);
  const { input, output, cacheRead, cacheWrite } = state.ledger.spend;
  assert.ok(input + output + cacheRead + cacheWrite <= 100_000, `${what}: over the budget`);
  if (state.stopped?.stop !== 'complete') return;
  for (const { id, termination, maxIterations } of nodes) {
    const told = all.filter((one) => one.node === id).map((one) => one.status.decision);
    if (termination.type === 'fixed') assert.equal(told.filter((one) => one !== 'error').length, maxIterations, what);
    else if (termination.type === 'queue') assert.equal(looks[termination.command], '', what);
    else {
      assert.ok(told.filter((one) => one !== 'error').length >= termination.min_iterations, what);
      assert.deepEqual(
        told.slice(-termination.consensus),
        Array.from({ length: termination.consensus }, () => 'stop'),
        what,
      );
      if (termination.verify !== undefined)
        for (let n = told.length - termination.consensus + 1; n <= told.length; n += 1)
          assert.equal(verified[`iterate/${id}#${n}`], 0, `${what}: a stop of ${id} counted although its verification failed`);
    }
  }
}

/** The session that was asked last. */
function iterateOf(w: World): string {
  return w.model.asked.at(-1)?.purpose ?? '';
}

function nodeAt(at: number, random: () => number): PlanNode {
  const id = 'abc'[at] ?? '';
  const maxIterations = 2 + Math.floor(random() * 5);
  const kinds: PlanNode['termination'][] = [
    { type: 'judgment', min_iterations: 1 + Math.floor(random() * 2), consensus: 1 + Math.floor(random() * 2) },
    { type: 'judgment', min_iterations: 1, consensus: 1 + Math.floor(random() * 2), verify: `passes ${id}` },
    { type: 'queue', command: `left ${id}` },
    { type: 'fixed' },
  ];
  return node({ id, maxIterations, termination: pick(kinds, random), writes: random() < 0.5 ? ['src/**'] : [] });
}

function liar(random: () => number): Agent {
  return (asked) => pick(ways, random)(asked);
}

const forged = JSON.stringify({ decision: 'stop', reason: 'forged' });
const ways: ((asked: Asked) => AskReply)[] = [
  () => calls(status('stop')),
  () => calls(status('stop')),
  () => calls(status('continue')),
  () => says('All of it is done.'),
  () => calls(status('error')),
  () => calls(status('stop', { errors: ['but it broke'] })),
  () => calls(['report_status', { decision: 'complete' }]),
  ({ paths }) => calls(['write_file', { path: paths.status, content: '{"decision": "done"}' }]),
  ({ paths }) => calls(['write_file', { path: paths.status, content: '{"decision": "error", "reason": "it broke"}' }], status('stop')),
  ({ paths, n }) =>
    calls(['write_file', { path: paths.status.replace(/\d{3}/, String(n + 1).padStart(3, '0')), content: forged }], status('continue')),
  ({ paths }) =>
    calls(
      ['write_file', { path: paths.context, content: '{}' }],
      ['write_file', { path: paths.snapshot(1), content: 'mine' }],
      status('stop'),
    ),
  () => calls(['write_file', { path: 'README.md', content: 'theirs' }], status('stop')),
  () => calls(['write_file', { path: 'src/a', content: String(Math.PI) }], status('continue')),
];

function pick<T>(from: readonly T[], random: () => number): T {
  const one = from[Math.floor(random() * from.length)];
  assert.ok(one !== undefined);
  return one;
}
