/**
 * Mocha passes over a promise that is rejected while nobody waits for it. Here the test that runs fails by it, at once; what that
 * test still does counts for nothing. Outside of a test it is thrown. Tests here return promises: none takes a callback. Root hooks:
 * https://mochajs.org/#root-hook-plugins
 */
const { setImmediate: turn } = require('node:timers/promises');

/** Fails the test that runs. @type {((reason: unknown) => void) | undefined} */
let fail;

function onRejection(reason) {
  if (!fail) throw reason;
  fail(reason);
}

exports.mochaHooks = {
  beforeAll() {
    // A worker of Mocha takes every listener away at the end of a file.
    process.off('unhandledRejection', onRejection).on('unhandledRejection', onRejection);
  },
  beforeEach() {
    const test = this.currentTest;
    const body = test.fn;
    test.fn = function () {
      const lost = new Promise((_, reject) => (fail = reject));
      // A rejection is told a turn after it was made.
      return Promise.race([lost, Promise.resolve(body.call(this)).then(async (value) => (await turn(), value))]);
    };
  },
  afterEach() {
    fail = undefined;
  },
};
