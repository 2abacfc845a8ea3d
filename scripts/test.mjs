#!/usr/bin/env node
/**
 * Runs all tests: format, lint, types, layers, unused code, unit tests, the extension in a real VS Code, whole sprints,
 * the simulation and real test frameworks. Installs what is missing. Ends with the failed tests and the first lines of why, and with
 * `N passed, N failed` on a line of its own.
 *
 *   npm test                 everything
 *   npm run check            everything that needs no editor and no frameworks
 *   node scripts/test.mjs unit sprint     only these stages, and the stages that they need (scripts/stages.mjs)
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { ensureEditor, ensureFrameworks, ensureModules, ensureSystem, onPath, ProvisionError } from './provision.mjs';
import { bin, quick, runAll, stages, UnknownStage, withNeeds } from './stages.mjs';

await main(process.argv.slice(2));

async function main(args) {
  /** @type {Awaited<ReturnType<typeof runAll>>} */
  let total = { passed: 0, failed: 1, failing: [], unsteady: [] };
  try {
    const names = withNeeds(args.includes('--check') ? quick : args.length > 0 ? args : Object.keys(stages));
    await ensureModules();
    await ensureSystem();
    process.env.PATH = pathWithoutShim();
    if (names.some((name) => stages[name].editor)) await ensureEditor();
    if (names.some((name) => stages[name].frameworks)) await ensureFrameworks();
    mkdirSync('out/counts', { recursive: true });
    total = await runAll(names, runStage, (text) => process.stdout.write(text));
  } catch (error) {
    if (!(error instanceof ProvisionError || error instanceof UnknownStage)) throw error;
    process.stdout.write(`${error.message}\n`);
  }
  const list = (title, lines) => lines.length > 0 && process.stdout.write(`\n${title}:\n${lines.map((what) => `  ${what}\n`).join('')}`);
  list('What failed beside other tests, and passed alone', total.unsteady);
  list('What failed', total.failing);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

/** @param {string[]} [files] of tests, in the place of all of the stage */
async function runStage(name, print, files) {
  const stage = stages[name];
  const started = Date.now();
  const counts = `out/counts/${name.replaceAll(' ', '-')}.json`;
  print(`\n== ${name}${files ? ', once more' : ''}\n`);
  rmSync(counts, { force: true });
  const command = stage.run ?? [bin('mocha'), '--reporter', 'scripts/mocha-reporter.cjs', ...(files ?? stage.mocha)];
  const status = await run(command, counts, print);
  const result =
    stage.mocha || stage.counted ? readCounts(counts, status) : [{ passed: status === 0 ? 1 : 0, failing: status === 0 ? [] : [''] }];
  const sum = (of) => result.reduce((total, file) => total + of(file), 0);
  const [passed, failed] = [sum((file) => file.passed), sum((file) => file.failing.length)];
  print(`== ${name}: ${passed} passed, ${failed} failed, ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  return result;
}

/** A run also counts as failed if it wrote no counts, counted no test, or its exit status contradicts its counts. */
function readCounts(counts, status) {
  const broken = { passed: 0, failing: [`ended with ${status} and counts that say something else`] };
  try {
    const files = JSON.parse(readFileSync(counts, 'utf8'));
    const isConsistent = files.length > 0 && (status === 0) === files.every(({ failing }) => failing.length === 0);
    return isConsistent ? files : [...files, broken];
  } catch {
    return [broken];
  }
}

/** @param counts file for the numbers of tests. */
function run([program, ...args], counts, print) {
  const env = { ...process.env, LOOP_TEST_COUNTS: counts, NO_COLOR: '1', FORCE_COLOR: '0' };
  // Node.js would read these certificates at each of thousands of starts, and no test reaches more than this machine.
  delete env.NODE_EXTRA_CA_CERTS;
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
    child.once('error', (error) => {
      print(`${program}: ${error.message}\n`);
      done(1);
    });
    child.once('close', (code) => done(code ?? 1));
  });
}

/** A version manager's `python3` is a script that takes ten times as long as Python itself, at each of thousands of starts. */
function pathWithoutShim() {
  const isShim = dirname(onPath('python3') ?? '').endsWith('shims');
  const { stdout } = isShim ? spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }) : { stdout: '' };
  return [...(stdout ? [dirname(stdout.trim())] : []), process.env.PATH].join(delimiter);
}
