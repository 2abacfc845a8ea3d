/**
 * Vision and PRD that are saved while their sprint goes on: says so at once, with what would re-open, and takes the person's word. A
 * notification, not a dialog, so that they can go on writing.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { revisable } from '../../engine/ground/revisable.ts';
import { isUnfinished } from '../../views/model/headline.ts';
import { plain } from '../../views/model/display-text.ts';
import { takeUp } from './about-sprint.ts';
import type { EngineClient } from './engine-client.ts';
import { pauseSprint } from './say-commands.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

const takeLabel = t('Take It Over');
const keepLabel = t('Go On with the Old Text');
const stopLabel = t('Stop after This Step');

/** An editor may write a file in several steps. */
const settleMs = 300;

export class ChangedDocuments {
  private watched: { dir: string; watcher: vscode.Disposable } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private taking = false;
  /** What the person was asked, until they say what becomes of it: an editor that saves by itself writes at each pause. */
  private told = '';

  constructor(
    private readonly store: SprintStore,
    private readonly engine: () => EngineClient,
    private readonly reporting: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /** Asks after each change, and when a sprint goes on. */
  follow(): vscode.Disposable {
    const following = this.store.onDidChange(() => {
      const { shown } = this.store;
      const begins = shown?.running === true && !this.running;
      this.running = shown?.running === true;
      this.watch(shown?.dir);
      if (!begins) return;
      this.told = '';
      this.soon();
    });
    return vscode.Disposable.from(following, { dispose: () => this.watch(undefined) });
  }

  /** @throws EngineFailure where the documents cannot be read. */
  async ask(): Promise<void> {
    if (!(await this.askOnce(true)))
      void vscode.window.showInformationMessage(t('Loop: the sprint goes by VISION.md and PRD.md as they are saved.'));
  }

  /** Saves what the person accepted and takes it over, without asking once more. @throws EngineFailure */
  async take(sprintDir: string, save: () => Promise<void>): Promise<void> {
    this.taking = true;
    try {
      await save();
      await this.answer(sprintDir, 'take');
    } finally {
      this.taking = false;
    }
    await takeUp(this.store, sprintDir);
  }

  /** @param again also where the person answered already. @returns whether anything was changed. */
  private async askOnce(again: boolean, { shown }: Pick<SprintStore, 'shown'> = this.store): Promise<boolean> {
    if (!shown || !(shown.running || (shown.view && isUnfinished(shown.view)))) return false;
    const change = await this.engine().request('changed-documents', { sprintDir: shown.dir });
    if (!change || (change.isAnswered && !again)) return change !== null;
    if (change.words === this.told && !again) return true;
    this.told = change.words;
    const choices = [...(change.canTake ? [takeLabel] : []), keepLabel, ...(shown.running || shown.view?.elsewhere ? [stopLabel] : [])];
    const text = t('Loop: {0} Until you say so, the sprint goes on with the old text.', plain(change.words, 400));
    const chosen = await vscode.window.showInformationMessage(text, ...choices);
    if (chosen === stopLabel) await pauseSprint({ shown }, this.engine());
    if (chosen !== takeLabel && chosen !== keepLabel) return true;
    const now = await this.engine().request('changed-documents', { sprintDir: shown.dir });
    // They went on writing meanwhile, and were told of another text.
    if (now && now.words !== change.words) return this.askOnce(true, { shown });
    await this.answer(shown.dir, chosen === takeLabel ? 'take' : 'keep');
    return true;
  }

  private async answer(sprintDir: string, answer: 'take' | 'keep'): Promise<void> {
    this.told = '';
    const taken = await this.engine().request('amend', { sprintDir, answer });
    vscode.window.setStatusBarMessage(`$(check) Loop: ${plain(taken)}`, 8000);
    if (this.store.shown?.dir === sprintDir) await this.store.show(sprintDir);
  }

  private soon(): void {
    clearTimeout(this.timer);
    if (this.taking) return;
    const look = async (): Promise<void> => {
      // What was accepted may be saved only now, and not be answered yet.
      if (!this.taking) await this.askOnce(false);
    };
    this.timer = setTimeout(() => void this.reporting(look), settleMs);
  }

  private watch(dir: string | undefined): void {
    if (dir === this.watched?.dir) return;
    this.watched?.watcher.dispose();
    clearTimeout(this.timer);
    this.watched = undefined;
    this.told = '';
    if (dir === undefined) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dir), '*.md'));
    const onChange = ({ fsPath }: vscode.Uri): void => {
      if (revisable.some((name) => name === path.basename(fsPath))) this.soon();
    };
    this.watched = { dir, watcher: vscode.Disposable.from(watcher, watcher.onDidChange(onChange), watcher.onDidCreate(onChange)) };
  }
}
