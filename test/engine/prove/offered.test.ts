/** What a patch of QC must be before it is tried at all: a change of code that the covering commits wrote (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classify, isBreakdown } from '../../../src/engine/diagnose/classify.ts';
import { isSameCode } from '../../../src/engine/prove/comments.ts';
import { mutated, offerProblem } from '../../../src/engine/prove/offered.ts';

const text = '# prices\nBEGIN { rate = 2 }\n{ print $1 * rate }\n';
const patch =
  '--- a/total.awk\n+++ b/total.awk\n@@ -1,2 +1,3 @@\n # prices\n-BEGIN { rate = 1 }\n+BEGIN { rate = 2 }\n+{ print $1 * rate }\n';
const about = { red: 'wrong total', commits: [`diff --git a/total.awk b/total.awk\n${patch}`] };
const of = (before: string, after: string, path = 'total.awk', now: string | undefined = text) =>
  offerProblem({ path, before, after }, now, about);

describe('a patch that QC offers', () => {
  it('may change what the covered work wrote, within a line or over lines', () => {
    assert.equal(of('$1 * rate', '$1 + rate'), undefined);
    assert.equal(of('rate = 2 }\n{ print $1', 'rate = 3 }\n{ print $2'), undefined);
    assert.equal(of('{ print $1 * rate }\n', ''), undefined);
  });

  const useless: [string, string | undefined, RegExp][] = [
    ['a file that is not there', offerProblem({ path: 'x', before: 'a', after: 'b' }, undefined, about), /there is no file x/],
    ['a text that is not there', of('rate = 7', 'x'), /occurs 0 times/],
    ['a text that stands twice', of('rate', 'x'), /occurs 2 times/],
    ['white space alone', of('$1 * rate', '$1  *  rate'), /nothing but comments and white space/],
    ['a comment alone', of('rate = 2 }', 'rate = 2 } # two'), /nothing but comments/],
    ['the RED text', of('print $1 * rate', 'print "wrong total"'), /RED text "wrong total" into the work/],
    ['lines that are only added', of('{ print', '{ next }\n{ print'), /only adds lines/],
    ['a line that was there before', of('# prices', 'x'), /"# prices" in total.awk was not written by the work/],
    ['one such line among others', of('prices\nBEGIN { rate = 2', 'x\nBEGIN { rate = 3'), /"# prices"/],
    ['a file that the work did not touch', of('rate = 2', 'rate = 3', 'other.awk'), /was not written by the work/],
    [
      'a line that also stands where the work did not write it',
      of('rate = 2 }\n#', 'rate = 3 }\n#', 'total.awk', `${text}BEGIN { rate = 2 }\n#\n`),
      /"BEGIN \{ rate = 2 \}"/,
    ],
  ];
  for (const [what, problem, why] of useless) it(`proves nothing by ${what}`, () => assert.match(problem ?? '', why));

  for (const path of ['test/total.js', 'src/total.test.js', 'total_test.go', 'test_total.py', 'spec/a.rb'])
    it(`proves nothing in ${path}`, () => assert.match(of('rate = 2', 'rate = 3', path) ?? '', /tests the work/));

  it('is put in as it is, dollars and all', () => {
    assert.equal(mutated('a b', { path: 'x', before: 'a', after: "$& $'" }), "$& $' b");
  });
});

describe('code and comments', () => {
  const same: [string, string, string][] = [
    ['a.c', 'int a; // one', 'int a; // two'],
    ['a.c', 'int a; /* one\ntwo */', 'int a;'],
    ['a.awk', 'BEGIN { }  # one', 'BEGIN { }'],
    ['a.sql', 'select 1 -- one', 'select 1'],
    ['a.lua', '-- one', ''],
    ['a.clj', '(f) ; one', '(f)'],
    ['a.css', 'a { } /* one */', 'a { }'],
    ['a.html', '<p>x</p><!-- one -->', '<p>x</p>'],
    ['bin/tool', 'x # one', 'x'],
    ['a.txt', 'a  b\n', 'a b'],
  ];
  for (const [path, one, other] of same)
    it(`${path}: ${JSON.stringify(one)} says no more than ${JSON.stringify(other)}`, () =>
      assert.equal(isSameCode(path, one, other), true));
  const different: [string, string, string][] = [
    ['a.c', '#define A 1', '#define A 2'],
    ['a.css', '#a { }', '#b { }'],
    ['a.html', '<a href="http://x">', '<a href="http://y">'],
    ['a.c', 's = "http://x";', 's = "http://y";'],
    ['a.txt', '# one', '# two'],
    ['a.awk', 'print "a#b"', 'print "a#c"'],
  ];
  for (const [path, one, other] of different)
    it(`${path}: ${JSON.stringify(one)} is not ${JSON.stringify(other)}`, () => assert.equal(isSameCode(path, one, other), false));
});

describe('a breakdown', () => {
  const outputs = [
    'wrong total: expected 5, got awk: line 2: syntax error at or near }',
    "wrong total: expected 5, got total.sh: line 3: syntax error near unexpected token `fi'",
    'total.c:3:5: error: expected expression',
    'wrong total: expected 5, got TypeError: x is not a function',
    'wrong total: expected 5, got Segmentation fault',
    'sh: 1: total: command not found',
  ];
  for (const output of outputs) it(`is ${output}`, () => assert.ok(isBreakdown(output)));
  it('is no wrong value', () => assert.equal(isBreakdown('wrong total: expected 5, got 6'), false));
  it('does not take the place of what a run is', () => {
    assert.equal(classify({ exit: 1, timedOut: false, output: 'expected 5, got TypeError: x' }), 'test_failure');
  });
});
