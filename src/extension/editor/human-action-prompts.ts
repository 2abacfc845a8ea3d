/**
 * Asks the person, in notifications, for what only they can do or say. A dismissed question is not lost: it stays in the
 * Sprint tree and in the status bar.
 */
import * as vscode from 'vscode';
import type { Answer } from '../../engine/person/desk.ts';
import { isSkipAskedTwice } from '../../engine/render/answer-words.ts';
import { skipDetail, sureDetail, consequenceWords } from '../../views/model/answer-choices.ts';
import type { HumanActionView } from '../../views/model/sprint-view.ts';
import { plain } from '../../views/model/display-text.ts';
import { takeUp } from './about-sprint.ts';
import { openDocument } from './documents.ts';
import { commands } from './names.ts';
import { decideLabel, PointQuestions, type GivenAnswers } from './point-questions.ts';
import type { SprintStore } from './sprint-store.ts';
import { walk } from './steps.ts';
import { sendTyped } from './typed-text.ts';
import { t } from '../../views/words.ts';

const doneLabel = t('I have done it');
const instructionsLabel = t('Show instructions');
const skipLabel = t('Skip');
const hintLabel = t('Give a hint…');
const adviceLabel = t('Answer…');
const approveLabel = t('Approve');
const wordingLabel = t('Review Wording…');

export class HumanActionPrompts {
  /** Keys of the questions that were asked, by `keyOf`. */
  private readonly asked = new Set<string>();
  /** By the sprint and the id of a choice that the person left before its last point. */
  private readonly begun = new Map<string, GivenAnswers>();

