/** Small folders for the driven tests: a sprint of three tasks that takes seconds, with or without a repository. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { build, honest, prd, vision, withSessions, type Session } from '../../support/greeter.ts';

/** Sessions with slow builders, so that there is time for the command that stops them. */
const slow = withSessions(...['T1', 'T2'].map(slowly));

/** Writes a folder with a sprint and its recording in `sprint/`. */
export async function greeterFolder(folder: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  await writeFiles(folder, {
    'sprint/VISION.md': vision,
    'sprint/PRD.md': prd,
    'sprint/recording.yaml': JSON.stringify({ recording: 1, sessions: slow }),
    ...files,
  });
}

function slowly(id: string): Session {
  const quick = honest.find(({ purpose }) => purpose === `execute/${id}`);
  const [work = {}] = quick?.turns[0]?.calls ?? [];
  return build(id, { bash: { command: 'sleep 5' } }, work);
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

/** Makes the folder a repository with one commit of all files except the recording. */
export function commitAll(folder: string): void {
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all', ':!sprint/recording.yaml');
  git(folder, '-c', 'user.name=You', '-c', 'user.email=you@localhost', 'commit', '--quiet', '--message=First commit');
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
