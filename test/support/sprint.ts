/** Runs a real sprint in a fresh temporary repository, with real git, a real sandbox and a recorded model. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Overrides } from '../../src/engine/ground/config.ts';
import type { Desk } from '../../src/engine/person/desk.ts';
import type { Event } from '../../src/engine/state/events.ts';
import type { Person } from '../../src/engine/ports.ts';
import type { Ending, State } from '../../src/engine/state/state.ts';
import { runSprint } from '../../src/host/sprint.ts';
import { createRecorded } from '../../src/models/recorded.ts';
import { keep, putBack, type Kept } from './kept.ts';
import { prd, supplied, vision, type Session } from './greeter.ts';
import { FakePerson } from './person.ts';

export interface Ground {
  /** The temporary folder that contains everything else. */
  folder: string;
  repo: string;
  sprintDir: string;
  recording: string;
  git(...args: string[]): string;
  dispose(): Promise<void>;
}

/** Makes a repository with a sprint, one commit, a stash, and a modified, a staged, an untracked and an ignored file. */
export async function ground(sessions: readonly Session[], files: Record<string, string> = {}): Promise<Ground> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-sprint-')));
  process.env['LOOP_STATE_HOME'] = sharedState ?? join(folder, 'state');
  const repo = join(folder, 'repo');
  await putBack(repo, await original(files));
  const git = gitIn(repo);
  // The index still knows the files that were kept.
  git('status', '--porcelain');
  const recording = join(folder, 'recording.json');
  await writeFile(recording, JSON.stringify({ recording: 1, sessions }));
  return { folder, repo, sprintDir: join(repo, 'sprint'), recording, git, dispose: () => rm(folder, { recursive: true, force: true }) };
}

const originals = new Map<string, Promise<Kept[]>>();

/** What all repositories with these files begin with. Made once in a process, because git is called a dozen times for it. */
function original(files: Record<string, string>): Promise<Kept[]> {
  const key = JSON.stringify(files);
  const made = originals.get(key) ?? makeOriginal(files);
  originals.set(key, made);
  return made;
}

async function makeOriginal(files: Record<string, string>): Promise<Kept[]> {
  const repo = await realpath(await mkdtemp(join(tmpdir(), 'loop-original-')));
  const git = gitIn(repo);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@localhost');
  await write(repo, {
    'sprint/VISION.md': vision,
    'sprint/PRD.md': prd,
    '.gitignore': 'ignored/\n',
    'notes.md': 'mine\n',
    ...files,
  });
  git('add', '-A');
  git('commit', '-qm', 'First commit');
  await write(repo, { 'notes.md': 'mine, stashed\n' });
  git('stash', '-q');
  await write(repo, { 'staged.md': 'staged\n', 'untracked.md': 'untracked\n', 'ignored/cache': 'ignored\n' });
  git('add', 'staged.md');
  await write(repo, { 'notes.md': 'mine, being edited\n' });
  const kept = (await keep(repo)).filter(({ path }) => !path.endsWith('.sample'));
  await rm(repo, { recursive: true });
  return kept;
}

const gitIn =
  (repo: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

let sharedState: string | undefined;

/** Sprints beside each other in one process have one folder for what Loop keeps outside of repositories; returns how to end it. */
export async function shareState(): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-state-')));
  sharedState = folder;
  return async () => {
    sharedState = undefined;
    await rm(folder, { recursive: true, force: true });
  };
}

export async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** A person who supplies the requested file and answers "done"; skips anything that is not a deed. */
export function helpful(repo: string): FakePerson {
  return new FakePerson(true, async ({ kind }) => {
    if (kind === 'approval') return 'done';
    if (kind !== 'deed') return 'skip';
    await write(repo, { [supplied.path]: supplied.text });
    return 'done';
  });
}

export interface RunOptions {
  person?: Person;
  overrides?: Overrides;
  signal?: AbortSignal;
  onEvent?: (event: Event, state: State) => void;
  onOpen?: (desk: Desk) => void;
  ready?: () => Promise<void>;
}

/** Runs or resumes the sprint in this process. */
export async function run(
  { sprintDir, repo }: Pick<Ground, 'sprintDir' | 'repo'>,
  sessions: readonly Session[],
  {
    person = helpful(repo),
    overrides = {},
    signal = new AbortController().signal,
    onEvent = () => undefined,
    onOpen,
    ready,
  }: RunOptions = {},
): Promise<{ ending: Ending; state: State; events: Event[] }> {
  const events: Event[] = [];
  const result = await runSprint({
    sprintDir,
    model: createRecorded({ name: 'recording.json', text: JSON.stringify({ recording: 1, sessions }) }),
    person,
    // Measuring takes some ten runs for each verification; sprints about proofs ask for it.
    overrides: { evidence: 'any', ...overrides },
    signal,
    ready,
    onEvent(event, state) {
      events.push(event);
      onEvent(event, state);
    },
    onOpen(desk) {
      if (person instanceof FakePerson) person.desk = desk;
      onOpen?.(desk);
    },
    onProgress: () => undefined,
  });
  return { ...result, events };
}

/** The part of a fingerprint that a sprint must not change: all but its own branch and the file that the person supplied. */
export function ofPerson(print: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(print).filter(([key]) => !key.includes(supplied.path) && !key.includes('refs/heads/loop/')));
}
