import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as fc from 'fast-check';
import { changedLines } from '../../src/cli/changed-lines.ts';

describe('changedLines', () => {
  const cases: [string, string, string, string[]][] = [
    ['what stayed, went and came', 'a\nb\nc', 'a\nx\nc\nd', [' a', '-b', '+x', ' c', '+d']],
    ['nothing', 'a\nb', 'a\nb', [' a', ' b']],
    ['an end of line at the end', 'a', 'a\n', [' a', '+']],
    ['a move as little as can be', 'a\nb\nc', 'b\nc\na', ['-a', ' b', ' c', '+a']],
  ];
  for (const [what, before, after, lines] of cases) it(`shows ${what}`, () => assert.deepEqual(changedLines(before, after), lines));

  const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.join('\n'));
  it('holds both texts, whole and in order', () =>
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

  it('gives up on what is too long to compare, and shows both whole', () => {
    const long = (word: string): string => Array.from({ length: 2100 }, (_, i) => `${word} ${i}`).join('\n');
    const lines = changedLines(long('a'), long('b'));
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [4200, '-a 0', '+b 2099']);
  });
});
