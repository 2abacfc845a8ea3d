/** The delivery report: every requirement with its tasks, what verifies it and the evidence; and what the sprint did. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderReport } from '../../../src/engine/render/report.ts';
import * as p from '../support/parts.ts';

describe('the delivery report', () => {
  it('names for each requirement the evidence and the tasks', () => {
    const report = renderReport(p.delivered().state);
    assert.match(
      report,
      /- \[x\] \*\*1\*\* Totals\n {2}- value\/total, green in a clean checkout; .*\n {2}- Tasks: T1 \(done\)\n/,
    );
    assert.match(report, /- \[x\] \*\*V1\*\* .*\n {2}- criterion value\/tone: /);
  });

  it('says of what is not proven what there is, and counts the decisions by row', () => {
    const report = renderReport(p.awaiting().state);
    assert.match(report, /- \[ \] \*\*1\*\* Totals\n {2}- not proven by value\/total\n {2}- Tasks: T1 \(pending\)\n/);
    assert.match(renderReport(p.planned().state), /- \[ \] \*\*1\*\* Totals\n {2}- nothing verifies it\n/);
    assert.match(report, /- \d+ of \d+ decisions, 0 resumes: 1 inputs, 1 discovery, 1 plan, 1 prepare, /);
  });
});
