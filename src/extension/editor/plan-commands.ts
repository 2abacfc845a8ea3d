/** Changes of a plan that waits for the person's approval. */
import * as vscode from 'vscode';
import type { TaskChange } from '../../engine/person/plan.ts';
import { plain } from '../../views/model/display-text.ts';
import type { SprintView, TaskView } from '../../views/model/sprint-view.ts';
import type { EngineClient } from './engine-client.ts';
import { taskIn } from './say-commands.ts';
import type { SprintStore } from './sprint-store.ts';
import { sendTyped } from './typed-text.ts';
import { t } from '../../views/words.ts';

/** @param about `task T1`, from its row. */
export async function changeTask({ shown }: SprintStore, engine: EngineClient, about: string | undefined): Promise<void> {
  const tasks = tasksOf(shown?.view ?? null);
  const task = tasks.find(({ id }) => id === taskIn(about));
  if (!shown || !task) return;
  await askChange(shown.dir, task, tasks, async (change) => {
    const taken = await engine.request('say', { sprintDir: shown.dir, said: { kind: 'change', task: task.id, change } });
    vscode.window.setStatusBarMessage(`$(check) Loop: ${plain(taken)}`, 5000);
  });
}

type Send = (change: TaskChange) => Promise<void>;

/** Sends nothing where the person left, or left it as it is. */
async function askChange(dir: string, task: TaskView, tasks: readonly TaskView[], send: Send): Promise<void> {
  const title = t('Loop: change task {0}', plain(task.id, 40));
  const texts = [
    { label: t('$(tag) Title'), field: 'title', text: task.title },
    { label: t('$(list-unordered) What to build'), field: 'description', text: task.description },
    { label: t('$(star) Why it matters'), field: 'value', text: task.value },
    { label: t('$(checklist) Done when'), field: 'acceptance', text: task.acceptance },
  ].map((item) => ({ ...item, detail: plain(item.text, 160) }));
  const order = { label: t('$(list-ordered) When it is built'), field: 'before', text: '', detail: t('Before another task, or last') };
  const chosen = await vscode.window.showQuickPick([...texts, order], {
    title,
    placeHolder: t('What shall be otherwise?'),
    ignoreFocusOut: true,
  });
  if (!chosen) return;
  if (chosen === order) {
    const place = await pickPlace(task, tasks, title);
    if (place) await send(place);
    return;
  }
  const prompt = t('{0}: builders read it as it stands here.', chosen.label.replace(/^\S+ /, ''));
  await sendTyped(`change/${dir}/${task.id}/${chosen.field}`, { title, prompt, value: chosen.text }, async (text) => {
    if (text.trim() !== chosen.text.trim()) await send({ [chosen.field]: text });
  });
}

async function pickPlace(task: TaskView, tasks: readonly TaskView[], title: string): Promise<TaskChange | undefined> {
  const others = tasks.filter(({ id, status }) => id !== task.id && status !== 'descoped' && status !== 'done');
  const items = [
    ...others.map(({ id, title: name }) => ({ label: plain(t('Before {0}', id), 80), description: plain(name, 80), before: id })),
    { label: t('Last'), description: '', before: 'end' },
  ];
  const placeHolder = t('When is {0} built? It is never built before what it needs.', plain(task.id, 40));
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  return chosen && { before: chosen.before };
}

function tasksOf(view: SprintView | null): TaskView[] {
  return view?.phases.flatMap(({ tasks }) => tasks) ?? [];
}
