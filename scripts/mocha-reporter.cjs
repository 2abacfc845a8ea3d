/** Mocha's spec reporter that also writes its counts and the failed tests to a file, so that no script parses text for people. */
const { writeFileSync } = require('node:fs');
const { Mocha } = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failing = [];
    runner.on('fail', (test, error) => failing.push(`${test.fullTitle()}${reason(error)}`));
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      const counts = { passed: passes, failed: failures, failing };
      writeFileSync(process.env.LOOP_TEST_COUNTS ?? 'out/counts.json', JSON.stringify(counts));
    });
  }
};

/** The first lines of an error: whoever reads only the end of a log finds them there. */
function reason(error) {
  const lines = String(error?.stack ?? error)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines
    .slice(0, 24)
    .map((line) => `\n      ${line}`)
    .join('');
}
