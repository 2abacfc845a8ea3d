#!/usr/bin/env node
// Owns `npm run code [folder]`: a real VS Code with this checkout's Loop in it, at a folder to play in. A desktop VS Code
// when there is one, else the editor of the tests, to be opened in a browser. Ctrl+C ends it and removes what it made.

import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { packageExtension } from './package.mjs';
import { ensureEditor, ensureModules, ensureSystem, onPath } from './provision.mjs';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// The tests do without a marketplace and without chat; a person may want both.
const AS_INSTALLED = { env: { EXTENSIONS_GALLERY: undefined }, settings: { 'chat.disableAIFeatures': false } };
const EXAMPLE = path.join(ROOT, 'examples', 'receipts');

async function main(given) {
  await ensureModules();
  await ensureSystem();
  const scratch = fs.mkdtempSync(path.join(tmpdir(), 'loop-code-'));
  process.once('exit', () => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const folder = given === undefined ? await exampleFolder(scratch) : existingFolder(given);
  // The example's worktrees go with it; those of a folder of yours are where Loop always has them.
  if (given === undefined) process.env.LOOP_STATE_HOME = path.join(scratch, 'state');
  command('node', [path.join('scripts', 'build.mjs')]);
  const desktop = onPath('code');
  await (desktop === undefined ? openInBrowser(folder, scratch) : openOnDesktop(desktop, folder));
}

function existingFolder(given) {
  const folder = path.resolve(given);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is no folder`);
  return folder;
}

// A copy in a repository of its own: Loop works in git, and the example in the checkout stays as it is.
async function exampleFolder(scratch) {
  const { exampleRepository } = await typescriptModule(path.join('scripts', 'example-repository.ts'), scratch);
  const folder = path.join(scratch, path.basename(EXAMPLE));
  exampleRepository(EXAMPLE, folder);
  const supplied = path.join(EXAMPLE, 'supplied', 'rates.csv');
  process.stdout.write(`When Loop asks you for rates.csv:\n\n  cp ${supplied} ${folder}/\n\n`);
  return folder;
}

async function openOnDesktop(code, folder) {
  process.stdout.write(`VS Code with Loop opens at ${folder}; Ctrl+C here ends this\n`);
  const child = spawn(code, ['--wait', '--new-window', `--extensionDevelopmentPath=${ROOT}`, folder], { stdio: 'inherit' });
  await Promise.race([interrupted(), new Promise((resolve) => child.once('exit', resolve))]);
}

async function openInBrowser(folder, scratch) {
  const vsix = packageExtension(path.join(scratch, 'loop.vsix'));
  const { startEditorServer } = await typescriptModule(path.join('test', 'editor', 'server.ts'), scratch);
  const editor = await ensureEditor();
  const server = await startEditorServer({ editor, flavour: { kind: 'person', vsix: [vsix] }, ...AS_INSTALLED });
  process.stdout.write(`VS Code with Loop, at ${folder}:\n\n  ${server.address(folder)}\n\nCtrl+C ends it\n`);
  await interrupted();
  await server.stop();
}

// What is shared with the tests is TypeScript; esbuild is there by now.
async function typescriptModule(file, scratch) {
  const { build } = await import('esbuild');
  const outfile = path.join(scratch, `${path.basename(file, '.ts')}.mjs`);
  const entryPoints = [path.join(ROOT, file)];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  return import(pathToFileURL(outfile).href);
}

// Quiet when it works; what it said when it does not.
function command(name, args, cwd = ROOT) {
  const { status, stdout, stderr, error } = spawnSync(name, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout ?? ''}${stderr ?? ''}`);
}

// Until the editor runs there is nothing to end in order.
let onInterrupt = () => process.exit(1);
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => onInterrupt());

function interrupted() {
  return new Promise((resolve) => {
    onInterrupt = resolve;
  });
}

main(process.argv[2]).then(
  () => process.exit(),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
