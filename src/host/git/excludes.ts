/**
 * What a sprint never commits although no `.gitignore` says so: dependency folders, caches, and what the sandbox and the
 * editor put in a work tree. Written to a file of our own that stands in for the person's global ignore file and
 * repeats it, so that their `.git/info/exclude` stays as it is and their own patterns still count.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './git.ts';

export const neverOurs = [
  '.loop',
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

/** Writes the file. @param git of the person's checkout, whose settings name their own ignore file. */
export async function writeExcludes(file: string, git: Git): Promise<void> {
  const theirs = await personsExcludes(git);
  await writeFile(file, `${neverOurs.join('\n')}\n${theirs}`);
}

/** Text of the person's global ignore file; their patterns come last, so that they can take one of ours back. */
async function personsExcludes(git: Git): Promise<string> {
  const config = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  const named = await git.run(['config', '--type=path', '--get', 'core.excludesFile'], { answers: [1] });
  const file = named.replace(/\n$/, '') || join(config, 'git', 'ignore');
  return readFile(file, 'utf8').catch(() => '');
}
