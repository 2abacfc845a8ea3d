/** A mutant that QC offers is only run if it changes code that the covering commits wrote (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classify, isBreakdown } from '../../../src/engine/diagnose/classify.ts';
import { mutated } from '../../../src/engine/prove/offered.ts';
import { isSame, problemOfOffer } from '../../../src/engine/run/offered.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';

const text = '# prices\nBEGIN { rate = 2 }\n{ print $1 * rate }\n';
const commitPatch =
  '--- a/total.awk\n+++ b/total.awk\n@@ -1,2 +1,3 @@\n # prices\n-BEGIN { rate = 1 }\n+BEGIN { rate = 2 }\n+{ print $1 * rate }\n';
const target = { red: 'wrong total', commits: [`diff --git a/total.awk b/total.awk\n${commitPatch}`] };
const syntax = createSyntax();
const problemOf = (before: string, after: string, path = 'total.awk', now: string | undefined = text) =>
  problemOfOffer(syntax, { path, before, after }, now, target);

describe('a mutant that QC offers', () => {
  it('can change the covered work’s lines, within a line or over several', async () => {
    assert.equal(await problemOf('$1 * rate', '$1 + rate'), undefined);
    assert.equal(await problemOf('rate = 2 }\n{ print $1', 'rate = 3 }\n{ print $2'), undefined);
    assert.equal(await problemOf('{ print $1 * rate }\n', ''), undefined);
  });

  const refused: { what: string; problem: Promise<string | undefined>; why: RegExp }[] = [
    {
      what: 'a file that does not exist',
      problem: problemOfOffer(syntax, { path: 'x', before: 'a', after: 'b' }, undefined, target),
      why: /there is no file x/,
    },
    { what: 'a text that does not occur', problem: problemOf('rate = 7', 'x'), why: /occurs 0 times/ },
    { what: 'a text that occurs twice', problem: problemOf('rate', 'x'), why: /occurs 2 times/ },
    { what: 'a change of only white space', problem: problemOf('$1 * rate', '$1  *  rate'), why: /nothing but comments and white space/ },
    { what: 'a change of only a comment', problem: problemOf('rate = 2 }', 'rate = 2 } # two'), why: /nothing but comments/ },
    { what: 'the RED text', problem: problemOf('print $1 * rate', 'print "wrong total"'), why: /RED text "wrong total" into the work/ },
    { what: 'a change that only adds lines', problem: problemOf('{ print', '{ next }\n{ print'), why: /only adds lines/ },
    {
      what: 'a line that was there before',
      problem: problemOf('# prices', 'x'),
      why: /"# prices" in total.awk was not written by the work/,
    },
    {
      what: 'several lines of which one was there before',
      problem: problemOf('prices\nBEGIN { rate = 2', 'x\nBEGIN { rate = 3'),
      why: /"# prices"/,
    },
    {
      what: 'a file that the work did not touch',
      problem: problemOf('rate = 2', 'rate = 3', 'other.awk'),
      why: /was not written by the work/,
    },
    {
      what: 'a line that also occurs where the work did not write it',
      problem: problemOf('rate = 2 }\n#', 'rate = 3 }\n#', 'total.awk', `${text}BEGIN { rate = 2 }\n#\n`),
      why: /"BEGIN \{ rate = 2 \}"/,
    },
  ];
  for (const { what, problem, why } of refused) it(`is refused for ${what}`, async () => assert.match((await problem) ?? '', why));

  for (const path of ['test/total.js', 'src/total.test.js', 'total_test.go', 'test_total.py', 'spec/a.rb'])
    it(`is refused in ${path}`, async () => assert.match((await problemOf('rate = 2', 'rate = 3', path)) ?? '', /tests the work/));

  it('is inserted unchanged, also with dollar signs', () => {
    assert.equal(mutated('a b', { path: 'x', before: 'a', after: "$& $'" }), "$& $' b");
  });
});

describe('code and comments', () => {
  const same: [path: string, one: string, other: string][] = [
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
    ['a.rb', 'f # one', 'f'],
    ['a.php', '<?php f(); # one\n', '<?php f(); // two\n'],
    ['a.js', 'if (a) {\n  f();\n}', 'if (a) {  \n\n    f();\n}\n'],
    ['a.py', 'if a:\n    f()', '# one\n\nif a:  # two\n    # three\n    f()  \n'],
    ['a.awk', '{ print  $1 }', '{ print $1 }'],
  ];
  for (const [path, one, other] of same)
    it(`in ${path}: ${JSON.stringify(one)} is the same code as ${JSON.stringify(other)}`, async () =>
      assert.equal(await isSame(syntax, path, one, other), true));
  const different: [path: string, one: string, other: string][] = [
    ['a.c', '#define A 1', '#define A 2'],
    ['a.css', '#a { }', '#b { }'],
    ['a.html', '<a href="http://x">', '<a href="http://y">'],
    ['a.c', 's = "http://x";', 's = "http://y";'],
    ['a.txt', '# one', '# two'],
    ['a.py', 's = "a # b"', 's = "a # c"'],
    ['a.js', 's = " /* one */";', 's = " /* two */";'],
    ['a.sh', 'echo "a # b"', 'echo "a # c"'],
    ['a.py', 'if a:\n    f()\n    g()', 'if a:\n    f()\ng()'],
    ['bin/tool', 'if a:\n    f()\n    g()', 'if a:\n    f()\ng()'],
    ['a.yaml', 'a:\n  b:\n    c: 1', 'a:\n  b:\n  c: 1'],
    ['a.py', '", ".join(a)', '",".join(a)'],
    ['a.py', 'a = """b\n  c"""', 'a = """b  c"""'],
    ['a.js', "a.join(', ')", "a.join(',')"],
    ['a.js', 'a = `b\n  c`', 'a = `b\nc`'],
    ['a.sh', 'a=b', 'a= b'],
    ['a.awk', 'print "a#b"', 'print "a#c"'],
  ];
  for (const [path, one, other] of different)
    it(`in ${path}: ${JSON.stringify(one)} is different code from ${JSON.stringify(other)}`, async () =>
      assert.equal(await isSame(syntax, path, one, other), false));
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
  for (const output of outputs) it(`is found in "${output}"`, () => assert.ok(isBreakdown({ output: output })));
  it('is not found in a wrong value', () => assert.equal(isBreakdown({ output: 'wrong total: expected 5, got 6' }), false));
  it('does not change the kind of a failure', () => {
    assert.equal(classify({ exit: 1, timedOut: false, output: 'expected 5, got TypeError: x' }), 'test_failure');
  });
});
