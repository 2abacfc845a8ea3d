/**
 * Benchmark: what measuring strength costs the engine itself, with 300 verifications of one work: patches, places, and strengths for
 * people. Runs of scripts take no time here.
 */
import { measure } from '../../src/engine/actions/measure.ts';
import { pictureOf } from '../../src/engine/picture/picture.ts';
import { addedLines } from '../../src/engine/prove/added-lines.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { FaultTrial, Script } from '../../src/engine/work/verification.ts';
import { adds } from '../engine/prove/support.ts';
import { refOf, tankOf } from '../engine/support/events.ts';
import * as p from '../engine/support/parts.ts';
import { play } from '../engine/support/play.ts';
import { seeded } from '../support/random.ts';
import { world } from '../support/fakes.ts';
import { bench, report, seedOf } from './support/figures.ts';
import { coreTime, inTurns } from './support/in-turns.ts';

const most = 300;
const roundCount = 5;
/** Lines of the work, of which each run reaches two in three. */
const lineCount = 100;
/** Ten times as much may take so many times as long: what no longer fits a processor's cache takes longer; a square would be 100. */
const goalGrowth = 30;

bench(async () => {
  const seed = seedOf();
  const growing = async (name: string, size: number, goal: number, begin: (size: number) => Promise<() => unknown>): Promise<void> => {
    const [small, large] = await inTurns([size / 10, size], roundCount, async (each) => coreTime(await begin(each)));
    report({ name: `${name}-${size}`, value: large, unit: 'ms', goal }, { samples: roundCount, seed });
    report({ name: `${name}-10x`, value: large / small, unit: 'ratio', goal: goalGrowth }, { ms: small });
  };
  await growing('changed-lines', 30_000, 500, async (lines) => {
    const patch = changing(lines);
    return () => addedLines([patch]);
  });
  await growing('measured', most, 5000, (count) => measuring(count, seeded(seed)));
  await growing('picture', most, 500, async (count) => {
    const state = strongState(count, seeded(seed));
    return () => pictureOf(state);
  });
});

/** A patch in which each of so many lines was changed a little, as when a file is laid out anew. */
function changing(lines: number): string {
  const all = (sign: string, name: string): string =>
    Array.from({ length: lines }, (_, n) => `${sign}    total = total + price[${n}] * ${name}[${n}];\n`).join('');
  return `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,${lines} +1,${lines} @@\n${all('-', 'count')}${all('+', 'counts')}`;
}

/** Functions of ten lines. */
function workOf(lines: number): string[] {
  return Array.from({ length: lines / 10 }, (_, n) => [
    `export function price${n}(cart, rate = ${n}) {`,
    `  if (cart.length === 0 || rate < ${n + 3}) return ${n};`,
    '  let total = 0;',
    '  for (let i = 0; i < cart.length; i += 1) {',
    '    const item = cart[i];',
    `    total += item.price * item.count - discount(item, rate);`,
    `  } // price ${n}`,
    `  note('price of ${n}', total);`,
    `  return total > ${n * 7} ? total : Math.round(total * rate);`,
    `} // end of ${n}`,
  ]).flat();
}

/** Each asks for a requirement of its own. */
function scripts(count: number): Script[] {
  const ids = Array.from({ length: count }, (_, i) => `value/c${i}`);
  return ids.map((id, i) => p.verification({ id, lineage: id, script: refOf(`script of ${id}`), prd: [`${i}`] }));
}

const requirements = (count: number): State['work']['requirements'] =>
  Array.from({ length: count }, (_, i) => ({ id: `${i}`, title: `Part ${i}`, text: `Part ${i}`, line: 3, lastLine: 3 }));

const byId = <T>(all: readonly Script[], of: (one: Script) => T): Record<string, T> =>
  Object.fromEntries(all.map((one) => [one.id, of(one)]));

/** The row, with a runner that is red with every fault. */
async function measuring(count: number, random: () => number): Promise<() => Promise<void>> {
  const w = world({ files: {} });
  const lines = workOf(lineCount);
  w.repo.files['work.js'] = `${lines.join('\n')}\n`;
  const patch = adds('work.js', lines);
  const all = scripts(count);
  const texts = ['# Vision', '## 1. Totals', 'script of value/total', patch, ...all.map(({ id }) => `script of ${id}`)];
  for (const text of texts) await w.payloads.put(text);
  w.runner.decide = (_, { reach }) => {
    if (reach !== true) return { exit: 1, output: 'wrong total' };
    return { reached: { 'work.js': lines.flatMap((_line, i) => (random() < 2 / 3 ? [i + 1] : [])) } };
  };
  w.journal.events.push(...p.green().events);
  const { kernel, context } = play(w);
  const commits = [p.settled({ patch: refOf(patch), files: [{ path: 'work.js', kind: 'added' }] })];
  const { work } = kernel.state;
  const tasks = { T1: { ...p.task(), status: 'done' as const, prdSection: all.flatMap(({ prd }) => prd) } };
  kernel.state.config = { ...kernel.state.config, evidence: 'fair' };
  kernel.state.work = {
    ...work,
    requirements: requirements(count),
    tasks,
    verifications: byId(all, (one) => one),
    tree: { ...work.tree, commits },
  };
  const burns = all.map(({ id, script }) => tankOf(`proof/${id}/${script.slice(0, 8)}/strength`));
  const decision = { action: 'measure' as const, target: '', why: '', burns, behind: [] };
  await kernel.append({ type: 'step.begun', step: { id: 's9', kind: 'action', decision }, burns });
  return async () => {
    const facts = await measure.run('', context);
    const found = facts.filter(({ fact }) => fact === 'verification.measured').length;
    if (found !== count) throw new Error(`${found} of ${count} were measured`);
  };
}

/** Each is green, trusted and measured; of its twelve faults no run gets to four. */
function strongState(count: number, random: () => number): State {
  const { state } = p.proven();
  const all = scripts(count);
  const trial = (line: number, outcome: FaultTrial['outcome']): FaultTrial => ({
    path: 'work.js',
    line,
    column: 2,
    operator: 'number changed',
    was: `${line}`,
    now: `${line + 1}`,
    outcome,
  });
  const proof = { code: 1, outcome: 'red' as const, why: 'it fails without the work' };
  return {
    ...state,
    config: { ...state.config, evidence: 'fair' },
    work: {
      ...state.work,
      requirements: requirements(count),
      tasks: { T1: { ...p.task(), status: 'done', prdSection: all.flatMap(({ prd }) => prd) } },
      verifications: byId(all, (one) => one),
      results: byId(all, () => ({ code: 1, verdict: 'green', signature: '', n: 2 })),
    },
    ledger: {
      ...state.ledger,
      runs: byId(all, ({ id, script }) => [p.run({ verification: id, lineage: id, script, n: 2, code: 1 })]),
      proofs: all.flatMap(({ lineage, script }) => (['control', 'revert'] as const).map((kind) => ({ lineage, script, kind, ...proof }))),
      measures: all.map(({ lineage, script }) => ({
        lineage,
        script,
        code: 1,
        trials: Array.from({ length: 12 }, (_, i) => trial(i < 8 ? i + 1 : 5000 + i, i < 8 ? 'seen' : 'unreached')),
        reached: { 'work.js': Array.from({ length: 1200 }, (_, i) => i + 1).filter((line) => line < 9 || random() < 2 / 3) },
        limits: [],
      })),
    },
  };
}
