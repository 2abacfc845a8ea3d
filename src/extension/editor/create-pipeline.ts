/** *New Stage…* and *New Pipeline…*: files that explain themselves, in the repository's folder for them. Never overwrites a file. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { stageNamePattern, stageNameWords } from '../../engine/ground/stage-name.ts';
import type { EngineClient } from './engine-client.ts';
import type { PipelineOffer } from '../protocol.ts';
import { pipelinesFolder } from './settings.ts';
import { exists } from './sprint-folders.ts';
import { pickFolder } from './workspace-folder.ts';
import { t, translated } from '../../views/words.ts';

interface Surroundings {
  extensionUri: vscode.Uri;
  engine(): EngineClient;
}

interface Kind {
  title: string;
  prompt(folder: string): string;
  /** The new files, below that folder, with their templates; the last one is shown. */
  files(name: string): { file: string; template: string }[];
}

const stage: Kind = {
  title: t('Loop: New Stage'),
  prompt: (folder) => t('Name of the stage; it is written to {0}/stages/<name>/.', folder),
  files: (name) => [
    { file: path.join('stages', name, 'stage.yaml'), template: 'stage.yaml' },
    { file: path.join('stages', name, 'prompt.md'), template: 'prompt.md' },
  ],
};

const pipeline: Kind = {
  title: t('Loop: New Pipeline'),
  prompt: (folder) => t('Name of the pipeline; it is written to {0}/<name>.yaml.', folder),
  files: (name) => [{ file: `${name}.yaml`, template: 'pipeline.yaml' }],
};

export function newStage(around: Surroundings): Promise<void> {
  return create(stage, around);
}

export function newPipeline(around: Surroundings): Promise<void> {
  return create(pipeline, around);
}

/** @throws EngineFailure where no pipeline could run here. */
async function create(kind: Kind, around: Surroundings): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const shelf = pipelinesFolder();
  const { root, pipelines } = await around.engine().request('pipelines', { folder, shelf });
  const at = path.join(root, shelf);
  const name = await askName(kind, at, pipelines);
  if (name === undefined) return;
  for (const { file, template } of kind.files(name)) {
    const target = vscode.Uri.file(path.join(at, file));
    const source = vscode.Uri.joinPath(around.extensionUri, 'media', 'templates', 'pipeline', template);
    await vscode.workspace.fs.copy(source, target, { overwrite: false });
    await vscode.window.showTextDocument(target, { preview: false });
  }
}

function askName(kind: Kind, at: string, known: readonly PipelineOffer[]): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: kind.title,
    prompt: kind.prompt(path.basename(at)),
    placeHolder: 'improve-docs',
    ignoreFocusOut: true,
    async validateInput(text) {
      if (!stageNamePattern.test(text)) return t('Give {0}.', stageNameWords);
      const taken = await Promise.all(kind.files(text).map(({ file }) => exists(path.join(at, file))));
      if (taken.includes(true)) return t('There is one with this name.');
      const hidden = known.find(({ name, origin }) => name === text && origin !== 'workspace');
      if (!hidden) return undefined;
      return { message: t('It will hide that of the {0}.', translated(hidden.origin)), severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
}
