/** Suites whose tests are the steps of one way. */
import type { Suite } from 'mocha';

/**
 * Each test of a suite is a step that needs the one before: after a failure the others are not run. Mocha's `bail` would end the
 * suites of other files, too.
 */
export function inOrder(suite: Suite): void {
  let failed = false;
  suite.beforeEach(() => {
    if (failed) throw new Error('the step before failed');
  });
  suite.afterEach(function () {
    failed ||= this.currentTest?.state === 'failed';
  });
}
