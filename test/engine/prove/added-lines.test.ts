/** Which part of a line a patch changed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addedLines, isTouched, type Patch } from '../../../src/engine/prove/added-lines.ts';

const change = (was: string, now: string): string => `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-${was}\n+${now}\n`;

/** The characters of the last line that its change touches, one at a time. */
function touched(now: string, ...patches: Patch[]): string {
  const lines = addedLines(patches).get('a.js');
  return now
    .split('')
    .filter((_, from) => lines && isTouched(now, lines, { from, to: from + 1 }))
    .join('');
}

describe('an added line', () => {
  const rows: [what: string, was: string, now: string, part: string][] = [
    ['that is new', '', 'a > 1', 'a > 1'],
    ['of which more was changed than kept', 'return 1;', 'print(name, 2);', 'print(name, 2);'],
    ['with another operator', 'if (total > most) {', 'if (total >= most) {', '='],
    ['with one more item', "['fish', 'rice']", "['fish', 'rice', 'tea']", ", 'tea'"],
    ['with one item less, beside which it stands', 'f(1, 2, 3)', 'f(1, 3)', ' 3'],
  ];
  for (const [what, was, now, part] of rows) it(what, () => assert.equal(touched(now, change(was, now)), part));

  it('is the work’s as a whole where it replaces one of the work', () => {
    const [first, second] = ['total = a + b', 'total = a + b + c'];
    assert.equal(touched(second, change('', first), change(first, second)), second);
    assert.equal(touched(second, change('', first), { replacing: change(first, second) }), second);
  });

  it('is the work’s where it replaces one of the work that ends a file without a newline', () => {
    const [first, second] = ['total = a + b', 'total = a + b + c'];
    const replacing = change(first, second).replace(`-${first}\n`, `-${first}\n\\ No newline at end of file\n`);
    const lines = addedLines([change('', first), { replacing }]).get('a.js');
    assert.deepEqual([...(lines?.keys() ?? [])], [first, second]);
  });

  it('is changed wherever one of several patches changed it', () => {
    const now = 'total = a + b + c';
    assert.equal(touched(now, change('total = a + b', now), change('', now)), now);
  });

  it('is changed as a whole where so many others were changed with it that nobody could tell which one it replaced', () => {
    const lines = (count: number, sign: string): string => Array.from({ length: count }, (_, n) => `total = ${n} ${sign} b`).join('\n');
    const last = (count: number): string => {
      const [was, now] = [lines(count, '+'), lines(count, '-')];
      const patch = change(was.replaceAll('\n', '\n-'), now.replaceAll('\n', '\n+'));
      return touched(`total = ${count - 1} - b`, patch);
    };
    assert.equal(last(400), '-');
    assert.equal(last(500), 'total = 499 - b');
  });
});
