/**
 * What the engine needs from the world (I12). Each port is small, declared here by its consumer, and implemented in `src/host`
 * (Node), `src/models` (providers) and the tests. Every effect takes an `AbortSignal`; every wait uses `Clock`.
 */
import type { Event, Ref } from './state/events.ts';
import type { AskReply, AskRequest } from './ground/messages.ts';
import type { Progress } from './ground/progress.ts';
import type { Language } from './prove/language.ts';
import type { TextSpan } from './ground/text.ts';
import type { SourceTree } from './prove/source-tree.ts';
import type { VerificationFile } from './work/edit.ts';
import type { HumanAction } from './work/human-action.ts';
import type { Finished, Job, Place, Pressure } from './work/job.ts';
import type { MachineAnswer, Need } from './work/needs.ts';
import type { Service } from './work/service.ts';
import type { ChangedFile } from './work/tree.ts';

/** The part of the platform's AbortSignal that the engine uses: it compiles without the types of Node and the DOM. */
export interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** One writer (I1). `append` returns when the line is on disk. */
export interface Journal {
  append(event: Event): Promise<void>;
}

/** Content-addressed store of prompts, replies, outputs and diffs. A payload is written before the line that names it. */
export interface Payloads {
  put(text: string): Promise<Ref>;
  get(ref: Ref): Promise<string>;
}

/** A language model. Throws RetryableModelError or TerminalModelError, nothing else. */
export interface Model {
  readonly id: string;
  /** Whether the provider of a model can search and fetch the web for a request that asks for it; left out: it cannot. */
  web?(model: string): boolean;
  /**
   * Prices of a model in US dollars per million tokens: they bound the cost before a call. Undefined where nobody knows them.
   * @param answered the model that its reply names, whose prices go, where they are known.
   */
  prices(model: string, answered?: string): Prices | undefined;
  /** Tokens that one request of a model may hold, its reply included. */
  window(model: string): number;
  ask(request: AskRequest, onText: (delta: string) => void, signal: AbortSignal): Promise<AskReply>;
  /** Ends what goes on between two calls, such as a program that waits for the next one. Left out: nothing does. */
  close?(): void;
}
export interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars for one web search; 0 by default. */
  search?: number;
}

