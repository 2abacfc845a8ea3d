/** The stages of `scripts/test.mjs`, in order, and the stages that each of them needs. */

const node = process.execPath;

/** @param {string} name */
export const bin = (name) => `node_modules/.bin/${name}`;

/** Three at a time, because tests start processes and wait for them. Long files begin first, so that no core is idle at the end. */
const longFirst = (/** @type {string} */ folder, /** @type {string[]} */ long) => [
  '--parallel',
  '--jobs',
  '3',
  ...long.map((name) => `out/test/${folder}/**/${name}.test.mjs`),
  `out/test/${folder}/**/!(${long.join('|')}).test.mjs`,
];

/**
 * A stage is one command, or a mocha run whose tests are counted. `needs` names stages that must have passed before. `wide`: it
 * keeps all cores busy by itself.
 */
export const stages = {
  format: { run: [bin('oxfmt'), '--check', '.'] },
  lint: { run: [bin('oxlint'), '--type-aware', '--quiet'] },
  'types of the engine': { run: [bin('tsc'), '-p', 'src/engine'] },
  types: { run: [bin('tsc'), '-p', '.'] },
  layers: { run: [node, 'scripts/check-layers.mjs'] },
  unused: { run: [bin('knip'), '--no-progress'] },
  bundles: { run: [node, 'scripts/build.mjs', '--tests'] },
  unit: {
    needs: ['bundles'],
    wide: true,
    mocha: longFirst('{engine,host,language,models,views,extension,cli,scripts,simulation}', [
      'run',
      'adopt',
      'finish',
      'refusals',
      'attacks',
      'runner',
      'load',
      'view',
    ]),
  },
  // These wait more than they compute, so they run beside the wide ones.
  'editor host': { needs: ['bundles'], editor: true, run: [node, 'out/test/editor/run-host-tests.js'], counted: true },
  'editor by hand': { needs: ['bundles'], editor: true, mocha: ['out/test/editor/driven/**/*.test.mjs'] },
  sprint: {
    needs: ['bundles'],
    wide: true,
    mocha: longFirst('{sprint,honesty}', [
      'examples',
      'endings',
      'fixtures',
      'machine',
      'kill',
      'preflight',
      'verify-by-hand',
      'services',
      'suites',
      'environment',
      'compose',
      'say',
      'mending',
      'verify-in-checkout',
    ]),
  },
  simulation: { run: [node, 'scripts/simulate.mjs', '--sprints', '2000'] },
  frameworks: { needs: ['bundles'], frameworks: true, mocha: ['out/test/frameworks/**/*.test.mjs'] },
};
export const quick = Object.keys(stages).filter((name) => !stages[name].editor && !stages[name].frameworks);

/** The person named a stage that does not exist. */
export class UnknownStage extends Error {}

/**
 * @param {string[]} names
 * @returns {string[]} these stages and those that they need, once each, in the order of the table
 * @throws {UnknownStage}
 */
export function withNeeds(names) {
  const unknown = names.filter((name) => !Object.hasOwn(stages, name));
  if (unknown.length > 0)
    throw new UnknownStage(`There is no stage "${unknown.join('", "')}"; there are ${Object.keys(stages).join(', ')}.`);
  const wanted = new Set(names.flatMap((name) => [...needsOf(name), name]));
  return Object.keys(stages).filter((name) => wanted.has(name));
}

/**
 * Runs stages in this order, two at a time where neither gets into the other's way. A stage that needs a failed one would test
 * something old, so it does not run and counts as failed. At the end, files with a failed test run once more with nothing beside
 * them, and this counts: a busy machine makes tests slower, never red. What failed at first is told.
 * @typedef {{ file?: string, passed: number, failing: string[] }} Counts of one file of tests; `failing`: titles, and why
 * @param {string[]} names
 * @param {(name: string, print: (text: string) => void, files?: string[]) => Promise<Counts[]>} run with `files`: only these
 * @param {(text: string) => void} print
 * @returns {Promise<{passed: number, failed: number, failing: string[], unsteady: string[]}>} `failing`: each failed stage, with its
 *   failed tests; `unsteady`: tests that failed at first, and passed when they ran alone
 */
