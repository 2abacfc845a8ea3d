/** Benchmark: one decision, and the report, of a sprint in which each of many tasks was built and each verification ran after each. */
import { table } from '../../src/engine/actions/table.ts';
import { decide } from '../../src/engine/core/decide.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { refOf, Story } from '../engine/support/events.ts';
import * as p from '../engine/support/parts.ts';
import { bench, report } from './support/figures.ts';
import { coreTime, inTurns } from './support/in-turns.ts';

const few = 15;
const many = 150;
const roundCount = 9;
const goalMs = 500;
/** Ten times the tasks are a hundred times the runs. */
const goalGrowth = 100;

bench(async () => {
  for (const [name, act] of [
    ['decide', (state: State) => void decide(state, table)],
    ['report', (state: State) => void renderReport(state)],
  ] as const) {
    const [small, large] = await inTurns([sprintOf(few), sprintOf(many)], roundCount, (state) => coreTime(() => act(state)));
    report({ name: `${name}-${many}`, value: large, unit: 'ms', goal: goalMs }, { samples: roundCount });
    report({ name: `${name}-growth`, value: large / small, unit: 'ratio', goal: goalGrowth }, { from: few, to: many });
  }
});

/** Verification n is red until task n is built, and green from then on. */
function sprintOf(count: number): State {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const scripts = numbers.map((n) =>
    p.verification({ id: `value/v${n}`, lineage: `value/v${n}`, prd: [`${n + 1}`], script: refOf(`v${n}`) }),
  );
  const runsAt = (code: number): Fact[] =>
    scripts.map(({ id, lineage, script }, n) => {
      const verdict = n < code ? ('green' as const) : ('red' as const);
      return {
        fact: 'verification.ran',
        run: p.run({ verification: id, lineage, script, n: code + 1, code, verdict, redSeen: n >= code }),
      };
    });
  const requirements = numbers.map((n) => ({
    id: `${n + 1}`,
    title: `Requirement ${n + 1}`,
    text: 'It holds.',
    line: n + 1,
    lastLine: n + 1,
  }));
  const story = new Story().act(
    'plan',
    { fact: 'requirements.read', requirements },
    p.context,
    ...(['inputs', 'discovery', 'plan', 'prepare'] as const).map((gate) => p.gate(gate)),
    ...numbers.map((n): Fact => ({ fact: 'task.added', task: p.task({ id: `T${n}`, prdSection: [`${n + 1}`], dependencies: [] }) })),
    ...scripts.map((verification): Fact => ({ fact: 'verification.written', verification })),
  );
  story.act('run-verifications', ...runsAt(0));
  for (const n of numbers) {
    const author = { kind: 'task' as const, task: `T${n}` };
    const files = [{ path: `f${n}.ts`, kind: 'added' as const }];
    story.act(
      'execute',
      { fact: 'task.reported', id: `T${n}`, report: p.report },
      { fact: 'tree.changed', change: p.change({ n: n + 1, author, files }) },
    );
    story.act(
      'settle',
      { fact: 'tree.settled', settled: p.settled({ code: n + 1, author, files, commit: refOf(`c${n}`).slice(0, 40) }) },
      ...runsAt(n + 1),
    );
  }
  return story.state;
}
