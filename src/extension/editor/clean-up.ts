/** *Clean Up…*: what Loop left on the disk, with sizes; the person picks, sees what is lost, and confirms. */
import * as vscode from 'vscode';
import { keptWords, leftoverWords, lossWords, sizeWords } from '../../engine/render/left-over.ts';
import { plain } from '../../views/model/display-text.ts';
import { plural, t, translated } from '../../views/words.ts';
import type { CleanUpView } from '../protocol.ts';
import type { EngineClient } from './engine-client.ts';
import { pickFolder } from './workspace-folder.ts';

type Leftover = CleanUpView['leftovers'][number];

export async function cleanUp(engine: EngineClient): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const found = await working(t('Loop: looking at what is left over'), () => engine.request('leftovers', { folder }));
  if (found.leftovers.length === 0) {
    const words = [t('Loop: nothing can be removed here.'), ...keptLines(found)].join(' ');
    return void vscode.window.showInformationMessage(words);
  }
  const picked = await pick(found);
  if (!picked || picked.length === 0 || !(await confirm(picked))) return;
  const ids = picked.map(({ id }) => id);
  const { bytes, problems } = await working(t('Loop: cleaning up'), () => engine.request('remove-leftovers', { folder, ids }));
  for (const problem of problems) void vscode.window.showWarningMessage(`Loop: ${plain(problem, 300)}`);
  void vscode.window.showInformationMessage(t('Loop: {0} freed.', sizeWords(bytes)));
}

async function pick(found: CleanUpView): Promise<Leftover[] | undefined> {
  const items = found.leftovers.map((one) => ({
    label: `${translated(leftoverWords[one.kind])}: ${plain(one.name, 80)}`,
    description: sizeWords(one.bytes),
    detail: t('Lost with it: {0}', translated(lossWords[one.kind])),
    one,
  }));
  const placeHolder = [t('What may go?'), ...keptLines(found)].join(' ');
  const options = { title: t('Loop: Clean Up'), placeHolder, canPickMany: true as const, ignoreFocusOut: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.map(({ one }) => one);
}

/** What a sprint still needs is not offered; it is said how much that is, and why. */
function keptLines({ kept }: CleanUpView): string[] {
  const [largest] = kept.toSorted((one, other) => other.bytes - one.bytes);
  if (!largest) return [];
  const bytes = sizeWords(kept.reduce((sum, one) => sum + one.bytes, 0));
  const first = t('{0}: {1}', plain(largest.name, 60), translated(keptWords[largest.why]));
  return [t('{0} of {1} stay. {2}.', bytes, plural(kept.length, '{0} sprint', '{0} sprints'), first)];
}

async function confirm(picked: readonly Leftover[]): Promise<boolean> {
  const go = t('Remove');
  const bytes = sizeWords(picked.reduce((sum, one) => sum + one.bytes, 0));
  const kinds = [...new Set(picked.map(({ kind }) => kind))];
  const losses = kinds.map((kind) => t('{0}: {1}', translated(leftoverWords[kind]), translated(lossWords[kind])));
  const paths = picked.slice(0, 8).map(({ path }) => plain(path, 200));
  const more = picked.length > paths.length ? [t('and {0} more', picked.length - paths.length)] : [];
  const detail = [t('What is lost:'), ...losses, '', ...paths, ...more].join('\n');
  const question = t('Remove {0} of what Loop made? It cannot be taken back.', bytes);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) === go;
}

function working<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, work);
}
