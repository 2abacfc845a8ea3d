/**
 * The messages between the extension host and the engine's worker. Both ends are ours, so types suffice and nothing is
 * validated. Messages are small plain JSON, since the host's thread deserialises them.
 */
import type { Occasion } from '../engine/ground/occasion.ts';
import type { Config, Overrides } from '../engine/ground/config.ts';
import type { ProgramName } from '../engine/ground/model-names.ts';
import type { Source } from '../engine/parse/draft.ts';
import type { Proposal } from '../engine/parse/proposals.ts';
import type { Answer } from '../engine/person/desk.ts';
import type { EditAnswer } from '../engine/person/edits.ts';
import type { Saying } from '../engine/person/say.ts';
import type { Interruption } from '../engine/ground/errors.ts';
import type { Ref } from '../engine/state/events.ts';
import type { Ending } from '../engine/state/state.ts';
import type { LeftoverKind, WhyKept } from '../engine/render/left-over.ts';
import type { Typical } from '../engine/render/typical.ts';
import type { FinishWay } from '../engine/work/finished.ts';
import type { BranchSides, FileSides } from '../engine/work/tree.ts';
import type { KeyAnswer } from '../models/load.ts';
import type { EditorFailure, EditorReply, EditorRequest } from '../models/editor.ts';
import type { ActivityView } from '../views/model/activity.ts';
import type { PipelineView } from '../views/model/pipeline-view.ts';
import type { HistoryView } from '../views/model/history-view.ts';
import type { SessionView } from '../views/model/sessions.ts';
import type { SprintView } from '../views/model/sprint-view.ts';
import type { ReadingNumbers } from '../views/model/start-words.ts';
import type { VerifiedView } from '../views/model/test-report.ts';

/**
 * The model that the person chose. The API key is not in it: the worker asks for the key when it needs it.
 * `chosen`: for each kind of work, with the tokens that the editor's own take.
 */
export type ModelChoice =
  | { kind: 'anthropic' }
  | { kind: 'chosen'; models: Config['models']; windows: Readonly<Record<string, number>> }
  | { kind: 'recorded'; file: string };

/** What the person sees before a start. */
export interface StartPreview {
  /** What PRD.md was read as. */
  reading: ReadingNumbers;
  /** What a person should look at in it. */
  warnings: string[];
  bound: { decisions: number; usd: number; tokens: number; hours: number };
  /** What sprints here cost that ended; null where none did. */
  typical: Typical | null;
  network: Config['network'];
  models: Config['models'];
  resumes: boolean;
  branch: string | null;
  /** Number of files whose changes the sprint does not include, since they are not committed; null when git failed. */
  uncommitted: number | null;
}

/** A pipeline that the person can pick. */
export interface PipelineOffer {
  name: string;
  description: string;
  /** Where it was found, and which others of its name it hides: `workspace`, `own folder`, `extension`. */
  origin: string;
  hides: string[];
  /** The first of its mistakes; null where it has none. Lines are counted from 1. */
  problem: { words: string; file: string; line: number } | null;
  canRun: boolean;
}

/** What the sprints of a queue may use together. */
export interface QueueBound {
  usd: number;
  tokens: number;
  hours: number;
}

/** What the person sees before a pipeline starts. */
export interface PipelinePreview extends SprintParams {
  session: string;
  stages: string[];
  bound: { iterations: number; usd: number; tokens: number; hours: number };
  /** What it hides, what it does not see, what is left out of its inputs. */
  notes: string[];
  network: Config['network'];
  /** The models that its stages ask. */
  asked: string[];
  /** Those of them that its files name, whatever the person chooses. */
  named: string[];
  inputs: string[];
  /** Globs of what its iterations may change. */
  writes: string[];
  branch: string | null;
}

/** What *Finish* would do. */
export interface FinishView {
  /** The branch that a merge goes into; null if the sprint started from no branch. */
  into: string | null;
  /** That branch has new commits, so a merge first runs every verification on the merged tree. */
  moved: boolean;
  /** An earlier finish that was interrupted when its commit was there: whatever is chosen now completes that. */
  made: 'merge' | 'squash' | null;
  /** Ids of verifications that failed when they last ran, of requirements that are not proven, and of dropped tasks. */
  red: string[];
  unproven: string[];
  dropped: string[];
  /** Ids of requirements that the person took out of it. */
  descoped: string[];
  /** Subject lines. */
  commits: string[];
  files: string[];
  /** The program that could open a pull request here; null where none can. */
  pullRequest: 'gh' | 'glab' | null;
  /** Reasons why a merge would be refused now, one sentence each. */
  problems: string[];
}

