/** What a builder is told of the last attempt at its task. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { setbackText } from '../../src/engine/actions/told/last-attempt.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

describe('an attempt that was not kept', () => {
  it('is told with what it broke, what that showed, and its diff', async () => {
    const w = world();
    const change = p.change({ patch: await w.payloads.put('+ half of it') });
    const red = { ...p.run({ n: 2, code: null, verdict: 'red' }), summary: 'wrong total', excerpt: 'wrong total: expected 3, got 4' };
    const why = 'T1 broke value/total';
    const story = p
      .built()
      .begin('settle', '1')
      .end(
        { fact: 'verification.ran', run: red },
        { fact: 'tree.undone', change, why, broke: ['value/total'] },
        { fact: 'task.returned', id: 'T1', why },
        { fact: 'verification.ran', run: { ...red, n: 3, where: 'revert', excerpt: 'wrong total of a proof' } },
      );
    const { context } = play(await staged(w, story));
    const text = await setbackText(context.state.work.tasks['T1'] ?? p.task(), context);
    assert.match(
      text,
      /^The last attempt was not kept: T1 broke value\/total\.\n\nvalue\/total: .* \(proves 1\)\n\n```\nwrong total: expected 3, got 4\n```/,
    );
    assert.match(text, /Its diff, which was taken back:\n\n\+ half of it$/);
  });

  it('is not told any more where a later one was kept, and the documents ask for more since', async () => {
    const story = p.built();
    story.begin('settle', '1').end({ fact: 'tree.undone', change: p.change(), why: 'T1 broke it', broke: [] });
    story.act('settle', { fact: 'task.returned', id: 'T1', why: 'T1 broke it' });
    const kept = p.green(p.built(story)).act('wait', { fact: 'task.reopened', id: 'T1', why: 'the person changed what 1 asks for' });
    const { context } = play(await staged(world(), kept));
    const text = await setbackText(context.state.work.tasks['T1'] ?? p.task(), context);
    assert.match(text, /^It is open again: the person changed what 1 asks for\./);
  });
});
