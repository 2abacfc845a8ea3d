#!/usr/bin/env node
/** `npm run package`: packs the extension into one file, out/loop.vsix, which is installed and tested. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Packs the last build.
 * @returns {string} the path of the VSIX
 */
export function packageExtension(file = join(root, 'out', 'loop.vsix')) {
  if (!existsSync(join(root, 'dist', 'extension.js'))) throw new Error('there is nothing to pack: run `npm run build` first');
  mkdirSync(dirname(file), { recursive: true });
  // A child process, because the module would print the packed files into the output of a test.
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Everything is bundled, so no dependencies are packed. The README's links stay relative, because there is no repository URL.
  const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, ...args], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the extension could not be packed:\n${stdout}${stderr}`);
  return file;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit', cwd: root });
  if (status !== 0) process.exit(status ?? 1);
  const file = packageExtension();
  process.stdout.write(`${file}, ${(statSync(file).size / 1_000_000).toFixed(2)} MB\n`);
}
