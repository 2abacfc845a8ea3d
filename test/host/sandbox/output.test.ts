/** Output above the cap loses its middle, never a part of a character. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { CappedOutput } from '../../../src/host/sandbox/output.ts';

const take = (chunks: Buffer[], cap: number) => {
  const output = new CappedOutput(cap);
  chunks.forEach((chunk) => output.add(chunk));
  return output.take();
};

describe('capped output', () => {
  it('keeps everything below the cap', () => {
    assert.deepEqual(take([Buffer.from('añ'), Buffer.from('b')], 10), { text: 'añb', dropped: 0 });
  });

  it('keeps whole lines of head and tail, and counts the rest', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join('');
    const { text, dropped } = take([Buffer.from(lines)], 40);
    assert.equal(text, `line 0\nline 1\n\n[loop: ${dropped} bytes left out]\nline 98\nline 99\n`);
    assert.equal(dropped, lines.length - 14 - 16);
  });

  it('never splits a character, and every byte is kept or counted', () => {
    const chunk = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => Buffer.from(text.replaceAll('\ufffd', '')));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), fc.integer({ min: 16, max: 80 }), (chunks, cap) => {
        const total = chunks.reduce((sum, part) => sum + part.length, 0);
        const { text, dropped } = take(chunks, cap);
        const kept = text.replace(dropped > 0 ? `\n[loop: ${dropped} bytes left out]\n` : '', '');
        assert.equal(Buffer.byteLength(kept) + dropped, total);
        assert.ok(!text.includes('\ufffd'));
        assert.ok(Buffer.byteLength(kept) <= Math.max(cap, 0));
      }),
    );
  });
});
