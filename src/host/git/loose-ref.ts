/**
 * The commit of a branch from the file that git keeps it in, which saves a process. Where it lies elsewhere (packed, a table of
 * refs, a link to another one), git is asked.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** Undefined where no file has it. */
export async function looseCommit(gitCommonDir: string, ref: string): Promise<string | undefined> {
  const text = await readFile(join(gitCommonDir, ref), 'utf8').catch(() => '');
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(text)?.[1];
}

/** The commit that a work tree stands at. */
export async function headOf(git: Git, gitCommonDir: string): Promise<string> {
  const head = git.at.gitDir === undefined ? '' : await readFile(join(git.at.gitDir, 'HEAD'), 'utf8').catch(() => '');
  const branch = /^ref: (refs\/heads\/\S+)\n?$/.exec(head)?.[1];
  const commit = branch === undefined ? undefined : await looseCommit(gitCommonDir, branch);
  return commit ?? (await git.run(['rev-parse', 'HEAD'])).trim();
}
