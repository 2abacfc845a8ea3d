/** What a builder is told of the last attempt at its task. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { setbackText } from '../../src/engine/actions/setback-text.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

describe('what is told of an attempt that was not kept', () => {
  it('names what it broke, what that showed, and its diff', async () => {
    const story = p.built();
    const w = world();
    const patch = await w.payloads.put('+ half of it');
    const change = p.change({ patch });
    const red = { ...p.run({ n: 2, code: null, verdict: 'red' }), summary: 'wrong total', excerpt: 'wrong total: expected 3, got 4' };
    const facts: Fact[] = [
      { fact: 'verification.ran', run: red },
      { fact: 'tree.undone', change, why: 'T1 broke value/total', broke: ['value/total'] },
      { fact: 'task.returned', id: 'T1', why: 'T1 broke value/total' },
    ];
    story.begin('settle', '1').end(...facts);
    const { context } = play(await staged(w, story));
    const text = await setbackText(context.state.work.tasks['T1'] ?? p.task(), context);
    assert.match(
      text,
      /^The last attempt was not kept: T1 broke value\/total\.\n\nvalue\/total: .* \(proves 1\)\n\n```\nwrong total: expected 3, got 4\n```/,
    );
    assert.match(text, /Its diff, which was taken back:\n\n\+ half of it$/);
  });
});
