/**
 * The person's edits of verifications: reports each once, shows it as a diff, and adopts or discards exactly that text when
 * they decide. The question is a notification, not a dialog, so that they can read the diff first.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { VerificationView } from '../../views/model/sprint-view.ts';
import { plain } from '../../views/model/display-text.ts';
import { openTexts, type Side } from './documents.ts';
import type { EngineClient } from './engine-client.ts';
import type { Requests } from '../protocol.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

const adoptLabel = t('Adopt');
const reviewLabel = t('Adopt My Edit…');
const discardLabel = t('Discard');

type Edit = NonNullable<VerificationView['edit']>;

export class OwnEdits {
  /** By `keyOf`. */
  private readonly reported = new Set<string>();

  constructor(
    private readonly store: SprintStore,
    private readonly engine: () => EngineClient,
    private readonly reporting: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /** Reports each edit once; it stays visible in the tree and in the failure history. */
  follow(): vscode.Disposable {
    return this.store.onDidChange(() => {
      const { shown } = this.store;
      if (!shown?.view || shown.view.finished !== null) return;
      for (const { id, edit } of shown.view.categories.flatMap((category) => category.verifications)) {
        if (!edit || this.reported.has(keyOf(shown.dir, edit))) continue;
        this.reported.add(keyOf(shown.dir, edit));
        void this.reporting(() => this.report(shown.dir, id, edit));
      }
    });
  }

  /** Opens the diff and asks. @throws EngineFailure when there is no edit, or another process runs the sprint. */
  async adopt(sprintDir: string, verification: string): Promise<void> {
    if (!(await saveEdit(sprintDir, verification))) return;
    const { before, after, kept, atWork } = await this.engine().request('edit-offer', { sprintDir, verification });
    this.reported.add(keyOf(sprintDir, { text: after, kept }));
    const name = plain(verification, 80);
    await openTexts(sprintDir, sideOf(before), sideOf(after), t('{0}: as it is ↔ your edit', name));
    const question = t(
      'Loop: adopt this text as verification {0}? Its results are dropped, and it must be proven again.{1}',
      name,
      warningWords(atWork),
    );
    const chosen = await vscode.window.showInformationMessage(question, adoptLabel, discardLabel);
    if (chosen === adoptLabel) await this.answer({ sprintDir, verification, text: after, answer: 'adopt' });
    if (chosen === discardLabel) await this.answer({ sprintDir, verification, text: after, answer: 'discard' });
  }

  /** From a row or the failure history: the text that is there now. */
  async discard(sprintDir: string, verification: string): Promise<void> {
    const { after } = await this.engine().request('edit-offer', { sprintDir, verification });
    await this.answer({ sprintDir, verification, text: after, answer: 'discard' });
  }

  private async report(sprintDir: string, id: string, edit: Edit): Promise<void> {
    const text = t(
      'Loop: the file of verification {0} was edited. The text is kept as {1} and does not run.{2}',
      plain(id, 80),
      plain(edit.kept, 120),
      warningWords(edit.atWork),
    );
    const chosen = await vscode.window.showInformationMessage(text, reviewLabel, discardLabel);
    if (chosen === reviewLabel) await this.adopt(sprintDir, id);
    // That very text: a newer one was never shown to them.
    if (chosen === discardLabel) await this.answer({ sprintDir, verification: id, text: edit.text, answer: 'discard' });
  }

  private async answer(answer: Requests['edit-answer']['params']): Promise<void> {
    const { done } = await this.engine().request('edit-answer', answer);
    const words =
      answer.answer === 'discard'
        ? t('discarded: the verification stays as it was')
        : done
          ? t('adopted: it is proven again when the sprint goes on')
          : t('adopted: it is the verification from the next decision on');
    vscode.window.setStatusBarMessage(t('Loop: your edit is {0}', words), 8000);
    if (this.store.shown?.dir === answer.sprintDir) await this.store.show(answer.sprintDir);
  }
}

/** Another edit may have the same text, as where two files are emptied; each is kept under a name of its own. */
function keyOf(sprintDir: string, { text, kept }: Pick<Edit, 'text' | 'kept'>): string {
  return `${sprintDir}\n${kept}\n${text}`;
}

function warningWords(atWork: boolean): string {
  return atWork ? t(' Agents were at work when it was changed: adopt it only if you wrote it.') : '';
}

/** Saves an open editor first, because the engine reads files. @returns whether the file is saved. */
async function saveEdit(sprintDir: string, verification: string): Promise<boolean> {
  const stem = path.join(sprintDir, '.loop', 'verifications', ...verification.split('/'));
  const open = vscode.workspace.textDocuments.find(({ isDirty, uri }) => isDirty && uri.fsPath.replace(/\.[^.]*$/, '') === stem);
  return open ? open.save() : true;
}

function sideOf(ref: string): Side {
  return { ref, name: `${ref.slice(0, 12)}.txt` };
}
