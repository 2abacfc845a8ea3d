import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { iterationText } from '../../../src/views/model/iteration-text.ts';
import { begun, node, play, silentAgent, status, type Agent } from '../../engine/support/pipeline.ts';
import { calls } from '../../support/fakes.ts';

const work = { items_completed: ['read the plan'], files_touched: ['docs/plan.md'] };
const agent: Agent = ({ paths }) =>
  calls(
    ['write_file', { path: paths.output, content: '# A plan\n\u001b[31mred\u001b[0m \u202e' }],
    status('continue', { reason: 'It lacks a step', summary: 'I wrote it.\nAll of it.', work, errors: ['step 2 is vague'] }),
  );

async function textOf(one: Agent, n = 1): Promise<string | undefined> {
  const world = begun([node({ id: 'plan', maxIterations: 1 })], one);
  const state = await play(world);
  return iterationText(state, 'plan', n, (ref) => world.ports.payloads.get(ref));
}

describe('an iteration as a document', () => {
  it('tells what it decided and why, what it did, and what it left, without what a terminal would interpret', async () => {
    const text = await textOf(agent);
    assert.equal(
      text,
      `# plan, iteration 1: continue

test, session session · decided by its tool · 0 ms

Why: It lacks a step.

## What happened

> I wrote it.
> All of it.

## Done

- read the plan

## Files

- docs/plan.md

## Errors

- step 2 is vague

## Output

# A plan
red
`,
    );
  });

  it('says that Loop decided where the agent told nothing, and that it left nothing', async () => {
    const text = await textOf(silentAgent);
    assert.match(text ?? '', /^# plan, iteration 1: error\n\n.* · decided by Loop · [^]*## Output\n\nIt left none\.\n$/);
  });

  it('is none where there is no such iteration', async () => assert.equal(await textOf(agent, 2), undefined));
});
