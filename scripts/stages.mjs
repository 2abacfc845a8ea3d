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

/** A stage is one command, or a mocha run whose tests are counted. `needs` names stages that must have passed before. */
export const stages = {
  format: { run: [bin('prettier'), '--check', '--log-level=warn', '.'] },
  lint: { run: [bin('oxlint'), '--type-aware', '--quiet'] },
  'types of the engine': { run: [bin('tsc'), '-p', 'src/engine'] },
  types: { run: [bin('tsc'), '-p', '.'] },
  layers: { run: [node, 'scripts/check-layers.mjs'] },
  unused: { run: [bin('knip'), '--no-progress'] },
  bundles: { run: [node, 'scripts/build.mjs', '--tests'] },
  unit: {
    needs: ['bundles'],
    mocha: longFirst('{engine,host,models,views,extension,cli,scripts,simulation}', ['refusals', 'attacks', 'runner', 'load', 'view']),
  },
  simulation: { run: [node, 'scripts/simulate.mjs', '--sprints', '2000'] },
  sprint: {
    needs: ['bundles'],
    mocha: longFirst('sprint', [
      'examples',
      'machine',
      'endings',
      'services',
      'fixtures',
      'compose',
      'kill',
      'suites',
      'verify-in-checkout',
    ]),
  },
  'npm start': { run: [node, 'scripts/start.mjs'] },
  frameworks: { needs: ['bundles'], frameworks: true, mocha: ['out/test/frameworks/**/*.test.mjs'] },
  'editor host': { needs: ['bundles'], editor: true, run: [node, 'out/test/editor/run-host-tests.js'], counted: true },
  'editor by hand': { needs: ['bundles'], editor: true, mocha: ['out/test/editor/driven/**/*.test.js'] },
};
export const quick = Object.keys(stages).filter((name) => !stages[name].editor && !stages[name].frameworks);

/** The person named a stage that does not exist. */
export class UnknownStage extends Error {}

/**
 * @param {string[]} names
 * @returns {string[]} these stages and those that they need, once each, in the order of running
 * @throws {UnknownStage}
 */
export function withNeeds(names) {
  const unknown = names.filter((name) => !Object.hasOwn(stages, name));
  if (unknown.length > 0)
    throw new UnknownStage(`There is no stage "${unknown.join('", "')}"; there are ${Object.keys(stages).join(', ')}.`);
  return [...new Set(names.flatMap((name) => [...(stages[name].needs ?? []), name]))];
}

/**
 * Runs stages one after the other. A stage that needs a failed one would test something old, so it does not run and counts as
 * failed.
 * @param {string[]} names
 * @param {(name: string) => Promise<{passed: number, failed: number, failing?: string[]}>} run `failing`: titles of failed tests
 * @param {(line: string) => void} print
 * @returns {Promise<{passed: number, failed: number, failing: string[]}>} `failing`: each failed stage, with its failed tests
 */
export async function runAll(names, run, print) {
  const total = { passed: 0, failed: 0, failing: [] };
  const failed = new Set();
  for (const name of names) {
    const lacks = (stages[name].needs ?? []).filter((need) => failed.has(need));
    if (lacks.length > 0) print(`\n== ${name}: not run, since it needs ${lacks.join(', ')}\n`);
    const result = lacks.length > 0 ? { passed: 0, failed: 1 } : await run(name);
    if (result.failed > 0) {
      failed.add(name);
      const tests = result.failing ?? [];
      total.failing.push(...(tests.length > 0 ? tests.map((test) => `${name}: ${test}`) : [name]));
    }
    total.passed += result.passed;
    total.failed += result.failed;
  }
  return total;
}
