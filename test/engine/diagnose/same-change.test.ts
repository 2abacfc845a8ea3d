/** What counts as the same change tried again, and of which fixes a repetition would fail (spec/3). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changesThatFailed, isSameChange } from '../../../src/engine/diagnose/same-change.ts';
import type { Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const hunk = (at: string, line: string): string => `@@ ${at} @@ function total()\n a\n-b\n+${line}\n c\n`;
const patch = (name: string, objects: string, hunks: string): string =>
  `diff --git a/${name} b/${name}\nindex ${objects} 100644\n--- a/${name}\n+++ b/${name}\n${hunks}`;
const one = patch('total.sh', 'abc1234..def5678', hunk('-1,3 +1,3', 'x'));
const two = patch('tax.sh', 'abc1234..def5678', hunk('-1,3 +1,3', 'x'));

describe('the same change', () => {
  const cases: [string, string, string, boolean][] = [
    ['itself', one, one, true],
    ['elsewhere in a file that has grown', one, patch('total.sh', '1111111..2222222', hunk('-40,3 +44,3', 'x')), true],
    ['its files in another order', one + two, two + one, true],
    ['another line', one, patch('total.sh', 'abc1234..def5678', hunk('-1,3 +1,3', 'y')), false],
    ['another file', one, two, false],
    ['one file more', one, one + two, false],
    ['beside other lines', one, one.replace('\n a\n', '\n z\n'), false],
    ['another indentation', one, one.replace('+x', '+  x'), false],
    ['executable now', one, one.replace('index', 'old mode 100644\nnew mode 100755\nindex'), false],
  ];
  for (const [what, a, b, same] of cases)
    it(`is ${same ? '' : 'not '}${what}`, () => {
      assert.equal(isSameChange(a, b), same);
      assert.equal(isSameChange(b, a), same);
    });
});

describe('a fix that may not be repeated', () => {
  const step = 's40';
  const change = p.change({ n: 2, author: p.byFix, step });
  const reported = {
    ...p.byFix,
    signature: 'x',
    fixApplied: 'x',
    filesChanged: [],
    reasoning: 'x',
    answer: { kind: 'fixed' as const },
  };
  const fixed = (): Story => p.proven().act('fix', { fact: 'fix.reported', step, report: reported }, { fact: 'tree.changed', change });
  const undone = (broke: string[]): Story => fixed().act('settle', { fact: 'tree.undone', change, why: 'x', broke });
  const kept = (verdict: 'green' | 'red' | 'flaky'): Story =>
    fixed().act(
      'settle',
      { fact: 'tree.settled', settled: p.settled({ code: 2, author: p.byFix, step }) },
      { fact: 'verification.ran', run: p.run({ n: 4, code: 2, verdict }) },
    );
  const cases: [string, Story, boolean][] = [
    ['one that broke something', undone(['value/tax']), true],
    ['one that was taken back for another reason: nothing judged it', undone([]), false],
    ['one that was kept and left its verification red', kept('red'), true],
    ['one that made it flaky', kept('flaky'), true],
    ['one that mended it', kept('green'), false],
    ['one that is open', fixed(), false],
  ];
  for (const [what, { state }, failed] of cases)
    it(`is ${failed ? '' : 'not '}${what}`, () => {
      assert.deepEqual(
        changesThatFailed(state, 'value/total').map((f) => f.step),
        failed ? [step] : [],
      );
      assert.deepEqual(changesThatFailed(state, 'value/tax'), []);
    });
});