/** Whether a sprint can start in a folder, and what a first commit would contain. */
export interface FirstCommit {
  state: 'ready' | 'no-repository' | 'no-commit';
  /** Where the repository is, or would be created. */
  root: string;
  files: { path: string; leftOut: string | null }[];
}

/** An edit: the hashes of the old and the new text, where the new one is kept, and whether agents worked meanwhile. */
export interface EditOffer {
  before: Ref;
  after: Ref;
  kept: string;
  atWork: boolean;
}

/** `sprintDir` may be the folder of a pipeline's session, which is laid out as a sprint's. */
interface SprintParams {
  sprintDir: string;
}

/** Every request with its parameters and its result. */
export interface Requests {
  read: { params: SprintParams; result: SprintView | null };
  /** Validates Vision, PRD and config; fails with the first problem. */
  inputs: { params: SprintParams & { overrides: Overrides }; result: null };
  inspect: { params: SprintParams & { overrides: Overrides }; result: StartPreview };
  /** Answers when the sprint has stopped. */
  run: { params: RunParams; result: Ending };
  /** Looks at the sprints of a queue: what they may use together. Fails where one of them cannot run. */
  'queue-inspect': { params: { sprintDirs: string[]; overrides: Overrides }; result: QueueBound };
  /** Answers when all runs have ended; each result is a message of its own. */
  verify: { params: SprintParams & { only: string[] }; result: null };
  /** Where verifications by hand run: the sprint's worktree, or after *Finish* the person's checkout. Places of cases are relative to it. */
  tree: { params: SprintParams; result: string };
  /** Answers at once; the open `run` or `verify` answers when it has stopped. */
  stop: { params: SprintParams; result: null };
  /** Answers when the answer is on disk, whether the sprint runs or not. */
  'answer-human-action': { params: SprintParams & { id: string; answer: Answer }; result: null };
  /** Answers when it is on disk, whether the sprint runs or not, with what was taken. */
  say: { params: SprintParams & { said: Saying }; result: string };
  /**
   * What the person changed in Vision and PRD since the sprint went by them; null where it goes by them as they are. `texts`: by name,
   * as they would be saved.
   */
  'changed-documents': {
    params: SprintParams & { texts?: Readonly<Record<string, string>> };
    result: { words: string; canTake: boolean; isAnswered: boolean } | null;
  };
  /** Answers when it is on disk, whether the sprint runs or not, with what was taken. */
  amend: { params: SprintParams & { answer: 'take' | 'keep' }; result: string };
  /** Writes the documents of a new sprint; a line for what each part of the source became. */
  'new-sprint': { params: SprintParams & { source: Source }; result: string[] };
  /** Wording that the review proposes, and the payload of each document that holds, by its name. */
  'proposed-wording': { params: SprintParams; result: { proposals: Proposal[]; held: Record<string, string> } };
  /** The edit of a verification that the person has not adopted or discarded yet. */
  'edit-offer': { params: SprintParams & { verification: string }; result: EditOffer };
  /** Answers when the answer is on disk; `done` if it is carried out already. */
  'edit-answer': { params: SprintParams & { verification: string } & EditAnswer; result: { done: boolean } };
  history: { params: SprintParams & { verification: string }; result: HistoryView | null };
  /** The document of a human action. */
  instructions: { params: SprintParams & { id: string }; result: string };
  /** Why the last decision was made, as text. */
  explanation: { params: SprintParams; result: string };
  /** Newest first. */
  sessions: { params: SprintParams; result: SessionView[] };
  /** One session as a document. */
  session: { params: SprintParams & { step: string }; result: string };
  payload: { params: SprintParams & { ref: Ref }; result: string };
  /** The files of a patch, each by git's hashes of its text before and after; null when git no longer has them. */
  'change-sides': { params: SprintParams & { ref: Ref }; result: FileSides[] | null };
  /** The whole change of the sprint's branch; null before there is any. */
  'branch-sides': { params: SprintParams; result: BranchSides | null };
  'side-text': { params: SprintParams & { hash: string }; result: string };
  'finish-preview': { params: SprintParams; result: FinishView };
  finish: { params: SprintParams & { how: FinishWay }; result: { summary: string } };
  /** For a branch that was kept; answers with the request's address. */
  'pull-request': { params: SprintParams; result: string };
  /** Fails with what keeps a pipeline from running here at all. `shelf`: the name of the repository's folder of pipelines. */
  pipelines: { params: { folder: string; shelf: string }; result: { root: string; pipelines: PipelineOffer[] } };
  /** Of a new session. What was seen here is what `pipeline-run` runs. */
  'pipeline-inspect': {
    params: { root: string; shelf: string; name: string; inputs: string[]; overrides: Overrides };
    result: PipelinePreview;
  };
  /** Starts what was inspected, or goes on; answers when the session has stopped. */
  'pipeline-run': { params: RunParams; result: Ending };
  /** What became of the files that a session was opened with, in words; null where nothing did. */
  'pipeline-changed': { params: SprintParams & { shelf: string }; result: string | null };
  'pipeline-read': { params: SprintParams; result: PipelineView | null };
  /** Of the whole repository, and what is wrong with those that cannot be read; null where the folder is in none. */
  'pipeline-runs': {
    params: { folder: string };
    result: { root: string; runs: { dir: string; view: PipelineView }[]; unread: string[] } | null;
  };
  /** An iteration as a document. */
  iteration: { params: SprintParams & { node: string; n: number }; result: string };
  /** Whether the machine is to stay awake while something runs; answers whether it can. */
  'keep-awake': { params: { wanted: boolean }; result: boolean };
  /** Programs of the person's that ask models, as far as this machine has them. */
  programs: { params: Record<string, never>; result: ProgramName[] };
  /** Whether the API takes a key. */
  'check-key': { params: { key: string; baseURL: string | null; model: string }; result: KeyAnswer };
  'first-commit': { params: SprintParams & { workspaceFolder: string }; result: FirstCommit };
  /** The sprints of the repository of a folder, past ones too, the newest first. */
  sprints: { params: { folder: string }; result: SprintsView };
  /** What Loop left on the disk for the repository of a folder. */
  leftovers: { params: { folder: string }; result: CleanUpView };
  'remove-leftovers': { params: { folder: string; ids: string[] }; result: { bytes: number; problems: string[] } };
  /** What an agent asks about sprints; answers in text, also where it asks for what is not there. */
  'agent-question': { params: { folders: string[]; question: string; asked: unknown }; result: string };
  /** Runs the person's command and plays a sound; what went wrong, in words. */
  notify: { params: { command: string; sound: boolean; occasion: Occasion }; result: string[] };
  /** What the model of a chat is told to answer from. */
  'chat-prompt': { params: { folders: string[]; sprint: string | undefined; asked: string }; result: string };
  initialise: { params: { folder: string; files: string[] }; result: null };
}
/** Those of the repository; `unread`: folders whose journal does not say how it stands, and why. */
export interface SprintsView {
  sprints: SprintSummaryView[];
  unread: { dir: string; why: string }[];
}

