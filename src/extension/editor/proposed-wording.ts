/**
 * Wording that the review of Vision and PRD proposes, as changes of the person's own documents: they see it against the text that
 * holds in the editor's view of changes, edit it there, and accept or decline it. It is a text without a file until they accept,
 * since an editor that saves by itself would save it.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { editsOf, withEdits, type Proposal } from '../../engine/parse/proposals.ts';
import { plain } from '../../views/model/display-text.ts';
import type { ChangedDocuments } from './changed-documents.ts';
import type { ContextKeys } from './contexts.ts';
import { openAgainst } from './documents.ts';
import { EngineFailure, type EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

const acceptLabel = t('Accept');
const declineLabel = t('Decline');

interface Draft {
  /** The person's own document, which the editor lets go of while nobody shows it, and its text when the draft was made or written. */
  own: vscode.Uri;
  before: string;
  text: vscode.TextDocument;
  show: () => Promise<void>;
}

interface Review {
  dir: string;
  drafts: Draft[];
  /** Ids of the proposals that the drafts hold. */
  written: string[];
  /** Those that fit nowhere. */
  left: Proposal[];
}

/** A question slips away while they read, so the view of changes offers the same answers in its title. */
export class ProposedWording {
  private open: Review | undefined;

  constructor(
    private readonly store: SprintStore,
    private readonly engine: () => EngineClient,
    private readonly documents: ChangedDocuments,
    private readonly keys: ContextKeys,
  ) {}

  /** Where the person closes all drafts, nothing is written. */
  follow(): vscode.Disposable {
    this.keep(undefined);
    return vscode.workspace.onDidCloseTextDocument(() => {
      if (this.open?.drafts.every(({ text }) => text.isClosed) === true) this.keep(undefined);
    });
  }

  /** Shows drafts that are open once more, as the person left them. @throws EngineFailure */
  async review(): Promise<void> {
    const dir = this.store.shown?.dir;
    if (dir === undefined) return;
    const { proposals, held } = await this.engine().request('proposed-wording', { sprintDir: dir });
    const review = (await this.current(dir, proposals)) ?? (await draftsOf(dir, proposals, held));
    if (review.drafts.length === 0) return tellNothing(review.left);
    for (const { text, show } of review.drafts) if (!text.isClosed) await show();
    this.keep(review);
    const chosen = await vscode.window.showInformationMessage(questionOf(review), acceptLabel, declineLabel);
    if (this.open !== review) return;
    if (chosen === acceptLabel) await this.accept();
    if (chosen === declineLabel) await this.decline();
  }

  /** @throws EngineFailure where it cannot be taken over. */
  async accept(): Promise<void> {
    const review = this.open;
    // Not accepted, the drafts stay open: nothing that they wrote is lost.
    if (!review || !(await this.tellWhetherFit(review)) || !(await tellWhetherUnchanged(review)) || this.open !== review) return;
    // From here on a second press has nothing to accept.
    this.keep(undefined);
    try {
      await this.documents.take(review.dir, () => writeAll(review));
    } catch (error) {
      this.keep(review);
      throw error;
    }
    await closeAll(review);
  }

  /** Before it is written, since a text that is refused would stand in their document. */
  private async tellWhetherFit({ dir, drafts }: Review): Promise<boolean> {
    const texts = Object.fromEntries(unclosed(drafts).map(({ own, text }) => [nameOf(own), text.getText()]));
    const change = await this.engine().request('changed-documents', { sprintDir: dir, texts });
    if (change?.canTake !== false) return true;
    void vscode.window.showWarningMessage(t('Loop: nothing was written. {0}', plain(change.words, 400)));
    return false;
  }

  async decline(): Promise<void> {
    const review = this.open;
    this.keep(undefined);
    if (review) await closeAll(review);
  }

  /** The open drafts, where they still are what accepting would write: the person's documents and the proposals are as they were. */
  private async current(dir: string, proposals: readonly Proposal[]): Promise<Review | undefined> {
    const { open } = this;
    const isProposed = (written: string): boolean => proposals.some(({ id }) => id === written);
    return open?.dir === dir && open.written.every(isProposed) && !(await changedIn(open)) ? open : undefined;
  }

