/** Handles the worker's requests with `src/host` and `src/models`. */
import { join } from 'node:path';
import type { Config } from '../../engine/ground/config.ts';
import { Bug, InputError, messageOf } from '../../engine/ground/errors.ts';
import { programs, providerOf, type NamedModel } from '../../engine/ground/model-names.ts';
import { promptText } from '../../engine/ground/prompts.ts';
import { goesOn } from '../../engine/core/fold.ts';
import { openProposals } from '../../engine/judge/open-points.ts';
import { documentsOf } from '../../engine/state/documents.ts';
import { changeOf } from '../../engine/person/amend.ts';
import type { Model, Payloads } from '../../engine/ports.ts';
import { findLeftovers, removeLeftovers } from '../../host/clean/clean-up.ts';
import { previewFinish, type FinishPreview } from '../../host/finish-sprint.ts';
import { branchSides } from '../../host/git/branch-sides.ts';
import { changeSides, sideText } from '../../host/git/change-sides.ts';
import { initialise } from '../../host/git/commit-first.ts';
import { systemClock } from '../../host/clock.ts';
import { changeWords, readDocuments } from '../../host/documents.ts';
import { newSprint } from '../../host/new-sprint.ts';
import { playSound, runHook } from '../../host/notify.ts';
import { programPort, toolsUrl } from '../../host/programs/start-program.ts';
import { questions } from '../../host/questions.ts';
import { pullRequestBy } from '../../host/pull-request.ts';
import { inspectQueue } from '../../host/queue.ts';
import { readInputs } from '../../host/read-inputs.ts';
import { openPayloads } from '../../host/payloads.ts';
import { readJournal } from '../../host/journal.ts';
import { sprintsHere } from '../../host/sprints-here.ts';
import { inspectSprint, isUnfinished, journalPath, readSprint } from '../../host/sprint.ts';
import { treeOf } from '../../host/verify-sprint.ts';
import { createModel } from '../../models/create.ts';
import { createByProvider, type Providers } from '../../models/by-provider.ts';
import { createEditorModel } from '../../models/editor.ts';
import { checkKey, probe } from '../../models/load.ts';
import { programProviders } from '../../models/programs/providers.ts';
import { requireModels, toldOf } from '../../models/ready.ts';
import { explanation } from '../../engine/render/explanation.ts';
import { readingWarnings, sectionNames } from '../../engine/render/words.ts';
import { historyView } from '../../views/model/history-view.ts';
import { instructionsOf } from '../../views/model/instructions.ts';
import { sessionsIn, sessionText } from '../../views/model/sessions.ts';
import { sprintView } from '../../views/model/sprint-view.ts';
import { t } from '../../views/words.ts';
import { editAnswer, editOffer, humanActionAnswer, personSays } from './worker-desk.ts';
import { firstCommit } from './repository.ts';
import { runsElsewhere } from './elsewhere.ts';
import type { Pipelines } from './pipelines.ts';
import type { FinishView, RequestKind, Requests, RunParams } from '../protocol.ts';
import type { Chats } from './chats.ts';
import type { Finishes } from './finishes.ts';
import type { RunningSprint } from './running-sprint.ts';
import type { RunsByHand } from './runs-by-hand.ts';
import type { Wakefulness } from './wakefulness.ts';

/** What a handler needs besides the parameters of its request. */
export interface Surroundings {
  /** The sprint of that folder, if it runs here. */
  runOf: (sprintDir: string) => RunningSprint | undefined;
  run: (params: RunParams) => Promise<Requests['run']['result']>;
  runPipeline: (params: RunParams) => Promise<Requests['pipeline-run']['result']>;
  pipelines: Pipelines;
  byHand: RunsByHand;
  finishes: Finishes;
  wakefulness: Wakefulness;
}

type Handlers = { [K in RequestKind]: (params: Requests[K]['params'], around: Surroundings) => Promise<Requests[K]['result']> };

