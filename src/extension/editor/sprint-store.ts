/** The sprint that this window shows: its latest view, and whether it runs here. One at a time. */
import * as vscode from 'vscode';
import type { Overrides } from '../../engine/ground/config.ts';
import type { Answer } from '../../engine/person/desk.ts';
import type { Ending } from '../../engine/state/state.ts';
import { isUnfinished } from '../../views/model/headline.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import { EngineFailure, type EngineClient } from './engine-client.ts';
import type { Failure, ModelChoice, RunParams } from '../protocol.ts';

export interface Shown {
  dir: string;
  view: SprintView | null;
  running: boolean;
}

/** What the person chose for a sprint, so that *Resume* does not ask again. A cache: the journal is the truth. */
export interface Choice {
  model: ModelChoice;
  overrides: Overrides;
  baseURL: string | null;
}

export type Outcome = { dir: string; view: SprintView | null } & ({ ending: Ending } | { failure: Failure });

const watchDelayMs = 500;
/** A process that is killed writes nothing more. */
const lookElsewhereMs = 5000;

export class SprintStore implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<Outcome>();
  /** The shown sprint has a new view, starts or stops. */
  readonly onDidChange = this.changed.event;
  readonly onDidEnd = this.ended.event;
  private shownNow: Shown | null = null;
  private watcher: vscode.Disposable | undefined;
  private rereading: NodeJS.Timeout | undefined;
  private looking: NodeJS.Timeout | undefined;
  private finished: Promise<void> = Promise.resolve();

  constructor(private readonly engine: () => EngineClient) {}

  get shown(): Shown | null {
    return this.shownNow;
  }

  /** The same command goes on with it, and it does not run, neither here nor elsewhere. */
  get resumable(): boolean {
    const { shownNow } = this;
    if (!shownNow?.view || shownNow.running || shownNow.view.elsewhere) return false;
    return isUnfinished(shownNow.view);
  }

  /** Reads the last state of a sprint and shows it; a sprint that never ran shows nothing. */
  async show(dir: string): Promise<void> {
    if (this.shownNow?.running) return;
    const view = await this.engine().request('read', { sprintDir: dir });
    if (view) this.set({ dir, view, running: false });
    else if (this.shownNow?.dir === dir) this.set(null);
  }

  /** Starts or resumes; returns at once, `onDidEnd` tells how it went. */
  run(dir: string, choice: Choice): void {
    const known = this.shownNow?.dir === dir && this.resumable ? this.shownNow.view : null;
    this.set({ dir, view: known, running: true });
    this.finished = this.follow({ sprintDir: dir, ...choice });
  }

  /** Resolves when the sprint has stopped. */
  async stop(): Promise<void> {
    if (!this.shownNow?.running) return;
    await this.engine().request('stop', { sprintDir: this.shownNow.dir });
    await this.finished;
  }

  /** Writes the person's answer into the sprint's record, whether it runs or is at rest. */
  async answer(humanAction: string, answer: Answer): Promise<void> {
    if (!this.shownNow) return;
    await this.engine().request('answer-human-action', { sprintDir: this.shownNow.dir, id: humanAction, answer });
  }

  receive(dir: string, view: SprintView | null): void {
    const { shownNow } = this;
    if (shownNow?.dir !== dir) return;
    this.set({ ...shownNow, view });
  }

  dispose(): void {
    clearTimeout(this.rereading);
    clearTimeout(this.looking);
    this.watcher?.dispose();
    this.changed.dispose();
    this.ended.dispose();
  }

  private async follow(params: RunParams): Promise<void> {
    const dir = params.sprintDir;
    const outcome = await this.engine()
      .request('run', params)
      .then(
        (ending) => ({ ending }),
        (error: unknown) => ({ failure: failureOf(error) }),
      );
    const view = await this.engine()
      .request('read', { sprintDir: dir })
      .catch(() => this.shownNow?.view ?? null);
    this.set(view && { dir, view, running: false });
    this.ended.fire({ dir, view, ...outcome });
  }

  private set(next: Shown | null): void {
    if (next?.dir !== this.shownNow?.dir) this.watch(next?.dir);
    this.shownNow = next;
    clearTimeout(this.looking);
    if (next?.view?.elsewhere) this.looking = setTimeout(() => void this.show(next.dir).catch(() => undefined), lookElsewhereMs);
    this.changed.fire();
  }

  /** A sprint that the command line runs is followed too. */
  private watch(dir: string | undefined): void {
    this.watcher?.dispose();
    this.watcher = undefined;
    if (dir === undefined) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dir), '.loop/journal.jsonl'));
    const reread = (): void => {
      if (this.shownNow?.running) return;
      clearTimeout(this.rereading);
      this.rereading = setTimeout(() => void this.show(dir).catch(() => undefined), watchDelayMs);
    };
    this.watcher = vscode.Disposable.from(watcher, watcher.onDidChange(reread), watcher.onDidCreate(reread), watcher.onDidDelete(reread));
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof EngineFailure) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'error', message, detail: error instanceof Error ? (error.stack ?? '') : '' };
}
