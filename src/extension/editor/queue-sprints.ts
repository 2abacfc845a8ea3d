/** *Queue Sprints…*: the person chooses sprints in their order and answers once for all; they run unattended, one after the other. */
import * as vscode from 'vscode';
import { headline } from '../../views/model/headline.ts';
import { hoursWords, plain, spentWords } from '../../views/model/display-text.ts';
import { plural, t } from '../../views/words.ts';
import type { QueueBound } from '../protocol.ts';
import { choiceIn, payWords, RunQuestions, type RunChoice } from './choose-run.ts';
import { ensureRepository } from './first-commit.ts';
import { commands } from './names.ts';
import { claudeModels } from './settings.ts';
import { findSprintFolders, sprintFolder, type SprintFolder } from './sprint-folders.ts';
import { brokeOff, type Outcome } from './sprint-store.ts';
import { choiceOf, isReadable, mementoKey, sandboxWords, type StartSurroundings } from './start-sprint.ts';
import { pickOne, walk, type Move, type Place, type Step } from './steps.ts';

/** @throws EngineFailure for what the person must mend before the queue can begin. */
export async function queueSprints(around: StartSurroundings): Promise<void> {
  around.store.requireIdle();
  const folders = (await findSprintFolders()).filter(({ missing }) => missing === null);
  if (folders.length < 2) {
    void vscode.window.showInformationMessage(t('Loop: a queue needs two sprints. "Loop: Create Sprint…" makes another one.'));
    return;
  }
  const queue = new WhichSprints(folders, around);
  const reach = t('What may the commands of agents and verifications reach?');
  const questions = new RunQuestions(around, { folders: () => queue.dirs, reach });
  if (!(await walk(t('Loop: Queue Sprints'), [queue.step, ...questions.steps, questions.hoursStep]))) return;
  for (const dir of queue.dirs) if (!(await ensureRepository(dir, around.engine()))) return;
  const chosen = await questions.choice();
  const { overrides } = choiceOf(chosen);
  const bound = await around.engine().request('queue-inspect', { sprintDirs: queue.dirs, overrides });
  if (!(await confirm(queue.dirs, chosen, bound))) return;
  const queued = queue.dirs.map((dir) => ({ dir, choice: choiceOf(choiceIn(dir, chosen)) }));
  for (const dir of queue.dirs) await around.memento.update(mementoKey(dir), choiceIn(dir, chosen));
  void around.store.runQueue(queued).then((outcomes) => tellQueue(queue.dirs, outcomes));
}

/** One after the other, since their order is the queue's. */
class WhichSprints {
  dirs: string[] = [];

  constructor(
    private readonly folders: readonly SprintFolder[],
    private readonly around: StartSurroundings,
  ) {}

  get step(): Step {
    return { isAsked: () => true, ask: (place) => this.ask(place) };
  }

  private async ask(place: Place): Promise<Move> {
    this.dirs = [];
    for (;;) {
      const items = this.folders
        .filter(({ dir }) => !this.dirs.includes(dir))
        .map(({ dir, name, where }) => ({ label: plain(name), description: plain(where), dir }));
      if (items.length === 0) return 'next';
      const names = this.dirs.map((dir) => plain(sprintFolder(dir).name)).join(', ');
      const whole = { label: t('$(check) These, in this order'), description: names, dir: '' };
      const question = this.dirs.length === 0 ? t('Which sprint runs first?') : t('Which one runs after {0}?', names);
      const answer = await pickOne(place, { question, items: this.dirs.length < 2 ? items : [whole, ...items] });
      if (typeof answer === 'string') return answer;
      if (answer.chosen === whole) return 'next';
      if (!(await isReadable(answer.chosen.dir, this.around.engine()))) return 'leave';
      this.dirs.push(answer.chosen.dir);
    }
  }
}

async function confirm(dirs: readonly string[], { model, network }: RunChoice, bound: QueueBound): Promise<boolean> {
  const go = t('Start');
  const models = model.kind === 'chosen' ? model.models : claudeModels();
  const detail = [
    dirs.map((dir, index) => `${index + 1}. ${plain(sprintFolder(dir).where, 80)}`).join('\n'),
    t('Worst case of all together: {0} at work. {1}', hoursWords(bound.hours), payWords(model, bound, [...new Set(Object.values(models))])),
    t('Nobody is asked while they run: one that waits for you is left waiting, and the next begins.'),
    sandboxWords(network),
  ].join('\n\n');
  const question = t('Start {0}, one after the other?', plural(dirs.length, '{0} sprint', '{0} sprints'));
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, go)) === go;
}

/** One notification for the whole queue: how each of them stands. */
export async function tellQueue(dirs: readonly string[], outcomes: readonly Outcome[]): Promise<void> {
  const lines = dirs.map((dir) => {
    const outcome = outcomes.find((one) => one.dir === dir);
    return `${plain(sprintFolder(dir).name, 60)}: ${outcome ? standing(outcome) : t('not begun')}`;
  });
  const isWhole = outcomes.length === dirs.length && outcomes.every((one) => 'ending' in one && one.ending.stop === 'delivered');
  const show = isWhole ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const look = t('Switch Sprint…');
  const chosen = await show(t('Loop: the queue is over. {0}', lines.join('; ')), look);
  if (chosen === look) await vscode.commands.executeCommand(commands.switchSprint);
}

function standing(outcome: Outcome): string {
  const { view } = outcome;
  const stands = view ? `${plain(headline(view, false).words, 80)} (${spentWords(view.spend)})` : t('not begun');
  const broke = brokeOff(outcome);
  return broke === null ? stands : `${stands}: ${plain(broke, 200)}`;
}
