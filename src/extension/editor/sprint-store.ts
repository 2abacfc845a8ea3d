/** The one sprint that this window shows: its latest view, and whether it runs here. */
import * as vscode from 'vscode';
import type { Overrides } from '../../engine/ground/config.ts';
import { messageOf } from '../../engine/ground/errors.ts';
import type { Answer } from '../../engine/person/desk.ts';
import type { Ending } from '../../engine/state/state.ts';
import type { ActivityView } from '../../views/model/activity.ts';
import { isUnfinished } from '../../views/model/headline.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import { EngineFailure, type EngineClient } from './engine-client.ts';
import type { Failure, ModelChoice, RunParams } from '../protocol.ts';
import { followGone } from './sprint-folders.ts';
import { t } from '../../views/words.ts';

export interface Shown {
  dir: string;
  view: SprintView | null;
  running: boolean;
  /** What it does now; null unless it runs in this window. */
  activity: ActivityView | null;
  /** Why its last run in this window broke off, in words, until it runs again. */
  broke: string | null;
}

/** What the person chose for a run of the sprint. */
export interface Choice {
  model: ModelChoice;
  overrides: Overrides;
  baseURL: string | null;
}

interface Queued {
  dir: string;
  choice: Choice;
}

/** How a run ended, or why it did not. */
export type End = { ending: Ending } | { failure: Failure };
export type Outcome = { dir: string; view: SprintView | null; queued: boolean } & End;

/** Where a queue is: the number of the sprint that runs. */
export interface QueuePlace {
  at: number;
  of: number;
}

const watchDelayMs = 500;
/** Polls a sprint of another process: if that process is killed, no file changes. */
const pollElsewhereMs = 5000;

