/** A sprint needs a repository with a commit. Where there is none, offers a first commit of files that the person sees beforehand. */
import * as vscode from 'vscode';
import { plain } from '../../views/model/display-text.ts';
import type { EngineClient } from './engine-client.ts';
import type { FirstCommit } from '../protocol.ts';

/** @returns whether the folder can carry a sprint now. @throws EngineFailure when git refuses. */
export async function ensureRepository(sprintDir: string, engine: EngineClient): Promise<boolean> {
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(sprintDir))?.uri.fsPath ?? sprintDir;
  const preview = await engine.request('first-commit', { sprintDir, workspaceFolder });
  if (preview.state === 'ready') return true;
  const files = await pickFiles(preview);
  if (!files) return false;
  await engine.request('initialise', { folder: preview.root, files });
  return true;
}

/** All files but those that are left out are chosen beforehand; those show why, and cannot be chosen. */
async function pickFiles({ state, root, files }: FirstCommit): Promise<string[] | undefined> {
  const what = state === 'no-repository' ? 'This folder is no git repository' : 'This repository has no commit';
  const commit = 'Choose Files…';
  const detail = `Loop works on a branch of its own and needs a first commit to start from. You see its files before anything is written.\n\n${root}`;
  const go = await vscode.window.showInformationMessage(`${what}. Make a first commit?`, { modal: true, detail }, commit);
  if (go !== commit) return undefined;
  const chosen = await vscode.window.showQuickPick(itemsOf(files), {
    title: 'Loop: files of the first commit',
    placeHolder: 'Take away what should not be committed, then press OK',
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.filter((item) => item.commit).map((item) => item.path);
}

function itemsOf(files: FirstCommit['files']): (vscode.QuickPickItem & { path: string; commit: boolean })[] {
  const taken = files.filter((f) => f.leftOut === null).map(({ path }) => ({ label: plain(path), path, commit: true, picked: true }));
  const left = files
    .filter((f) => f.leftOut !== null)
    .map(({ path, leftOut }) => ({ label: plain(path), description: `left out: ${plain(leftOut ?? '')}`, path, commit: false }));
  if (left.length === 0) return taken;
  const separator = {
    label: 'left out, whether ticked or not',
    kind: vscode.QuickPickItemKind.Separator,
    path: '',
    commit: false,
  };
  return [...taken, separator, ...left];
}
