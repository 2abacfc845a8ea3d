/** Whether the machine stays awake while something runs here: as the person's setting says, which one question sets. */
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';
import type { EngineClient } from './engine-client.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { keepAwakeFromSettings } from './settings.ts';
import type { SprintStore } from './sprint-store.ts';

/** Each time something begins to run where nothing ran. */
export function followWakefulness(
  { store, pipelines }: { store: SprintStore; pipelines: PipelineStore },
  engine: EngineClient,
  log: () => vscode.LogOutputChannel,
): vscode.Disposable {
  let ran = false;
  const look = (): void => {
    const runs = store.shown?.running === true || pipelines.running.length > 0;
    if (runs && !ran) void begin(engine).catch((error: unknown) => log().warn(String(error)));
    ran = runs;
  };
  return vscode.Disposable.from(store.onDidChange(look), pipelines.onDidChange(look));
}

async function begin(engine: EngineClient): Promise<void> {
  const wanted = keepAwakeFromSettings();
  if (wanted === 'never') return;
  const isPossible = await engine.request('keep-awake', { wanted: wanted === 'always' });
  if (isPossible && wanted === 'ask') await ask(engine);
}

/** Not answered, it is asked at the next start. */
async function ask(engine: EngineClient): Promise<void> {
  const [yes, no] = [t('Keep It Awake'), t('Let It Sleep')];
  const chosen = await vscode.window.showInformationMessage(t('Loop: shall this computer stay awake while something runs?'), yes, no);
  if (chosen === undefined) return;
  const value = chosen === yes ? 'always' : 'never';
  await vscode.workspace.getConfiguration('loop').update('keepAwake', value, vscode.ConfigurationTarget.Global);
  await engine.request('keep-awake', { wanted: chosen === yes });
}
