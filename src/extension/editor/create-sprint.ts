/**
 * Creates a sprint's folder with VISION.md and PRD.md, from the template, from words, or from a specification, and opens both. Never
 * overwrites a file.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Requests } from '../protocol.ts';
import type { EngineClient } from './engine-client.ts';
import { exists } from './sprint-folders.ts';
import { pickFolder } from './workspace-folder.ts';
import { t } from '../../views/words.ts';

type Source = Requests['new-sprint']['params']['source'];

const documents = ['VISION.md', 'PRD.md'];
/** Relative to the workspace folder. */
const sprintsFolder = 'sprints';

/** @returns what the source became; undefined when the person cancelled. @throws EngineFailure where the source cannot be read. */
export async function createSprint(engine: EngineClient): Promise<string[] | undefined> {
  const folder = await pickFolder();
  if (!folder) return undefined;
  const source = await pickSource(folder);
  if (!source) return undefined;
  const name = await askName(folder);
  if (name === undefined) return undefined;
  const sprintDir = path.join(folder, sprintsFolder, name);
  const lines = await engine.request('new-sprint', { sprintDir, source });
  for (const document of documents) {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(sprintDir, document)), { preview: false });
  }
  return lines;
}

async function pickSource(folder: string): Promise<Source | undefined> {
  const template = (): Promise<Source> => Promise.resolve({ kind: 'template' });
  const ways: (vscode.QuickPickItem & { ask(): Promise<Source | undefined> })[] = [
    { label: t('The template'), detail: t('Two documents that explain themselves.'), ask: template },
    { label: t('A sentence…'), detail: t('What someone should be able to do.'), ask: askSentence },
    { label: t('The clipboard'), detail: t('Text of an issue that you copied, or notes.'), ask: readClipboard },
    { label: t('A specification…'), detail: t('A folder of spec-kit or Kiro, or a PRD.'), ask: () => pickPath(folder) },
  ];
  const title = t('Loop: Create a Sprint');
  return (await vscode.window.showQuickPick(ways, { title, placeHolder: t('What does it begin with?'), ignoreFocusOut: true }))?.ask();
}

async function askSentence(): Promise<Source | undefined> {
  const words = await vscode.window.showInputBox({
    title: t('Loop: Create a Sprint'),
    prompt: t('Who should be able to do what? Each sentence becomes a requirement, which you can edit.'),
    placeHolder: t('A bookkeeper photographs a receipt and finds its sum in the ledger.'),
    ignoreFocusOut: true,
  });
  return words?.trim() ? { kind: 'words', words } : undefined;
}

async function readClipboard(): Promise<Source> {
  return { kind: 'words', words: await vscode.env.clipboard.readText() };
}

async function pickPath(folder: string): Promise<Source | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: t('Loop: the specification'),
      defaultUri: vscode.Uri.file(folder),
      canSelectFiles: true,
      canSelectFolders: true,
      openLabel: t('Read It'),
    })) ?? [];
  return chosen && { kind: 'path', path: chosen.fsPath };
}

function askName(folder: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Loop: Create a Sprint'),
    prompt: t('Name of the sprint; VISION.md and PRD.md are written to {0}/<name>/.', sprintsFolder),
    placeHolder: 'invoice-export',
    ignoreFocusOut: true,
    async validateInput(text) {
      if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)) return t('Letters, digits, - and _, at most 64.');
      return (await exists(path.join(folder, sprintsFolder, text))) ? t('A sprint with this name exists.') : undefined;
    },
  });
}
