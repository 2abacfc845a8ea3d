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

/** With the folder of the sprint that asks: another one may have a question of the same id. */
interface Asked extends HumanActionView {
  dir: string;
}

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
      for (const asked of openActions(this.store)) {
        if (this.asked.has(keyOf(asked, blocked))) continue;
        this.remember(asked, blocked);
        void this.reporting(() => this.ask(asked));
      }
    });
  }

  /** From the palette, the status bar or a click in the tree. */
  async choose(id: string | undefined): Promise<void> {
    const asked = id === undefined ? await this.pick() : this.find(id);
    if (!asked) return;
    const skip = skipLabelOf(asked);
    const options = [
      {
        label: `${isDoneByWord(asked) ? '$(check)' : '$(comment)'} ${answerLabel(asked)}`,
        detail: consequenceWords(asked),
        run: () => this.answerIt(asked),
      },
      ...(hasWording(asked)
        ? [
            {
              label: `$(diff) ${wordingLabel}`,
              detail: t('See the proposed wording beside your text, edit it, accept it'),
              run: reviewWording,
            },
          ]
        : []),
      { label: `$(book) ${instructionsLabel}`, detail: plain(asked.instructions, 160), run: () => this.showIt(asked) },
      ...(skip === undefined ? [] : [{ label: `$(debug-step-over) ${skip}`, detail: skipDetail(asked), run: () => this.skipIt(asked) }]),
    ];
    const title = t('Loop needs you: {0}', plain(asked.action, 100));
    const chosen = await vscode.window.showQuickPick(options, { title, placeHolder: title });
    if (chosen && this.isAskedHere(asked)) await chosen.run();
  }

  /** The plan that waits for it. */
  async approve(): Promise<void> {
    const asked = openActions(this.store).find(({ kind }) => kind === 'approval');
    if (asked) await this.answer(asked, 'done');
  }

  async done(id: string): Promise<void> {
    await this.onRow(id, (asked) => this.answer(asked, 'done'));
  }

  async show(id: string): Promise<void> {
    await this.onRow(id, (asked) => this.showIt(asked));
  }

  async skip(id: string): Promise<void> {
    await this.onRow(id, (asked) => this.skipIt(asked));
  }

  private async onRow(id: string, work: (asked: Asked) => Promise<unknown>): Promise<void> {
    const asked = this.find(id);
    if (asked) await work(asked);
    else tellAnswered();
  }

  private async answerIt(asked: Asked): Promise<void> {
    if (isDoneByWord(asked)) await this.answer(asked, 'done');
    else await this.answerInWords(asked);
  }

  /** Asks for the answer to a hint or an advice. */
  private async answerInWords(first: Asked): Promise<void> {
    const asked = this.answerable(first);
    if (!asked) return;
    if (asked.kind === 'choice') return this.answerPoints(asked);
    const prompt = plain(asked.action, 200);
    const title = asked.kind === 'hint' ? t('Loop: what do you know?') : t('Loop: how shall it go on?');
    const send = (said: string): Promise<boolean> => this.answer(asked, { said });
    if (!(await sendTyped(`answer/${placeOf(asked)}`, { title, prompt }, send))) await this.ask(asked);
  }

  /** What they chose is marked the next time, where the person leaves before the last point or the answer is refused. */
  private async answerPoints(asked: Asked): Promise<void> {
    const key = placeOf(asked);
    const given: GivenAnswers = this.begun.get(key) ?? new Map();
    this.begun.set(key, given);
    const questions = new PointQuestions(asked.points, given);
    if (!(await walk(t('Loop: how shall it go on?'), questions.steps))) return this.ask(asked);
    if (await this.answer(asked, { chosen: questions.chosen })) this.begun.delete(key);
  }

  /** Shows what to do, then asks again, since the click closed the notification. */
  private async showIt(asked: Asked): Promise<void> {
    const { dir, id } = asked;
    await openDocument({ sprintDir: dir, what: 'human-action', ref: id, title: t('Human action {0}.md', id) });
    await this.ask(asked);
  }

  /** A skip drops the tasks that wait for it, so the person must confirm it. */
  private async skipIt(first: Asked): Promise<void> {
    const asked = this.answerable(first);
    if (!asked) return;
    if (!isSkipAskedTwice(asked)) return void (await this.answer(asked, 'skip'));
    const sure = t('Skip It');
    const detail = sureDetail(asked);
    const chosen = await vscode.window.showWarningMessage(t('Skip "{0}"?', plain(asked.action, 100)), { modal: true, detail }, sure);
    if (chosen === sure) await this.answer(asked, 'skip');
    else await this.ask(asked);
  }

  private async ask(asked: Asked): Promise<void> {
    const { missing } = asked;
    const text = missing
      ? t('Loop: not done yet. {0} ({1})', plain(missing), plain(asked.action))
      : t('Loop needs you: {0}', plain(asked.action));
    const skip = skipLabelOf(asked);
    const others = [...(hasWording(asked) ? [wordingLabel] : []), instructionsLabel, ...(skip === undefined ? [] : [skip])];
    // A warning stands out. It hides itself as well, after some more seconds; tree, badge and status bar go on asking.
    const chosen = await vscode.window.showWarningMessage(text, answerLabel(asked), ...others);
    if (chosen === undefined || !this.isAskedHere(asked)) return;
    if (chosen === wordingLabel) await reviewWording();
    if (chosen === answerLabel(asked)) await this.answerIt(asked);
    if (chosen === instructionsLabel) await this.showIt(asked);
    if (chosen === skip) await this.skipIt(asked);
  }

  /** Writes the answer to disk first, then resumes a sprint that had stopped to wait for it. @returns whether it was taken. */
  private async answer(first: Asked, answer: Answer): Promise<boolean> {
    const asked = this.answerable(first);
    if (!asked) return false;
    this.remember(asked, true);
    await this.store.answer(asked.id, answer);
    await takeUp(this.store, asked.dir);
    return true;
  }

  /** Looked at also before the person types. @returns it as it is now; undefined where it cannot be answered here, which is said. */
  private answerable(first: Asked): Asked | undefined {
    if (!this.isAskedHere(first)) return undefined;
    const asked = this.find(first.id);
    // An old notification may still show a question that is answered already.
    if (asked?.status !== 'open') {
      tellAnswered();
      return undefined;
    }
    if (!this.store.shown?.view?.elsewhere) return asked;
    const text = t('Loop: another process runs this sprint: answer there. What Loop can check by itself needs no answer.');
    void vscode.window.showInformationMessage(text);
    return undefined;
  }

  /** The person may have switched meanwhile, also while they typed. @returns whether its sprint is shown; otherwise that is said. */
  private isAskedHere({ dir }: Asked): boolean {
    if (this.store.shown?.dir === dir) return true;
    void vscode.window.showInformationMessage(
      t('Loop: another sprint asked this. Choose it with "Loop: Switch Sprint…", and answer it there.'),
    );
    return false;
  }

  private remember(asked: Asked, blocked: boolean): void {
    this.asked.add(keyOf(asked, false));
    if (blocked) this.asked.add(keyOf(asked, true));
  }

  private async pick(): Promise<Asked | undefined> {
    const open = openActions(this.store);
    if (open.length <= 1) return open[0];
    const items = open.map((asked) => ({ label: plain(asked.action, 80), description: asked.id, asked }));
    return (await vscode.window.showQuickPick(items, { title: t('Loop: which of these?') }))?.asked;
  }

  private find(id: string): Asked | undefined {
    return actionsOf(this.store).find((asked) => asked.id === id);
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

function placeOf({ dir, id }: Asked): string {
  return `${dir}#${id}`;
}

function openActions(store: SprintStore): Asked[] {
  return actionsOf(store).filter(({ status }) => status === 'open');
}

function actionsOf({ shown }: SprintStore): Asked[] {
  return shown?.view?.humanActions.map((humanAction) => ({ ...humanAction, dir: shown.dir })) ?? [];
}

function tellAnswered(): void {
  vscode.window.setStatusBarMessage(t('Loop: this is answered already'), 5000);
}
