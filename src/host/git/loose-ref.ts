/**
 * The commit of a branch from the file that git keeps it in, which saves a process. Where it lies elsewhere (packed, a table of
 * refs, a link to another one), git is asked.
 */
import { join } from 'node:path';
import type { Git } from './git.ts';
import { textAt } from '../peek.ts';

/** Undefined where no file has it. */
export function looseCommit(gitCommonDir: string, ref: string): string | undefined {
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(textAt(join(gitCommonDir, ref)))?.[1];
}

/** The commit that a work tree stands at. */
export async function headOf(git: Git, gitCommonDir: string): Promise<string> {
  const head = git.at.gitDir === undefined ? '' : textAt(join(git.at.gitDir, 'HEAD'));
  const branch = /^ref: (refs\/heads\/\S+)\n?$/.exec(head)?.[1];
  const commit = branch === undefined ? undefined : looseCommit(gitCommonDir, branch);
  return commit ?? (await git.run(['rev-parse', 'HEAD'])).trim();
}
