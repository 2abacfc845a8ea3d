/**
 * What only the person can do (spec/1 §8.2): asked for in a notification at once, and never lost by dismissing it, since
 * it stays in the Sprint tree and in the status bar. The engine looks itself whether it was done.
 */
import * as vscode from 'vscode';
import type { Answer } from '../../engine/person/desk.ts';
import { isSkipAskedTwice } from '../../engine/render/answer-words.ts';
import { skipDetail, sureDetail, consequenceWords } from '../../views/model/answer-choices.ts';
import type { HumanActionView } from '../../views/model/sprint-view.ts';
import { plain } from '../../views/model/display-text.ts';
import { openDocument } from './documents.ts';
import { commands } from './names.ts';
import type { SprintStore } from './sprint-store.ts';

const done = 'I have done it';
const instructions = 'Show instructions';
const skip = 'Skip';
/** To a question about failures, and to one how the sprint goes on. */
const hint = 'Give a hint…';
const say = 'Answer…';

export class HumanActionPrompts {
  /** What was asked, by `askedAs`. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly store: SprintStore,
    private readonly reporting: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /**
   * Asks for each action as soon as it is open, once more when nothing goes on without it, since a notification hides itself, and
   * again when something is still missing after they said that it was done.
   */
  follow(): vscode.Disposable {
    return this.store.onDidChange(() => {
      const { shown } = this.store;
      if (!shown?.running) return this.asked.clear();
      const blocked = shown.view?.current?.action === 'wait';
      for (const humanAction of openOf(this.store)) {
        if (this.asked.has(askedAs(humanAction, blocked))) continue;
        this.remember(humanAction, blocked);
        void this.reporting(() => this.ask(humanAction));
      }
    });
  }

  /** From the palette, the status bar or a click in the tree. */
  async choose(id: string | undefined): Promise<void> {
    const humanAction = id === undefined ? await this.pick() : this.find(id);
    if (!humanAction) return;
    const options = [
      humanAction.kind === 'deed'
        ? { label: `$(check) ${done}`, detail: consequenceWords(humanAction), run: () => this.done(humanAction.id) }
        : { label: `$(comment) ${sayOf(humanAction)}`, detail: consequenceWords(humanAction), run: () => this.tell(humanAction.id) },
      { label: `$(book) ${instructions}`, detail: plain(humanAction.instructions, 160), run: () => this.show(humanAction.id) },
      { label: `$(debug-step-over) ${skip}`, detail: skipDetail(humanAction), run: () => this.skip(humanAction.id) },
    ];
    const title = `Loop needs you: ${plain(humanAction.action, 100)}`;
    const chosen = await vscode.window.showQuickPick(options, { title, placeHolder: title });
    await chosen?.run();
  }

  done(id: string): Promise<void> {
    return this.answer(id, 'done');
  }

  /** A question that is answered in words. */
  async tell(id: string): Promise<void> {
    const humanAction = this.find(id);
    if (!humanAction) return;
    const prompt = plain(humanAction.action, 200);
    const said = await vscode.window.showInputBox({ title: 'Loop: what do you know?', prompt, ignoreFocusOut: true });
    if (said?.trim()) await this.answer(id, { said });
    else await this.ask(humanAction);
  }

  /** Shows what to do and keeps the question answerable. */
  async show(id: string): Promise<void> {
    const humanAction = this.find(id);
    if (!humanAction || !this.store.shown) return;
    await openDocument({ sprintDir: this.store.shown.dir, what: 'human-action', ref: id, title: `Human action ${id}.md` });
    await this.ask(humanAction);
  }

  /** Skipping is the person's consent to lose what waits for it, so it is asked once more. */
  async skip(id: string): Promise<void> {
    const humanAction = this.find(id);
    if (!humanAction) return;
    if (!isSkipAskedTwice(humanAction)) return this.answer(id, 'skip');
    const sure = 'Skip It';
    const detail = sureDetail(humanAction);
    const chosen = await vscode.window.showWarningMessage(`Skip "${plain(humanAction.action, 100)}"?`, { modal: true, detail }, sure);
    if (chosen === sure) await this.answer(id, 'skip');
    else await this.ask(humanAction);
  }

  private async ask(humanAction: HumanActionView): Promise<void> {
    const { missing } = humanAction;
    const text = missing
      ? `Loop: not done yet. ${plain(missing)} (${plain(humanAction.action)})`
      : `Loop needs you: ${plain(humanAction.action)}`;
    const show = missing ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const chosen = await show(text, humanAction.kind === 'deed' ? done : sayOf(humanAction), instructions, skip);
    if (chosen === done) await this.done(humanAction.id);
    if (chosen === hint || chosen === say) await this.tell(humanAction.id);
    if (chosen === instructions) await this.show(humanAction.id);
    if (chosen === skip) await this.skip(humanAction.id);
  }

  /** On disk first; a sprint that stopped while it waited then goes on with it. */
  private async answer(id: string, answer: Answer): Promise<void> {
    const asked = this.find(id);
    // A notification may outlive the question that it asked.
    if (asked?.status !== 'open') {
      vscode.window.setStatusBarMessage('Loop: this is answered already', 5000);
      return;
    }
    if (this.store.shown?.view?.elsewhere) {
      const text = 'Loop: another process runs this sprint: answer there. What a machine can tell, it sees by itself.';
      void vscode.window.showInformationMessage(text);
      return;
    }
    this.remember(asked, true);
    await this.store.answer(id, answer);
    if (this.store.resumable) await vscode.commands.executeCommand(commands.resume);
  }

  private remember(humanAction: HumanActionView, blocked: boolean): void {
    this.asked.add(askedAs(humanAction, false));
    if (blocked) this.asked.add(askedAs(humanAction, true));
  }

  private async pick(): Promise<HumanActionView | undefined> {
    const open = openOf(this.store);
    if (open.length <= 1) return open[0];
    const items = open.map((humanAction) => ({ label: plain(humanAction.action, 80), description: humanAction.id, humanAction }));
    return (await vscode.window.showQuickPick(items, { title: 'Loop: which of these?' }))?.humanAction;
  }

  private find(id: string): HumanActionView | undefined {
    return this.store.shown?.view?.humanActions.find((p) => p.id === id);
  }
}

function sayOf({ kind }: HumanActionView): string {
  return kind === 'hint' ? hint : say;
}

function askedAs({ id, answers }: HumanActionView, blocked: boolean): string {
  return `${blocked ? 'blocked' : 'open'}/${id}/${answers}`;
}

function openOf(store: SprintStore): HumanActionView[] {
  return store.shown?.view?.humanActions.filter((p) => p.status === 'open') ?? [];
}
