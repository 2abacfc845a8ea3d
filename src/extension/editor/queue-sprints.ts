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
import { confirmWhole, pickOne, walk, type Move, type Place, type Step } from './steps.ts';

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
  for (let from: 'first' | 'last' = 'first'; ; from = 'last') {
    if (!(await walk(t('Loop: Queue Sprints'), [...queue.steps, ...questions.steps, questions.hoursStep], from))) return;
    for (const dir of queue.dirs) if (!(await ensureRepository(dir, around.engine()))) return;
    const chosen = await questions.choice();
    const { overrides } = choiceOf(chosen);
    const bound = await around.engine().request('queue-inspect', { sprintDirs: queue.dirs, overrides });
    const answer = await confirm(queue.dirs, chosen, bound);
    if (answer === 'back') continue;
    if (answer === 'leave') return;
    const queued = queue.dirs.map((dir) => ({ dir, choice: choiceOf(choiceIn(dir, chosen)) }));
    for (const dir of queue.dirs) await around.memento.update(mementoKey(dir), choiceIn(dir, chosen));
    return void around.store.runQueue(queued).then((outcomes) => tellQueue(queue.dirs, outcomes));
  }
}

/** One after the other, since their order is the queue's. */
class WhichSprints {
  dirs: string[] = [];

  constructor(
    private readonly folders: readonly SprintFolder[],
    private readonly around: StartSurroundings,
  ) {}

  /** As many questions as there are sprints; each is asked once the one before is answered by a sprint. */
  get steps(): Step[] {
    return this.folders.map((_, index) => ({ isAsked: () => index <= this.dirs.length, ask: (place) => this.ask(index, place) }));
  }

  private async ask(index: number, place: Place): Promise<Move> {
    const before = this.dirs[index];
    // Those after it were chosen after another one.
    this.dirs.length = index;
    const items = this.folders
      .filter(({ dir }) => !this.dirs.includes(dir))
      .map(({ dir, name, where }) => ({ label: plain(name), description: plain(where), dir }));
    const names = this.dirs.map((dir) => plain(sprintFolder(dir).name)).join(', ');
    const whole = { label: t('$(check) These, in this order'), description: names, dir: '' };
    const question = index === 0 ? t('Which sprint runs first?') : t('Which one runs after {0}?', names);
    const known = items.find(({ dir }) => dir === before);
    const answer = await pickOne(place, { question, items: index < 2 ? items : [whole, ...items], known });
    if (typeof answer === 'string') return answer;
    if (answer.chosen === whole) return 'next';
    if (!(await isReadable(answer.chosen.dir, this.around.engine()))) return 'leave';
    this.dirs.push(answer.chosen.dir);
    return 'next';
  }
}

function confirm(dirs: readonly string[], { model, network }: RunChoice, bound: QueueBound): Promise<'go' | 'back' | 'leave'> {
  const models = model.kind === 'chosen' ? model.models : claudeModels();
  const detail = [
    dirs.map((dir, index) => `${index + 1}. ${plain(sprintFolder(dir).where, 80)}`).join('\n'),
    t('Worst case of all together: {0} at work. {1}', hoursWords(bound.hours), payWords(model, bound, [...new Set(Object.values(models))])),
    t('Nobody is asked while they run: one that waits for you is left waiting, and the next begins.'),
    sandboxWords(network),
  ].join('\n\n');
  const question = t('Start {0}, one after the other?', plural(dirs.length, '{0} sprint', '{0} sprints'));
  return confirmWhole({ question, detail, go: t('Start') });
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
