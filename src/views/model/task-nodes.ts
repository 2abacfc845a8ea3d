/** The Tasks tree: the plan by phase; each task with its purpose, its acceptance and what it waits for. */
import type { SprintView, TaskView } from './sprint-view.ts';
import { costWords } from './cost-nodes.ts';
import { narrow, node, paragraphs, type TreeNode } from './tree-node.ts';
import { interruptedTask, taskLooks } from './looks.ts';
import { t } from '../words.ts';

/** @param running whether this window or another process runs the sprint now. */
export function taskNodes(view: SprintView, running: boolean): TreeNode[] {
  return view.phases.map(({ name, tasks }) => {
    const done = tasks.filter(({ status }) => status === 'done').length;
    return node(`phase/${name}`, narrow(name), {
      tooltip: [name],
      description: t('{0} of {1} done', done, tasks.length),
      spoken: t('Phase {0}, {1} of {2} tasks done', name, done, tasks.length),
      expanded: true,
      children: tasks.map((task) => taskNode(task, running)),
    });
  });
}

function taskNode(task: TaskView, running: boolean): TreeNode {
  const look = task.status === 'active' && !running ? interruptedTask : taskLooks[task.status];
  // The status comes first, so that a narrow tree cuts the title off and never the status.
  return node(`task/${task.id}`, task.id, {
    description: `${look.words} · ${task.title}`,
    icon: look,
    tooltip: paragraphs(
      `${task.id} ${task.title}: ${look.words}`,
      task.description,
      t('Why it matters: {0}', task.value),
      task.waitsFor && t('Waits for you: {0}', task.waitsFor),
      lastWords(task),
    ),
    spoken: t('Task {0}, {1}, {2}', task.id, task.title, look.words),
    context: `task-${task.status}`,
    about: `task ${task.id}`,
    children: detailNodes(task),
  });
}

function detailNodes(task: TaskView): TreeNode[] {
  const details: [string, string, string][] = [
    ['acceptance', t('Done when: {0}', task.acceptance), 'checklist'],
    ['requirements', task.requirements.length > 0 ? t('Serves: {0}', task.requirements.join(', ')) : '', 'references'],
    ['dependencies', task.dependencies.length > 0 ? t('Needs: {0}', task.dependencies.join(', ')) : '', 'link'],
    ['waits', task.waitsFor ? t('Waits for you: {0}', task.waitsFor) : '', 'bell-dot'],
    ['setback', lastWords(task), 'discard'],
    ['attempts', task.attempts > 0 ? t('Attempts: {0}', task.attempts) : '', 'history'],
    ['cost', task.cost ? t('Cost of its builders: {0}', costWords(task.cost)) : '', 'credit-card'],
  ];
  return details
    .filter(([, text]) => text !== '')
    .map(([id, text, icon]) => node(`task/${task.id}/${id}`, text, { icon: { icon, colour: null }, tooltip: [text], spoken: text }));
}

/** Why it was dropped, why its last attempt was not kept, or why it is open again. */
function lastWords({ status, dropped, setback, reopened }: TaskView): string {
  if (dropped) return t('Dropped: {0}', dropped);
  if (reopened && !setback && status !== 'done') return t('Open again: {0}', reopened);
  return setback ? t('Last attempt: {0}', setback) : '';
}