export async function runAll(names, run, print) {
  const results = await runEach(names, run, print);
  const unsteady = [];
  for (const name of names) {
    const files = repeatable(name, results.get(name));
    if (files === undefined) continue;
    const first = results.get(name);
    const again = await run(name, print, files);
    results.set(name, [...first.filter(({ file }) => !files.includes(file)), ...again]);
    const failed = again.flatMap(({ failing }) => failing.map(titleOf));
    unsteady.push(
      ...failingOf(first)
        .filter((test) => !failed.includes(titleOf(test)))
        .map((test) => `${name}: ${test}`),
    );
  }
  return { ...summed(names.map((name) => [name, results.get(name)])), unsteady };
}

/** @returns {Promise<Map<string, Counts[]>>} */
async function runEach(names, run, print) {
  const takeTurn = turns(print);
  const results = new Map();
  const running = new Map();
  const waiting = [...names];
  const begin = async (/** @type {string} */ name) => {
    const turn = takeTurn();
    const lacks = needsOf(name).filter((need) => failingOf(results.get(need) ?? []).length > 0);
    if (lacks.length > 0) turn.print(`\n== ${name}: not run, since it needs ${lacks.join(', ')}\n`);
    results.set(name, lacks.length > 0 ? [{ passed: 0, failing: [''] }] : await run(name, turn.print));
    turn.end();
  };
  const mayBegin = (/** @type {string} */ name) =>
    !needsOf(name).some((need) => waiting.includes(need) || running.has(need)) &&
    ![...running.keys()].some((other) => exclude(name, other));
  for (;;) {
    const next = running.size < atOnce ? waiting.find(mayBegin) : undefined;
    if (next === undefined && running.size === 0) break;
    if (next === undefined) await Promise.race(running.values());
    else {
      waiting.splice(waiting.indexOf(next), 1);
      const ended = begin(next).finally(() => running.delete(next));
      running.set(next, ended);
    }
  }
  return results;
}

/** More failed files than these are no sign of a busy machine. */
const mostRepeated = 10;

/** @returns {string[] | undefined} the files with failed tests; undefined where repeating could not tell anything */
function repeatable(/** @type {string} */ name, /** @type {Counts[]} */ counts) {
  const failed = counts.filter(({ failing }) => failing.length > 0);
  const isWorthIt = failed.length > 0 && failed.length <= mostRepeated && failed.every(({ file }) => file);
  return isWorthIt ? failed.map(({ file }) => file) : undefined;
}

const failingOf = (/** @type {Counts[]} */ counts) => counts.flatMap(({ failing }) => failing);
/** Where a test fails a second time, it may do so for another reason. */
const titleOf = (/** @type {string} */ test) => test.split('\n')[0];

const atOnce = 2;
const needsOf = (/** @type {string} */ name) => stages[name].needs ?? [];

/** Two that would only slow each other down. */
const exclude = (/** @type {string} */ one, /** @type {string} */ other) => stages[one].wide && stages[other].wide;

/** Who began first prints as it goes. The texts of others are kept until those before them have ended. */
function turns(/** @type {(text: string) => void} */ print) {
  const queue = [];
  const printFirst = () => {
    const [first] = queue;
    if (first?.text) print(first.text);
    if (first) first.text = '';
  };
  return () => {
    const own = { text: '', ended: false };
    queue.push(own);
    return {
      print: (/** @type {string} */ text) => {
        own.text += text;
        printFirst();
      },
      end: () => {
        own.ended = true;
        for (printFirst(); queue[0]?.ended; printFirst()) queue.shift();
      },
    };
  };
}

function summed(/** @type {[name: string, result: Counts[]][]} */ results) {
  return {
    passed: results.reduce((sum, [, counts]) => counts.reduce((total, { passed }) => total + passed, sum), 0),
    failed: results.reduce((sum, [, counts]) => sum + failingOf(counts).length, 0),
    failing: results.flatMap(([name, counts]) => failingOf(counts).map((test) => (test === '' ? name : `${name}: ${test}`))),
  };
}
