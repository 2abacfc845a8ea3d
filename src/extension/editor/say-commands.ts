/** What a person says to a sprint of their own accord: a word to the agents, a pause, a task that is skipped or tried again. */
import * as vscode from 'vscode';
import { longestWord } from '../../engine/work/word-limits.ts';
import { plain } from '../../views/model/display-text.ts';
import { aboutWords } from '../../views/model/words-in-documents.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import type { EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';
import { sendTyped } from './typed-text.ts';
import { t } from '../../views/words.ts';

/** @param about `task T1`, from a row; undefined to ask. */
export async function tellAgents(store: SprintStore, engine: EngineClient, about: string | undefined): Promise<void> {
  const { shown } = store;
  if (!shown?.view) return;
  const subject = about ?? (await pickSubject(shown.view));
  if (subject === undefined) return;
  const options = {
    title: t('Loop: tell the agents, about {0}', subject === '' ? t('the whole sprint') : plain(aboutWords(subject), 80)),
    prompt: t('They read it from their next turn on. It guides them; verdicts, limits and documents stay as they are.'),
    placeHolder: t('What should they know or do?'),
    validateInput: tooLong,
  };
  await sendTyped(`tell/${shown.dir}/${subject}`, options, async (words) => {
    const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'tell', words, about: subject } });
    vscode.window.setStatusBarMessage(`$(check) Loop: ${plain(taken)}`, 5000);
  });
}

export async function pauseSprint({ shown }: Pick<SprintStore, 'shown'>, engine: EngineClient): Promise<void> {
  if (!shown) return;
  const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'pause' } });
  vscode.window.setStatusBarMessage(`$(debug-pause) Loop: ${plain(taken)}`, 5000);
}

/** @param about `task T1`, from its row. */
export async function skipTask({ shown }: SprintStore, engine: EngineClient, about: string | undefined): Promise<void> {
  const task = taskIn(about);
  if (!shown || task === undefined) return;
  const sure = t('Skip It');
  const detail = t(
    'It is dropped before the next decision. What it serves stays unproven, unless other work proves it: the sprint is then not delivered.',
  );
  if ((await vscode.window.showWarningMessage(t('Skip task {0}?', plain(task, 40)), { modal: true, detail }, sure)) !== sure) return;
  const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'skip', task } });
  vscode.window.setStatusBarMessage(`$(check) Loop: ${plain(taken)}`, 5000);
}

/** @param about `task T1`, from its row. */
export async function retryTask({ shown }: SprintStore, engine: EngineClient, about: string | undefined): Promise<void> {
  const task = taskIn(about);
  if (!shown || task === undefined) return;
  const options = {
    title: t('Loop: try task {0} again', plain(task, 40)),
    prompt: t('What should its next builder know? Where no attempt was left, it gets one more, twice at most.'),
    validateInput: tooLong,
  };
  await sendTyped(`retry/${shown.dir}/${task}`, options, async (hint) => {
    const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'retry', task, hint } });
    vscode.window.setStatusBarMessage(`$(check) Loop: ${plain(taken)}`, 5000);
  });
}

/** @param about `task T1`, from its row. */
export function taskIn(about: string | undefined): string | undefined {
  return about?.startsWith('task ') === true ? about.slice('task '.length) : undefined;
}

function tooLong(text: string): string | null {
  const { length } = text.trim();
  return length > longestWord ? t('At most {0} characters; this is {1}.', longestWord, length) : null;
}

/** @returns undefined where the person chose nothing. */
async function pickSubject({ phases, requirements, categories }: SprintView): Promise<string | undefined> {
  const whole = { label: t('The whole sprint'), description: '', about: '' };
  const named = [
    ...phases.flatMap(({ tasks }) => tasks).map(({ id, title }) => subjectItem('task', id, title)),
    ...requirements.filter(({ descoped }) => descoped === null).map(({ id, title }) => subjectItem('requirement', id, title)),
    ...categories.flatMap(({ verifications }) => verifications).map(({ id, title }) => subjectItem('verification', id, title)),
  ];
  if (named.length === 0) return whole.about;
  const options = { title: t('Loop: what is it about?'), placeHolder: t('What is it about?'), matchOnDescription: true };
  return (await vscode.window.showQuickPick([whole, ...named], options))?.about;
}

function subjectItem(kind: string, id: string, title: string): { label: string; description: string; about: string } {
  const about = `${kind} ${id}`;
  return { label: plain(aboutWords(about), 80), description: plain(title, 80), about };
}
