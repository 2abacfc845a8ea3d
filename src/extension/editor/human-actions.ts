/**
 * What only the person can do (spec/1 §8.2): asked for in a notification at once, and never lost by dismissing it, since
 * it stays in the Sprint tree and in the status bar. The engine looks itself whether it was done.
 */
import * as vscode from 'vscode';
import type { PersonAnswer } from '../../engine/ports.ts';
import { isSkipAskedTwice } from '../../engine/render/answer-words.ts';
import { skipDetail, sureDetail, toldWords } from '../../views/model/answer-words.ts';
import type { PauseView } from '../../views/model/sprint-view.ts';
import { plain } from '../../views/model/text.ts';
import { openDocument } from './documents.ts';
import { commands } from './names.ts';
import type { SprintStore } from './sprint-store.ts';

const done = 'I have done it';
const instructions = 'Show instructions';
const skip = 'Skip';
/** To a question about failures, and to one how the sprint goes on. */
const hint = 'Give a hint…';
const say = 'Answer…';

export class HumanActions {
  private readonly notified = new Set<string>();

  constructor(private readonly store: SprintStore) {}

  /** Asks for each action as soon as it is open, and once more when nothing goes on without it: a notification hides itself. */
  follow(): vscode.Disposable {
    return this.store.onDidChange(() => {
      const { shown } = this.store;
      if (!shown?.running) return this.notified.clear();
      const blocked = shown.view?.current?.action === 'wait';
      for (const pause of openOf(this.store)) {
        if (this.notified.has(blocked ? blockedBy(pause.id) : pause.id)) continue;
        this.remember(pause.id, blocked);
        void this.ask(pause);
      }
    });
  }

  /** The person said that it was done; the engine's look says what is missing. */
  notYet(id: string, missing: string): void {
    this.store.reopen(id, missing);
    const pause = this.find(id);
    if (pause) void this.ask(pause, missing);
  }

  /** From the palette, the status bar or a click in the tree. */
  async choose(id: string | undefined): Promise<void> {
    const pause = id === undefined ? await this.pick() : this.find(id);
    if (!pause) return;
    const options = [
      pause.asks === 'deed'
        ? { label: `$(check) ${done}`, detail: toldWords(pause), run: () => this.done(pause.id) }
        : { label: `$(comment) ${sayOf(pause)}`, detail: toldWords(pause), run: () => this.tell(pause.id) },
      { label: `$(book) ${instructions}`, detail: plain(pause.instructions, 160), run: () => this.show(pause.id) },
      { label: `$(debug-step-over) ${skip}`, detail: skipDetail(pause), run: () => this.skip(pause.id) },
    ];
    const title = `Loop needs you: ${plain(pause.action, 100)}`;
    const chosen = await vscode.window.showQuickPick(options, { title, placeHolder: title });
    await chosen?.run();
  }

  done(id: string): Promise<void> {
    return this.answer(id, 'done');
  }

  /** A question that is answered in words. */
  async tell(id: string): Promise<void> {
    const pause = this.find(id);
    if (!pause) return;
    const prompt = plain(pause.action, 200);
    const said = await vscode.window.showInputBox({ title: 'Loop: what do you know?', prompt, ignoreFocusOut: true });
    if (said?.trim()) await this.answer(id, { said });
    else await this.ask(pause);
  }

  /** Shows what to do and keeps the question answerable. */
  async show(id: string): Promise<void> {
    const pause = this.find(id);
    if (!pause || !this.store.shown) return;
    await openDocument({ sprintDir: this.store.shown.dir, what: 'human-action', ref: id, title: `Human action ${id}.md` });
    await this.ask(pause);
  }

  /** Skipping is the person's consent to lose what waits for it, so it is asked once more. */
  async skip(id: string): Promise<void> {
    const pause = this.find(id);
    if (!pause) return;
    if (!isSkipAskedTwice(pause)) return this.answer(id, 'skip');
    const sure = 'Skip It';
    const detail = sureDetail(pause);
    const chosen = await vscode.window.showWarningMessage(`Skip "${plain(pause.action, 100)}"?`, { modal: true, detail }, sure);
    if (chosen === sure) await this.answer(id, 'skip');
    else await this.ask(pause);
  }

  private async ask(pause: PauseView, missing = pause.missing): Promise<void> {
    const text = missing
      ? `Loop: not done yet. ${plain(missing)} (${plain(pause.action)})`
      : `Loop needs you: ${plain(pause.action)}`;
    const show = missing ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const chosen = await show(text, pause.asks === 'deed' ? done : sayOf(pause), instructions, skip);
    if (chosen === done) await this.done(pause.id);
    if (chosen === hint || chosen === say) await this.tell(pause.id);
    if (chosen === instructions) await this.show(pause.id);
    if (chosen === skip) await this.skip(pause.id);
  }

  /** A sprint that stopped while it waited goes on with the answer. */
  private async answer(id: string, answer: PersonAnswer): Promise<void> {
    // A notification may outlive the question that it asked.
    if (this.find(id)?.status !== 'open') {
      vscode.window.setStatusBarMessage('Loop: this is answered already', 5000);
      return;
    }
    if (this.store.shown?.view?.elsewhere) {
      const text = 'Loop: another process runs this sprint: answer there. What a machine can tell, it sees by itself.';
      void vscode.window.showInformationMessage(text);
      return;
    }
    this.remember(id, true);
    if (this.store.resumable) await vscode.commands.executeCommand(commands.resume);
    await this.store.answer(id, answer);
  }

  private remember(id: string, blocked: boolean): void {
    this.notified.add(id);
    if (blocked) this.notified.add(blockedBy(id));
  }

  private async pick(): Promise<PauseView | undefined> {
    const open = openOf(this.store);
    if (open.length <= 1) return open[0];
    const items = open.map((pause) => ({ label: plain(pause.action, 80), description: pause.id, pause }));
    return (await vscode.window.showQuickPick(items, { title: 'Loop: which of these?' }))?.pause;
  }

  private find(id: string): PauseView | undefined {
    return this.store.shown?.view?.pauses.find((p) => p.id === id);
  }
}

function sayOf({ asks }: PauseView): string {
  return asks === 'hint' ? hint : say;
}

function blockedBy(id: string): string {
  return `blocked/${id}`;
}

function openOf(store: SprintStore): PauseView[] {
  return store.shown?.view?.pauses.filter((p) => p.status === 'open') ?? [];
}
