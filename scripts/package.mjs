#!/usr/bin/env node
/** Owns `npm run package`: the extension as one file, out/loop.vsix, the thing that is installed and tested. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Packs what was built last.
 * @returns {string} the path of the VSIX
 */
export function packageExtension(file = join(ROOT, 'out', 'loop.vsix')) {
  if (!existsSync(join(ROOT, 'dist', 'extension.js'))) throw new Error('there is nothing to pack: run `npm run build` first');
  mkdirSync(dirname(file), { recursive: true });
  // The command line, not its module: that one prints what it packs, and a test has nothing to say about it.
  const vsce = join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Everything is bundled, and the README's pictures need no address of a repository.
  const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the extension could not be packed:\n${stdout}${stderr}`);
  return file;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) process.exit(status ?? 1);
  const file = packageExtension();
  process.stdout.write(`${file}, ${(statSync(file).size / 1_000_000).toFixed(2)} MB\n`);
}