export class SprintStore implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly acted = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<Outcome>();
  /** Fires when the shown sprint has a new view, starts or stops. */
  readonly onDidChange = this.changed.event;
  /** Fires each second while the shown sprint runs in this window. */
  readonly onDidAct = this.acted.event;
  readonly onDidEnd = this.ended.event;
  private shownNow: Shown | null = null;
  private watcher: vscode.Disposable | undefined;
  private rereading: NodeJS.Timeout | undefined;
  private polling: NodeJS.Timeout | undefined;
  private stopped: Promise<unknown> = Promise.resolve();
  /** Counts what the person asked to see. */
  private asked = 0;
  private place: QueuePlace | null = null;
  /** The person stopped the queue, maybe just after one of its sprints ended. */
  private isQueueStopped = false;

  constructor(private readonly engine: () => EngineClient) {}

  get shown(): Shown | null {
    return this.shownNow;
  }

  /** Where the queue is that runs here, without asking anybody; null without one. */
  get queue(): QueuePlace | null {
    return this.place;
  }

  /** Whether the person can resume it: it is not finished, and runs neither here nor elsewhere. */
  get resumable(): boolean {
    const { shownNow } = this;
    if (!shownNow?.view || shownNow.running || shownNow.view.elsewhere) return false;
    return isUnfinished(shownNow.view);
  }

  /** Reads the last state of a sprint and shows it, unless another is asked for meanwhile; a sprint that never ran shows nothing. */
  async show(dir: string): Promise<void> {
    const asked = (this.asked += 1);
    await this.read(dir, () => this.asked === asked);
  }

  /** Shows nothing, unless a sprint runs. */
  hide(): void {
    if (!this.isRunning()) this.set(null);
  }

  /** A window runs one sprint at a time. @throws EngineFailure while one runs. */
  requireIdle(): void {
    if (!this.isRunning() && !this.place) return;
    const [message, next] = [t('A sprint runs in this window already.'), t('Stop it before you start another.')];
    throw new EngineFailure({ kind: 'input', message, next });
  }

  /** Starts or resumes a sprint and returns at once; `onDidEnd` reports the outcome. @throws EngineFailure while one runs. */
  run(dir: string, choice: Choice): void {
    this.requireIdle();
    const running = this.begin(dir, choice);
    this.stopped = running.then((outcome) => this.ended.fire(outcome));
  }

  /**
   * Runs sprints one after the other and asks nobody. One that waits, fails or breaks off does not keep the next from beginning;
   * only the person's stop or pause ends the queue. Never rejects. @returns the outcome of each that began.
   * @throws EngineFailure while one runs.
   */
  runQueue(queued: readonly Queued[]): Promise<Outcome[]> {
    this.requireIdle();
    this.isQueueStopped = false;
    return this.runEach(queued);
  }

  /** Resolves when the sprint has stopped. Of a queue no other one begins. */
  async stop(): Promise<void> {
    this.isQueueStopped = true;
    if (!this.shownNow?.running) return;
    await this.engine().request('stop', { sprintDir: this.shownNow.dir });
    await this.stopped;
  }

  /** Writes the person's answer into the sprint's journal, whether it runs or not. */
  async answer(humanAction: string, answer: Answer): Promise<void> {
    if (!this.shownNow) return;
    await this.engine().request('answer-human-action', { sprintDir: this.shownNow.dir, id: humanAction, answer });
  }

  receive(dir: string, view: SprintView | null): void {
    const { shownNow } = this;
    if (shownNow?.dir !== dir) return;
    this.set({ ...shownNow, view });
  }

  receiveActivity(dir: string, activity: ActivityView): void {
    const { shownNow } = this;
    if (shownNow?.dir !== dir || !shownNow.running) return;
    this.shownNow = { ...shownNow, activity };
    this.acted.fire();
  }

  dispose(): void {
    this.shownNow = null;
    clearTimeout(this.rereading);
    clearTimeout(this.polling);
    this.watcher?.dispose();
    this.changed.dispose();
    this.acted.dispose();
    this.ended.dispose();
  }

  private async runEach(queued: readonly Queued[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [index, { dir, choice }] of queued.entries()) {
      this.place = { at: index + 1, of: queued.length };
      const running = this.begin(dir, { ...choice, unattended: true });
      this.stopped = running;
      const outcome = await running;
      this.ended.fire(outcome);
      outcomes.push(outcome);
      if (byPerson(outcome) || this.isQueueStopped) break;
    }
    this.place = null;
    this.changed.fire();
    return outcomes;
  }

  private begin(dir: string, choice: Omit<RunParams, 'sprintDir'>): Promise<Outcome> {
    const before = this.shownNow;
    const known = before?.dir === dir && this.resumable ? before.view : null;
    this.set({ dir, view: known, running: true, activity: null, broke: null });
    return this.follow({ sprintDir: dir, ...choice }, before);
  }

  /** @param before what was shown: it is shown again where this one was refused before it was open. */
  private async follow(params: RunParams, before: Shown | null): Promise<Outcome> {
    const dir = params.sprintDir;
    const outcome = await endOf(this.engine().request('run', params));
    const view = await this.engine()
      .request('read', { sprintDir: dir })
      .catch(() => this.shownNow?.view ?? null);
    this.set(view ? { dir, view, running: false, activity: null, broke: brokeOff(outcome) } : before);
    return { dir, view, queued: params.unattended === true, ...outcome };
  }

  /** @param isWanted whether what was read is still to be shown. */
  private async read(dir: string, isWanted: () => boolean): Promise<void> {
    if (this.isRunning()) return;
    const view = await this.engine().request('read', { sprintDir: dir });
    // It may have begun meanwhile; what was read is older.
    if (this.isRunning() || !isWanted()) return;
    const broke = this.shownNow?.dir === dir ? this.shownNow.broke : null;
    if (view) this.set({ dir, view, running: false, activity: null, broke });
    else if (this.shownNow?.dir === dir) this.set(null);
  }

  /** For as long as it is shown. What cannot be read now may be read the next time. */
  private reread(dir: string): void {
    void this.read(dir, () => this.shownNow?.dir === dir).catch(() => this.pollElsewhere());
  }

  private pollElsewhere(): void {
    clearTimeout(this.polling);
    const { shownNow } = this;
    if (shownNow?.view?.elsewhere) this.polling = setTimeout(() => this.reread(shownNow.dir), pollElsewhereMs);
  }

  private isRunning(): boolean {
    return this.shownNow?.running === true;
  }

  private set(next: Shown | null): void {
    if (next?.dir !== this.shownNow?.dir) this.watch(next?.dir);
    this.shownNow = next;
    this.pollElsewhere();
    this.changed.fire();
  }

  /** Follows the journal, since the command line may run the sprint too. */
  private watch(dir: string | undefined): void {
    clearTimeout(this.rereading);
    this.watcher?.dispose();
    this.watcher = undefined;
    if (dir === undefined) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dir), '.loop/journal.jsonl'));
    const later = (): void => {
      if (this.isRunning()) return;
      clearTimeout(this.rereading);
      this.rereading = setTimeout(() => this.reread(dir), watchDelayMs);
    };
    const gone = followGone((isGone) => void (isGone(dir) && later()));
    this.watcher = vscode.Disposable.from(
      watcher,
      watcher.onDidChange(later),
      watcher.onDidCreate(later),
      watcher.onDidDelete(later),
      gone,
    );
  }
}

/** How the person ended the run; null where they did not. */
export function byPerson(end: End): 'cancelled' | 'paused' | null {
  if ('ending' in end || end.failure.kind !== 'interruption') return null;
  const { reason } = end.failure;
  return reason === 'cancelled' || reason === 'paused' ? reason : null;
}

/** Never rejects. */
export function endOf(running: Promise<Ending>): Promise<End> {
  return running.then(
    (ending) => ({ ending }),
    (error: unknown) => ({ failure: failureOf(error) }),
  );
}

/** Null where it ended, or the person stopped or paused it. */
export function brokeOff(outcome: End): string | null {
  if ('ending' in outcome || byPerson(outcome)) return null;
  const { failure } = outcome;
  if (failure.kind === 'error') return t('Something in Loop failed: {0}', failure.message);
  return `${failure.message} ${failure.next}`;
}

/** Why it failed, in words. */
export function whyFailed(error: unknown): string {
  return brokeOff({ failure: failureOf(error) }) ?? messageOf(error);
}

export function failureOf(error: unknown): Failure {
  if (error instanceof EngineFailure) return error.failure;
  const message = messageOf(error);
  return { kind: 'error', message, detail: error instanceof Error ? (error.stack ?? '') : '' };
}
