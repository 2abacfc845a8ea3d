/**
 * *Start Sprint* and *Resume Sprint*: asks for folder, model and network, and shows the worst case before anything starts
 * (I4). The sprint writes nothing until the person chooses Start.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { uncommittedWords } from '../../engine/render/words.ts';
import { countWords, plain, usdWords } from '../../views/model/display-text.ts';
import { createSprint } from './create-sprint.ts';
import type { EngineClient } from './engine-client.ts';
import { ensureRepository } from './first-commit.ts';
import type { ModelChoice, StartPreview } from '../protocol.ts';
import type { ApiKey } from './secrets.ts';
import { baseUrlFromSettings, overridesFromSettings } from './settings.ts';
import { exists, findSprintFolders, sprintFolder } from './sprint-folders.ts';
import type { Choice, SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

export interface StartSurroundings {
  store: SprintStore;
  key: ApiKey;
  extensionUri: vscode.Uri;
  /** Keeps the choices for each sprint, never the API key. */
  memento: vscode.Memento;
  engine(): EngineClient;
}

type Network = StartPreview['network'];

/** The choices that *Resume* uses again. Settings are read again, since the person may have raised a budget. */
interface Remembered {
  model: ModelChoice;
  network: Network;
}

/** @throws EngineFailure for what the person must fix before a sprint can start. */
export async function startSprint(around: StartSurroundings): Promise<void> {
  if (await refuseWhileRunning(around.store)) return;
  const dir = await pickSprint(around.extensionUri);
  if (dir === undefined || !(await saveInputs(dir))) return;
  await prepareAndRun(dir, around);
}

/** Resumes the shown sprint, with the choices of its start. */
export async function resumeSprint(around: StartSurroundings): Promise<void> {
  if (await refuseWhileRunning(around.store)) return;
  const { shown } = around.store;
  if (!shown) return startSprint(around);
  // An old notification may still show its button.
  if (!around.store.resumable) {
    void vscode.window.showInformationMessage(t('Loop: this sprint is over. "Loop: Start Sprint" begins a new one.'));
    return;
  }
  const known = around.memento.get<Remembered>(mementoKey(shown.dir));
  if (!known || (known.model.kind === 'anthropic' && (await around.key.read()) === null)) return prepareAndRun(shown.dir, around);
  around.store.run(shown.dir, choiceOf(known));
}

async function prepareAndRun(dir: string, around: StartSurroundings): Promise<void> {
  // Before any question, since an empty PRD makes all answers useless. `all` is a placeholder: the person has not chosen
  // the network yet, and some settings are valid only with `all`.
  const overrides = { ...overridesFromSettings(), network: 'all' as const };
  await around.engine().request('inputs', { sprintDir: dir, overrides });
  const model = await pickModel(dir, around.key);
  if (!model) return;
  const network = await pickNetwork();
  if (!network) return;
  if (!(await ensureRepository(dir, around.engine()))) return;
  const preview = await inspect(dir, { ...overridesFromSettings(), network }, around.engine());
  if (!(await confirm(dir, model, preview))) return;
  await around.memento.update(mementoKey(dir), { model, network } satisfies Remembered);
  around.store.run(dir, choiceOf({ model, network }));
}

function choiceOf({ model, network }: Remembered): Choice {
  return { model, overrides: { ...overridesFromSettings(), network }, baseURL: baseUrlFromSettings() };
}

/** A window runs one sprint at a time. @returns whether one runs. */
async function refuseWhileRunning({ shown }: SprintStore): Promise<boolean> {
  if (!shown?.running) return false;
  const name = plain(sprintFolder(shown.dir).where, 80);
  await vscode.window.showWarningMessage(t('Loop: the sprint {0} runs in this window. Stop it before you start another.', name));
  return true;
}