export const handlers: Handlers = {
  run: (params, around) => around.run(params),
  'queue-inspect': ({ sprintDirs, overrides }) => inspectQueue(sprintDirs, overrides),
  async read({ sprintDir }, { runOf }) {
    const own = runOf(sprintDir)?.state;
    const state = own ?? (await readSprint(sprintDir));
    if (!state) return null;
    const elsewhere = own || !goesOn(state) ? null : await runsElsewhere(sprintDir);
    return { ...sprintView(state, Date.now()), elsewhere };
  },
  async inputs({ sprintDir, overrides }) {
    await readInputs(sprintDir, overrides, undefined, () => isUnfinished(sprintDir));
    return null;
  },
  async inspect({ sprintDir, overrides }) {
    const { reading, config, bound, typical, resumes, repository, uncommitted } = await inspectSprint(sprintDir, overrides);
    const { requirements, constraints, background } = reading;
    return {
      reading: {
        requirements: requirements.length,
        constraints: constraints.length,
        background: background.length,
        names: sectionNames(background),
      },
      warnings: readingWarnings(reading),
      bound,
      typical: typical ?? null,
      network: config.network,
      models: config.models,
      resumes,
      branch: repository.branch,
      uncommitted: uncommitted ?? null,
    };
  },
  'agent-question': ({ folders, question, asked }) => answerTo(question, folders, asked),
  async 'chat-prompt'({ folders, sprint, asked }) {
    const read = (question: string): Promise<string> => answerTo(question, folders, sprint === undefined ? {} : { sprint });
    const [status, why, issues] = await Promise.all([read('loop_status'), read('loop_why'), read('loop_issues')]);
    return promptText('chat', { status, why, issues, asked });
  },
  verify: (params, { byHand }) => byHand.run(params),
  tree: ({ sprintDir }) => treeOf(sprintDir),
  async stop({ sprintDir }, { runOf, byHand, finishes }) {
    runOf(sprintDir)?.stop();
    byHand.stop(sprintDir);
    finishes.stop(sprintDir);
    return null;
  },
  async 'answer-human-action'(params, { runOf }) {
    await humanActionAnswer(params, runOf(params.sprintDir));
    return null;
  },
  say: (params, { runOf }) => personSays(params, runOf(params.sprintDir)),
  async 'changed-documents'({ sprintDir, texts = {} }, { runOf }) {
    const state = runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    if (!state || !goesOn(state)) return null;
    const documents = (await readDocuments(sprintDir)).map(({ name, text }) => ({ name, text: texts[name] ?? text }));
    const change = await changeOf({ state, payloads: payloadsOf(sprintDir) }, documents);
    return change ? { words: changeWords(change), canTake: !change.problem, isAnswered: change.answer !== undefined } : null;
  },
  async amend({ sprintDir, answer }, { runOf }) {
    const said = { kind: 'amend' as const, answer, documents: await readDocuments(sprintDir) };
    return personSays({ sprintDir, said }, runOf(sprintDir));
  },
  'new-sprint': ({ sprintDir, source }) => newSprint(sprintDir, source),
  async 'proposed-wording'({ sprintDir }, { runOf }) {
    const state = runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    if (!state || !goesOn(state)) return { proposals: [], held: {} };
    const proposals = openProposals(state).map(({ id, document, quote, proposed }) => ({ id, document, quote, proposed }));
    return { proposals, held: Object.fromEntries(documentsOf(state).map(({ name, ref }) => [name, ref])) };
  },
  'edit-offer': (params, { runOf }) => editOffer(params, runOf(params.sprintDir)),
  'edit-answer': (params, { runOf }) => editAnswer(params, runOf(params.sprintDir)),
  async history({ sprintDir, verification }, { runOf, byHand }) {
    const state = runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    const last = byHand.lastOf(sprintDir, verification);
    const view = state && (await historyView(state, verification, (ref) => payloadsOf(sprintDir).get(ref), last));
    return view ?? null;
  },
  async explanation({ sprintDir }, { runOf }) {
    const state = runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    return state ? explanation(state) : `${t('No sprint was started here yet.')}\n`;
  },
  async instructions({ sprintDir, id }, { runOf }) {
    const state = runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    return (state && instructionsOf(state, id)) ?? `${t('The sprint does not ask for this.')}\n`;
  },
  sessions: async ({ sprintDir }) => sessionsIn((await readJournal(journalPath(sprintDir))).events),
  async session({ sprintDir, step }, { runOf }) {
    const { events } = await readJournal(journalPath(sprintDir));
    const run = runOf(sprintDir);
    const now = run?.state?.open?.id === step ? run.doing : [];
    const text = await sessionText(events, step, (ref) => payloadsOf(sprintDir).get(ref), now);
    return text ?? `${t('This session is not in the journal of the sprint.')}\n`;
  },
  payload: ({ sprintDir, ref }) => payloadsOf(sprintDir).get(ref),
  'change-sides': async ({ sprintDir, ref }) => changeSides(sprintDir, await payloadsOf(sprintDir).get(ref)),
  'branch-sides': async ({ sprintDir }, { runOf }) => {
    const state = runOf(sprintDir)?.state ?? (await readSprint(sprintDir));
    return state ? branchSides(sprintDir, state.opened, state.work.tree.commits) : null;
  },
  'side-text': ({ sprintDir, hash }) => sideText(sprintDir, hash),
  'finish-preview': async ({ sprintDir }) => ({
    ...finishView(await previewFinish(sprintDir)),
    pullRequest: await pullRequestBy(sprintDir),
  }),
  'pull-request': (params, { finishes }) => finishes.requestPull(params),
  finish: (params, { finishes }) => finishes.run(params),
  pipelines: (params, { pipelines }) => pipelines.offers(params),
  'pipeline-inspect': (params, { pipelines }) => pipelines.inspect(params),
  'pipeline-run': (params, around) => around.runPipeline(params),
  'pipeline-changed': (params, { pipelines }) => pipelines.changed(params),
  'pipeline-read': (params, { pipelines }) => pipelines.read(params),
  'pipeline-runs': (params, { pipelines }) => pipelines.runs(params),
  iteration: (params, { pipelines }) => pipelines.iteration(params),
  'keep-awake': ({ wanted }, { wakefulness }) => wakefulness.want(wanted),
  programs: () => Promise.resolve(programs.filter((program) => programPort(program) !== undefined)),
  'check-key': ({ key, baseURL, model }) => checkKey({ apiKey: key, ...(baseURL === null ? {} : { baseURL }) }, model),
  'first-commit': ({ sprintDir, workspaceFolder }) => firstCommit(sprintDir, workspaceFolder),
  sprints: ({ folder }) => sprintsHere(folder),
  leftovers: ({ folder }) => findLeftovers(folder),
  'remove-leftovers': ({ folder, ids }) => removeLeftovers(folder, ids),
  async notify({ command, sound, occasion }) {
    const told = await Promise.all([command === '' ? undefined : runHook(command, occasion), sound ? playSound() : undefined]);
    return told.filter((problem) => problem !== undefined);
  },
  async initialise({ folder, files }) {
    await initialise(folder, files);
    return null;
  },
};

