/**
 * *Run Pipeline*, *Stop Pipeline* and *Resume Pipeline*: asks which one, for what it may read, the model and the network, and
 * shows the worst case before anything starts (I4). Nothing is written until the person chooses Start.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Overrides } from '../../engine/ground/config.ts';
import { providerOf } from '../../engine/ground/model-names.ts';
import { countWords, hoursWords, modelName, plain, usdWords } from '../../views/model/display-text.ts';
import { runLook, runName, type ShownPipeline, type StartedPipeline } from '../../views/model/pipeline-nodes.ts';
import { pipelinesViewId } from '../../views/model/views.ts';
import type { EngineClient } from './engine-client.ts';
import { ensureRepository } from './first-commit.ts';
import type { ModelChoice, PipelineOffer, PipelinePreview } from '../protocol.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { networkWords, payWords, RunQuestions } from './choose-run.ts';
import { baseUrlFromSettings, claudeModels, overridesFromSettings, pipelinesFolder } from './settings.ts';
import type { Choice } from './sprint-store.ts';
import { choiceOf, saveUnsaved, type StartSurroundings } from './start-sprint.ts';
import { confirmWhole, pickOne, typeIn, walk, type Move, type Place, type Step } from './steps.ts';
import { pickFolder } from './workspace-folder.ts';
import { plural, t, translated } from '../../views/words.ts';

export interface PipelineSurroundings extends Pick<StartSurroundings, 'key' | 'chats' | 'memento' | 'engine'> {
  pipelines: PipelineStore;
}

/** @throws EngineFailure for what the person must mend before it can start. */
export async function runPipeline(around: PipelineSurroundings): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined || !(await ensureRepository(folder, around.engine()))) return;
  const shelf = pipelinesFolder();
  const { root, pipelines } = await reading(around.engine().request('pipelines', { folder, shelf }));
  const which = new WhichPipeline({ root, shelf, offers: pipelines }, around.engine());
  const questions = new RunQuestions(around, { folders: () => [root], reach: t('What may the commands of its agents reach?') });
  for (let from: 'first' | 'last' = 'first'; ; from = 'last') {
    if (!(await walk(t('Loop: Run Pipeline'), [...which.steps, ...questions.steps], from))) return;
    const { model: chosen, network } = await questions.choice();
    const { overrides } = choiceOf({ model: chosen, network });
    const preview = await which.inspect(overrides);
    const answer = await confirm(which.name, chosen, preview);
    if (answer === 'back') continue;
    const model = answer === 'go' ? await withNamed(chosen, preview.named, around) : undefined;
    if (!model) return;
    await around.memento.update(mementoKey(preview.sprintDir), model);
    await vscode.commands.executeCommand(`${pipelinesViewId}.focus`);
    return around.pipelines.run(preview.sprintDir, { model, overrides, baseURL: baseUrlFromSettings() });
  }
}

/** @param dir of the run's row; from the palette the person picks one. */
export async function stopPipeline({ pipelines }: PipelineSurroundings, dir: string | undefined): Promise<void> {
  const none = t('Loop: no pipeline runs in this window.');
  const chosen = dir ?? (await pickRun(pipelines.running, t('Loop: Stop Pipeline'), none))?.dir;
  if (chosen !== undefined) await pipelines.stop(chosen);
}

/** Goes on as the session opened, with the model of its start and the budgets of the settings. */
export async function resumePipeline(around: PipelineSurroundings, dir: string | undefined): Promise<void> {
  const { pipelines } = around;
  const none = t('Loop: no pipeline here can be resumed.');
  const picked = dir ?? (await readAndPick(pipelines, 'resumable', t('Loop: Resume Pipeline'), none))?.dir;
  if (picked === undefined) return;
  const run = pipelines.resumable.find((one) => one.dir === picked);
  // An old notification may still show its button.
  if (!run) return void vscode.window.showInformationMessage(t('Loop: this pipeline runs, or cannot be resumed any more.'));
  if (!(await asItBegan(run, around))) return;
  const chosen = await modelFor(run, around);
  const model = chosen && (await withNamed(chosen, namedIn(run), around));
  if (!model) return;
  await around.memento.update(mementoKey(run.dir), model);
  pipelines.run(run.dir, pipelineChoice(model));
}

/**
 * The choice with which the models of the editor that stages name can be asked, too. The click that starts it is the one in answer to
 * which the editor asks for consent. @returns undefined where one of them may not be used, which is said.
 */
