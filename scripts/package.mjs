#!/usr/bin/env node
/** `npm run package`: packs the extension into one file, out/loop.vsix, which is installed and tested. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Packs the last build. The page of the extension tells where its code is, if that is public: by the remote of who packs it, so no
 * address is invented here, and none is wrong in a fork.
 * @param {string} [file]
 * @param {string} [remote] the address of `origin`
 * @returns {string} the path of the VSIX
 */
export function packageExtension(file = join(root, 'out', 'loop.vsix'), remote = originOf(root)) {
  if (!existsSync(join(root, 'dist', 'extension.js'))) throw new Error('there is nothing to pack: run `npm run build` first');
  mkdirSync(dirname(file), { recursive: true });
  // A child process, because the module would print the packed files into the output of a test.
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const address = addressOf(remote);
  // Everything is bundled, so no dependencies are packed. Without an address links are made for the page here.
  const args = ['package', '--no-dependencies', ...(address === undefined ? ['--no-rewrite-relative-links'] : []), '--out', file];
  const stage = mkdtempSync(join(tmpdir(), 'loop-package-'));
  try {
    const words = readdirSync(root).filter((name) => /^package\.nls.*\.json$/.test(name));
    for (const name of ['package.json', ...words, '.vscodeignore', 'LICENSE', 'dist', 'docs/images', 'l10n', 'media'])
      cpSync(join(root, name), join(stage, name), { recursive: true });
    for (const name of ['README.md', 'CHANGELOG.md']) {
      const text = readFileSync(join(root, name), 'utf8');
      writeFileSync(join(stage, name), address === undefined ? forPage(text) : text);
    }
    if (address !== undefined)
      writeFileSync(join(stage, 'package.json'), withAddress(readFileSync(join(root, 'package.json'), 'utf8'), address));
    const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, ...args], { cwd: stage, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the extension could not be packed:\n${stdout}${stderr}`);
  } finally {
    rmSync(stage, { recursive: true });
  }
  return file;
}

/**
 * The page of a public repository on a host whose links the packing tool knows; undefined for any other remote.
 * @param {string} remote
 */
export function addressOf(remote) {
  const [, host, path] =
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)(github\.com|gitlab\.com)[:/]((?:[\w.-]+\/)+[\w.-]+?)(?:\.git)?\/?$/.exec(
      remote.trim(),
    ) ?? [];
  return host && `https://${host}/${path}`;
}

/** @param {string} manifest @param {string} address */
function withAddress(manifest, address) {
  const own = { repository: { type: 'git', url: `${address}.git` }, bugs: { url: `${address}/issues` }, homepage: `${address}#readme` };
  return JSON.stringify({ ...own, ...JSON.parse(manifest) }, undefined, 2);
}

/** @param {string} folder */
function originOf(folder) {
  return spawnSync('git', ['config', '--get', 'remote.origin.url'], { cwd: folder, encoding: 'utf8' }).stdout ?? '';
}

/**
 * A document for the extension's page, which shows pictures and opens links of the web only, and no `data:` picture either: a picture
 * of this repository is left out, and a link to one of its files becomes its words.
 * @param {string} markdown
 */
export function forPage(markdown) {
  const replaced = markdown.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, words, target) => {
    if (/^(https:|mailto:|#)/.test(target)) return whole;
    if (!existsSync(join(root, target.replace(/#.*/, '')))) throw new Error(`a link leads nowhere: ${target}`);
    return picture === '' ? words : '';
  });
  return replaced.replaceAll(/\n{3,}/g, '\n\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit', cwd: root });
  if (status !== 0) process.exit(status ?? 1);
  const file = packageExtension();
  process.stdout.write(`${file}, ${(statSync(file).size / 1_000_000).toFixed(2)} MB\n`);
}
