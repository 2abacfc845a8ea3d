/** What the tests in the extension host came to names each that failed, so that `npm test` can say which one is unsteady. */
import assert from 'node:assert/strict';
import Mocha, { describe, it } from 'mocha';
import { follow, type HostTestResult } from '../editor/report.ts';

describe('the result of the extension host', () => {
  it('names the tests that failed or did not run, and why', async () => {
    const mocha = new Mocha({ reporter: Mocha.reporters.Base });
    const suite = Mocha.Suite.create(mocha.suite, 'a tree');
    suite.addTest(new Mocha.Test('grows', () => undefined));
    suite.addTest(
      new Mocha.Test('falls', () => {
        throw new Error('it stands');
      }),
    );
    suite.addTest(new Mocha.Test('waits'));
    const result = await new Promise<HostTestResult>((done) => {
      const came = follow(mocha.run(() => done(came())));
    });
    assert.deepEqual(result, { passed: 1, failing: ['a tree falls\n      Error: it stands', 'a tree waits\n      It did not run.'] });
  });
});
