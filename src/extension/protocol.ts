/**
 * What the extension host and the engine's worker say to each other. Both ends are ours, so types suffice; everything is
 * plain JSON and small, since the host's thread deserialises it. Only types: this file adds nothing to a bundle.
 */
import type { Config, Overrides } from '../engine/ground/config.ts';
import type { Answer } from '../engine/person/desk.ts';
import type { EditAnswer } from '../engine/person/edits.ts';
import type { Interruption } from '../engine/ground/errors.ts';
import type { Ref } from '../engine/state/events.ts';
import type { Ending } from '../engine/state/state.ts';
import type { FileSides } from '../engine/work/tree.ts';
import type { HistoryView } from '../views/model/history-view.ts';
import type { SprintView } from '../views/model/sprint-view.ts';
import type { VerifiedView } from '../views/model/test-report.ts';

/** A model as a person chose it; the key is asked for when it is needed and never stored in a message of ours. */
export type ModelChoice = { kind: 'anthropic' } | { kind: 'recorded'; file: string };

/** What is shown before a start. */
export interface StartPreview {
  requirements: { id: string; title: string }[];
  bound: { decisions: number; usd: number; tokens: number };
  network: Config['network'];
  models: string[];
  resumes: boolean;
  branch: string | null;
  /** How many files of the checkout the sprint does not start with; undefined where git could not tell. */
  uncommitted: number | undefined;
}

export type FinishHow = 'merge' | 'squash' | 'keep' | 'drop';

/** What *Finish* would do. */
export interface FinishView {
  /** The branch that a merge goes to; null if the sprint started from none. */
  into: string | null;
  /** That branch has commits that the sprint does not know: a merge runs every verification on the result first. */
  moved: boolean;
  /** Subjects. */
  commits: string[];
  files: string[];
  /** Why a merge would be refused now, each a sentence. */
  problems: string[];
}

/** Whether a folder can carry a sprint, and what a first commit would hold. */
export interface FirstCommit {
  state: 'ready' | 'no-repository' | 'no-commit';
  /** Where the repository is, or would be made. */
  root: string;
  files: { path: string; leftOut: string | null }[];
}

/** An edit by the addresses of both texts. */
export interface EditOffer {
  before: Ref;
  after: Ref;
  kept: string;
  atWork: boolean;
}

interface SprintParams {
  sprintDir: string;
}

/** Every request with its parameters and its result. */
export interface Requests {
  read: { params: SprintParams; result: SprintView | null };
  /** Reads Vision, PRD and config, and fails with what is wrong with them. */
  inputs: { params: SprintParams & { overrides: Overrides }; result: null };
  inspect: { params: SprintParams & { overrides: Overrides }; result: StartPreview };
  /** Answers when the sprint has stopped. */
  run: { params: RunParams; result: Ending };
  /** Answers when all are through; each result is a message of its own. */
  verify: { params: SprintParams & { only: string[] }; result: null };
  /** The sprint's worktree: where what its cases name lies. */
  tree: { params: SprintParams; result: string };
  /** Answers at once; `run` or `verify`, whichever is under way, answers when it has stopped. */
  stop: { params: SprintParams; result: null };
  /** Answers when it is on disk, whether the sprint runs here or is at rest. */
  'answer-human-action': { params: SprintParams & { id: string; answer: Answer }; result: null };
  /** The edit of a verification that waits for the person's word, and whether agents were at work meanwhile. */
  'edit-offer': { params: SprintParams & { verification: string }; result: EditOffer };
  /** Answers when it is written down: `done` where it is carried out already. */
  'edit-answer': { params: SprintParams & { verification: string } & EditAnswer; result: { done: boolean } };
  history: { params: SprintParams & { verification: string }; result: HistoryView | null };
  /** Why the last decision was made, as text. */
  explanation: { params: SprintParams; result: string };
  payload: { params: SprintParams & { ref: Ref }; result: string };
  /** A patch file by file, as hashes of whole texts; null where there is only the patch to show. */
  'change-sides': { params: SprintParams & { ref: Ref }; result: FileSides[] | null };
  'side-text': { params: SprintParams & { hash: string }; result: string };
  'finish-preview': { params: SprintParams; result: FinishView };
  finish: { params: SprintParams & { how: FinishHow }; result: { summary: string } };
  'first-commit': { params: SprintParams & { workspaceFolder: string }; result: FirstCommit };
  initialise: { params: { folder: string; files: string[] }; result: null };
}
export interface RunParams extends SprintParams {
  overrides: Overrides;
  model: ModelChoice;
  baseURL: string | null;
}
export type RequestKind = keyof Requests;

/** Host to worker. */
export type ToWorker =
  | { [K in RequestKind]: { type: 'request'; id: number; kind: K; params: Requests[K]['params'] } }[RequestKind]
  | { type: 'secret'; id: number; value: string | null };

/** Worker to host. */
export type FromWorker =
  | { type: 'reply'; id: number; result: unknown }
  | { type: 'failure'; id: number; failure: Failure }
  | { type: 'view'; sprintDir: string; view: SprintView }
  | { type: 'verified'; sprintDir: string; result: VerifiedView }
  | { type: 'log'; lines: LogLine[] }
  | { type: 'want-secret'; id: number };

export interface LogLine {
  level: 'info' | 'debug' | 'warn' | 'error';
  text: string;
}

/** An error as it crosses the thread: what a person needs of it. */
export type Failure =
  | { kind: 'input'; message: string; next: string }
  | { kind: 'interruption'; message: string; next: string; reason: Interruption['reason'] }
  | { kind: 'error'; message: string; detail: string };
