/**
 * What the engine needs of the world (I12). Each port is small, declared here by its consumer, and implemented in
 * `src/host` (Node), `src/models` (providers) and the tests. Every effect takes an `AbortSignal`; every wait uses `Clock`.
 */
import type { Event, Ref } from './state/events.ts';
import type { AskReply, AskRequest } from './ground/messages.ts';
import type { Progress } from './ground/progress.ts';
import type { VerificationFile } from './work/edit.ts';
import type { HumanAction } from './work/human-action.ts';
import type { Finished, Job, Place } from './work/job.ts';
import type { MachineAnswer, Need } from './work/needs.ts';
import type { Service } from './work/service.ts';

/** The part of the platform's AbortSignal that the engine uses; it compiles without the DOM's and Node's types. */
export interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** One writer (I1). `append` returns when the line is on disk. */
export interface Journal {
  append(event: Event): Promise<void>;
}

/** Content-addressed store of prompts, replies, outputs and diffs; written before the line that names them. */
export interface Payloads {
  put(text: string): Promise<Ref>;
  get(ref: Ref): Promise<string>;
}

/** A language model. Throws RetryableModelError or TerminalModelError, nothing else. */
export interface Model {
  readonly id: string;
  /** The provider can search and fetch the web for a request that asks for it. */
  readonly web?: boolean;
  /** Prices and limits for a model name, so that cost is bounded before a call (USD per million tokens). */
  prices(model: string): Prices;
  ask(request: AskRequest, onText: (delta: string) => void, signal: AbortSignal): Promise<AskReply>;
}
export interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars for one web search; none where it is left out. */
  search?: number;
}

/** One file that differs from the last commit of the sprint's branch. */
export interface Change {
  path: string;
  kind: 'added' | 'modified' | 'deleted';
}

/** The sprint's worktree (I10). Paths are repository-relative with `/`; anything that leaves the tree is refused. */
export interface Tree {
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Paths that match a glob, sorted, ignored files left out. */
  glob(pattern: string, under: string): Promise<string[]>;
  /** `path:line:text` for each match, at most `limit`. */
  grep(query: GrepQuery): Promise<string[]>;
  /** What differs from the last commit, with its binary patch. */
  changes(): Promise<{ files: Change[]; patch: string }>;
}
export interface GrepQuery {
  pattern: string;
  under: string;
  glob?: string;
  limit: number;
}