/** Milliseconds that a recorded turn takes in the editor, so that the person can follow. */
const recordedPaceMs = 800;

/** A model; `ready` tests key and API before anything is written. */
export interface ReadyModel {
  model: Model;
  ready?: (config: Config) => Promise<void>;
}

interface Access {
  /** Reads the stored key; called only when a model needs one. */
  key: () => Promise<string>;
  chats: Chats;
}

/**
 * @param named models that the files of a pipeline name.
 * @throws InputError without a key where one is needed. `ready` throws like `requireModels` of `src/models`.
 */
export async function modelOf(
  params: RunParams,
  run: RunningSprint,
  { key, chats }: Access,
  named: readonly NamedModel[] = [],
): Promise<ReadyModel> {
  const { model, baseURL } = params;
  if (model.kind === 'recorded')
    return { model: await createModel({ kind: 'recorded', file: model.file, pace: { ms: recordedPaceMs, clock: systemClock } }) };
  const tell = (text: string): void => run.onProgress({ kind: 'note', text });
  const providers: Providers = programProviders((name) => programPort(name, process.env, tell), toolsUrl);
  const apiKey = await keyFor(model, named, key);
  const access = apiKey === undefined ? undefined : { apiKey, ...(baseURL === null ? {} : { baseURL }) };
  if (access) providers.anthropic = await createModel({ kind: 'anthropic', ...access });
  if (model.kind === 'chosen') providers.editor = createEditorModel(chats.port(model.windows));
  const onRetry = (why: string, attempt: number, waitMs: number): void => run.onProgress({ kind: 'retry', why, attempt, waitMs });
  const test = async (models: string[]): Promise<void> => {
    if (access) await probe({ ...access, models, signal: run.signal, onRetry }, systemClock);
  };
  const isOffered = (name: string): boolean => model.kind === 'chosen' && Object.hasOwn(model.windows, name);
  const ready = (config: Config): Promise<void> => requireModels({ providers, test, isOffered }, Object.values(config.models), named);
  return { model: createByProvider(providers), ready };
}

async function keyFor(model: RunParams['model'], named: readonly NamedModel[], key: Access['key']): Promise<string | undefined> {
  if (needsKey(model)) return key();
  const first = named.find((one) => providerOf(one.model) === 'anthropic');
  if (!first) return undefined;
  return key().catch((error: unknown) => {
    throw toldOf(first, error);
  });
}

function needsKey(model: RunParams['model']): boolean {
  return model.kind !== 'chosen' || Object.values(model.models).some((name) => providerOf(name) === 'anthropic');
}

function payloadsOf(sprintDir: string): Payloads {
  return openPayloads(join(sprintDir, '.loop'));
}

/** The stack, for the log only; the person sees the message. */
export function detailOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
}

function finishView({
  commits,
  files,
  target,
  moved,
  made,
  problems,
  red,
  unproven,
  descoped,
  dropped,
}: FinishPreview): Omit<FinishView, 'pullRequest'> {
  const lacks = { red, unproven, descoped, dropped };
  return { into: target, moved, made, ...lacks, commits: commits.map((c) => c.subject), files: files.map((f) => f.path), problems };
}

/** In text, also where it is asked for what is not there: an agent can ask for what is. */
async function answerTo(name: string, folders: readonly string[], asked: unknown): Promise<string> {
  const found = questions.find((one) => one.name === name);
  if (!found) throw new Bug(`no agent may ask ${name}`);
  try {
    return await found.answer(folders, asked);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return `${error.message} ${error.next}`;
  }
}
