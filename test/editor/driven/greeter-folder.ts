// Owns the small folders of the driven tests: a sprint of three tasks that is over in seconds, with or without a repository.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { build, honest, prd, vision, withSessions, type Session } from '../../support/greeter.ts';

/** Builders that take their time: a person needs a moment to find the command that stops them. */
const slow = withSessions(...['T1', 'T2'].map(slowly));

/** Writes a folder with a sprint in `sprint/`, its recording beside it. */
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

/** Makes a repository of the folder, with one commit of all that is in it but the recording. */
export function commitAll(folder: string): void {
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all', ':!sprint/recording.yaml');
  git(folder, '-c', 'user.name=You', '-c', 'user.email=you@localhost', 'commit', '--quiet', '--message=First commit');
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
