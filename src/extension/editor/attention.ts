/** Tells the person outside of the window, as their settings say: by a command of theirs, by a sound. */
import * as vscode from 'vscode';
import { needsPerson } from '../../views/model/headline.ts';
import { plain } from '../../views/model/display-text.ts';
import type { Occasion } from '../../engine/ground/occasion.ts';
import type { EngineClient } from './engine-client.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { attentionFromSettings } from './settings.ts';
import { byPerson, type End, type SprintStore } from './sprint-store.ts';

/** Once for each question that is opened, and once for each end that the person did not choose themselves. */
export function followAttention(
  { store, pipelines }: { store: SprintStore; pipelines: PipelineStore },
  engine: EngineClient,
  log: () => vscode.LogOutputChannel,
): vscode.Disposable {
  const tell = async (occasion: Occasion): Promise<void> => {
    const { command, sound } = attentionFromSettings();
    if (command === '' && !sound) return;
    const problems = await engine.request('notify', { command, sound, occasion }).catch((error: unknown) => [String(error)]);
    for (const problem of problems) log().warn(problem);
  };
  const ended = (end: End, name: string, folder: string): void => {
    const how = outcomeOf(end);
    if (how) void tell({ event: 'ended', name, folder, ...how });
  };
  return vscode.Disposable.from(
    followQuestions(store, (occasion) => void tell(occasion)),
    store.onDidEnd((end) => ended(end, end.view?.name ?? '', end.dir)),
    pipelines.onDidEnd((end) => ended(end, end.view?.session ?? '', end.dir)),
  );
}

function followQuestions(store: SprintStore, tell: (occasion: Occasion) => void): vscode.Disposable {
  let told = new Set<string>();
  return store.onDidChange(() => {
    const { shown } = store;
    if (!shown?.running) return void (told = new Set());
    if (!shown.view || !needsPerson(shown.view)) return;
    for (const { id, answers, status, action } of shown.view.humanActions) {
      const key = `${id}/${answers}`;
      if (status !== 'open' || told.has(key)) continue;
      told.add(key);
      tell({ event: 'needs-you', name: shown.view.name, folder: shown.dir, outcome: '', words: plain(action, 200) });
    }
  });
}

/** Null where the person stopped or paused it. */
function outcomeOf(end: End): Pick<Occasion, 'outcome' | 'words'> | null {
  if ('ending' in end) return { outcome: end.ending.stop, words: plain(end.ending.reasons[0] ?? '', 200) };
  return byPerson(end) ? null : { outcome: 'interrupted', words: plain(end.failure.message, 200) };
}
