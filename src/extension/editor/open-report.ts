/** *Open Report*: the report of the shown sprint, as text, since a rendered preview would load pictures from any address in it. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isUnfinished } from '../../views/model/headline.ts';
import { t } from '../../views/words.ts';
import { exists } from './sprint-folders.ts';
import type { SprintStore } from './sprint-store.ts';

export async function openReport({ shown }: Pick<SprintStore, 'shown'>): Promise<void> {
  if (!shown) return;
  const { dir, view } = shown;
  // Beside the documents lies an earlier sprint's, where this one is not over.
  const committed = view && !isUnfinished(view) ? [path.join(dir, 'DELIVERY_REPORT.md')] : [];
  const files = [path.join(dir, '.loop', 'DELIVERY_REPORT.md'), ...committed];
  const areThere = await Promise.all(files.map(exists));
  const file = files.find((_, index) => areThere[index]);
  if (file === undefined) {
    void vscode.window.showInformationMessage(t('Loop: there is no report yet. It is written when the sprint stops.'));
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}
