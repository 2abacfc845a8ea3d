/**
 * A person's edit of a verification: told once when Loop noticed it, shown against what it was, and adopted or discarded on
 * their word about that very text. Asked beside the diff, in a notification, so that they can read it first.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { VerificationView } from '../../views/model/sprint-view.ts';
import { plain } from '../../views/model/display-text.ts';
import { openTexts } from './documents.ts';
import type { EngineClient } from './engine-client.ts';
import type { Requests } from '../protocol.ts';
import type { SprintStore } from './sprint-store.ts';

const adopt = 'Adopt';
const look = 'Adopt My Edit…';
const discard = 'Discard';

export class OwnEdits {
  private readonly told = new Set<string>();

  constructor(
    private readonly store: SprintStore,
    private readonly engine: () => EngineClient,
    private readonly reporting: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /** Tells of each edit once; it stays in the tree and in the failure history. */
  follow(): vscode.Disposable {
    return this.store.onDidChange(() => {
      const { shown } = this.store;
      if (!shown?.view || shown.view.finished !== null) return;
      for (const verification of shown.view.categories.flatMap((category) => category.verifications)) {
        if (!verification.edit || this.told.has(verification.edit.text)) continue;
        this.told.add(verification.edit.text);
        void this.reporting(() => this.tell(shown.dir, verification, verification.edit?.atWork === true));
      }
    });
  }

  /** Opens the diff and asks. @throws EngineFailure where nobody edited it, or another process runs the sprint. */
  async adopt(sprintDir: string, verification: string): Promise<void> {
    if (!(await saved(sprintDir, verification))) return;
    const { before, after, atWork } = await this.engine().request('edit-offer', { sprintDir, verification });
    this.told.add(after);
    const name = plain(verification, 80);
    await openTexts(sprintDir, { before, after, title: `${name}: as it is ↔ your edit` });
    const question = `Loop: adopt this text as verification ${name}? Its results go, and it is proven anew.${whoseWords(atWork)}`;
    const chosen = await vscode.window.showInformationMessage(question, adopt, discard);
    if (chosen === adopt) await this.answer({ sprintDir, verification, text: after, answer: 'adopt' });
    if (chosen === discard) await this.answer({ sprintDir, verification, text: after, answer: 'discard' });
  }

  async discard(sprintDir: string, verification: string): Promise<void> {
    const { after } = await this.engine().request('edit-offer', { sprintDir, verification });
    await this.answer({ sprintDir, verification, text: after, answer: 'discard' });
  }

  private async tell(sprintDir: string, { id, edit }: VerificationView, atWork: boolean): Promise<void> {
    const text = `Loop: the file of verification ${plain(id, 80)} was edited. The text is kept as ${plain(edit?.kept ?? '', 120)} and does not run.${whoseWords(atWork)}`;
    const chosen = await vscode.window.showInformationMessage(text, look, discard);
    if (chosen === look) await this.adopt(sprintDir, id);
    if (chosen === discard) await this.discard(sprintDir, id);
  }

  private async answer(answer: Requests['edit-answer']['params']): Promise<void> {
    const { done } = await this.engine().request('edit-answer', answer);
    const words =
      answer.answer === 'discard'
        ? 'discarded: the verification stays as it was'
        : done
          ? 'adopted: it is proven anew when the sprint goes on'
          : 'adopted: it is the verification from the next decision on';
    vscode.window.setStatusBarMessage(`Loop: your edit is ${words}`, 8000);
    if (this.store.shown?.dir === answer.sprintDir) await this.store.show(answer.sprintDir);
  }
}

function whoseWords(atWork: boolean): string {
  return atWork ? ' Agents were at work when it was changed: adopt it only if you wrote it.' : '';
}

/** The engine reads files, not editors. */
async function saved(sprintDir: string, verification: string): Promise<boolean> {
  const stem = path.join(sprintDir, '.loop', 'verifications', ...verification.split('/'));
  const open = vscode.workspace.textDocuments.find(({ isDirty, uri }) => isDirty && uri.fsPath.replace(/\.[^.]*$/, '') === stem);
  return open ? open.save() : true;
}
