/** A flake is nobody's to mend: it gets one more look in a clean checkout, and is told of whatever comes of it (I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { final } from '../../src/engine/actions/final.ts';
import { actions } from '../../src/engine/actions/table.ts';
import { ending, finalOf } from '../../src/engine/judge/ending.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { world } from '../support/fakes.ts';
import { changed, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const due = ({ state }: Story): string[] => final.due(state).map((d) => d.target);

/** One clean run in which the check's runs end with these statuses. */
async function clean(story: Story, ...exits: number[]): Promise<Story> {
  const w = await staged(world(), story.begin('final', 'clean-run', ['final/clean-run']));
  w.runner.decide = () => {
    const exit = exits.shift() ?? 0;
    return { exit, output: exit === 0 ? 'right' : 'wrong total' };
  };
  return story.end(...(await final.run('clean-run', play(w).context)));
}
const settledFlaky = (): Story => {
  const flaky: Partial<Run> = { n: 4, code: 1, verdict: 'flaky' };
  return p.proven().act('settle', { fact: 'verification.ran', run: p.run(flaky) });
};
const judged = (story: Story): Story =>
  story.act('final', { fact: 'vrc.reported', vrc: p.vrc() }).act('final', { fact: 'evaluation.reported', evaluation: p.evaluation() });

describe('a flake', () => {
  it('in the clean run is looked at once more, and a green one counts', async () => {
    const story = await clean(p.proven(), 1, 0);
    assert.deepEqual(finalOf(story.state).clean, { green: [], red: [], flaky: ['value/total'], why: 'the first look at it' });
    assert.deepEqual(due(story), ['clean-run']);
    await clean(story, 0);
    assert.equal(story.state.ledger.assessments.cleanRuns[1]?.why, 'one more look, since value/total flaked');
    assert.deepEqual(due(story), ['evaluation']);
    judged(story);
    assert.deepEqual(ending(story.state), { stop: 'delivered', reasons: [] });
    const report = renderReport(story.state);
    assert.match(report, /- Clean checkout of the final tree: 1 green, 0 red, 0 flaky; one more look, since value\/total flaked\.\n/);
    assert.match(report, /- value\/total is flaky: it was red, then green on the same tree \(attempt 4\); green when it ran again\.\n/);
  });

  it('twice is no green, and there is no third look', async () => {
    const story = await clean(await clean(p.proven(), 1, 0), 1, 0);
    assert.deepEqual(due(story), []);
    const { stop, reasons } = ending(judged(story).state);
    assert.equal(stop, 'partial');
    assert.ok(reasons.includes('In a clean checkout these were flaky: value/total.'));
    assert.match(renderReport(story.state), /\(attempt 4, 5\)\.\n/);
  });

  it('beside a red one gets no second look: that would not help', async () => {
    const story = await clean(p.proven(), 1, 0);
    const state = changed(story.state, (s) => {
      const [verification, lineage] = ['value/other', 'value/other'];
      s.work.verifications[verification] = p.verification({ id: verification, lineage });
      s.work.results[verification] = { code: 1, verdict: 'green', signature: '', n: 1 };
      s.ledger.runs[lineage] = [p.run({ verification, lineage, where: 'clean', code: 1, verdict: 'red' })];
    });
    assert.ok(!final.due(state).some((d) => d.target === 'clean-run'));
    assert.ok(ending(state).reasons.includes('In a clean checkout these were flaky: value/total.'));
    const red = await clean(p.proven(), 1, 1);
    assert.deepEqual(finalOf(red.state).clean?.red, ['value/total']);
    assert.deepEqual(due(red), []);
  });

  it('is what was red in the clean run and green since on the same code: it gets one more look, and only one', async () => {
    const greenSince = (story: Story): Story =>
      story.act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 9, code: 1, verdict: 'green' }) });
    const story = greenSince(await clean(p.proven(), 1, 1));
    assert.deepEqual(due(story), ['clean-run']);
    assert.deepEqual(due(await clean(story, 0)), ['evaluation']);
    const why = 'one more look, since value/total was red in it, and is green since where nothing was changed';
    assert.equal(story.state.ledger.assessments.cleanRuns[1]?.why, why);
    assert.deepEqual(ending(judged(story).state), { stop: 'delivered', reasons: [] });
    const twice = greenSince(await clean(greenSince(await clean(p.proven(), 1, 1)), 1, 1));
    assert.ok(!due(twice).includes('clean-run'));
    assert.notEqual(ending(judged(twice).state).stop, 'delivered');
  });

  it('when a change was judged is looked at in the clean run', async () => {
    const story = settledFlaky();
    assert.deepEqual(due(story), ['clean-run']);
    assert.deepEqual(due(await clean(story, 0)), ['evaluation']);
    assert.deepEqual(ending(judged(story).state), { stop: 'delivered', reasons: [] });
    assert.match(renderReport(story.state), /value\/total is flaky: .* \(attempt 4\); green/);
  });

  it('is never a fixer’s, wherever it was seen', async () => {
    for (const { state } of [settledFlaky(), await clean(p.proven(), 1, 0), await clean(await clean(p.proven(), 1, 0), 1, 0)])
      assert.deepEqual(actions.fix.due(state), []);
  });
});