/** The sprint's worktree (I10). Paths are repository-relative with `/`; a path that leaves the tree is refused. */
export interface Tree {
  /** @param links `refused`: a path that leads through a link is refused; else links inside the tree are followed. */
  read(path: string, links?: 'refused'): Promise<string | undefined>;
  /** Replaces a file, whole. Refused where its text holds marks of secrets, and the file that is there has some. */
  write(path: string, text: string): Promise<void>;
  /**
   * Replaces one part of a file and leaves all else as it is, also what `read` shows as a mark.
   * @param change finds the part in the text that `read` gives.
   * @returns false where there is no file.
   */
  edit(path: string, change: (text: string) => Replacement): Promise<boolean>;
  /** Puts a folder with exactly these files, by their paths in it, in the place of whatever has its name. No link is followed. */
  replace(folder: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Paths that match a glob, sorted, ignored files left out. */
  glob(pattern: string, under: string): Promise<string[]>;
  grep(query: GrepQuery): Promise<Found>;
  /** What differs from the last commit, after the sprint's own documents were put back and files that look secret were removed. */
  changes(): Promise<Changes>;
}
/** A text for what stands in a place. */
export interface Replacement extends TextSpan {
  text: string;
}
export interface Changes {
  files: ChangedFile[];
  /** With binary files. */
  patch: string;
  /** Git's tree with the change, where the patch does not hold each of its bytes. */
  tree?: string | undefined;
  /** Documents of the sprint that were changed. */
  putBack?: string[];
  /** New files whose name says that they hold a key or a password. */
  leftOut?: string[];
}
export interface GrepQuery {
  pattern: string;
  under: string;
  glob?: string;
  limit: number;
}
export interface Found {
  /** `path:line:text` for each match, at most `limit`. */
  lines: string[];
  /** Where so much was found that the search ended before it had seen everything: how much. */
  cut?: string;
}

/** Git and checkouts. Every effect has a key (a `Loop-Step` trailer, a branch, a path) by which it is looked up after a crash (I2). */
export interface Repo {
  /** Creates branch and worktree where they are missing. Idempotent. */
  openWorktree(): Promise<void>;
  /** @returns the paths that the person's checkout lacks. Changes nothing. */
  missingInputs(paths: string[]): Promise<string[]>;
  /** Copies files that the person must supply from their checkout; they are never committed. @returns the paths that are missing there. */
  copyInputs(paths: string[]): Promise<string[]>;
  /** Tip of the sprint's branch; undefined where there is none. */
  tip(): Promise<string | undefined>;
  /** The commit that carries `Loop-Step: <step>`, if there is one. */
  findCommit(step: string): Promise<string | undefined>;
  /** Commits everything that changed, except inputs and ignored files. */
  commit(message: string, trailers: Record<string, string>): Promise<string>;
  /** Resets the worktree exactly to the last commit; inputs stay. */
  undo(): Promise<void>;
  /** Resets the worktree exactly to the last commit plus this change, without anything that verifications wrote. */
  restore(change: Pick<Changes, 'patch' | 'tree'>): Promise<void>;
  /** Writes the closing files below the sprint's folder and commits them. */
  commitFiles(files: Record<string, string>, message: string, trailers: Record<string, string>): Promise<string>;
  /** Runs `use` in a scratch checkout, and removes the checkout afterwards. */
  scratch<T>(spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T>;
  /** Test files in the commit that the sprint started from, by glob. */
  testsAtBase(globs: readonly string[]): Promise<string[]>;
  /** A file of that commit; empty where there is none. */
  textAtBase(path: string): Promise<string>;
}
export interface ScratchSpec {
  /** Commits whose hunks are reverted, newest first; files that they created stay, but empty. */
  revert: string[];
  /** What is checked out: the last commit (the default), that commit with the change that `changes` returned last, or the base commit. */
  of?: 'commit' | 'change' | 'base';
  /** Paths that are as in the last commit, whatever is checked out. */
  keep?: readonly string[];
  /** These replace all files that match their globs. */
  tests?: BaseTests;
  /** Files below the sprint's folder that are added, as the closing commit does. */
  closing?: Readonly<Record<string, string>>;
}
/** Test files of the base commit: those that match `files`, except the paths in `without`. */
export interface BaseTests {
  files: readonly string[];
  without: readonly string[];
  /** Whether the sprint's own documents are taken out, too: a linter or formatter would judge how PRD.md is laid out. */
  check?: boolean;
}
/** Writes texts into a scratch checkout, by path; an existing file keeps its mode. */
export type WriteFiles = (files: Readonly<Record<string, string>>) => Promise<void>;

/** Runs one command in the sandbox and leaves no process behind. A failing command is a result, not an exception. */
export interface Runner {
  run(job: Job, signal: AbortSignal): Promise<Finished>;
  /** How busy the machine is now; left out, or empty, where nothing tells. */
  pressure?(): Pressure;
}

/** The person's own Docker, outside every sandbox, used only where they allowed it. A failure is a result, not an exception. */
export interface Docker {
  /** Names of the compose file's services that run or keep restarting. */
  running(file: string, signal?: AbortSignal): Promise<{ names: string[]; problem?: string }>;
  /**
   * Starts a service with its dependencies, and waits until it is healthy. Without a health check it waits only for the
   * container, which runs before the service answers.
   * @returns what went wrong, if anything did; what was started may then still run.
   */
  up(service: { compose: string; file: string }, signal: AbortSignal): Promise<string | undefined>;
  /** @returns what went wrong, if anything did. */
  stop(file: string, names: readonly string[]): Promise<string | undefined>;
}

/** One browser that is installed on this machine. It runs in one sandbox with the deliverable's services. */
export interface Browser {
  /** Why no browser can be used here and what to install, in one sentence; undefined when one can be used. */
  problem(): string | undefined;
  /** Does one action; `open` starts the browser if none runs. A failure is an answer, not an exception. */
  act(action: BrowserAction, on: BrowserGround, signal: AbortSignal): Promise<BrowserAnswer>;
  /** Ends the browser with everything in its sandbox. */
  close(): Promise<void>;
}
export interface BrowserGround {
  at: Place;
  network: boolean;
  readonly: boolean;
  /** Started in the same sandbox; all must be ready first. */
  services: readonly Service[];
}
export type BrowserAction =
  /** `serve` is a command that starts in the same sandbox and must then answer at the address. */
  | { action: 'open'; url: string; serve?: string | undefined }
  /** Also at a point: `X,Y` of the window, or `element @ X,Y` from its corner. */
  | { action: 'click' | 'doubleclick' | 'rightclick' | 'hover'; target: string }
  /** From point to point, with the mouse's button held down or with a finger; one point alone is a tap. */
  | { action: 'drag' | 'touch'; points: readonly string[] }
  | { action: 'type'; target: string; text: string }
  /** Clicks the target, and gives the file chooser that opens a file of the tree, or one below /tmp of the browser's sandbox. */
  | { action: 'upload'; target: string; file: string }
  | { action: 'press'; key: string }
  /** Goes to the tab of this number, from 1 to 9; a number that is not open yet opens an empty one. */
  | { action: 'tab'; number: number }
  | { action: 'viewport'; width: number; height: number }
  /** What pages take for now: an ISO moment that runs on, or `now` for the real time. */
  | { action: 'clock'; when: string }
  | { action: 'read' | 'screenshot' | 'back' | 'console' };
/** What a person would see, in words, and as a base64 PNG for a screenshot; or why the action was not done. */
export type BrowserAnswer = { text: string; png?: string } | { refused: string };

/** The files in which the person reads and edits verifications. They never run: the engine runs its own text, by hash. */
export interface VerificationFiles {
  /** A text that somebody put into the file, and the name under which it would be kept; undefined when nobody did. Changes nothing. */
  look(file: VerificationFile): Promise<{ text: string; kept: string } | undefined>;
  /** Whether the file holds an older text of this verification: not rewritten yet, or put back by somebody. Changes nothing. */
  isOlder(file: VerificationFile): Promise<boolean>;
  /**
   * Keeps the edited text under that name and writes the engine's text back. It does nothing when the file holds another text by
   * now, and is harmless to repeat.
   */
  restore(file: VerificationFile, edited: { text: Ref; kept: string }): Promise<void>;
}

/** Looks up what a command in the sandbox would find on this machine. Changes nothing; answers in the order of the needs. */
export interface Machine {
  look(needs: readonly Need[], signal: AbortSignal): Promise<MachineAnswer[]>;
}

/** Parses source of the work. Nothing but these two arguments decides what it answers; undefined where a text cannot be read in time. */
export interface Syntax {
  parse(language: Language, text: string): Promise<SourceTree | undefined>;
  /** How often the text is not what the language allows. */
  errors(language: Language, text: string): Promise<number | undefined>;
}

/** The person, or a stand-in. Their answers go to the desk (`person/desk.ts`), at any time. */
export interface Person {
  /** False when nobody can be asked. Otherwise each human action is shown when it opens. */
  readonly available: boolean;
  /**
   * Asks once more, because nothing else is due. Resolves when the person answered or the signal aborts; rejects with an
   * Interruption when they left.
   * @param tasks ids of the tasks that wait for it; a skip drops them.
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
  syntax: Syntax;
  person: Person;
  clock: Clock;
  /** Live activity for a person to follow; never part of the record. */
  progress(item: Progress): void;
}
