/**
 * Patterns that a sprint never commits, even without a `.gitignore`: dependencies, caches, and files of sandbox and editor. They
 * go into a file of Loop that replaces the person's global ignore file and repeats its patterns. So their
 * `.git/info/exclude` stays as it is.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runFolder } from '../../engine/work/stage.ts';
import type { Git } from './git.ts';

export const neverOurs = [
  '.loop',
  runFolder,
  '.vscode',
  '.idea',
  'node_modules',
  '.venv',
  'venv/',
  '__pycache__/',
  '*.pyc',
  '.pytest_cache/',
  '.mypy_cache/',
  '.ruff_cache/',
  '.tox/',
  '.gradle/',
  '.DS_Store',
];

/** Writes the file. @param git in the person's checkout, whose settings name their own ignore file. */
export async function writeExcludes(file: string, git: Git): Promise<void> {
  const theirs = await personsExcludes(git);
  await writeFile(file, `${neverOurs.join('\n')}\n${theirs}`);
}

/** The text of the person's global ignore file. It comes last, so that a pattern of theirs can undo one of Loop's. */
async function personsExcludes(git: Git): Promise<string> {
  const config = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  const named = await git.run(['config', '--type=path', '--get', 'core.excludesFile'], { answers: [1] });
  const file = named.replace(/\n$/, '') || join(config, 'git', 'ignore');
  return readFile(file, 'utf8').catch(() => '');
}
