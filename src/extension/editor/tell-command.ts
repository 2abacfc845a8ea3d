/** *Tell the Agents…*: asks what the word is about, where no row says it, and then for the word itself. */
import * as vscode from 'vscode';
import { longestWord } from '../../engine/work/word.ts';
import { plain } from '../../views/model/display-text.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import type { EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';

/** @param about `task T1`, from a row; undefined to ask. */
export async function tellAgents(store: SprintStore, engine: EngineClient, about: string | undefined): Promise<void> {
  const { shown } = store;
  if (!shown?.view) return;
  const subject = about ?? (await pickSubject(shown.view));
  if (subject === undefined) return;
  const words = await vscode.window.showInputBox({
    title: `Loop: tell the agents, about ${subject === '' ? 'the whole sprint' : plain(subject, 80)}`,
    prompt: 'They read it from their next turn on. It guides them; verdicts, limits and documents stay as they are.',
    placeHolder: 'What should they know or do?',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim().length > longestWord ? `At most ${longestWord} characters; this is ${text.trim().length}.` : null,
  });
  if (words === undefined || words.trim() === '') return;
  const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'tell', words, about: subject } });
  vscode.window.setStatusBarMessage(`$(check) Loop: ${plain(taken)}`, 5000);
}

export async function pauseSprint({ shown }: SprintStore, engine: EngineClient): Promise<void> {
  if (!shown) return;
  const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'pause' } });
  vscode.window.setStatusBarMessage(`$(debug-pause) Loop: ${plain(taken)}`, 5000);
}

/** @returns undefined where the person chose nothing. */
async function pickSubject({ phases, requirements, categories }: SprintView): Promise<string | undefined> {
  const whole = { label: 'The whole sprint', description: '', about: '' };
  const named = [
    ...phases.flatMap(({ tasks }) => tasks).map(({ id, title }) => subjectItem('task', id, title)),
    ...requirements.map(({ id, title }) => subjectItem('requirement', id, title)),
    ...categories.flatMap(({ verifications }) => verifications).map(({ id, title }) => subjectItem('verification', id, title)),
  ];
  if (named.length === 0) return whole.about;
  const options = { title: 'Loop: what is it about?', placeHolder: 'What is it about?', matchOnDescription: true };
  return (await vscode.window.showQuickPick([whole, ...named], options))?.about;
}

function subjectItem(kind: string, id: string, title: string): { label: string; description: string; about: string } {
  return { label: plain(`${kind} ${id}`, 80), description: plain(title, 80), about: `${kind} ${id}` };
}
