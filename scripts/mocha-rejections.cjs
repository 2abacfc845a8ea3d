/**
 * Mocha ignores a promise that is rejected while nobody waits for it. With this plugin the running test fails at once, and its
 * later result does not count. Outside of a test the reason is thrown. Tests must return promises and take no callback.
 * What a file throws after its last test fails a hook of that file: a worker would not tell it, or would blame the next file.
 * See https://mochajs.org/#root-hook-plugins
 */
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises');

/** Most files leave nothing behind, so they wait for nothing. */
const longestWaitMs = 100;

/** Fails the running test. @type {((reason: unknown) => void) | undefined} */
let fail;
/** The file of the last test. @type {string | undefined} */
let file;
/** What the event loop waits for before the first test. */
let first = 0;
const active = () => process.getActiveResourcesInfo().length;

function onRejection(reason) {
  if (!fail) throw reason;
  fail(reason);
}

exports.mochaHooks = {
  async beforeAll() {
    // A worker of Mocha removes every listener at the end of a file.
    process.off('unhandledRejection', onRejection).on('unhandledRejection', onRejection);
    // Only then does the timer of this hook run, which that of the last hook makes up for.
    await turn();
    first = active();
  },
  beforeEach() {
    const test = this.currentTest;
    const body = test.fn;
    file = test.file;
    test.fn = function () {
      const lost = new Promise((_, reject) => (fail = reject));
      // Node reports a rejection one turn of the event loop later.
      return Promise.race([lost, Promise.resolve(body.call(this)).then(async (value) => (await turn(), value))]);
    };
  },
  afterEach() {
    fail = undefined;
  },
  async afterAll() {
    Object.assign(this.test, { file, title: `after the last test of ${file}` });
    const lost = new Promise((_, reject) => process.setUncaughtExceptionCaptureCallback(reject));
    await Promise.race([lost, silence()]).finally(() => process.setUncaughtExceptionCaptureCallback(null));
  },
};

/** Until nothing is left that could still throw. */
async function silence() {
  const end = performance.now() + longestWaitMs;
  for (await turn(); active() > first && performance.now() < end;) await delay(2);
}
