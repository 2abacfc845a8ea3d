/** Mocha's spec reporter that also leaves its counts in a file: what a machine reads is never what was printed for people. */
const { writeFileSync } = require('node:fs');
const { Mocha } = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      writeFileSync(process.env.LOOP_TEST_COUNTS ?? 'out/counts.json', JSON.stringify({ passed: passes, failed: failures }));
    });
  }
};
