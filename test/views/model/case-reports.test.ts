import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TestCase } from '../../../src/engine/work/case.ts';
import { caseReports } from '../../../src/views/model/case-reports.ts';
import { reportOf, verifiedView } from '../../../src/views/model/test-report.ts';
import { byHand, ref, run } from './sample.ts';

const failed: TestCase = {
  name: 'adds',
  verdict: 'failed',
  file: 'test/a.js',
  line: 3,
  message: 'no',
  expected: '5',
  actual: '-1',
};

describe('caseReports', () => {
  it('contains name, outcome, message, values, place and duration', () => {
    assert.deepEqual(caseReports([failed, { name: 'b', verdict: 'passed', duration: 4, message: 'x' }]), [
      {
        name: 'adds',
        outcome: 'failed',
        duration: null,
        message: 'no',
        diff: { expected: '5', actual: '-1' },
        place: { file: 'test/a.js', line: 3 },
      },
      { name: 'b', outcome: 'passed', duration: 4, message: '', diff: null, place: null },
    ]);
  });

  it('has no place outside the tree', () => {
    const files = ['/etc/passwd', '../a.js', 'a/../../b.js', 'C:\\a.js', '~/a.js', 'a\\..\\..\\b.js', '.github/a.js', 'a..b.js'];
    const places = files.map((file) => caseReports([{ ...failed, file }])[0]?.place?.file ?? null);
    assert.deepEqual(places, [null, null, null, null, null, null, '.github/a.js', 'a..b.js']);
  });

  it('keeps the failed cases of many in order, and removes control characters and links', () => {
    const passed = Array.from({ length: 300 }, (_, i): TestCase => ({ name: `p${i}`, verdict: 'passed' }));
    const reports = caseReports([...passed, { ...failed, name: '[a](command:b)\u001B[31m', message: '\u001B[31mred\u001B[0m' }]);
    assert.deepEqual([reports.length, reports.at(-1)?.outcome, reports.at(-1)?.message], [200, 'failed', 'red']);
    assert.equal(reports.at(-1)?.name.includes(']('), false);
  });
});

describe('reports with cases', () => {
  const summary = { total: 3, failed: 1, skipped: 0, shown: [failed], ref: ref('a') };
  it('show only the failed cases of a sprint’s run, and all cases of a run by hand', () => {
    assert.deepEqual(
      reportOf('failed', run(1, { cases: summary }))?.cases?.map(({ name }) => name),
      ['adds'],
    );
    const cases = {
      cases: [failed, { ...failed, name: 'b', verdict: 'passed' as const }],
      total: 2,
      failed: 1,
      skipped: 0,
      reported: true,
    };
    const view = verifiedView(byHand({ id: 'a/b', verdict: 'red', duration: 1, output: '', cases }));
    assert.deepEqual(
      view.report.cases?.map(({ outcome }) => outcome),
      ['failed', 'passed'],
    );
    assert.match(view.report.message, /1 of 2 cases failed: adds/);
  });
});