async function withNamed(
  choice: ModelChoice,
  named: readonly string[],
  { chats }: Pick<PipelineSurroundings, 'chats'>,
): Promise<ModelChoice | undefined> {
  const ofEditor = named.filter((name) => providerOf(name) === 'editor');
  if (choice.kind === 'recorded' || ofEditor.length === 0) return choice;
  for (const name of ofEditor) {
    const problem = await chats.consent(name);
    if (!problem) continue;
    const words = t(
      'Loop: {0}, which a stage names, cannot be used: {1}. Allow it with "Manage Language Model Access", or name another model in the file of the stage.',
      modelName(name),
      plain(problem.message, 200),
    );
    void vscode.window.showErrorMessage(words);
    return undefined;
  }
  const windows = Object.fromEntries((await chats.list()).map(({ name, window }) => [name, window]));
  return { kind: 'chosen', models: choice.kind === 'chosen' ? choice.models : claudeModels(), windows };
}

function namedIn({ view }: Pick<ShownPipeline, 'view'>): string[] {
  return view.stages.flatMap(({ model }) => model ?? []);
}

/** The network stays what it was at its start. */
function pipelineChoice(model: ModelChoice): Choice {
  const choice = choiceOf({ model, network: 'registries' });
  const { network: _network, ...overrides } = choice.overrides;
  const { network } = overridesFromSettings();
  return { ...choice, overrides: network === undefined ? overrides : { ...overrides, network } };
}

/** Where its files were changed since, the person chooses between the run as it began and a new one. */
async function asItBegan({ dir, view }: ShownPipeline, around: PipelineSurroundings): Promise<boolean> {
  const changed = await reading(around.engine().request('pipeline-changed', { sprintDir: dir, shelf: pipelinesFolder() }));
  if (changed === null) return true;
  const question = t('Resume the pipeline {0}?', plain(view.session, 60));
  const [on, anew] = [t('Go On as It Began'), t('Run Pipeline…')];
  const detail = `${plain(changed, 300)}\n\n${t('This run goes on with the files that it began with. With those of now, start a new one.')}`;
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, on, anew);
  if (chosen === anew) await runPipeline(around);
  return chosen === on;
}

/** Asks, and shows what is left, where the session was not started in this window. */
async function modelFor({ dir, view }: ShownPipeline, around: PipelineSurroundings): Promise<ModelChoice | undefined> {
  const { memento, key } = around;
  const known = memento.get<ModelChoice>(mementoKey(dir));
  if (known && (known.kind !== 'anthropic' || (await key.read()) !== null)) return known;
  const questions = new RunQuestions(around, { folders: () => [path.resolve(dir, '..', '..', '..')], reach: '' });
  if (!(await walk(t('Loop: Resume Pipeline'), questions.modelSteps))) return undefined;
  const { model } = await questions.choice();
  const { budgetUsd = 0, budgetTokens = 0 } = overridesFromSettings();
  const { fuel, spend } = view;
  const usd = Math.max(spend.budgetUsd, budgetUsd);
  const tokens = Math.max(spend.budgetTokens, budgetTokens);
  const detail = [
    t('It has used {0} of at most {1}.', fuel.size - fuel.left, plural(fuel.size, '{0} iteration', '{0} iterations')),
    payWords(model, { usd, tokens }, [...new Set([...namesOf(model), ...namedIn({ view })])]),
    t('{0} and {1} tokens are spent.', usdWords(spend.usd), countWords(spend.tokens)),
  ].join('\n\n');
  const question = t('Resume the pipeline {0}?', plain(view.session, 60));
  const go = t('Resume');
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, go)) === go ? model : undefined;
}

function namesOf(model: ModelChoice): string[] {
  return [...new Set(Object.values(model.kind === 'chosen' ? model.models : claudeModels()))];
}

/** The runs may not be read yet: their view reads them when it is first shown. */
export async function readAndPick(
  pipelines: PipelineStore,
  which: 'resumable' | 'finishable',
  title: string,
  none: string,
): Promise<ShownPipeline | undefined> {
  await reading(pipelines.load());
  return pickRun(pipelines[which], title, none);
}

/** @param none what the person reads where there is nothing to pick. */
async function pickRun<T extends StartedPipeline>(among: readonly T[], title: string, none: string): Promise<T | undefined> {
  if (among.length === 0) return void vscode.window.showInformationMessage(none);
  if (among.length === 1) return among[0];
  const items = among.map((run) => ({ label: plain(runName(run), 80), description: runLook(run).words, run }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t('Which run?') }))?.run;
}

function reading<T>(work: Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: t('Loop: reading the pipelines') }, () => work);
}

interface Shelf {
  root: string;
  /** The name of the folder of pipelines. */
  shelf: string;
  offers: readonly PipelineOffer[];
}

/** The first two questions: which pipeline, and what it may read. */
class WhichPipeline {
  private offer: PipelineOffer | undefined;
  private inputs = '';

  constructor(
    private readonly from: Shelf,
    private readonly engine: EngineClient,
  ) {}

  get steps(): Step[] {
    return [
      { isAsked: () => true, ask: (place) => this.askWhich(place) },
      { isAsked: () => true, ask: (place) => this.askInputs(place) },
    ];
  }

  get name(): string {
    return this.offer?.name ?? '';
  }

