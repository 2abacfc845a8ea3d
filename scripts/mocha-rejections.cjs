/**
 * Mocha ignores a promise that is rejected while nobody waits for it. With this plugin the running test fails at once, and its
 * later result does not count. Outside of a test the reason is thrown. Tests must return promises and take no callback.
 * See https://mochajs.org/#root-hook-plugins
 */
const { setImmediate: turn } = require('node:timers/promises');

/** Fails the running test. @type {((reason: unknown) => void) | undefined} */
let fail;

function onRejection(reason) {
  if (!fail) throw reason;
  fail(reason);
}

exports.mochaHooks = {
  beforeAll() {
    // A worker of Mocha removes every listener at the end of a file.
    process.off('unhandledRejection', onRejection).on('unhandledRejection', onRejection);
  },
  beforeEach() {
    const test = this.currentTest;
    const body = test.fn;
    test.fn = function () {
      const lost = new Promise((_, reject) => (fail = reject));
      // Node reports a rejection one turn of the event loop later.
      return Promise.race([lost, Promise.resolve(body.call(this)).then(async (value) => (await turn(), value))]);
    };
  },
  afterEach() {
    fail = undefined;
  },
};
