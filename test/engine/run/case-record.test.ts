/** How cases appear in a run's record, its summary, its signature, its clue and in a prompt. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { caseWords, placeOfCases, renderCases, summaryOfCases } from '../../../src/engine/diagnose/cases.ts';
import { clueIn } from '../../../src/engine/diagnose/clues.ts';
import { casesOf, type Cases } from '../../../src/engine/diagnose/reports/read-cases.ts';
import { signature, summarize } from '../../../src/engine/diagnose/signature.ts';
import { triage } from '../../../src/engine/diagnose/triage.ts';
import { caseSummary, type TestCase } from '../../../src/engine/work/case.ts';
import { fact } from '../../../src/engine/work/facts.ts';
import { printed, printedRoot } from '../../support/frameworks.ts';
import { verification, ref, run } from '../../views/model/sample.ts';

const failed = (name: string, more: Partial<TestCase> = {}): TestCase => ({ name, verdict: 'failed', message: 'no', ...more });
const casesFrom = (cases: TestCase[], more: Partial<Cases> = {}): Cases => {
  const count = (verdict: string): number => cases.filter((testCase) => testCase.verdict === verdict).length;
  return {
    cases,
    total: cases.length,
    failed: count('failed'),
    skipped: count('skipped'),
    reported: count('failed') > 0,
    ...more,
  };
};
const red = (output: string) => ({ exit: 1, timedOut: false, output });
const passed: TestCase = { name: 'fine', verdict: 'passed' };

describe('the cases in the record of a run', () => {
  it('are the first failed ones, shortened, with counts and a reference to all', () => {
    const many = Array.from({ length: 30 }, (_, i) => failed(`case ${i}`, { message: 'x'.repeat(2000), diff: 'y'.repeat(2000) }));
    const summary = summaryOfCases(casesFrom([passed, ...many]), ref('a'));
    assert.deepEqual([summary.total, summary.failed, summary.shown.length, summary.ref], [31, 30, 20, ref('a')]);
    assert.deepEqual(summary.shown[0], { name: 'case 0', verdict: 'failed', message: `${'x'.repeat(299)}…`, diff: `${'y'.repeat(299)}…` });
    assert.deepEqual(caseSummary.parse(summary), summary);
    assert.ok(JSON.stringify(summary).length < 30_000);
  });

  it('can be absent in an older journal', () => {
    const read = fact.parse({ fact: 'verification.ran', run: run(1) });
    assert.ok(read.fact === 'verification.ran');
    assert.equal(read.run.cases, undefined);
  });
});

describe('a summary', () => {
  it('counts and names the failed cases, and describes the first with its place', () => {
    const output = printed('pytest');
    const cases = casesOf({ output, root: printedRoot }, true);
    assert.equal(
      summarize(red(output), 'test_failure', cases),
      `test failure, exit status 1
4 of 7 cases failed: test_total.py::test_book, test_total.py::test_adds, test_total.py::TestParse::test_words and 1 more
test_total.py:30: RuntimeError: no book`,
    );
  });

  it('says when the report claims success but the exit status does not', () => {
    const cases = casesOf({ output: '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>' }, true);
    assert.equal(cases && caseWords(cases), 'its report says that 2 of 2 cases passed or were skipped, and yet it failed');
    assert.match(summarize(red('threshold not met'), 'test_failure', cases), /exit status 1\nits report says that 2 of 2/);
  });

  it('ignores places that were only found in the text', () => {
    const cases = casesFrom([failed('a.c:1')], { reported: false });
    assert.equal(caseWords(cases), undefined);
  });
});

describe('a signature', () => {
  const sign = (...cases: TestCase[]): string => signature(red('whatever was printed'), 'test_failure', casesFrom(cases));
  const a = failed('a', { file: 'a.js', line: 3, duration: 5 });
  const b = failed('b', { message: 'in 12 ms at /tmp/xyz/a', expected: '1' });

  it('stays the same with another order, line or duration, and with more passed cases', () => {
    assert.equal(sign(a, b), sign(b, { ...a, line: 9, duration: 70 }, passed));
    assert.equal(sign(a, b), sign(a, { ...b, message: 'in 345 ms at /tmp/other/b' }));
  });

  it('differs for another case, message or value, and when a case no longer fails', () => {
    const all = [
      sign(a, b),
      sign(a),
      sign(b),
      sign(a, failed('c')),
      sign(failed('a', { message: 'else' }), b),
      sign(a, { ...b, expected: '2' }),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('uses the text when no framework reports the failed cases', () => {
    const places = casesFrom([failed('a.c:1')], { reported: false });
    assert.equal(signature(red('Error: x'), 'unknown', places), signature(red('Error: x'), 'unknown'));
  });

  it('is the same for the same tests with different reporters', () => {
    const of = (name: string): string => signature(red(''), 'test_failure', casesOf({ output: printed(name), root: printedRoot }, true));
    assert.equal(of('pytest'), of('pytest-xml'));
    assert.equal(of('pytest'), of('pytest-q'));
    assert.equal(of('go-v'), of('go-v'));
    assert.notEqual(of('mocha'), of('jest'));
  });
});

describe('a clue', () => {
  it('is the place of the first case, unless that is in the verification itself', () => {
    const place = { file: 'src/total.js', line: 2 };
    assert.equal(clueIn('at test.js:9:1', place)?.key, 'place src/total.js:2');
    assert.equal(clueIn('at test.js:9:1', { file: '/run/program/a.sh', line: 2 })?.key, 'place test.js:9');
    assert.equal(clueIn('connect ECONNREFUSED 127.0.0.1:80', place)?.key, 'service localhost:80');
    assert.deepEqual(placeOfCases(summaryOfCases(casesFrom([failed('a'), failed('b', place)]), ref('a'))), place);
  });

  it('groups verifications whose cases fail at one place', () => {
    const cases = summaryOfCases(casesFrom([failed('a', { file: 'src/total.js', line: 2 })]), ref('a'));
    const failing = (id: string) => ({
      verification: { ...verification, id, lineage: id },
      run: run(1, { excerpt: `at ${id}.js:1:1`, signature: id, cases }),
    });
    const groups = triage([failing('a/b'), failing('c/d')]);
    assert.deepEqual(
      groups.map(({ verifications, why }) => [verifications.length, why]),
      [[2, 'it fails at src/total.js:2']],
    );
  });
});

describe('a prompt', () => {
  it('shows names, places, messages and values of cases', () => {
    const cases = [
      failed('a', { file: 'a.js', line: 3 }),
      failed('b', { message: 'differs', expected: '{\n  a: 1\n}', actual: '2' }),
      failed('c'),
    ];
    assert.equal(
      renderCases(summaryOfCases(casesFrom(cases), ref('a')), 2),
      'Cases: 3 of 3 failed; the first 2:\n- a (a.js:3)\n    no\n- b\n    differs\n    expected: { a: 1 }\n    actual: 2',
    );
    assert.equal(renderCases(summaryOfCases(casesFrom([passed]), ref('a')), 2), '');
  });
});