  private keep(review: Review | undefined): void {
    this.open = review;
    this.keys.set(
      'drafts',
      (review?.drafts ?? []).map(({ text }) => text.uri.toString()),
    );
  }
}

async function draftsOf(dir: string, proposals: readonly Proposal[], held: Readonly<Record<string, string>>): Promise<Review> {
  const review: Review = { dir, drafts: [], written: [], left: [] };
  for (const [name, ref] of Object.entries(held)) {
    const about = proposals.filter(({ document }) => document === name);
    if (about.length === 0) continue;
    const own = vscode.Uri.file(path.join(dir, name));
    const before = (await vscode.workspace.openTextDocument(own)).getText();
    const found = editsOf(before, about);
    review.left.push(...found.left);
    if (found.edits.length === 0) continue;
    const text = await vscode.workspace.openTextDocument({ language: 'markdown', content: withEdits(before, found.edits) });
    const show = (): Promise<void> => openAgainst(dir, { ref, name }, text.uri, t('{0}: as it holds ↔ as proposed', name));
    review.drafts.push({ own, before, text, show });
    review.written.push(...found.edits.map(({ id }) => id));
  }
  return review;
}

function questionOf({ drafts, written, left }: Review): string {
  const names = drafts.map(({ own }) => nameOf(own)).join(', ');
  const text = t(
    'Loop: {0}: proposed wording for {1}. Edit it on the right as you like; nothing is written until you accept.',
    written.join(', '),
    names,
  );
  return left.length === 0 ? text : `${text} ${leftWords(left)}`;
}

/** They may have gone on writing meanwhile. */
async function tellWhetherUnchanged(review: Review): Promise<boolean> {
  const changed = await changedIn(review);
  if (!changed) return true;
  const text = t('Loop: {0} was changed meanwhile, so nothing was written. Review the wording again.', nameOf(changed.own));
  void vscode.window.showWarningMessage(text);
  return false;
}

async function changedIn({ drafts }: Review): Promise<Draft | undefined> {
  for (const draft of drafts) if ((await vscode.workspace.openTextDocument(draft.own)).getText() !== draft.before) return draft;
  return undefined;
}

/** @throws EngineFailure where the editor does not write them: nothing else is to be taken over then. */
async function writeAll({ drafts }: Review): Promise<void> {
  for (const draft of unclosed(drafts)) {
    const own = await vscode.workspace.openTextDocument(draft.own);
    const change = new vscode.WorkspaceEdit();
    change.replace(own.uri, new vscode.Range(0, 0, own.lineCount, 0), draft.text.getText());
    const isWritten = (await vscode.workspace.applyEdit(change)) && (await own.save());
    // Where it is not taken over, the draft can be accepted again.
    draft.before = own.getText();
    if (!isWritten) throw notWritten(draft);
  }
}

function notWritten({ own }: Draft): EngineFailure {
  const next = t('See what the editor says of that file, and accept the wording again.');
  return new EngineFailure({ kind: 'input', message: t('{0} could not be written.', nameOf(own)), next });
}

function unclosed(drafts: readonly Draft[]): Draft[] {
  return drafts.filter(({ text }) => !text.isClosed);
}

async function closeAll({ drafts }: Review): Promise<void> {
  for (const { text } of drafts) await close(text);
}

/** The editor asks whether to save a text without a file, but for one that is empty. */
async function close(text: vscode.TextDocument): Promise<void> {
  if (text.isClosed) return;
  const isShown = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === text.uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isShown));
  const emptied = new vscode.WorkspaceEdit();
  emptied.delete(text.uri, new vscode.Range(0, 0, text.lineCount, 0));
  await vscode.workspace.applyEdit(emptied);
  await vscode.window.tabGroups.close(tabs);
}

function nameOf(own: vscode.Uri): string {
  return path.basename(own.fsPath);
}

function tellNothing(left: readonly Proposal[]): void {
  const text = left.length === 0 ? t('Loop: no wording is proposed for the documents as they are.') : leftWords(left);
  void vscode.window.showInformationMessage(text);
}

function leftWords(left: readonly Proposal[]): string {
  const places = left.map(({ id, document, quote }) => `${id} (${document}, "${plain(quote, 80)}")`);
  return t('Loop: this wording fits nowhere, because its words do not stand in the document once: {0}.', places.join(', '));
}
