/**
 * *Start Sprint* and *Resume Sprint*: asks for folder, model and network, and shows the worst case before anything starts
 * (I4). The sprint writes nothing until the person chooses Start.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Overrides } from '../../engine/ground/config.ts';
import { chosenHours } from '../../views/model/budget.ts';
import { countWords, hoursWords, plain, usdWords } from '../../views/model/display-text.ts';
import { readingText, uncommittedText } from '../../views/model/start-words.ts';
import { plural, t } from '../../views/words.ts';
import { networkWords, payWords, RunQuestions, type RunChoice, type RunGround } from './choose-run.ts';
import { askBudget } from './budget.ts';
import type { AboutSprint } from './about-sprint.ts';
import { createSprint } from './create-sprint.ts';
import type { EngineClient } from './engine-client.ts';
import { ensureRepository } from './first-commit.ts';
import type { ModelChoice, StartPreview } from '../protocol.ts';
import { commands } from './names.ts';
import { baseUrlFromSettings, claudeModels, hoursFromSettings, overridesFromSettings } from './settings.ts';
import { findSprintFolders, sprintFolder, type SprintFolder } from './sprint-folders.ts';
import type { Choice, Shown, SprintStore } from './sprint-store.ts';
import { confirmWhole, pickOne, walk, type Move, type Place, type Step } from './steps.ts';
import { showSprint } from './switch-sprint.ts';

export interface StartSurroundings extends RunGround {
  store: SprintStore;
}

/** @param only the folder of the sprint; undefined to ask. @throws EngineFailure for what the person must fix before a sprint can start. */
export async function startSprint(around: StartSurroundings, only?: string): Promise<void> {
  around.store.requireIdle();
  const folders = (await findSprintFolders()).filter(({ dir }) => only === undefined || dir === only);
  if (folders.length === 0) return createAndTell(around.engine());
  await prepareAndRun(around, folders);
}

/** Resumes the sprint with the choices of its start. @param about undefined for the shown one. */
export async function resumeSprint(around: StartSurroundings, about?: AboutSprint): Promise<void> {
  const shown = await sprintOf(around, about);
  if (!shown) return startSprint(around, about?.sprintDir);
  // An old notification may still show its button.
  if (!around.store.resumable) {
    const words = shown.view?.elsewhere
      ? t('Loop: this sprint runs elsewhere. Stop it there, or wait until it ends.')
      : t('Loop: this sprint is over. "Loop: Start Sprint" begins a new one.');
    void vscode.window.showInformationMessage(words);
    return;
  }
  const budget = about?.raise && shown.view ? await askBudget(shown.view.spend) : {};
  if (!budget) return;
  const known = around.memento.get<RunChoice>(mementoKey(shown.dir));
  const lacksKey = known?.model.kind === 'anthropic' && (await around.key.read()) === null;
  if (!known || lacksKey) return prepareAndRun(around, [{ ...sprintFolder(shown.dir), missing: null }], budget);
  around.store.run(shown.dir, choiceOf(known, budget));
}

/** After a run that broke off. What broke may have been the start of a new sprint where the one before is over. */
export async function tryAgain(around: StartSurroundings, about?: AboutSprint): Promise<void> {
  const shown = await sprintOf(around, about);
  if (shown && (around.store.resumable || shown.view?.elsewhere)) return resumeSprint(around, about);
  await startSprint(around, about?.sprintDir);
}

/** @returns the shown sprint, which is the one that it is about; null where that never ran. */
async function sprintOf({ store }: StartSurroundings, about: AboutSprint | undefined): Promise<Shown | null> {
  store.requireIdle();
  if (about && !(await showSprint(store, about.sprintDir))) return null;
  return store.shown;
}

/** Creates a sprint, and says what became of what it begins with, and what comes next. */
export async function createAndTell(engine: EngineClient): Promise<void> {
  const became = await createSprint(engine);
  if (!became) return;
  const start = t('Start Sprint');
  const told = vscode.window.showInformationMessage(t('Loop: {0} Then start the sprint.', plain(became.join(' '), 900)), start);
  void told.then((chosen) => chosen === start && vscode.commands.executeCommand(commands.start));
}

async function prepareAndRun(around: StartSurroundings, folders: readonly SprintFolder[], budget: Overrides = {}): Promise<void> {
  const sprint = new WhichSprint(folders, around);
  const questions = new RunQuestions(around, {
    folders: () => [sprint.dir],
    reach: t('What may the commands of agents and verifications reach?'),
  });
  const steps = [sprint.step, ...questions.steps, questions.hoursStep];
  if (folders.length === 1 && !(await sprint.isReady())) return;
  for (let from: 'first' | 'last' = 'first'; ; from = 'last') {
    if (!(await walk(t('Loop: Start Sprint'), steps, from))) return;
    if (!(await ensureRepository(sprint.dir, around.engine()))) return;
    const chosen = await questions.choice();
    const preview = await inspect(sprint.dir, choiceOf(chosen, budget).overrides, around.engine());
    const answer = await confirm(sprint.dir, chosen.model, preview);
    if (answer === 'back') continue;
    if (answer === 'leave') return;
    await around.memento.update(mementoKey(sprint.dir), chosen);
    return around.store.run(sprint.dir, choiceOf(chosen, budget));
  }
}

/** The first question; not asked where there is one sprint. */
class WhichSprint {
  dir: string;

  constructor(
    private readonly folders: readonly SprintFolder[],
    private readonly around: StartSurroundings,
  ) {
    this.dir = folders[0]?.dir ?? '';
  }

  get step(): Step {
    return { isAsked: () => this.folders.length > 1, ask: (place) => this.ask(place) };
  }

