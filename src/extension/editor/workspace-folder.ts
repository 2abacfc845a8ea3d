/** The folder of the workspace in which something is done; the person picks one of several. */
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';

/** @returns undefined when the person left, or no folder is open, which is said. */
export async function pickFolder(): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file');
  if (folders.length === 0) return void askToOpen();
  if (folders.length === 1) return folders[0]?.uri.fsPath;
  const items = folders.map((f) => ({ label: f.name, description: f.uri.fsPath }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Loop: in which folder?') });
  return chosen?.description;
}

/** The walkthrough and other extensions can run a command also where it is not enabled. */
async function askToOpen(): Promise<void> {
  const open = t('Open Folder');
  const chosen = await vscode.window.showInformationMessage(t('Loop: open a folder first.'), open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.openFolder');
}