/** Git and checkouts. Every effect has a key (a `Loop-Step` trailer, a branch, a path) by which it is probed. */
export interface Repo {
  /** Creates branch and worktree, or finds them. Idempotent. */
  openWorktree(): Promise<void>;
  /** Paths that the person's checkout does not have. Only looks. */
  missingInputs(paths: string[]): Promise<string[]>;
  /** Copies files that the person must supply from their checkout. Returns those that are missing there. Never committed. */
  copyInputs(paths: string[]): Promise<string[]>;
  /** Tip of the sprint's branch; undefined where there is none. */
  tip(): Promise<string | undefined>;
  /** The commit that carries `Loop-Step: <step>`, if there is one. */
  findCommit(step: string): Promise<string | undefined>;
  /** Commits everything that changed (inputs and ignored files left out). */
  commit(message: string, trailers: Record<string, string>): Promise<string>;
  /** Back to the last commit, exactly; inputs stay. */
  undo(): Promise<void>;
  /** Back to the last commit with this patch on it, exactly: what verifications wrote beside it is gone. */
  restore(patch: string): Promise<void>;
  /** Writes the closing files below the sprint's folder and commits them. */
  commitFiles(files: Record<string, string>, message: string, trailers: Record<string, string>): Promise<string>;
  /** A throw-away checkout of the sprint's last commit, prepared like the worktree. Disposed by `use`'s end. */
  scratch<T>(spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T>;
  /** The same for the same files of a checkout, ignored ones left out. */
  fingerprint(at: Place): Promise<string>;
  /** Files of the commit that the sprint started from, by glob. */
  testsAtBase(globs: readonly string[]): Promise<string[]>;
}
export interface ScratchSpec {
  /** Commits whose hunks are reverted, newest first; files that they created stay, emptied. */
  revert: string[];
  /** What is checked out: the last commit (so where it is left out), that and the change that `changes` saw last, or the base. */
  of?: 'commit' | 'change' | 'base';
  /** Put in the place of whatever else matches. */
  tests?: BaseTests;
}
/** Test files as the base commit has them, by glob, without these paths. */
export interface BaseTests {
  files: readonly string[];
  without: readonly string[];
}
/** Puts texts into a scratch checkout, by path; an existing file keeps its mode. */
export type WriteFiles = (files: Readonly<Record<string, string>>) => Promise<void>;

/** Runs one command in the sandbox (design §8.3) and leaves no process behind. Never throws for a failing command. */
export interface Runner {
  run(job: Job, signal: AbortSignal): Promise<Finished>;
}

/** The person's own Docker, outside of every sandbox; asked only where they allowed it. Failures are answers. */
export interface Docker {
  /** Services of the file that run, or are tried again and again. */
  running(file: string, signal?: AbortSignal): Promise<{ names: string[]; problem?: string }>;
  /**
   * Starts one with what it depends on, until it is healthy; without a health check until it runs, which is before it answers.
   * @returns what went wrong, if anything did; what was started then may run.
   */
  up(service: { compose: string; file: string }, signal: AbortSignal): Promise<string | undefined>;
  /** @returns what went wrong, if anything did. */
  stop(file: string, names: readonly string[]): Promise<string | undefined>;
}

/** One browser, found on this machine, in a sandbox with the services of what it looks at (design §8.3). */
export interface Browser {
  /** What keeps it from being used here and what to install, one sentence; undefined where there is one. */
  problem(): string | undefined;
  /** Does one thing, and starts the browser first where an address is opened and none runs. What goes wrong is an answer. */
  act(action: BrowserAction, on: BrowserGround, signal: AbortSignal): Promise<BrowserAnswer>;
  /** Ends it with everything that runs in its sandbox. */
  close(): Promise<void>;
}
export interface BrowserGround {
  at: Place;
  network: boolean;
  readonly: boolean;
  /** Started beside it; all must be ready first. */
  services: readonly Service[];
}
export type BrowserAction =
  /** `serve` is a command that is started beside it, and must answer at the address. */
  | { action: 'open'; url: string; serve?: string | undefined }
  | { action: 'click'; target: string }
  | { action: 'type'; target: string; text: string }
  | { action: 'press'; key: string }
  | { action: 'viewport'; width: number; height: number }
  | { action: 'read' | 'screenshot' | 'back' | 'console' };
/** What a person would see, in words, and as a base64 PNG where it was asked for; or why it was not done. */
export type BrowserAnswer = { text: string; png?: string } | { refused: string };

/** The files in which a person sees the verifications. What runs is the engine's own text by its hash, never these. */
export interface VerificationFiles {
  /** What somebody else put there, and the name under which it would be kept; undefined where nobody did. Only looks. */
  look(file: VerificationFile): Promise<{ text: string; kept: string } | undefined>;
  /** Whether an older text of ours lies there: not written anew yet, or put back by somebody. Only looks. */
  isOlder(file: VerificationFile): Promise<boolean>;
  /** Keeps their text under that name and puts ours back; nothing where theirs is another one by now. Harmless to repeat. */
  restore(file: VerificationFile, theirs: { text: Ref; kept: string }): Promise<void>;
}

/** What a command in the sandbox finds on this machine. Only looks; answers in the order of the needs. */
export interface Machine {
  look(needs: readonly Need[], signal: AbortSignal): Promise<MachineAnswer[]>;
}

/** The person, or whoever stands in. What they answer goes to the desk (`person/desk.ts`), whenever they say it. */
export interface Person {
  /** False where nobody can be asked; else each human action is shown as it opens. */
  readonly available: boolean;
  /**
   * Nothing goes on without it: asks once more. Resolves when they answered or the signal aborts; rejects with an Interruption
   * when they left.
   * @param tasks ids of all that wait for it, and are dropped by a skip.
   */
  ask(asked: HumanAction, tasks: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Ports {
  journal: Journal;
  payloads: Payloads;
  model: Model;
  tree: Tree;
  repo: Repo;
  runner: Runner;
  docker: Docker;
  browser: Browser;
  verifications: VerificationFiles;
  machine: Machine;
  person: Person;
  clock: Clock;
  /** Live activity for a person to follow; never part of the record. */
  progress(item: Progress): void;
}