async function pickSprint(extensionUri: vscode.Uri): Promise<string | undefined> {
  const folders = await findSprintFolders();
  const create = {
    label: t('$(add) Create a sprint…'),
    detail: t('Writes a VISION.md and a PRD.md that explain themselves.'),
    dir: '',
  };
  const items = folders.map(({ dir, name, where, missing }) => {
    const description = `${plain(where)}${missing === null ? '' : t(', has no {0}', missing)}`;
    return { label: plain(name), description, detail: '', dir };
  });
  const chosen = await vscode.window.showQuickPick([...items, create], {
    title: t('Loop: Start Sprint'),
    placeHolder: t('Which sprint? A folder with VISION.md and PRD.md'),
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  if (chosen !== create) return chosen.dir;
  await createAndTell(extensionUri);
  return undefined;
}

/** Creates a sprint from the templates, and says what comes next. */
export async function createAndTell(extensionUri: vscode.Uri): Promise<void> {
  if ((await createSprint(extensionUri)) === undefined) return;
  void vscode.window.showInformationMessage(t('Loop: write down your Vision and PRD, then run "Loop: Start Sprint" again.'));
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

export async function pickModel(dir: string, key: ApiKey): Promise<ModelChoice | undefined> {
  const hasKey = (await key.read()) !== null;
  const recording = path.join(dir, 'recording.yaml');
  const claude = {
    label: 'Claude',
    description: hasKey ? t('Anthropic API, with your key') : t('Anthropic API, asks for a key'),
    recorded: false,
  };
  const recorded = { label: t('Recorded model'), description: t('plays recording.yaml: no key, no network, no cost'), recorded: true };
  const items = (await exists(recording)) ? [recorded, claude] : [claude];
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Loop: which model?'),
    placeHolder: t('Which model works?'),
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  if (chosen.recorded) return { kind: 'recorded', file: recording };
  return hasKey || (await key.ask()) ? { kind: 'anthropic' } : undefined;
}

export const networkWords: Record<Network, { label: string; detail: string }> = {
  registries: {
    label: t('Package registries (recommended)'),
    detail: t(
      'Commands reach the registries that your package managers are set up for, and the hosts you allow in the settings. Nothing else.',
    ),
  },
  installs: {
    label: t('Only to install dependencies'),
    detail: t('Only the one install of dependencies reaches anything, but that reaches any address.'),
  },
  none: { label: t('No network'), detail: t('Commands and verifications reach nothing.') },
  all: { label: t('Everything'), detail: t('Commands that agents write may reach any address, also those of your own network.') },
};

/** Offers the person's setting first. */
export async function pickNetwork(question = t('What may the commands of agents and verifications reach?')): Promise<Network | undefined> {
  const preferred = overridesFromSettings().network ?? 'registries';
  const others = (Object.keys(networkWords) as Network[]).filter((n) => n !== preferred);
  const items = [preferred, ...others].map((network) => ({ ...networkWords[network], network }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Loop: what may commands reach?'),
    placeHolder: question,
    ignoreFocusOut: true,
  });
  return chosen?.network;
}

function inspect(dir: string, overrides: Choice['overrides'], engine: EngineClient): Thenable<StartPreview> {
  const progress = { location: vscode.ProgressLocation.Window, title: t('Loop: reading the sprint') };
  return vscode.window.withProgress(progress, () => engine.request('inspect', { sprintDir: dir, overrides }));
}

async function confirm(dir: string, model: ModelChoice, preview: StartPreview): Promise<boolean> {
  const go = preview.resumes ? t('Resume') : t('Start');
  const question = t('{0} the sprint {1}?', go, plain(sprintFolder(dir).name, 80));
  return (await vscode.window.showInformationMessage(question, { modal: true, detail: worstCase(dir, model, preview) }, go)) === go;
}

function worstCase(
  dir: string,
  model: ModelChoice,
  { reading, warnings, bound, network, models, branch, uncommitted, resumes }: StartPreview,
): string {
  const { environment: variables = [], allowedHosts = [] } = overridesFromSettings();
  const hosts = network === 'registries' && allowedHosts.length > 0 ? t(' Besides: {0}.', allowedHosts.join(', ')) : '';
  const cost =
    model.kind === 'recorded'
      ? t('The model is a recording: nothing is paid, and the cost that is shown is the recorded one.')
      : t(
          'At most {0} and {1} tokens, with {2}.',
          usdWords(bound.usd),
          countWords(bound.tokens),
          models.map((m) => plain(m, 40)).join(', '),
        );
  return [
    t('Read from PRD.md: {0}.', reading),
    ...warnings.slice(0, 5).map((warning) => plain(warning, 200)),
    t('Worst case: at most {0} decisions. {1}', bound.decisions, cost),
    ...(overridesFromSettings().approvePlan === true && !resumes
      ? [t('It stops after the plan and its review, until you approve the plan.')]
      : []),
    t(
      'Commands run in a sandbox. Network: {0}.{1}{2}',
      networkWords[network].label.toLowerCase(),
      hosts,
      variables.length > 0 ? t(' They get these variables of yours: {0}.', variables.join(', ')) : '',
    ),
    t(
      'It works in a git worktree of its own, on a branch loop/{0}-<date>-<time>{1}.',
      plain(sprintFolder(dir).name, 60),
      branch === null ? '' : t(' from {0}', plain(branch, 80)),
    ),
    t('Your checkout is not touched until you choose Finish. {0}', uncommittedWords(uncommitted)).trimEnd(),
  ].join('\n\n');
}

function mementoKey(dir: string): string {
  return `loop.choice:${dir}`;
}