  constructor(
    private readonly store: SprintStore,
    private readonly reporting: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /**
   * Asks for each open action at once. Asks again when the sprint waits for it, since a notification disappears, and again
   * when something is still missing after the person said that it was done. A queue asks nobody.
   */
  follow(): vscode.Disposable {
    return this.store.onDidChange(() => {
      const { shown } = this.store;
      if (!shown?.running) return this.asked.clear();
      if (this.store.queue) return;
      const blocked = shown.view?.current?.action === 'wait';
      for (const humanAction of openActions(this.store)) {
        if (this.asked.has(keyOf(humanAction, blocked))) continue;
        this.remember(humanAction, blocked);
        void this.reporting(() => this.ask(humanAction));
      }
    });
  }

  /** From the palette, the status bar or a click in the tree. */
  async choose(id: string | undefined): Promise<void> {
    const humanAction = id === undefined ? await this.pick() : this.find(id);
    if (!humanAction) return;
    const byWord = isDoneByWord(humanAction);
    const skip = skipLabelOf(humanAction);
    const options = [
      {
        label: `${byWord ? '$(check)' : '$(comment)'} ${answerLabel(humanAction)}`,
        detail: consequenceWords(humanAction),
        run: () => (byWord ? this.done(humanAction.id) : this.answerInWords(humanAction.id)),
      },
      ...(hasWording(humanAction)
        ? [
            {
              label: `$(diff) ${wordingLabel}`,
              detail: t('See the proposed wording beside your text, edit it, accept it'),
              run: reviewWording,
            },
          ]
        : []),
      { label: `$(book) ${instructionsLabel}`, detail: plain(humanAction.instructions, 160), run: () => this.show(humanAction.id) },
      ...(skip === undefined
        ? []
        : [{ label: `$(debug-step-over) ${skip}`, detail: skipDetail(humanAction), run: () => this.skip(humanAction.id) }]),
    ];
    const title = t('Loop needs you: {0}', plain(humanAction.action, 100));
    const chosen = await vscode.window.showQuickPick(options, { title, placeHolder: title });
    await chosen?.run();
  }

  /** The plan that waits for it. */
  async approve(): Promise<void> {
    const asked = openActions(this.store).find(({ kind }) => kind === 'approval');
    if (asked) await this.done(asked.id);
  }

  async done(id: string): Promise<void> {
    await this.answer(id, 'done');
  }

  /** Asks for the answer to a hint or an advice. */
  private async answerInWords(id: string): Promise<void> {
    const humanAction = this.answerable(id);
    if (!humanAction) return;
    if (humanAction.kind === 'choice') return this.answerPoints(humanAction);
    const prompt = plain(humanAction.action, 200);
    const title = humanAction.kind === 'hint' ? t('Loop: what do you know?') : t('Loop: how shall it go on?');
    const send = (said: string): Promise<boolean> => this.answer(id, { said });
    if (!(await sendTyped(`answer/${this.placeOf(id)}`, { title, prompt }, send))) await this.ask(humanAction);
  }

  /** What they chose is marked the next time, where the person leaves before the last point or the answer is refused. */
  private async answerPoints(humanAction: HumanActionView): Promise<void> {
    const { id, points } = humanAction;
    const key = this.placeOf(id);
    const given: GivenAnswers = this.begun.get(key) ?? new Map();
    this.begun.set(key, given);
    const questions = new PointQuestions(points, given);
    if (!(await walk(t('Loop: how shall it go on?'), questions.steps))) return this.ask(humanAction);
    if (await this.answer(id, { chosen: questions.chosen })) this.begun.delete(key);
  }

  /** Shows what to do, then asks again, since the click closed the notification. */
  async show(id: string): Promise<void> {
    const humanAction = this.find(id);
    if (!humanAction || !this.store.shown) return;
    await openDocument({ sprintDir: this.store.shown.dir, what: 'human-action', ref: id, title: t('Human action {0}.md', id) });
    await this.ask(humanAction);
  }

  /** A skip drops the tasks that wait for it, so the person must confirm it. */
  async skip(id: string): Promise<void> {
    const humanAction = this.answerable(id);
    if (!humanAction) return;
    if (!isSkipAskedTwice(humanAction)) return void (await this.answer(id, 'skip'));
    const sure = t('Skip It');
    const detail = sureDetail(humanAction);
    const chosen = await vscode.window.showWarningMessage(t('Skip "{0}"?', plain(humanAction.action, 100)), { modal: true, detail }, sure);
    if (chosen === sure) await this.answer(id, 'skip');
    else await this.ask(humanAction);
  }

  private async ask(humanAction: HumanActionView): Promise<void> {
    const { missing } = humanAction;
    const text = missing
      ? t('Loop: not done yet. {0} ({1})', plain(missing), plain(humanAction.action))
      : t('Loop needs you: {0}', plain(humanAction.action));
    // A warning, since an information hides itself after some seconds.
    const skip = skipLabelOf(humanAction);
    const others = [...(hasWording(humanAction) ? [wordingLabel] : []), instructionsLabel, ...(skip === undefined ? [] : [skip])];
    const asker = this.store.shown?.dir;
    const chosen = await vscode.window.showWarningMessage(text, answerLabel(humanAction), ...others);
    // The person may have switched meanwhile, and another sprint may have a question of the same id.
    if (chosen !== undefined && this.store.shown?.dir !== asker) {
      void vscode.window.showInformationMessage(
        t('Loop: another sprint asked this. Choose it with "Loop: Switch Sprint…", and answer it there.'),
      );
      return;
    }
    if (chosen === wordingLabel) await reviewWording();
    if (chosen === doneLabel || chosen === approveLabel) await this.done(humanAction.id);
    if (chosen === hintLabel || chosen === adviceLabel) await this.answerInWords(humanAction.id);
    if (chosen === instructionsLabel) await this.show(humanAction.id);
    if (chosen === skipLabel || chosen === decideLabel) await this.skip(humanAction.id);
  }

  /** Writes the answer to disk first, then resumes a sprint that had stopped to wait for it. @returns whether it was taken. */
  private async answer(id: string, answer: Answer): Promise<boolean> {
    const { shown } = this.store;
    const humanAction = this.answerable(id);
    if (!shown || !humanAction) return false;
    this.remember(humanAction, true);
    await this.store.answer(id, answer);
    await takeUp(this.store, shown.dir);
    return true;
  }

  /** Looked at also before the person types. @returns undefined where it cannot be answered here, which is said. */
  private answerable(id: string): HumanActionView | undefined {
    const humanAction = this.find(id);
    // An old notification may still show a question that is answered already.
    if (humanAction?.status !== 'open') {
      vscode.window.setStatusBarMessage(t('Loop: this is answered already'), 5000);
      return undefined;
    }
    if (!this.store.shown?.view?.elsewhere) return humanAction;
    const text = t('Loop: another process runs this sprint: answer there. What Loop can check by itself needs no answer.');
    void vscode.window.showInformationMessage(text);
    return undefined;
  }

  private remember(humanAction: HumanActionView, blocked: boolean): void {
    this.asked.add(keyOf(humanAction, false));
    if (blocked) this.asked.add(keyOf(humanAction, true));
  }

  private async pick(): Promise<HumanActionView | undefined> {
    const open = openActions(this.store);
    if (open.length <= 1) return open[0];
    const items = open.map((humanAction) => ({ label: plain(humanAction.action, 80), description: humanAction.id, humanAction }));
    return (await vscode.window.showQuickPick(items, { title: t('Loop: which of these?') }))?.humanAction;
  }

  /** Another sprint may have a question of the same id. */
  private placeOf(id: string): string {
    return `${this.store.shown?.dir}#${id}`;
  }

  private find(id: string): HumanActionView | undefined {
    return this.store.shown?.view?.humanActions.find((humanAction) => humanAction.id === id);
  }
}

/** A hint is about failures, an advice about how the sprint goes on. */
const answerLabels: Record<HumanActionView['kind'], string> = {
  deed: doneLabel,
  approval: approveLabel,
  hint: hintLabel,
  advice: adviceLabel,
  choice: adviceLabel,
};

function answerLabel({ kind }: HumanActionView): string {
  return answerLabels[kind];
}

/** Whether a point proposes words for words that the document has. */
function hasWording({ points }: HumanActionView): boolean {
  return points.some(({ quote, proposed }) => quote !== '' && proposed !== '');
}

async function reviewWording(): Promise<void> {
  await vscode.commands.executeCommand(commands.reviewWording);
}

function isDoneByWord({ kind }: HumanActionView): boolean {
  return kind === 'deed' || kind === 'approval';
}

/** Nothing of the documents is left undone by a skip: Loop decides. A plan is approved, or its tasks are skipped one by one. */
function skipLabelOf({ kind }: HumanActionView): string | undefined {
  if (kind === 'approval') return undefined;
  return kind === 'choice' ? decideLabel : skipLabel;
}

function keyOf({ id, answers }: HumanActionView, blocked: boolean): string {
  return `${blocked ? 'blocked' : 'open'}/${id}/${answers}`;
}

function openActions(store: SprintStore): HumanActionView[] {
  return store.shown?.view?.humanActions.filter(({ status }) => status === 'open') ?? [];
}
