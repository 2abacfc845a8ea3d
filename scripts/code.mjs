#!/usr/bin/env node
// `npm run code [folder]`: opens a folder in a real VS Code with this checkout's Loop. Uses the desktop VS Code if there is one,
// else the editor of the tests in a browser. Ctrl+C ends it and removes the files that it made.

import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { packageExtension } from './package.mjs';
import { ensureEditor, ensureModules, ensureSystem, onPath } from './provision.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// The tests turn off marketplace and chat; a person may want both.
const asInstalled = { env: { EXTENSIONS_GALLERY: undefined }, settings: { 'chat.disableAIFeatures': false } };
const example = path.join(root, 'examples', 'receipts');

async function main(given) {
  await ensureModules();
  await ensureSystem();
  const scratch = fs.mkdtempSync(path.join(tmpdir(), 'loop-code-'));
  process.once('exit', () => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const folder = given === undefined ? await exampleFolder(scratch) : existingFolder(given);
  // The example's worktrees are removed with it. Worktrees of your own folder stay in Loop's usual place.
  if (given === undefined) process.env.LOOP_STATE_HOME = path.join(scratch, 'state');
  command('node', [path.join('scripts', 'build.mjs')]);
  const desktop = onPath('code');
  await (desktop === undefined ? openInBrowser(folder, scratch) : openOnDesktop(desktop, folder));
}

function existingFolder(given) {
  const folder = path.resolve(given);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is not a folder`);
  return folder;
}

// Copies the example into a repository of its own, because Loop needs git and must not change the example in the checkout.
async function exampleFolder(scratch) {
  const { exampleRepository } = await typescriptModule(path.join('scripts', 'example-repository.ts'), scratch);
  const folder = path.join(scratch, path.basename(example));
  exampleRepository(example, folder);
  const supplied = path.join(example, 'supplied', 'rates.csv');
  process.stdout.write(`When Loop asks you for rates.csv:\n\n  cp ${supplied} ${folder}/\n\n`);
  return folder;
}

async function openOnDesktop(code, folder) {
  process.stdout.write(`VS Code with Loop opens at ${folder}; Ctrl+C here ends this\n`);
  const child = spawn(code, ['--wait', '--new-window', `--extensionDevelopmentPath=${root}`, folder], { stdio: 'inherit' });
  await Promise.race([interrupted(), new Promise((resolve) => child.once('exit', resolve))]);
}

async function openInBrowser(folder, scratch) {
  const vsix = packageExtension(path.join(scratch, 'loop.vsix'));
  const { startEditorServer } = await typescriptModule(path.join('test', 'editor', 'server.ts'), scratch);
  const editor = await ensureEditor();
  const server = await startEditorServer({ editor, flavour: { kind: 'person', vsix: [vsix] }, ...asInstalled });
  process.stdout.write(`VS Code with Loop, at ${folder}:\n\n  ${server.address(folder)}\n\nCtrl+C ends it\n`);
  await interrupted();
  await server.stop();
}

// Imports TypeScript that the tests use, too. esbuild is imported late, because it may have been installed only now.
async function typescriptModule(file, scratch) {
  const { build } = await import('esbuild');
  const outfile = path.join(scratch, `${path.basename(file, '.ts')}.mjs`);
  const entryPoints = [path.join(root, file)];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  return import(pathToFileURL(outfile).href);
}

// Runs a command quietly, and throws its output if it fails.
function command(name, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(name, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout ?? ''}${stderr ?? ''}`);
}

// Before the editor runs, an interrupt just ends this script.
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
