#!/usr/bin/env node
// Installs what the checkout needs: node_modules, system packages, the editor of the tests, and the test frameworks whose reports
// are read. It has no dependencies, because it runs on a bare checkout. It tests first what is missing, so a second run takes
// milliseconds.
//
//   node scripts/provision.mjs                     everything
//   node scripts/provision.mjs system editor       only these (modules, system, bench, editor, frameworks)

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const editorFolder = path.join(root, 'test', 'editor', 'host');
const frameworksFolder = path.join(root, 'test', 'fixtures', 'frameworks');
const mutatorsFolder = path.join(root, 'test', 'fixtures', 'mutators');
const logTailLines = 30;
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Why the checkout cannot run, in words for the person. */
export class ProvisionError extends Error {}

/** Installs node_modules with `npm ci` when they are missing or differ from the lockfile. */
export async function ensureModules() {
  if (!installedMatchesLock()) await run('dependencies', 'npm', ['ci'], { cwd: root });
}

/** Installs system packages whose program is missing. Without apt-get it throws an error that names them. */
export async function ensureSystem(purpose = 'test') {
  const missing = systemNeeds(purpose).filter((need) => !need.present());
  if (missing.length === 0) return;
  const packages = missing.map((need) => need.package);
  const apt = aptCommand();
  if (apt === undefined) throw new ProvisionError(`install these system packages first: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('package lists', apt[0], [...apt.slice(1), 'update'], { env });
  const install = ['install', '--yes', '--no-install-recommends', ...packages];
  await run('system packages', apt[0], [...apt.slice(1), ...install], { env });
  const still = missing.filter((need) => !need.present()).map((need) => need.package);
  if (still.length > 0) throw new ProvisionError(`installed, but still not found: ${still.join(' ')}`);
}

/**
 * Installs code-server and its Node into the cache, once per lockfile.
 * @returns {Promise<{node: string, serverMain: string}>} the Node binary and the server to run with it
 */
export async function ensureEditor() {
  const home = cacheFolder('editor', editorFolder);
  if (!fs.existsSync(home)) await installEditor(home);
  return editorFiles(home);
}

/**
 * Installs the test frameworks: pytest, Go and cargo from Debian, and those of npm into the cache. The cache has `bin` and `lib`
 * like a toolchain, because a sandbox shows nothing else of a home.
 * @returns {Promise<{bin: string, modules: string, browser: string}>} `bin` belongs on the PATH; a project links to `modules`
 */
export async function ensureFrameworks() {
  await ensureSystem('frameworks');
  const home = cacheFolder('frameworks', frameworksFolder);
  if (!fs.existsSync(home)) await installInto(home, { folder: frameworksFolder, what: 'test frameworks', into: 'lib' });
  fs.mkdirSync(path.join(home, 'bin'), { recursive: true });
  return { bin: path.join(home, 'bin'), modules: path.join(home, 'lib', 'node_modules'), browser: findBrowser() };
}

/**
 * Installs StrykerJS into the cache.
 * @returns {Promise<string>} the folder that has its `node_modules`
 */
export async function ensureMutators() {
  const home = cacheFolder('mutators', mutatorsFolder);
  if (!fs.existsSync(home)) await installInto(home, { folder: mutatorsFolder, what: 'StrykerJS', scripts: false });
  return home;
}

/**
 * The Chromium (or Chrome) of this machine; LOOP_TEST_BROWSER names another one.
 * @returns {string | undefined}
 */
export function findBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const bundles = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];
  const explicit = process.env.LOOP_TEST_BROWSER;
  if (explicit !== undefined && explicit !== '') {
    if (!isExecutable(explicit)) throw new ProvisionError(`LOOP_TEST_BROWSER names ${explicit}, which is not a program`);
    return explicit;
  }
  return names.map(onPath).find((file) => file !== undefined) ?? bundles.find((file) => fs.existsSync(file));
}

/**
 * Finds a program on the PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

/** What Loop itself needs (sandbox, git), and what its tests need (a browser, Python, a terminal). */
function systemNeeds(purpose) {
  const program = (name, from = name) => ({ package: from, present: () => onPath(name) !== undefined });
  const everywhere = [program('git'), { package: 'chromium', present: () => findBrowser() !== undefined }];
  if (purpose === 'run') return process.platform === 'linux' ? [program('git'), program('bwrap', 'bubblewrap')] : [program('git')];
  if (purpose === 'bench') return [...systemNeeds('run'), program('unzip'), program('ps', 'procps')];
  if (purpose === 'honesty') {
    const pytest = { package: 'python3-pytest', present: () => spawnSync('python3', ['-c', 'import pytest']).status === 0 };
    const languages = [program('python3'), pytest, program('make'), program('perl'), program('cc', 'gcc')];
    return [program('git'), program('bwrap', 'bubblewrap'), ...languages];
  }
  if (purpose === 'frameworks') {
    // Only those of the system: the person's own may have any version.
    const ofSystem = (name, from) => ({ package: from, present: () => isExecutable(`/usr/bin/${name}`) });
    const languages = [ofSystem('pytest-3', 'python3-pytest'), ofSystem('go', 'golang-go'), ofSystem('cargo', 'cargo')];
    return [...everywhere, program('bwrap', 'bubblewrap'), ...languages];
  }
  if (process.platform !== 'linux') return [...everywhere, program('python3')];
  return [
    ...everywhere,
    program('python3'),
    program('bwrap', 'bubblewrap'),
    // `script` gives tests a terminal.
    program('script', 'bsdutils'),
    // Without any font Chromium draws boxes, and screenshots are useless.
    { package: 'fonts-liberation', present: () => fs.existsSync('/usr/share/fonts/truetype') },
  ];
}

function aptCommand() {
  if (onPath('apt-get') === undefined) return undefined;
  if (process.getuid?.() === 0) return ['apt-get'];
  const passwordless = onPath('sudo') !== undefined && spawnSync('sudo', ['-n', 'true']).status === 0;
  return passwordless ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'] : undefined;
}

/** The cache folder for the lockfile in `folder`. */
function cacheFolder(kind, folder) {
  const cache = process.env.LOOP_TEST_CACHE || path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'loop-test');
  const machine = `${process.platform}-${process.arch}`;
  return path.join(path.resolve(cache), `${kind}-${machine}-${lockHash(folder).slice(0, 16)}`);
}

function editorFiles(home) {
  const modules = path.join(home, 'node_modules');
  return {
    node: path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    serverMain: path.join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

/**
 * code-server's own install script compiles native modules that the editor brings ready, and takes minutes. So no script runs
 * but that of the Node package, and the modules of the editor and its extensions are installed as that script would.
 */
async function installEditor(home) {
  await ensureSystem();
  await installInto(home, { folder: editorFolder, what: 'the editor of the tests: code-server', scripts: false, after: completeEditor });
}

async function completeEditor(staging) {
  const editor = path.join(staging, 'node_modules', 'code-server', 'lib', 'vscode');
  await run('its Node', 'npm', ['rebuild', 'node'], { cwd: staging });
  const install = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('its modules', 'npm', install, { cwd: editor });
  await run('the modules of its extensions', 'npm', install, { cwd: path.join(editor, 'extensions') });
  assertEditorStarts(staging);
}

// The folder gets its final name only when it is complete, so an interrupted install never looks like a good one.
async function installInto(home, { folder, what, into = '.', scripts = true, after = async (_staging) => {} }) {
  fs.mkdirSync(path.dirname(home), { recursive: true });
  removeAbandoned(home);
  const staging = `${home}.${process.pid}.tmp`;
  const cwd = path.join(staging, into);
  fs.mkdirSync(cwd, { recursive: true });
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      fs.copyFileSync(path.join(folder, file), path.join(cwd, file));
    }
    await run(what, 'npm', ['ci', ...(scripts ? [] : ['--ignore-scripts'])], { cwd });
    await after(staging);
    moveIntoPlace(staging, home);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

function moveIntoPlace(staging, home) {
  try {
    fs.renameSync(staging, home);
  } catch (error) {
    // Another run was faster, and its folder is complete.
    if (!fs.existsSync(home)) throw error;
  }
}

function removeAbandoned(home) {
  const folder = path.dirname(home);
  for (const name of fs.readdirSync(folder)) {
    const match = /^(?:editor|frameworks|mutators)-.*\.(\d+)\.tmp$/.exec(name);
    if (match !== null && !isAlive(Number(match[1]))) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function assertEditorStarts(home) {
  const { node, serverMain } = editorFiles(home);
  const { status, stderr, error } = spawnSync(node, [serverMain, '--version'], { encoding: 'utf8' });
  if (status !== 0) throw new ProvisionError(`the editor was installed but does not start: ${error?.message ?? stderr}`);
}

// npm writes this record of node_modules last, so an interrupted install has none.
function installedMatchesLock() {
  const read = (file) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')).packages;
  try {
    const installed = read(path.join('node_modules', '.package-lock.json'));
    return Object.entries(read('package-lock.json')).every(
      ([name, wanted]) => name === '' || wanted.optional || wanted.devOptional || installed[name]?.version === wanted.version,
    );
  } catch {
    return false;
  }
}

function lockHash(folder) {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

// Prints one line for the person, with the command, which may be one of sudo. The output goes to a log, whose end is shown when the command fails.
async function run(what, command, args, options) {
  const log = path.join(fs.mkdtempSync(path.join(tmpdir(), 'loop-provision-')), 'log.txt');
  const output = fs.openSync(log, 'w');
  const started = Date.now();
  process.stdout.write(`installing ${what}: ${command} ${args.join(' ')} … `);
  const code = await new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', output, output] });
    // An interrupted install counts as failed: it does not go on in the background, and its files are removed.
    const interrupt = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, interrupt);
    const end = (how) => {
      for (const signal of signals) process.off(signal, interrupt);
      resolve(how);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (status, signal) => end(status ?? signal));
  });
  fs.closeSync(output);
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stdout.write(code === 0 ? `done in ${seconds} s\n` : 'failed\n');
  if (code !== 0) {
    const tail = fs.readFileSync(log, 'utf8').trimEnd().split('\n').slice(-logTailLines).join('\n');
    throw new ProvisionError(`${command} ${args.join(' ')} ended with ${code}; the end of ${log}:\n${tail}`);
  }
  fs.rmSync(path.dirname(log), { recursive: true, force: true });
}

async function main(names) {
  const steps = {
    modules: ensureModules,
    system: () => ensureSystem(),
    bench: () => ensureSystem('bench'),
    editor: ensureEditor,
    frameworks: ensureFrameworks,
  };
  const wanted = names.length > 0 ? names : Object.keys(steps);
  const unknown = wanted.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new ProvisionError(`unknown: ${unknown.join(' ')}; there are: ${Object.keys(steps).join(' ')}`);
  for (const name of wanted) await steps[name]();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error instanceof ProvisionError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
}
