/** *Switch Sprint…*: the sprints of the workspace, past ones too, with outcome and cost; the chosen one is shown. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { activityLooks, finishedLooks, stopLooks, type Look } from '../../views/model/looks.ts';
import { costWords } from '../../views/model/cost-nodes.ts';
import { hoursWords, plain } from '../../views/model/display-text.ts';
import { t } from '../../views/words.ts';
import type { SprintsView, SprintSummaryView } from '../protocol.ts';
import type { EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';
import { isInWorkspace, sprintFolder } from './sprint-folders.ts';

export async function switchSprint(store: SprintStore, engine: EngineClient): Promise<void> {
  const { sprints, unread } = await found(engine);
  for (const { why } of unread) void vscode.window.showWarningMessage(t('Loop: a sprint cannot be read: {0}', plain(why, 300)));
  if (sprints.length === 0 && unread.length > 0) return;
  if (sprints.length === 0) return void vscode.window.showInformationMessage(t('Loop: no sprint was started here yet.'));
  const { shown } = store;
  const items = sprints.map((one) => {
    const { icon, words } = lookOf(one);
    const isShown = one.archive === null && one.dir === shown?.dir;
    return {
      label: `$(${icon}) ${plain(sprintFolder(one.dir).where, 80)}`,
      description: [words, costWords(one), hoursWords(one.hours), ...(isShown ? [t('shown now')] : [])].join(' · '),
      detail: `${new Date(one.at).toLocaleString()} · ${plain(one.branch, 80)}${one.archive === null ? '' : ` · ${t('earlier; opens its report')}`}`,
      one,
    };
  });
  const options = {
    title: t('Loop: Switch Sprint'),
    placeHolder: t('Which sprint is shown?'),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  const chosen = (await vscode.window.showQuickPick(items, options))?.one;
  if (!chosen) return;
  if (chosen.archive !== null) return openReport(chosen.archive);
  await showSprint(store, chosen.dir);
}

/** @returns whether it is shown; it is not where another one runs, which the person is told, or where it never ran. */
export async function showSprint(store: SprintStore, dir: string): Promise<boolean> {
  const { shown } = store;
  if (shown?.running && shown.dir !== dir) {
    const name = plain(sprintFolder(shown.dir).where, 80);
    void vscode.window.showWarningMessage(t('Loop: the sprint {0} runs in this window, and is shown until it stops.', name));
    return false;
  }
  await store.show(dir);
  return store.shown?.dir === dir;
}

/** Of all folders of the workspace; a repository that holds several of them is looked at once. */
async function found(engine: EngineClient): Promise<SprintsView> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const progress = { location: vscode.ProgressLocation.Window, title: t('Loop: looking for sprints') };
  const all = await vscode.window.withProgress(progress, () =>
    Promise.all(folders.map(({ uri }) => engine.request('sprints', { folder: uri.fsPath }))),
  );
  const known = new Map(all.flatMap(({ sprints }) => sprints).map((one) => [one.archive ?? one.dir, one]));
  const unread = new Map(all.flatMap((one) => one.unread).map((one) => [one.why, one]));
  return {
    sprints: [...known.values()].filter(({ dir }) => isInWorkspace(dir)).toSorted((one, other) => other.at - one.at),
    unread: [...unread.values()].filter(({ dir }) => isInWorkspace(dir)),
  };
}

function lookOf({ running, stop, finished }: SprintSummaryView): Look {
  if (running) return activityLooks.running;
  if (finished !== null) return finishedLooks[finished];
  return stop === null ? activityLooks.interrupted : stopLooks[stop];
}

async function openReport(archive: string): Promise<void> {
  const file = vscode.Uri.file(path.join(archive, 'DELIVERY_REPORT.md'));
  await vscode.window.showTextDocument(file, { preview: false });
}
