/** What a record, a summary, an identity, a clue and a prompt make of cases. */
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
const made = (cases: TestCase[], more: Partial<Cases> = {}): Cases => {
  const count = (verdict: string): number => cases.filter((one) => one.verdict === verdict).length;
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

describe('the record of a run', () => {
  it('holds the first that failed, shortened, and names all', () => {
    const many = Array.from({ length: 30 }, (_, i) => failed(`case ${i}`, { message: 'x'.repeat(2000), diff: 'y'.repeat(2000) }));
    const summary = summaryOfCases(made([passed, ...many]), ref('a'));
    assert.deepEqual([summary.total, summary.failed, summary.shown.length, summary.ref], [31, 30, 20, ref('a')]);
    assert.deepEqual(summary.shown[0], { name: 'case 0', verdict: 'failed', message: `${'x'.repeat(299)}…`, diff: `${'y'.repeat(299)}…` });
    assert.deepEqual(caseSummary.parse(summary), summary);
    assert.ok(JSON.stringify(summary).length < 30_000);
  });

  it('of an earlier journal has none', () => {
    const read = fact.parse({ fact: 'verification.ran', run: run(1) });
    assert.ok(read.fact === 'verification.ran');
    assert.equal(read.run.cases, undefined);
  });
});

describe('a summary', () => {
  it('counts and names cases, and tells the first with its place', () => {
    const output = printed('pytest');
    const cases = casesOf({ output, root: printedRoot }, true);
    assert.equal(
      summarize(red(output), 'test_failure', cases),
      `test failure, exit status 1
4 of 7 cases failed: test_total.py::test_book, test_total.py::test_adds, test_total.py::TestParse::test_words and 1 more
test_total.py:30: RuntimeError: no book`,
    );
  });

  it('says that a report claims success where the exit status does not', () => {
    const cases = casesOf({ output: '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>' }, true);
    assert.equal(cases && caseWords(cases), 'its report says that 2 of 2 cases passed or were skipped, and yet it failed');
    assert.match(summarize(red('threshold not met'), 'test_failure', cases), /exit status 1\nits report says that 2 of 2/);
  });

  it('says nothing of places that were only found in the text', () => {
    const cases = made([failed('a.c:1')], { reported: false });
    assert.equal(caseWords(cases), undefined);
  });
});

describe('an identity', () => {
  const sign = (...cases: TestCase[]): string => signature(red('whatever was printed'), 'test_failure', made(cases));
  const a = failed('a', { file: 'a.js', line: 3, duration: 5 });
  const b = failed('b', { message: 'in 12 ms at /tmp/xyz/a', expected: '1' });

  it('is the same in another order, at another line, after another time, with more that passes', () => {
    assert.equal(sign(a, b), sign(b, { ...a, line: 9, duration: 70 }, passed));
    assert.equal(sign(a, b), sign(a, { ...b, message: 'in 345 ms at /tmp/other/b' }));
  });

  it('is another for another case, message or value, and for one that no longer fails', () => {
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

  it('goes by the text where no framework names what failed', () => {
    const places = made([failed('a.c:1')], { reported: false });
    assert.equal(signature(red('Error: x'), 'unknown', places), signature(red('Error: x'), 'unknown'));
  });

  it('is the same for the same tests by whatever reporter with the same words', () => {
    const of = (name: string): string => signature(red(''), 'test_failure', casesOf({ output: printed(name), root: printedRoot }, true));
    assert.equal(of('pytest'), of('pytest-xml'));
    assert.equal(of('pytest'), of('pytest-q'));
    assert.equal(of('go-v'), of('go-v'));
    assert.notEqual(of('mocha'), of('jest'));
  });
});

describe('a clue', () => {
  it('is the place of the first case, unless that is the verification itself', () => {
    const place = { file: 'src/total.js', line: 2 };
    assert.equal(clueIn('at test.js:9:1', place)?.key, 'place src/total.js:2');
    assert.equal(clueIn('at test.js:9:1', { file: '/run/verification/a.sh', line: 2 })?.key, 'place test.js:9');
    assert.equal(clueIn('connect ECONNREFUSED 127.0.0.1:80', place)?.key, 'service localhost:80');
    assert.deepEqual(placeOfCases(summaryOfCases(made([failed('a'), failed('b', place)]), ref('a'))), place);
  });

  it('groups verifications whose cases fail at one place', () => {
    const cases = summaryOfCases(made([failed('a', { file: 'src/total.js', line: 2 })]), ref('a'));
    const one = (id: string) => ({
      verification: { ...verification, id, lineage: id },
      run: run(1, { excerpt: `at ${id}.js:1:1`, signature: id, cases }),
    });
    const groups = triage([one('a/b'), one('c/d')]);
    assert.deepEqual(
      groups.map(({ verifications, why }) => [verifications.length, why]),
      [[2, 'it fails at src/total.js:2']],
    );
  });
});

describe('a prompt', () => {
  it('gets names, places, messages and values', () => {
    const cases = [
      failed('a', { file: 'a.js', line: 3 }),
      failed('b', { message: 'differs', expected: '{\n  a: 1\n}', actual: '2' }),
      failed('c'),
    ];
    assert.equal(
      renderCases(summaryOfCases(made(cases), ref('a')), 2),
      'Cases: 3 of 3 failed; the first 2:\n- a (a.js:3)\n    no\n- b\n    differs\n    expected: { a: 1 }\n    actual: 2',
    );
    assert.equal(renderCases(summaryOfCases(made([passed]), ref('a')), 2), '');
  });
});
