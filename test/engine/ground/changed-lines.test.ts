import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as fc from 'fast-check';
import { changedLines } from '../../../src/engine/ground/changed-lines.ts';

describe('changedLines', () => {
  const cases: { what: string; before: string; after: string; lines: string[] }[] = [
    { what: 'kept, removed and added lines', before: 'a\nb\nc', after: 'a\nx\nc\nd', lines: [' a', '-b', '+x', ' c', '+d'] },
    { what: 'equal texts without a change', before: 'a\nb', after: 'a\nb', lines: [' a', ' b'] },
    { what: 'a newline added at the end', before: 'a', after: 'a\n', lines: [' a', '+'] },
    { what: 'a moved line with the fewest changes', before: 'a\nb\nc', after: 'b\nc\na', lines: ['-a', ' b', ' c', '+a'] },
  ];
  for (const { what, before, after, lines } of cases) it(`shows ${what}`, () => assert.deepEqual(changedLines(before, after), lines));

  const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.join('\n'));
  it('contains both texts completely and in order', () =>
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = changedLines(before, after);
        const side = (mark: string): string =>
          lines
            .filter((l) => l.startsWith(' ') || l.startsWith(mark))
            .map((l) => l.slice(1))
            .join('\n');
        assert.deepEqual([side('-'), side('+')], [before, after]);
      }),
    ));

  it('does not compare texts that are too long, and shows both completely', () => {
    const long = (word: string): string => Array.from({ length: 2100 }, (_, i) => `${word} ${i}`).join('\n');
    const lines = changedLines(long('a'), long('b'));
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [4200, '-a 0', '+b 2099']);
  });
});
