/**
 * Prints one line for each file of tests and each failed test whole: thousands of titles of passed ones would hide it. Writes the
 * counts of each file where LOOP_TEST_COUNTS says, so that no script parses text for people.
 */
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { Mocha } = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    /** @type {Map<string, { passed: number, failing: string[], ms: number }>} */
    const files = new Map();
    let current;
    const countsOf = (test) => {
      const file = nameOf(test.file);
      if (file !== current) print(current, files.get(current));
      current = file;
      if (!files.has(file)) files.set(file, { passed: 0, failing: [], ms: 0 });
      const counts = files.get(file);
      counts.ms += test.duration ?? 0;
      return counts;
    };
    // Where workers run the tests, none is known here.
    const planned = new Map((options.files ?? []).map((file) => [nameOf(file), 0]));
    runner.suite.eachTest(({ file }) => planned.set(nameOf(file), (planned.get(nameOf(file)) ?? 0) + 1));
    runner.on('pass', (test) => void (countsOf(test).passed += 1));
    runner.on('fail', (test, error) => {
      const text = `${test.fullTitle()}${reason(error)}`;
      countsOf(test).failing.push(text);
      process.stdout.write(`  FAILED ${text}\n`);
    });
    const end = () => {
      print(current, files.get(current));
      for (const [file, count] of planned) {
        const { passed = 0, failing = [] } = files.get(file) ?? {};
        if (failing.length > 0 || passed >= Math.max(count, 1)) continue;
        const text = count === 0 ? `no test of ${file} was run` : `${count - passed} of ${count} tests were not run`;
        files.set(file, { passed, failing: [text], ms: 0 });
        runner.failures += 1;
        process.stdout.write(`  FAILED ${file}: ${text}\n`);
      }
      const counts = [...files].map(([file, { passed, failing }]) => ({ file, passed, failing }));
      writeFileSync(process.env.LOOP_TEST_COUNTS ?? 'out/counts.json', JSON.stringify(counts));
    };
    // A worker that is lost between two files can take the end of the run with it.
    const endLost = () => {
      process.exitCode = 1;
      runner.emit('fail', { fullTitle: () => 'a worker ended between two files' }, 'its error is above');
      end();
    };
    process.once('exit', endLost);
    runner.once('end', () => void process.off('exit', endLost)).once('end', end);
  }
};

const nameOf = (/** @type {string | undefined} */ file) => relative(process.cwd(), file ?? '');

function print(file, counts) {
  if (counts === undefined) return;
  const failed = counts.failing.length === 0 ? '' : `, ${counts.failing.length} failed`;
  process.stdout.write(`  ${file}: ${counts.passed} passed${failed}, ${(counts.ms / 1000).toFixed(1)} s\n`);
}

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
