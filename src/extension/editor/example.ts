/**
 * *Try the Example*: copies an example into a folder of its own, opens it, and plays its recording there, without a model and without
 * cost. Opening a folder starts the extension host anew, so what to play is remembered until then.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';
import type { EngineClient } from './engine-client.ts';
import type { HistoryPanels } from './history-panel.ts';
import { exists } from './sprint-folders.ts';
import type { SprintStore } from './sprint-store.ts';

const mementoKey = 'loop.example';
const folderName = 'loop-example';
/** The verification that a bug of the recorded builder turns red. */
const shownVerification = 'report/written-month';
/** What a person writes; what they supply later and what is the recorded model's stays out of git. */
const written = ['sprint/VISION.md', 'sprint/PRD.md'];
const ignored = ['/supplied', '/sprint/recording', '/sprint/recording.yaml'];

export async function tryExample(context: vscode.ExtensionContext, engine: EngineClient): Promise<void> {
  const parents = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    title: t('Loop: where shall the example be copied to?'),
    openLabel: t('Copy the Example Here'),
  });
  const [parent] = parents ?? [];
  if (!parent) return;
  const folder = await freeFolder(parent);
  await copyExample(vscode.Uri.joinPath(context.extensionUri, 'dist', 'example'), folder);
  const files = (await filesBelow(folder)).filter((file) => !/^(sprint|supplied)\//.test(file) || written.includes(file));
  try {
    await engine.request('initialise', { folder: folder.fsPath, files });
  } catch (error) {
    // As in a folder of another repository: nothing of it is left behind.
    await vscode.workspace.fs.delete(folder, { recursive: true });
    throw error;
  }
  const exclude = new TextEncoder().encode(`${ignored.join('\n')}\n`);
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, '.git', 'info', 'exclude'), exclude);
  await context.globalState.update(mementoKey, folder.fsPath);
  const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow });
}

/** Plays the example where it was just opened, and ends in the history of what went wrong in it. */
export async function playExample(
  context: Pick<vscode.ExtensionContext, 'globalState'>,
  store: SprintStore,
  panels: Pick<HistoryPanels, 'show'>,
): Promise<void> {
  const folder = context.globalState.get<string>(mementoKey);
  const isOpen = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === folder);
  if (folder === undefined || isOpen !== true) return;
  await context.globalState.update(mementoKey, undefined);
  const dir = path.join(folder, 'sprint');
  const ending = store.onDidEnd((outcome) => {
    // They may run another sprint before they go on with this one.
    if (outcome.dir !== dir || 'failure' in outcome) return;
    ending.dispose();
    panels.show({ sprintDir: dir, verification: shownVerification });
  });
  store.run(dir, {
    model: { kind: 'recorded', file: path.join(dir, 'recording.yaml') },
    overrides: { network: 'installs' },
    baseURL: null,
  });
  await vscode.commands.executeCommand('loop.sprint.focus');
  void vscode.window.showInformationMessage(
    t('Loop: the example runs from a recording: nothing is paid. When it asks for rates.csv, copy that file out of the folder "supplied".'),
  );
}

async function freeFolder(parent: vscode.Uri): Promise<vscode.Uri> {
  for (let number = 1; ; number += 1) {
    const folder = vscode.Uri.joinPath(parent, number === 1 ? folderName : `${folderName}-${number}`);
    if (!(await exists(folder.fsPath))) return folder;
  }
}

async function copyExample(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(from, 'start'), to);
  for (const name of ['sprint', 'supplied']) await vscode.workspace.fs.copy(vscode.Uri.joinPath(from, name), vscode.Uri.joinPath(to, name));
}

/** Relative to the folder, with `/`. */
async function filesBelow(folder: vscode.Uri, below = ''): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, below));
  const names = entries.map(async ([name, type]) => {
    const file = below === '' ? name : `${below}/${name}`;
    return type === vscode.FileType.Directory ? filesBelow(folder, file) : [file];
  });
  return (await Promise.all(names)).flat();
}
