/**
 * The engine's ports in memory: a scripted model, a repository of maps, a runner that reads the repository's files, a clock
 * that never waits. A whole sprint runs in milliseconds. A crash is an append that fails.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AskReply, AskRequest } from '../../src/engine/ground/messages.ts';
import { Interruption } from '../../src/engine/ground/errors.ts';
import type { Event } from '../../src/engine/state/events.ts';
import type {
  AbortSignal,
  Clock,
  Found,
  Model,
  Payloads,
  Person,
  Ports,
  Prices,
  Replacement,
  Repo,
  Runner,
  ScratchSpec,
  Tree,
  WriteFiles,
} from '../../src/engine/ports.ts';
import type { Finished, Job, Place } from '../../src/engine/work/job.ts';
import type { ChangedFile } from '../../src/engine/work/tree.ts';
import { runFolder } from '../../src/engine/work/stage.ts';
import type { Progress } from '../../src/engine/ground/progress.ts';
import { createSyntax } from '../../src/host/syntax/syntax.ts';
import { matching, withTests } from './base-tests.ts';
import { FakeMachine } from './fake-machine.ts';
import { FakeVerifications, noBrowser, noDocker } from './fake-host.ts';
import { absent } from './person.ts';

export type Files = Readonly<Record<string, string>>;

export class FakeJournal {
  readonly events: Event[] = [];
  /** The append of this event number fails, as in a crash, and the event is not stored. */
  crashAt = Infinity;

  append(event: Event): Promise<void> {
    if (event.n >= this.crashAt) return Promise.reject(new Interruption('failed-write', `crashed at ${event.n}`));
    assert.equal(event.n, (this.events.at(-1)?.n ?? 0) + 1, 'events are numbered');
    this.events.push(structuredClone(event));
    return Promise.resolve();
  }
}

export class FakePayloads implements Payloads {
  readonly texts = new Map<string, string>();

  put(text: string): Promise<string> {
    const ref = createHash('sha256').update(text).digest('hex');
    this.texts.set(ref, text);
    return Promise.resolve(ref);
  }

  get(ref: string): Promise<string> {
    const text = this.texts.get(ref);
    return text === undefined ? Promise.reject(new Error(`no payload ${ref}`)) : Promise.resolve(text);
  }
}

/** Records each wait and advances the time by it, without waiting. */
export class ManualClock implements Clock {
  time = 1_700_000_000_000;
  readonly waits: number[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.waits.push(ms);
    this.time += ms;
    return signal.aborted ? Promise.reject(new Interruption('cancelled', 'stopped')) : Promise.resolve();
  }
}

export const testPrices: Prices = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };
type Scripted = AskReply | Error | ((request: AskRequest) => AskReply | Error);

/** Gives its answers in order. Keeps a copy of each request, because the engine changes the conversation later. */
export class ScriptedModel implements Model {
  readonly id = 'scripted';
  readonly asked: AskRequest[] = [];
  readonly answers: Scripted[];
  /** The window of every model, in tokens. */
  tokens = 200_000;

  constructor(answers: Scripted[] = []) {
    this.answers = answers;
  }

  prices(): Prices {
    return testPrices;
  }

  window(): number {
    return this.tokens;
  }

  ask(request: AskRequest, onText: (delta: string) => void): Promise<AskReply> {
    this.asked.push(structuredClone(request));
    const next = this.answers.shift();
    assert.ok(next, `no answer for ${request.role} ${request.purpose}, turn ${request.turn}`);
    const answer = typeof next === 'function' ? next(request) : next;
    if (answer instanceof Error) return Promise.reject(answer);
    onText('…');
    return Promise.resolve(answer);
  }
}

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

export function says(text: string, stop: AskReply['stop'] = 'end_turn'): AskReply {
  return { content: [{ type: 'text', text }], stop, usage, model: 'm' };
}

/** A reply that calls tools, with the ids t1, t2 … */
export function calls(...uses: [name: string, input: unknown][]): AskReply {
  const content = uses.map(([name, input], i) => ({ type: 'tool_use' as const, id: `t${i + 1}`, name, input }));
  return { content, stop: 'tool_use', usage, model: 'm' };
}

