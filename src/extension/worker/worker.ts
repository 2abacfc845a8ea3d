/**
 * The engine's worker thread: answers the extension host's requests and runs one sprint at a time, so that slow work does not
 * block the host's own thread. It knows no editor (I12).
 */
import { parentPort } from 'node:worker_threads';
import { Bug, InputError, Interruption, messageOf, RetryableModelError, TerminalModelError } from '../../engine/ground/errors.ts';
import { runSprint } from '../../host/sprint.ts';
import type { Failure, FromWorker, Requests, RunParams, ToWorker } from '../protocol.ts';
import { detailOf, handlers, modelOf, type Surroundings } from './requests.ts';
import { RunningSprint } from './running-sprint.ts';
import { Finishes } from './finishes.ts';
import { RunsByHand } from './runs-by-hand.ts';

let current: RunningSprint | undefined;
let lastSecretId = 0;
const secrets = new Map<number, (value: string | null) => void>();

const around: Surroundings = {
  runOf: (sprintDir) => (current?.sprintDir === sprintDir ? current : undefined),
  run,
  byHand: new RunsByHand(post),
  finishes: new Finishes(),
};

port().on('message', (message: ToWorker) => {
  if (message.type === 'request') void answer(message);
  else secrets.get(message.id)?.(message.value);
});

async function answer(request: Extract<ToWorker, { type: 'request' }>): Promise<void> {
  const { id } = request;
  try {
    post({ type: 'reply', id, result: await handle(request) });
  } catch (error) {
    post({ type: 'failure', id, failure: failureOf(error) });
  }
}

/** The cast is safe: `kind` selects the handler, and its parameters come with it in the same message. */
function handle(request: Extract<ToWorker, { type: 'request' }>): Promise<unknown> {
  const handler = handlers[request.kind] as (params: typeof request.params, around: Surroundings) => Promise<unknown>;
  return handler(request.params, around);
}

/** Milliseconds in which a window that was reloaded has ended the sprint that ran in it. */
const reloadTime = 10_000;

async function run(params: RunParams): Promise<Requests['run']['result']> {
  if (current) throw new InputError(`A sprint already runs in this window: ${current.sprintDir}.`, 'Stop it first, or wait until it ends.');
  const sprint = new RunningSprint(params.sprintDir, post);
  current = sprint;
  try {
    const { model, ready } = await modelOf(params, sprint, apiKey);
    const { ending } = await runSprint({
      sprintDir: params.sprintDir,
      model,
      ready,
      person: sprint.person,
      overrides: params.overrides,
      signal: sprint.signal,
      patience: reloadTime,
      onOpen: (desk) => (sprint.desk = desk),
      onEvent: (event, state) => sprint.onEvent(event, state),
      onProgress: (item) => sprint.onProgress(item),
    });
    return ending;
  } finally {
    sprint.close();
    current = undefined;
  }
}

async function apiKey(): Promise<string> {
  const id = ++lastSecretId;
  const value = await new Promise<string | null>((resolve) => {
    secrets.set(id, resolve);
    post({ type: 'want-secret', id });
  });
  secrets.delete(id);
  if (value === null) throw new InputError('There is no API key for Claude.', 'Run "Loop: Set API Key", then start again.');
  return value;
}

function failureOf(error: unknown): Failure {
  const message = messageOf(error);
  if (error instanceof InputError || error instanceof TerminalModelError) return { kind: 'input', message, next: error.next };
  if (error instanceof RetryableModelError) return { kind: 'input', message, next: 'Check your connection and try again.' };
  if (error instanceof Interruption) return { kind: 'interruption', message, next: error.next, reason: error.reason };
  return { kind: 'error', message, detail: detailOf(error) };
}

function post(message: FromWorker): void {
  port().postMessage(message);
}

function port(): NonNullable<typeof parentPort> {
  if (!parentPort) throw new Bug('the worker runs in a worker thread');
  return parentPort;
}