  private async ask(place: Place): Promise<Move> {
    const items = this.folders.map(({ dir, name, where, missing }) => ({
      label: plain(name),
      description: `${plain(where)}${missing === null ? '' : t(', has no {0}', missing)}`,
      dir,
    }));
    const create = {
      label: t('$(add) Create a sprint…'),
      detail: t('From a template, a sentence, an issue, or a specification (spec-kit, Kiro).'),
      dir: '',
    };
    const question = t('Which sprint? A folder with VISION.md and PRD.md');
    const answer = await pickOne(place, { question, items: [...items, create], known: items.find(({ dir }) => dir === this.dir) });
    if (typeof answer === 'string') return answer;
    if (answer.chosen === create) {
      await createAndTell(this.around.engine());
      return 'leave';
    }
    this.dir = answer.chosen.dir;
    return (await this.isReady()) ? 'next' : 'leave';
  }

  isReady(): Promise<boolean> {
    return isReadable(this.dir, this.around.engine());
  }
}

/** Before any other question, since an empty PRD makes all answers useless. @throws EngineFailure with what is wrong. */
export async function isReadable(dir: string, engine: EngineClient): Promise<boolean> {
  if (!(await saveInputs(dir))) return false;
  // `all` is a placeholder: the person has not chosen the network yet, and some settings are valid only with `all`.
  const overrides = { ...overridesFromSettings(), network: 'all' as const };
  await engine.request('inputs', { sprintDir: dir, overrides });
  return true;
}

/** Claude's models are named too: a sprint that went on with others goes back to them. */
export function choiceOf({ model, network, ...hours }: RunChoice, budget: Overrides = {}): Choice {
  const maxHours = chosenHours(hours, hoursFromSettings());
  const overrides = { ...overridesFromSettings(), network, ...(maxHours === undefined ? {} : { maxHours }), ...budget };
  if (model.kind === 'anthropic') overrides.models = claudeModels();
  if (model.kind === 'chosen') overrides.models = model.models;
  return { model, overrides, baseURL: baseUrlFromSettings() };
}

/** Unsaved text would be left out silently, because the engine reads files. @returns whether all is saved. */
function saveInputs(dir: string): Promise<boolean> {
  return saveUnsaved((file) => path.dirname(file) === dir);
}

/** @returns whether all of these files are saved now. */
export async function saveUnsaved(isRead: (file: string) => boolean): Promise<boolean> {
  const unsaved = vscode.workspace.textDocuments.filter((d) => d.isDirty && d.uri.scheme === 'file' && isRead(d.uri.fsPath));
  if (unsaved.length === 0) return true;
  const names = unsaved.map((d) => path.basename(d.uri.fsPath)).join(', ');
  const save = t('Save and Go On');
  const chosen = await vscode.window.showWarningMessage(t('{0} has changes that are not saved.', names), { modal: true }, save);
  if (chosen !== save) return false;
  return (await Promise.all(unsaved.map((d) => d.save()))).every((saved) => saved);
}

function inspect(dir: string, overrides: Choice['overrides'], engine: EngineClient): Thenable<StartPreview> {
  const progress = { location: vscode.ProgressLocation.Window, title: t('Loop: reading the sprint') };
  return vscode.window.withProgress(progress, () => engine.request('inspect', { sprintDir: dir, overrides }));
}

function confirm(dir: string, model: ModelChoice, preview: StartPreview): Promise<'go' | 'back' | 'leave'> {
  const go = preview.resumes ? t('Resume') : t('Start');
  const question = t('{0} the sprint {1}?', go, plain(sprintFolder(dir).name, 80));
  return confirmWhole({ question, detail: worstCase(dir, model, preview), go });
}

function worstCase(
  dir: string,
  model: ModelChoice,
  { reading, warnings, bound, typical, network, models, branch, uncommitted, resumes }: StartPreview,
): string {
  const cost = payWords(model, bound, [...new Set(Object.values(models))]);
  return [
    t('Read from PRD.md: {0}.', readingText(reading)),
    ...warnings.slice(0, 5).map((warning) => plain(warning, 200)),
    t(
      'Worst case: at most {0} decisions, and {1} at work: time in which it waits for you does not count. {2}',
      bound.decisions,
      hoursWords(bound.hours),
      cost,
    ),
    ...(typical ? [typicalWords(typical)] : []),
    ...(overridesFromSettings().approvePlan === true && !resumes
      ? [t('It stops after the plan and its review, until you approve the plan.')]
      : []),
    sandboxWords(network),
    t(
      'It works in a git worktree of its own, on a branch loop/{0}-<date>-<time>{1}.',
      plain(sprintFolder(dir).name, 60),
      branch === null ? '' : t(' from {0}', plain(branch, 80)),
    ),
    t('Your checkout is not touched until you choose Finish. {0}', uncommittedText(uncommitted)).trimEnd(),
  ].join('\n\n');
}

export function sandboxWords(network: StartPreview['network']): string {
  const { environment: variables = [], allowedHosts = [] } = overridesFromSettings();
  return t(
    'Commands run in a sandbox. Network: {0}.{1}{2}',
    networkWords[network].said,
    network === 'registries' && allowedHosts.length > 0 ? t(' Besides: {0}.', allowedHosts.join(', ')) : '',
    variables.length > 0 ? t(' They get these variables of yours: {0}.', variables.join(', ')) : '',
  );
}

/** Beside the worst case of the next one. */
function typicalWords({ sprints, usd, tokens }: NonNullable<StartPreview['typical']>): string {
  const of = plural(sprints, '{0} sprint', '{0} sprints');
  return t('Typical here: {0} and {1} tokens, the median of {2} that ended.', usdWords(usd), countWords(tokens), of);
}

export function mementoKey(dir: string): string {
  return `loop.choice:${dir}`;
}