interface Commit {
  id: string;
  step: string;
  message: string;
  before: Files;
  after: Files;
}

/** As `git/excludes.ts` has it: neither a change nor undone. */
function isIgnored(path: string): boolean {
  return path.startsWith(`${runFolder}/`);
}

/** Worktree, commits and scratch checkouts, each a map from path to text. */
export class FakeRepo implements Repo, Tree {
  files: Record<string, string>;
  readonly commits: Commit[] = [];
  closing: Files = {};
  /** Files in the person's checkout that Loop can copy as inputs. */
  supplies: Record<string, string> = {};
  undone = 0;
  /** The files of the last commit. */
  private committed: Files;
  private readonly baseFiles: Files;
  private readonly patches = new Map<string, Files>();
  private readonly scratches = new Map<string, Record<string, string>>();

  constructor(files: Files = {}) {
    this.baseFiles = { ...files };
    this.files = { ...files };
    this.committed = { ...files };
  }

  at(place: Place): Record<string, string> {
    return place === 'worktree' ? this.files : (this.scratches.get(place.scratch) ?? {});
  }

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(Object.hasOwn(this.files, path) ? this.files[path] : undefined);
  }

  write(path: string, text: string): Promise<void> {
    this.files[path] = text;
    return Promise.resolve();
  }

  edit(path: string, change: (text: string) => Replacement): Promise<boolean> {
    const now = this.files[path];
    if (now === undefined) return Promise.resolve(false);
    const { from, to, text } = change(now);
    this.files[path] = now.slice(0, from) + text + now.slice(to);
    return Promise.resolve(true);
  }

  replace(folder: string, files: Readonly<Files>): Promise<void> {
    const others = Object.entries(this.files).filter(([one]) => one !== folder && !one.startsWith(`${folder}/`));
    const own = Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text] as const);
    this.files = Object.fromEntries([...others, ...own]);
    return Promise.resolve();
  }

  glob(_pattern: string, under: string): Promise<string[]> {
    return Promise.resolve(
      Object.keys(this.files)
        .filter((path) => path.startsWith(under))
        .sort(),
    );
  }

  grep({ pattern, under, limit }: { pattern: string; under: string; limit: number }): Promise<Found> {
    const lines = Object.entries(this.files).flatMap(([path, text]) =>
      text.split('\n').flatMap((line, i) => (path.startsWith(under) && line.includes(pattern) ? [`${path}:${i + 1}:${line}`] : [])),
    );
    return Promise.resolve({ lines: lines.slice(0, limit) });
  }

  changes(): Promise<{ files: ChangedFile[]; patch: string }> {
    const paths = [...new Set([...Object.keys(this.committed), ...Object.keys(this.files)])].filter((path) => !isIgnored(path)).sort();
    const files = paths
      .filter((path) => this.committed[path] !== this.files[path])
      .map((path): ChangedFile => {
        const kind = this.committed[path] === undefined ? 'added' : this.files[path] === undefined ? 'deleted' : 'modified';
        return { path, kind };
      });
    const patch = files.map(({ path }) => `${path}: ${this.files[path] ?? '(gone)'}`).join('\n');
    this.patches.set(patch, { ...this.files });
    return Promise.resolve({ files, patch });
  }

  restore({ patch }: { patch: string }): Promise<void> {
    this.files = { ...(patch === '' ? this.committed : this.patches.get(patch)) };
    return Promise.resolve();
  }

  openWorktree(): Promise<void> {
    return Promise.resolve();
  }

  missingInputs(paths: string[]): Promise<string[]> {
    return this.copyInputs(paths);
  }

  copyInputs(paths: string[]): Promise<string[]> {
    return Promise.resolve(paths.filter((path) => this.supplies[path] === undefined));
  }

  tip(): Promise<string | undefined> {
    return Promise.resolve(this.commits.at(-1)?.id ?? this.base);
  }

  /** The commit that the branch starts from. */
  base = 'base';

  findCommit(step: string): Promise<string | undefined> {
    return Promise.resolve(this.commits.find((commit) => commit.step === step)?.id);
  }

  commit(message: string, trailers: Record<string, string>): Promise<string> {
    const id = `c${this.commits.length + 1}`;
    const after = { ...this.files };
    this.commits.push({ id, step: trailers['Loop-Step'] ?? '', message, before: this.committed, after });
    this.committed = after;
    return Promise.resolve(id);
  }

  undo(): Promise<void> {
    this.undone += 1;
    const ignored = Object.entries(this.files).filter(([path]) => isIgnored(path));
    this.files = { ...this.committed, ...Object.fromEntries(ignored) };
    return Promise.resolve();
  }

  commitFiles(files: Record<string, string>, message: string, trailers: Record<string, string>): Promise<string> {
    this.closing = files;
    return this.commit(message, trailers);
  }

  testsAtBase(globs: readonly string[]): Promise<string[]> {
    return Promise.resolve(matching(this.baseFiles, globs));
  }

  textAtBase(path: string): Promise<string> {
    return Promise.resolve(this.baseFiles[path] ?? '');
  }

  async scratch<T>(
    { revert, of, keep = [], tests, closing = {} }: ScratchSpec,
    use: (at: Place, write: WriteFiles) => Promise<T>,
  ): Promise<T> {
    const from = { commit: this.committed, change: this.files, base: this.baseFiles }[of ?? 'commit'];
    const files = tests ? withTests(from, this.baseFiles, tests) : { ...from };
    for (const { before, after } of revert
      .map((id) => this.commits.find((commit) => commit.id === id))
      .filter((commit) => commit !== undefined))
      for (const path of Object.keys(after)) if (before[path] !== after[path]) files[path] = before[path] ?? '';
    for (const path of keep) files[path] = this.committed[path] ?? assert.fail(`the last commit has no ${path}`);
    for (const [path, text] of Object.entries(closing)) files[`sprint/${path}`] = text;
    const name = `scratch${this.scratches.size + 1}`;
    this.scratches.set(name, files);
    return use({ scratch: name }, (texts) => Promise.resolve(void Object.assign(files, texts)));
  }
}

