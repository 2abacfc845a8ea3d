/** What the parts of a sprint cost: every way to divide it adds up to what was spent. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pictureOf } from '../../../src/engine/picture/picture.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { sumOf } from '../../../src/engine/work/spend.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { sprintNodes } from '../../../src/views/model/sprint-nodes.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { taskNodes } from '../../../src/views/model/task-nodes.ts';
import type { TreeNode } from '../../../src/views/model/tree-node.ts';
import type { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const spent = (role: string, usd: number | null, input = 1000): Fact => ({
  fact: 'model.spent',
  role,
  model: 'm',
  usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 },
  usd,
});

/** T1 is built in two sessions and T2 in one; a verification that is called as a task is mended in between. */
function paid(): Story {
  const story = p.planned().act('course-correct', { fact: 'task.added', task: p.task({ id: 'T2', phase: 'more' }) });
  story.begin('execute', 'T1').end(spent('builder', 0.25), spent('builder', 0.25));
  story.begin('fix', 'T1').end(spent('fixer', 1));
  story.begin('execute', 'T1').end(spent('builder', 0.5));
  story.begin('execute', 'T2').end(spent('builder', 0.125, 7));
  return story;
}

const linesOf = (nodes: readonly TreeNode[], depth = 0): string[] =>
  nodes.flatMap(({ label, description, children }) => [
    `${'  '.repeat(depth)}${label}${description === '' ? '' : ` | ${description}`}`,
    ...linesOf(children, depth + 1),
  ]);

describe('what a sprint cost', () => {
  it('is divided by kind of work and by role, the dearest first, and adds up to the whole', () => {
    const { state } = paid();
    const { steps, roles } = pictureOf(state).costs;
    assert.deepEqual(
      steps.map(({ of, spend: { usd, calls } }) => [of, usd, calls]),
      [
        ['execute', 1.125, 4],
        ['fix', 1, 1],
      ],
    );
    assert.deepEqual(
      roles.map(({ of, spend: { usd } }) => [of, usd]),
      [
        ['builder', 1.125],
        ['fixer', 1],
      ],
    );
    for (const parts of [steps, roles]) assert.deepEqual(sumOf(parts.map(({ spend }) => spend)), state.ledger.spend);
  });

  it('is divided by phase and task for what their builders did', () => {
    const { phases } = pictureOf(paid().state).costs;
    const tasks = phases.flatMap(({ tasks: inside }) => inside.map(({ of, spend: { usd } }) => [of.id, usd]));
    assert.deepEqual(tasks, [
      ['T1', 1],
      ['T2', 0.125],
    ]);
    for (const { spend, tasks: inside } of phases) assert.deepEqual(spend, sumOf(inside.map((one) => one.spend)));
  });

  it('counts tokens without a known price apart', () => {
    const { state } = p.planned().act('execute', spent('builder', null, 500), spent('builder', 0.5, 20));
    assert.deepEqual(
      pictureOf(state).costs.steps.map(({ spend: { usd, unpriced } }) => [usd, unpriced]),
      [[0.5, 500]],
    );
  });

  it('stands in the report', () => {
    const report = renderReport(paid().state);
    for (const line of [
      '- By kind of work:\n  - Building: 3,007 tokens, about $1.13\n  - Mending a failed verification: 1,000 tokens, about $1.00\n',
      '- By role:\n  - builder: 3,007 tokens, about $1.13\n  - fixer: 1,000 tokens, about $1.00\n',
    ])
      assert.ok(report.includes(line), report.slice(report.indexOf('## Cost')));
    assert.match(report, /^ {4}- T1 .+: 3,000 tokens, about \$1\.00$/m);
    assert.doesNotMatch(renderReport(p.planned().state), /By kind of work/);
  });

  it('stands in the trees: below the cost, and with its task', () => {
    const view = sprintView(paid().state, 0);
    const lines = linesOf(sprintNodes(view, false).filter(({ id }) => id === 'spend'));
    for (const line of [
      '  By Kind of Work',
      '    Building | $1.13, 3k tokens',
      '  By Role',
      '    Fixer | $1.00, 1k tokens',
      '  By Phase and Task',
    ])
      assert.ok(lines.includes(line), lines.join('\n'));
    assert.ok(
      lines.some((line) => /^ {6}T2 .+ \| \$0\.13, 7 tokens$/.test(line)),
      lines.join('\n'),
    );
    const ids = new Set<string>();
    const walk = (nodes: readonly TreeNode[]): void => {
      for (const { id, children } of nodes) {
        assert.ok(!ids.has(id), id);
        ids.add(id);
        walk(children);
      }
    };
    walk(sprintNodes(view, false));
    assert.ok(linesOf(taskNodes(view, false)).some((line) => line.trim() === 'Cost of its builders: $1.00, 3k tokens'));
  });
});
