/** What a builder has of the last attempt at its task. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bringBack, setbackText } from '../../src/engine/actions/last-attempt.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { world } from '../support/fakes.ts';
import type { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

/** An attempt at T1 in which `broke` turned red; the change added half.sh. */
async function attempted(broke: readonly string[], then: (story: Story, facts: Fact[]) => Story = (story) => story) {
  const w = world({ files: { 'total.sh': 'echo 1' } });
  w.repo.files['half.sh'] = 'echo half';
  const patch = await w.payloads.put((await w.repo.changes()).patch);
  await w.repo.undo();
  const story = p.built();
  const change = p.change({ patch, step: story.state.work.tree.change?.step ?? '' });
  const red = { ...p.run({ n: 2, code: null, verdict: 'red' }), summary: 'wrong total', excerpt: 'wrong total: expected 3, got 4' };
  const facts: Fact[] = [
    ...broke.map((): Fact => ({ fact: 'verification.ran', run: red })),
    { fact: 'tree.undone', change, why: 'T1 broke value/total', broke: [...broke] },
    { fact: 'task.returned', id: 'T1', why: 'T1 broke value/total' },
  ];
  story.begin('settle', '1').end(...facts);
  const { context } = play(await staged(w, then(story, facts).begin('execute', 'T1')));
  return { w, context, task: context.state.work.tasks['T1'] ?? p.task() };
}

describe('an attempt that was not kept', () => {
  it('is told with what it broke, what that showed, and its diff', async () => {
    const { context, task } = await attempted(['value/total']);
    const told =
      /^The last attempt was not kept: T1 broke value\/total\.\n\nvalue\/total: .* \(proves 1\)\n\n```\nwrong total: expected 3, got 4\n```/;
    assert.match(await setbackText(task, false, context), told);
    assert.match(await setbackText(task, false, context), /Its diff, which was taken back:\n\nhalf\.sh: echo half$/);
    assert.match(await setbackText(task, true, context), /Its change is in the tree again: .*\n\nhalf\.sh: echo half$/);
  });

  it('is in the tree again where it broke something, so that it is mended', async () => {
    const { w, context, task } = await attempted(['value/total']);
    assert.equal(await bringBack(task, context), true);
    assert.equal(w.repo.files['half.sh'], 'echo half');
  });

  it('is not there again where it broke nothing, did so twice, or something was committed since', async () => {
    const commit: Fact = { fact: 'tree.settled', settled: p.settled({ step: 's999' }) };
    for (const { w, context, task } of [
      await attempted([]),
      await attempted(['value/total'], (story, facts) => story.act('settle', ...facts)),
      await attempted(['value/total'], (story) => story.act('settle', commit)),
    ]) {
      assert.equal(await bringBack(task, context), false);
      assert.equal(w.repo.files['half.sh'], undefined);
    }
  });
});
