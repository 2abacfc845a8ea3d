/** A sprint needs a repository with a commit. If there is none, this offers a first commit, whose files the person picks. */
import * as vscode from 'vscode';
import { plain } from '../../views/model/display-text.ts';
import type { EngineClient } from './engine-client.ts';
import type { FirstCommit } from '../protocol.ts';
import { t } from '../../views/words.ts';

/** @returns whether a sprint can start in the folder now. @throws EngineFailure when git refuses. */
export async function ensureRepository(sprintDir: string, engine: EngineClient): Promise<boolean> {
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(sprintDir))?.uri.fsPath ?? sprintDir;
  const preview = await engine.request('first-commit', { sprintDir, workspaceFolder });
  if (preview.state === 'ready') return true;
  const files = await pickFiles(preview);
  if (!files) return false;
  await engine.request('initialise', { folder: preview.root, files });
  return true;
}

/** All files are preselected, except those that are left out: these show why, and are never committed. */
async function pickFiles({ state, root, files }: FirstCommit): Promise<string[] | undefined> {
  const what = state === 'no-repository' ? t('This folder is no git repository') : t('This repository has no commit');
  const commit = t('Choose Files…');
  const detail = t(
    'Loop works on a branch of its own and needs a first commit to start from. You see its files before anything is written.\n\n{0}',
    root,
  );
  const go = await vscode.window.showInformationMessage(t('{0}. Make a first commit?', what), { modal: true, detail }, commit);
  if (go !== commit) return undefined;
  const chosen = await vscode.window.showQuickPick(itemsOf(files), {
    title: t('Loop: files of the first commit'),
    placeHolder: t('Take away what should not be committed, then press OK'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.filter((item) => item.commit).map((item) => item.path);
}

function itemsOf(files: FirstCommit['files']): (vscode.QuickPickItem & { path: string; commit: boolean })[] {
  const included = files.filter((f) => f.leftOut === null).map(({ path }) => ({ label: plain(path), path, commit: true, picked: true }));
  const excluded = files
    .filter((f) => f.leftOut !== null)
    .map(({ path, leftOut }) => ({ label: plain(path), description: t('left out: {0}', plain(leftOut ?? '')), path, commit: false }));
  if (excluded.length === 0) return included;
  const separator = {
    label: t('left out, whether ticked or not'),
    kind: vscode.QuickPickItemKind.Separator,
    path: '',
    commit: false,
  };
  return [...included, separator, ...excluded];
}