/** A sprint of the repository: how it stands, and what it cost. `archive`: folder of the record of an earlier one. */
export interface SprintSummaryView {
  dir: string;
  archive: string | null;
  branch: string;
  at: number;
  running: boolean;
  stop: Ending['stop'] | null;
  finished: FinishWay | null;
  usd: number;
  unpriced: number;
  tokens: number;
  hours: number;
}

/** What can be removed, the largest first, and how much of how many sprints stays. */
export interface CleanUpView {
  leftovers: { id: string; kind: LeftoverKind; name: string; path: string; bytes: number }[];
  kept: { name: string; why: WhyKept; bytes: number }[];
}
export interface RunParams extends SprintParams {
  overrides: Overrides;
  model: ModelChoice;
  baseURL: string | null;
  /** Nobody is asked: what needs the person stops, and waits. */
  unattended?: boolean;
}
export type RequestKind = keyof Requests;

/** Host to worker. */
export type ToWorker =
  | { [K in RequestKind]: { type: 'request'; id: number; kind: K; params: Requests[K]['params'] } }[RequestKind]
  | { type: 'secret'; id: number; value: string | null }
  | { type: 'chat-text'; id: number; text: string }
  | { type: 'chat-answer'; id: number; answer: EditorReply | EditorFailure };

/** Worker to host. */
export type FromWorker =
  | { type: 'reply'; id: number; result: unknown }
  | { type: 'failure'; id: number; failure: Failure }
  | { type: 'view'; sprintDir: string; view: SprintView }
  | { type: 'pipeline'; sprintDir: string; view: PipelineView }
  /** What a sprint or a pipeline that runs here does now. */
  | { type: 'activity'; sprintDir: string; activity: ActivityView }
  /** A verification of a run by hand has begun. */
  | { type: 'verifying'; sprintDir: string; verification: string }
  | { type: 'verified'; sprintDir: string; result: VerifiedView }
  | { type: 'log'; lines: LogLine[] }
  | { type: 'want-secret'; id: number }
  /** Asks one of the editor's own models. */
  | { type: 'ask-chat'; id: number; request: EditorRequest }
  | { type: 'cancel-chat'; id: number };

export interface LogLine {
  level: 'info' | 'debug' | 'warn' | 'error';
  text: string;
}

/** An error as sent by the worker: only what the person needs. */
export type Failure =
  | { kind: 'input'; message: string; next: string }
  | { kind: 'interruption'; message: string; next: string; reason: Interruption['reason'] }
  | { kind: 'error'; message: string; detail: string };
