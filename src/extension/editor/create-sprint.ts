/** Creates a sprint's folder with a VISION.md and a PRD.md that explain themselves, and opens both. Never overwrites a file. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { exists } from './sprint-folders.ts';
import { pickFolder } from './workspace-folder.ts';
import { t } from '../../views/words.ts';

const templates = ['VISION.md', 'PRD.md'];
/** Relative to the workspace folder. */
const sprintsFolder = 'sprints';

/** @returns the new folder, or undefined when the person cancelled. */
export async function createSprint(extensionUri: vscode.Uri): Promise<string | undefined> {
  const folder = await pickFolder();
  if (!folder) return undefined;
  const name = await askName(folder);
  if (name === undefined) return undefined;
  const dir = path.join(folder, sprintsFolder, name);
  for (const template of templates)
    await writeNew(path.join(dir, template), vscode.Uri.joinPath(extensionUri, 'media', 'templates', template));
  for (const template of templates) {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(dir, template)), { preview: false });
  }
  return dir;
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

async function writeNew(file: string, template: vscode.Uri): Promise<void> {
  if (await exists(file)) return;
  await vscode.workspace.fs.writeFile(vscode.Uri.file(file), await vscode.workspace.fs.readFile(template));
}
