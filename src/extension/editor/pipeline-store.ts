/** The runs of pipelines in this workspace: read when they are first shown, followed while they run, here or elsewhere. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ActivityView } from '../../views/model/activity.ts';
import { plain } from '../../views/model/display-text.ts';
import { canFinish, canResume, type ShownPipeline, type StartedPipeline } from '../../views/model/pipeline-nodes.ts';
import type { PipelineView } from '../../views/model/pipeline-view.ts';
import { EngineFailure, type EngineClient } from './engine-client.ts';
import type { RunParams } from '../protocol.ts';
import { followGone } from './sprint-folders.ts';
import { brokeOff, endOf, type Choice, type End } from './sprint-store.ts';
import { t } from '../../views/words.ts';

export type PipelineOutcome = { dir: string; view: PipelineView | null } & End;

interface Run extends StartedPipeline {
  /** Resolves when it does not run in this window any more. */
  stopped: Promise<void>;
}

const watchDelayMs = 500;
/** Polls a run of another process: if that process is killed, no file changes. */
const pollElsewhereMs = 5000;

export class PipelineStore implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly ended = new vscode.EventEmitter<PipelineOutcome>();
  /** Fires when a run has a new view, starts, stops, or does something else. */
  readonly onDidChange = this.changed.event;
  readonly onDidEnd = this.ended.event;
  private readonly runs = new Map<string, Run>();
  /** By root of the checkout. */
  private readonly watchers = new Map<string, vscode.Disposable>();
  private isRead = false;
  private readonly rereading = new Map<string, NodeJS.Timeout>();
  private polling: NodeJS.Timeout | undefined;

  constructor(private readonly engine: () => EngineClient) {}

  /** Those that have begun. */
  get shown(): ShownPipeline[] {
    return [...this.runs.values()].filter((run): run is Run & ShownPipeline => run.view !== null);
  }

  get resumable(): ShownPipeline[] {
    return this.shown.filter(canResume);
  }

  get finishable(): ShownPipeline[] {
    return this.shown.filter(canFinish);
  }

  /** Also those that are only starting. */
  get running(): StartedPipeline[] {
    return [...this.runs.values()].filter(({ running }) => running);
  }

  /** Here, or in another process. */
  get underWay(): ShownPipeline[] {
    return this.shown.filter(({ running, view }) => running || view.elsewhere !== null);
  }

  private get elsewhere(): ShownPipeline[] {
    return this.shown.filter(({ view }) => view.elsewhere !== null);
  }

  /** Whether a run of this folder is shown: its documents may then be opened. */
  knows(dir: string): boolean {
    return this.runs.has(dir);
  }

  /** Reads them again where they were read before. */
  async foldersChanged(): Promise<void> {
    if (this.isRead) await this.load();
  }

  /** Reads all runs of the workspace's repositories. */
  async load(): Promise<void> {
    this.isRead = true;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const found = await Promise.all(folders.map(({ uri }) => this.engine().request('pipeline-runs', { folder: uri.fsPath })));
    this.leave(found.flatMap((repository) => repository?.root ?? []));
    for (const repository of found) {
      if (!repository) continue;
      this.watch(repository.root);
      for (const { dir, view } of repository.runs) this.put(dir, view);
      for (const why of repository.unread)
        void vscode.window.showWarningMessage(t('Loop: a run of a pipeline cannot be read: {0}', plain(why, 300)));
    }
    this.fire();
  }

  /** Starts what was inspected, or goes on, and returns at once; `onDidEnd` reports the outcome. @throws EngineFailure while it runs. */
  run(dir: string, choice: Choice): void {
    if (this.runs.get(dir)?.running) throw runsAlready();
    const view = this.runs.get(dir)?.view ?? null;
    const stopped = this.follow({ sprintDir: dir, ...choice });
    // The ending of its last run is over.
    this.runs.set(dir, { dir, view: view && { ...view, ending: null }, running: true, activity: null, broke: null, stopped });
    this.fire();
  }

  /** Resolves when it has stopped. */
  async stop(dir: string): Promise<void> {
    const run = this.runs.get(dir);
    if (!run?.running) return;
    await this.engine().request('stop', { sprintDir: dir });
    await run.stopped;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.runs.keys()].map((dir) => this.stop(dir)));
  }

  /** Reads a run again. */
  async show(dir: string): Promise<void> {
    if (this.runs.get(dir)?.running) return;
    const view = await this.engine().request('pipeline-read', { sprintDir: dir });
    if (this.runs.get(dir)?.running) return;
    if (view) this.put(dir, view);
    else this.runs.delete(dir);
    this.fire();
  }

  receive(dir: string, view: PipelineView): void {
    const run = this.runs.get(dir);
    if (!run) return;
    this.runs.set(dir, { ...run, view });
    this.fire();
  }

  receiveActivity(dir: string, activity: ActivityView): void {
    const run = this.runs.get(dir);
    if (!run?.running) return;
    this.runs.set(dir, { ...run, activity });
    this.fire();
  }

  dispose(): void {
    this.runs.clear();
    clearTimeout(this.polling);
    for (const timer of this.rereading.values()) clearTimeout(timer);
    for (const watcher of this.watchers.values()) watcher.dispose();
    this.changed.dispose();
    this.ended.dispose();
  }

  private async follow(params: RunParams): Promise<void> {
    const dir = params.sprintDir;
    const outcome = await endOf(this.engine().request('pipeline-run', params));
    const view = await this.engine()
      .request('pipeline-read', { sprintDir: dir })
      .catch(() => this.runs.get(dir)?.view ?? null);
    if (view) this.runs.set(dir, { dir, view, running: false, activity: null, broke: brokeOff(outcome), stopped: Promise.resolve() });
    else this.runs.delete(dir);
    this.fire();
    this.ended.fire({ dir, view, ...outcome });
  }

  /** What runs in this window tells its view itself. */
  private put(dir: string, view: PipelineView): void {
    const run = this.runs.get(dir);
    if (run?.running) return;
    this.runs.set(dir, { dir, view, running: false, activity: null, broke: run?.broke ?? null, stopped: Promise.resolve() });
  }

  private fire(): void {
    this.pollElsewhere();
    this.changed.fire();
  }

  /** Not begun anew, since a run in this window tells something each second. */
  private pollElsewhere(): void {
    if (this.elsewhere.length > 0) this.polling ??= setTimeout(() => void this.poll(), pollElsewhereMs);
  }

  /** What cannot be read now may be read the next time. */
  private async poll(): Promise<void> {
    this.polling = undefined;
    await Promise.allSettled(this.elsewhere.map(({ dir }) => this.show(dir)));
    this.pollElsewhere();
  }

  /** Repositories that are not in the workspace any more; what runs in this window stays. */
  private leave(roots: readonly string[]): void {
    for (const [root, watcher] of this.watchers) {
      if (roots.includes(root)) continue;
      watcher.dispose();
      this.watchers.delete(root);
      for (const { dir, running } of this.runs.values()) if (!running && dir.startsWith(path.join(root, path.sep))) this.runs.delete(dir);
    }
  }

  /** Follows the journals, since the command line may run pipelines too. */
  private watch(root: string): void {
    if (this.watchers.has(root)) return;
    const pattern = new vscode.RelativePattern(vscode.Uri.file(root), '.loop/pipelines/*/.loop/journal.jsonl');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const reread = (uri: vscode.Uri): void => this.rereadSoon(vscode.Uri.joinPath(uri, '..', '..').fsPath);
    const gone = followGone((isGone) => [...this.runs.keys()].filter(isGone).forEach((dir) => this.rereadSoon(dir)));
    const listeners = [watcher.onDidChange(reread), watcher.onDidCreate(reread), watcher.onDidDelete(reread)];
    this.watchers.set(root, vscode.Disposable.from(watcher, ...listeners, gone));
  }

  private rereadSoon(dir: string): void {
    clearTimeout(this.rereading.get(dir));
    this.rereading.set(
      dir,
      setTimeout(() => void this.show(dir).catch(() => undefined), watchDelayMs),
    );
  }
}

function runsAlready(): EngineFailure {
  const [message, next] = [t('This pipeline runs in this window already.'), t('Stop it first, or wait until it ends.')];
  return new EngineFailure({ kind: 'input', message, next });
}
