/** Which changes count as a repetition, and of which fixes a repetition would fail again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changesThatFailed, isSameChange } from '../../../src/engine/diagnose/same-change.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const hunk = (at: string, line: string): string => `@@ ${at} @@ function total()\n a\n-b\n+${line}\n c\n`;
const patch = (name: string, objects: string, hunks: string): string =>
  `diff --git a/${name} b/${name}\nindex ${objects} 100644\n--- a/${name}\n+++ b/${name}\n${hunks}`;
const totalPatch = patch('total.sh', 'abc1234..def5678', hunk('-1,3 +1,3', 'x'));
const taxPatch = patch('tax.sh', 'abc1234..def5678', hunk('-1,3 +1,3', 'x'));

describe('the same change', () => {
  const cases: { what: string; a: string; b: string; same: boolean }[] = [
    { what: 'itself', a: totalPatch, b: totalPatch, same: true },
    {
      what: 'at another place of a longer file',
      a: totalPatch,
      b: patch('total.sh', '1111111..2222222', hunk('-40,3 +44,3', 'x')),
      same: true,
    },
    { what: 'with its files in another order', a: totalPatch + taxPatch, b: taxPatch + totalPatch, same: true },
    { what: 'another line', a: totalPatch, b: patch('total.sh', 'abc1234..def5678', hunk('-1,3 +1,3', 'y')), same: false },
    { what: 'another file', a: totalPatch, b: taxPatch, same: false },
    { what: 'with one more file', a: totalPatch, b: totalPatch + taxPatch, same: false },
    { what: 'next to other lines', a: totalPatch, b: totalPatch.replace('\n a\n', '\n z\n'), same: false },
    { what: 'with another indentation', a: totalPatch, b: totalPatch.replace('+x', '+  x'), same: false },
    {
      what: 'with an executable file',
      a: totalPatch,
      b: totalPatch.replace('index', 'old mode 100644\nnew mode 100755\nindex'),
      same: false,
    },
  ];
  for (const { what, a, b, same } of cases)
    it(`${same ? 'includes' : 'does not include'} ${what}`, () => {
      assert.equal(isSameChange(a, b), same);
      assert.equal(isSameChange(b, a), same);
    });
});

describe('a fix whose change failed', () => {
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
  const tax = (script: string) => p.verification({ id: 'value/tax', lineage: 'value/tax', script: refOf(script) });
  const red: Fact = {
    fact: 'verification.ran',
    run: p.run({ verification: 'value/tax', lineage: 'value/tax', script: refOf('tax'), code: null, verdict: 'red' }),
  };
  const brokeTax = (...since: Fact[]): Story => {
    const story = fixed().act('write-verifications', { fact: 'verification.written', verification: tax('tax') });
    return story.act('settle', red, { fact: 'tree.undone', change, why: 'x', broke: ['value/tax'] }).act('write-verifications', ...since);
  };
  const cases: { what: string; story: Story; failed: boolean }[] = [
    { what: 'one that broke a script', story: brokeTax(), failed: true },
    {
      what: 'one that broke a script which QC has written again',
      story: brokeTax({ fact: 'verification.written', verification: tax('other') }),
      failed: false,
    },
    {
      what: 'one that broke what is retired',
      story: brokeTax({ fact: 'verification.retired', id: 'value/tax', why: 'it was wrong' }),
      failed: false,
    },
    { what: 'one that broke something', story: undone(['value/tax']), failed: true },
    { what: 'one that was undone for another reason, because nothing judged it', story: undone([]), failed: false },
    { what: 'one that was kept and left its verification red', story: kept('red'), failed: true },
    { what: 'one that made it flaky', story: kept('flaky'), failed: true },
    { what: 'one that turned it green', story: kept('green'), failed: false },
    { what: 'one that is open', story: fixed(), failed: false },
  ];
  for (const { what, story, failed } of cases)
    it(`is ${failed ? '' : 'not '}${what}`, () => {
      assert.deepEqual(
        changesThatFailed(story.state, 'value/total').map((f) => f.step),
        failed ? [step] : [],
      );
      assert.deepEqual(changesThatFailed(story.state, 'value/tax'), []);
    });
});