  inspect(overrides: Overrides): Thenable<PipelinePreview> {
    const { root, shelf } = this.from;
    const inputs = this.inputs.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
    return reading(this.engine.request('pipeline-inspect', { root, shelf, name: this.name, inputs, overrides }));
  }

  private async askWhich(place: Place): Promise<Move> {
    const items = this.from.offers.map((offer) => ({
      label: `${offer.canRun ? '' : '$(error) '}${plain(offer.name, 60)}`,
      description: originWords(offer),
      detail: offer.canRun ? plain(offer.description, 160) : plain(brokenWords(offer), 160),
      offer,
    }));
    const known = items.find(({ offer }) => offer === this.offer);
    const answer = await pickOne(place, { question: t('Which pipeline?'), items, known });
    if (typeof answer === 'string') return answer;
    const { offer } = answer.chosen;
    if (!(await saveUnsaved((file) => file.startsWith(this.from.root + path.sep)))) return 'leave';
    if (!offer.canRun) {
      await showProblem(offer);
      return 'leave';
    }
    this.offer = offer;
    return 'next';
  }

  private async askInputs(place: Place): Promise<Move> {
    const answer = await typeIn(
      { ...place, title: t('Loop: Run Pipeline {0}', plain(this.name, 60)) },
      {
        prompt: t(
          'What may it read besides the inputs that it names? Files, folders or globs, separated by commas. Empty for nothing more.',
        ),
        placeholder: 'docs/notes.md, src/**/*.ts',
        value: this.inputs,
        check: (text) => this.problemOf(text),
      },
    );
    return typeof answer === 'string' ? answer : 'next';
  }

  /** Before further questions, since a broken pipeline makes all answers useless. @throws EngineFailure with what is wrong. */
  private async problemOf(inputs: string): Promise<string | undefined> {
    this.inputs = inputs;
    await this.inspect(overridesFromSettings());
    return undefined;
  }
}

/** `workspace, hides that of the extension`. */
function originWords({ origin, hides }: PipelineOffer): string {
  const hidden = hides.map(translated).join(t(' and the '));
  return [translated(origin), ...(hides.length === 0 ? [] : [t('hides that of the {0}', hidden)])].join(', ');
}

function brokenWords({ problem }: PipelineOffer): string {
  return problem?.words ?? t('Its name cannot be the name of a run: lower case letters, digits and "-", at most 40.');
}

/** Opens the file where it must be mended. */
async function showProblem(offer: PipelineOffer): Promise<void> {
  void vscode.window.showErrorMessage(`Loop: ${plain(brokenWords(offer), 300)}`);
  if (!offer.problem) return;
  const at = new vscode.Position(offer.problem.line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(offer.problem.file), { selection: new vscode.Range(at, at) }).then(
    () => undefined,
    () => undefined,
  );
}

function confirm(name: string, model: ModelChoice, preview: PipelinePreview): Promise<'go' | 'back' | 'leave'> {
  return confirmWhole({ question: t('Start the pipeline {0}?', plain(name, 60)), detail: worstCase(model, preview), go: t('Start') });
}

function worstCase(model: ModelChoice, preview: PipelinePreview): string {
  const { session, stages, bound, notes, network, asked, inputs, writes, branch } = preview;
  const { environment: variables = [] } = overridesFromSettings();
  const from = branch === null ? '' : t(' from {0}', plain(branch, 80));
  return [
    t('Session {0}, {1}: {2}.', session, plural(stages.length, '{0} stage', '{0} stages'), plain(stages.join(', '), 200)),
    t(
      'Worst case: at most {0}, and {1} at work. {2}',
      plural(bound.iterations, '{0} iteration', '{0} iterations'),
      hoursWords(bound.hours),
      payWords(model, bound, asked),
    ),
    inputs.length === 0 ? '' : t('It may read, as it is now: {0}.', listed(inputs)),
    changeWords(writes),
    ...notes.slice(0, 5).map((note) => plain(note, 200)),
    t(
      'Commands run in a sandbox. Network: {0}.{1}',
      networkWords[network].said,
      variables.length > 0 ? t(' They get these variables of yours: {0}.', variables.join(', ')) : '',
    ),
    t('It works in a git worktree of its own{0}. Your checkout is not touched until you choose Finish.', from),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function changeWords(writes: readonly string[]): string {
  if (writes.length === 0) return t('It changes no file: its outputs are kept with the run.');
  return writes.includes('**') ? t('It may change any file.') : t('It may change: {0}.', listed(writes));
}

const mostNames = 8;

function listed(names: readonly string[]): string {
  const more = names.length > mostNames ? t(' and {0} more', names.length - mostNames) : '';
  return `${names
    .slice(0, mostNames)
    .map((name) => plain(name, 80))
    .join(', ')}${more}`;
}

function mementoKey(dir: string): string {
  return `loop.pipeline:${dir}`;
}
