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
import { openAgainst } from './documents.ts';
import type { EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

const acceptLabel = t('Accept');
const declineLabel = t('Decline');

interface Draft {
  /** The person's own document, and its text when the draft was made. */
  own: vscode.TextDocument;
  before: string;
  text: vscode.TextDocument;
  show: () => Promise<void>;
}

/** @throws EngineFailure where it cannot be taken over. */
export async function reviewWording(store: SprintStore, engine: EngineClient, documents: ChangedDocuments): Promise<void> {
  const dir = store.shown?.dir;
  if (dir === undefined) return;
  await closing.catch(() => undefined);
  const { proposals, held } = await engine.request('proposed-wording', { sprintDir: dir });
  const drafts: Draft[] = [];
  const written: string[] = [];
  const left: Proposal[] = [];
  for (const [name, ref] of Object.entries(held)) {
    const about = proposals.filter(({ document }) => document === name);
    if (about.length === 0) continue;
    const own = await vscode.workspace.openTextDocument(vscode.Uri.file(path.join(dir, name)));
    const before = own.getText();
    const found = editsOf(before, about);
    left.push(...found.left);
    if (found.edits.length === 0) continue;
    const text = await vscode.workspace.openTextDocument({ language: 'markdown', content: withEdits(before, found.edits) });
    const show = (): Promise<void> => openAgainst(dir, { ref, name }, text.uri, t('{0}: as it holds ↔ as proposed', name));
    await show();
    drafts.push({ own, before, text, show });
    written.push(...found.edits.map(({ id }) => id));
  }
  if (drafts.length === 0) return tellNothing(left);
  const chosen = await vscode.window.showInformationMessage(questionOf(drafts, written, left), acceptLabel, declineLabel);
  // Dismissed or not accepted, the drafts stay open: nothing that they wrote is lost.
  if (chosen === undefined || (chosen === acceptLabel && !isUnchanged(drafts))) return;
  if (chosen === acceptLabel) await documents.take(dir, () => writeAll(drafts));
  closing = closeAll(drafts);
  await closing;
}

/** The command below closes whatever is in front, so drafts that come after these wait for it. */
let closing: Promise<void> = Promise.resolve();

async function closeAll(drafts: readonly Draft[]): Promise<void> {
  for (const { show } of drafts) await close(show);
}

function questionOf(drafts: readonly Draft[], written: readonly string[], left: readonly Proposal[]): string {
  const names = drafts.map(({ own }) => nameOf(own)).join(', ');
  const text = t(
    'Loop: {0}: proposed wording for {1}. Edit it on the right as you like; nothing is written until you accept.',
    written.join(', '),
    names,
  );
  return left.length === 0 ? text : `${text} ${leftWords(left)}`;
}

/** They may have gone on writing meanwhile. */
function isUnchanged(drafts: readonly Draft[]): boolean {
  const changed = drafts.find(({ own, before }) => own.getText() !== before);
  if (!changed) return true;
  const text = t('Loop: {0} was changed meanwhile, so nothing was written. Review the wording again.', nameOf(changed.own));
  void vscode.window.showWarningMessage(text);
  return false;
}

async function writeAll(drafts: readonly Draft[]): Promise<void> {
  for (const { own, text } of drafts) {
    const change = new vscode.WorkspaceEdit();
    change.replace(own.uri, new vscode.Range(own.positionAt(0), own.positionAt(own.getText().length)), text.getText());
    await vscode.workspace.applyEdit(change);
    await own.save();
  }
}

/** Without the question whether to save it: only this command closes a text without a file so. */
async function close(show: () => Promise<void>): Promise<void> {
  await show();
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}

function nameOf({ uri }: vscode.TextDocument): string {
  return path.basename(uri.fsPath);
}

function tellNothing(left: readonly Proposal[]): void {
  const text = left.length === 0 ? t('Loop: no wording is proposed for the documents as they are.') : leftWords(left);
  void vscode.window.showInformationMessage(text);
}

function leftWords(left: readonly Proposal[]): string {
  const places = left.map(({ id, document, quote }) => `${id} (${document}, "${plain(quote, 80)}")`);
  return t('Loop: this wording fits nowhere, because its words do not stand in the document once: {0}.', places.join(', '));
}
