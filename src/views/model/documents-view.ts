/** What the documents of a sprint show of it in the editor: how each requirement stands. */
import { counted } from '../../engine/ground/text.ts';
import { plain } from './display-text.ts';
import { taskLooks, verificationLooks } from './looks.ts';
import { requirementWords } from './requirement-words.ts';
import type { SprintView, TaskView, VerificationView } from './sprint-view.ts';

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
  if (tasks.length === 0) return 'no task';
  const done = tasks.filter(({ status }) => status === 'done').length;
  return tasks.length === 1 ? `1 task, ${taskLooks[tasks[0]?.status ?? 'later'].words}` : `${tasks.length} tasks, ${done} done`;
}

function verificationCount(verifications: readonly VerificationView[]): string {
  if (verifications.length === 0) return 'no verification';
  const passed = verifications.filter(({ status }) => status === 'passed').length;
  const [first] = verifications;
  return verifications.length === 1 && first
    ? `1 verification, ${verificationLooks[first.status].words}`
    : `${counted(verifications.length, 'verification')}, ${passed} passed`;
}

function taskLine({ id, status, description }: TaskView): string {
  return `Task ${id}, ${taskLooks[status].words}: ${description}`;
}

function verificationLine({ id, title, status, last, trusted, trustWhy, strength, kind }: VerificationView): string {
  const run = last ? ` Last run: ${last.words}.` : '';
  const proof = kind !== 'script' ? '' : strength ? ` Proof ${strength.words}.` : ` ${trusted ? 'Trusted' : 'Not trusted'}: ${trustWhy}.`;
  return `Verification ${id}, ${verificationLooks[status].words}: ${title}.${run}${proof}`;
}
