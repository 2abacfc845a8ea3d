/**
 * The engine's worker thread: answers the extension host's requests and runs sprints and pipelines, so that slow work does not
 * block the host's own thread. It knows no editor (I12).
 */
import { parentPort } from 'node:worker_threads';
import { Bug, InputError, Interruption, messageOf, RetryableModelError, TerminalModelError } from '../../engine/ground/errors.ts';
import type { Progress } from '../../engine/ground/progress.ts';
import type { Event } from '../../engine/state/events.ts';
import type { State } from '../../engine/state/state.ts';
import { nobody } from '../../host/nobody.ts';
import { namedInPlan } from '../../host/pipelines/prepare.ts';
import { runPipeline } from '../../host/pipelines/run-pipeline.ts';
import { requireNotOver } from '../../host/queue.ts';
import { configAfter, readSprint, runSprint } from '../../host/sprint.ts';
import { t } from '../../views/words.ts';
import type { Failure, FromWorker, RequestKind, Requests, RunParams, ToWorker } from '../protocol.ts';
import { detailOf, handlers, modelOf, type Surroundings } from './requests.ts';
import { Pipelines, sessionAt } from './pipelines.ts';
import { pipelineMessage, RunningSprint, sprintMessage } from './running-sprint.ts';
import { Chats } from './chats.ts';
import { Finishes } from './finishes.ts';
import { RunsByHand } from './runs-by-hand.ts';
import { Wakefulness } from './wakefulness.ts';

/** By folder: a sprint, and pipelines beside it. */
const running = new Map<string, RunningSprint>();
let lastSecretId = 0;
const chats = new Chats(post);
const secrets = new Map<number, (value: string | null) => void>();

const around: Surroundings = {
  runOf: (sprintDir) => running.get(sprintDir),
  run,
  runPipeline: runSession,
  pipelines: new Pipelines((dir) => running.get(dir)),
  byHand: new RunsByHand(post),
  finishes: new Finishes(),
  wakefulness: new Wakefulness(),
};

port().on('message', (message: ToWorker) => {
  if (message.type === 'request') void answer(message);
  else if (message.type === 'secret') secrets.get(message.id)?.(message.value);
  else chats.receive(message);
});

async function answer(request: Extract<ToWorker, { type: 'request' }>): Promise<void> {
  const { id } = request;
  try {
    post({ type: 'reply', id, result: await handle(request) });
  } catch (error) {
    post({ type: 'failure', id, failure: failureOf(error) });
  }
}

/** What needs the lock of a sprint that does not run here. */
const locking: ReadonlySet<RequestKind> = new Set<RequestKind>([
  'run',
  'answer-human-action',
  'say',
  'amend',
  'edit-offer',
  'edit-answer',
  'finish-preview',
  'finish',
]);

/** The cast is safe: `kind` selects the handler, and its parameters come with it in the same message. */
function handle(request: Extract<ToWorker, { type: 'request' }>): Promise<unknown> {
  const { kind, params } = request;
  if (locking.has(kind) && 'sprintDir' in params && !running.has(params.sprintDir)) around.byHand.requireNone(params.sprintDir);
  const handler = handlers[kind] as (params: typeof request.params, around: Surroundings) => Promise<unknown>;
  return handler(params, around);
}

/** Milliseconds in which a window that was reloaded has ended the sprint that ran in it. */
const reloadTime = 10_000;

async function run(params: RunParams): Promise<Requests['run']['result']> {
  return following(params, sprintMessage, async (sprint) => {
    // Of a queue: another process may have ended it since.
    if (params.unattended) await requireNotOver(params.sprintDir);
    const { model, ready } = await modelOf(params, sprint, { key: apiKey, chats });
    const { ending } = await runSprint({
      ...optionsOf(params, sprint),
      sprintDir: params.sprintDir,
      model,
      ready,
      onOpen: (desk) => sprint.open(desk),
    });
    return ending;
  });
}

async function runSession(params: RunParams): Promise<Requests['pipeline-run']['result']> {
  const { sprintDir } = params;
  return following(params, pipelineMessage, async (session) => {
    const place = sessionAt(sprintDir);
    const prepared = around.pipelines.take(sprintDir);
    const known = prepared ? undefined : await readSprint(sprintDir);
    const config = prepared?.config ?? (known && configAfter(known, params.overrides));
    const named = prepared?.named ?? (known?.opened.pipeline ? namedInPlan(known.opened.pipeline) : []);
    const { model, ready } = await modelOf(params, session, { key: apiKey, chats }, named);
    if (config) await ready?.(config);
    const { ending } = await runPipeline({ ...optionsOf(params, session), ...place, prepared, model });
    return ending;
  });
}

/** @throws InputError where it runs already. */
async function following<T>({ sprintDir }: RunParams, shown: typeof sprintMessage, work: (one: RunningSprint) => Promise<T>): Promise<T> {
  const [message, next] = [t('It already runs in this window: {0}.', sprintDir), t('Stop it first, or wait until it ends.')];
  if (running.has(sprintDir)) throw new InputError(message, next);
  const one = new RunningSprint(sprintDir, post, shown);
  running.set(sprintDir, one);
  around.wakefulness.busy(true);
  try {
    return await work(one);
  } finally {
    one.close();
    running.delete(sprintDir);
    around.wakefulness.busy(running.size > 0);
  }
}

function optionsOf({ overrides, unattended }: RunParams, one: RunningSprint) {
  return {
    person: unattended ? nobody : one.person,
    overrides,
    signal: one.signal,
    patience: reloadTime,
    onEvent: (event: Event, state: State) => one.onEvent(event, state),
    onProgress: (item: Progress) => one.onProgress(item),
  };
}

async function apiKey(): Promise<string> {
  const id = ++lastSecretId;
  const value = await new Promise<string | null>((resolve) => {
    secrets.set(id, resolve);
    post({ type: 'want-secret', id });
  });
  secrets.delete(id);
  const [message, next] = [t('There is no API key for Claude.'), t('Run "Loop: Set API Key", then start again.')];
  if (value === null) throw new InputError(message, next);
  return value;
}

function failureOf(error: unknown): Failure {
  const message = messageOf(error);
  if (error instanceof InputError || error instanceof TerminalModelError) return { kind: 'input', message, next: error.next };
  if (error instanceof RetryableModelError) return { kind: 'input', message, next: nextOf(error) };
  if (error instanceof Interruption) return { kind: 'interruption', message, next: error.next, reason: error.reason };
  return { kind: 'error', message, detail: detailOf(error) };
}

function nextOf({ kind, retryAfterMs }: RetryableModelError): string {
  if (retryAfterMs) return t('The API asks to wait {0} s. Try again then.', Math.ceil(retryAfterMs / 1000));
  if (kind === 'rate-limited' || kind === 'overloaded') return t('Wait a while and try again.');
  return t('Check your connection and try again.');
}

function post(message: FromWorker): void {
  port().postMessage(message);
}

function port(): NonNullable<typeof parentPort> {
  if (!parentPort) throw new Bug('the worker runs in a worker thread');
  return parentPort;
}