const defaults: Finished = { exit: 0, timedOut: false, duration: 5, output: '', dropped: 0 };
export const finished = (over: Partial<Finished> = {}): Finished => ({ ...defaults, ...over });

/** Computes the result of a job from the files of the place where the job runs. */
export class FakeRunner implements Runner {
  readonly jobs: Job[] = [];
  constructor(
    readonly repo: FakeRepo,
    public decide: (files: Record<string, string>, job: Job) => Partial<Finished> | Promise<Partial<Finished>> = () => ({}),
  ) {}

  async run(job: Job): Promise<Finished> {
    this.jobs.push(job);
    const files = this.repo.at(job.at);
    return finished(await this.decide(job.view ? { ...files, ...job.files } : files, job));
  }
}

export interface World {
  journal: FakeJournal;
  payloads: FakePayloads;
  clock: ManualClock;
  model: ScriptedModel;
  repo: FakeRepo;
  runner: FakeRunner;
  verifications: FakeVerifications;
  machine: FakeMachine;
  progress: Progress[];
  ports: Ports;
}

export function world(given: { answers?: Scripted[]; files?: Files; person?: Person } = {}): World {
  const repo = new FakeRepo(given.files);
  const progress: Progress[] = [];
  const parts = {
    journal: new FakeJournal(),
    payloads: new FakePayloads(),
    clock: new ManualClock(),
    model: new ScriptedModel(given.answers),
    repo,
    runner: new FakeRunner(repo),
    verifications: new FakeVerifications(),
    machine: new FakeMachine(),
    docker: noDocker,
    browser: noBrowser,
    syntax: createSyntax(),
  };
  const person = given.person ?? absent;
  return { ...parts, progress, ports: { ...parts, tree: repo, person, progress: (item) => void progress.push(item) } };
}
