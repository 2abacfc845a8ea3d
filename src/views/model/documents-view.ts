/** What the documents of a sprint show of it in the editor: how each requirement stands. */
import { plain } from './display-text.ts';
import { taskLooks, verificationLooks } from './looks.ts';
import { requirementWords } from './requirement-words.ts';
import type { SprintView, TaskView, VerificationView } from './sprint-view.ts';
import { plural, t } from '../words.ts';

export interface DocumentsView {
  requirements: StandingRequirement[];
  /** Names of the services that the sprint has. */
  services: string[];
}

export interface StandingRequirement {
  id: string;
  /** One line: `1 task, done · 1 verification, passed · proven by cli/total`. */
  words: string;
  /** Its tasks and verifications, a paragraph each. */
  details: string[];
  /** Ids, without those that are retired. */
  verifications: string[];
  /** Ids of those that a machine can run. */
  runnable: string[];
}

export function documentsView(view: SprintView): DocumentsView {
  const tasks = view.phases.flatMap((phase) => phase.tasks);
  const verifications = view.categories.flatMap((category) => category.verifications).filter(({ status }) => status !== 'retired');
  return {
    requirements: view.requirements.map((requirement) => {
      if (requirement.descoped !== null)
        return { id: requirement.id, words: plain(requirement.descoped, 300), details: [], verifications: [], runnable: [] };
      const served = tasks.filter((task) => task.requirements.includes(requirement.id));
      const proving = verifications.filter((one) => one.requirements.includes(requirement.id));
      return {
        id: requirement.id,
        words: plain([taskCount(served), verificationCount(proving), requirementWords(requirement)].join(' · '), 300),
        details: [...served.map(taskLine), ...proving.map(verificationLine)].map((line) => plain(line, 600)),
        verifications: proving.map(({ id }) => id),
        runnable: proving.filter(({ kind }) => kind !== 'criterion').map(({ id }) => id),
      };
    }),
    services: view.services.map(({ name }) => name),
  };
}

function taskCount(tasks: readonly TaskView[]): string {
  if (tasks.length === 0) return t('no task');
  const done = tasks.filter(({ status }) => status === 'done').length;
  return tasks.length === 1 ? t('1 task, {0}', taskLooks[tasks[0]?.status ?? 'later'].words) : t('{0} tasks, {1} done', tasks.length, done);
}

function verificationCount(verifications: readonly VerificationView[]): string {
  if (verifications.length === 0) return t('no verification');
  const passed = verifications.filter(({ status }) => status === 'passed').length;
  const [first] = verifications;
  return verifications.length === 1 && first
    ? t('1 verification, {0}', verificationLooks[first.status].words)
    : t('{0}, {1} passed', plural(verifications.length, '{0} verification', '{0} verifications'), passed);
}

function taskLine({ id, status, description }: TaskView): string {
  return t('Task {0}, {1}: {2}', id, taskLooks[status].words, description);
}

function verificationLine({ id, title, status, last, trusted, trustWhy, strength, kind }: VerificationView): string {
  const run = last ? t(' Last run: {0}.', last.words) : '';
  const proof =
    kind !== 'script' ? '' : strength ? t(' Proof {0}.', strength.words) : ` ${trusted ? t('Trusted') : t('Not trusted')}: ${trustWhy}.`;
  return t('Verification {0}, {1}: {2}.{3}{4}', id, verificationLooks[status].words, title, run, proof);
}
