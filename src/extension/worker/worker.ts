/**
 * The engine's worker thread: answers the extension host's requests, runs one sprint at a time, and keeps everything that
 * takes time off the host's own thread (design §3). Knows no editor (I12).
 */
import { parentPort } from 'node:worker_threads';
import { Bug, InputError, Interruption, messageOf, RetryableModelError, TerminalModelError } from '../../engine/ground/errors.ts';
import { runSprint } from '../../host/sprint.ts';
import type { Failure, FromWorker, Requests, RunParams, ToWorker } from '../protocol.ts';
import { detailOf, handlers, modelOf, type Surroundings } from './requests.ts';
import { RunningSprint } from './running-sprint.ts';
import { RunsByHand } from './runs-by-hand.ts';

let current: RunningSprint | undefined;
let wanted = 0;
const secrets = new Map<number, (value: string | null) => void>();

const around: Surroundings = {
  runOf: (sprintDir) => (current?.sprintDir === sprintDir ? current : undefined),
  run,
  byHand: new RunsByHand(post),
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

/** One case of the union at a time, so that each handler gets its own parameters. */
function handle(request: Extract<ToWorker, { type: 'request' }>): Promise<unknown> {
  const handler = handlers[request.kind] as (params: typeof request.params, around: Surroundings) => Promise<unknown>;
  return handler(request.params, around);
}

async function run(params: RunParams): Promise<Requests['run']['result']> {
  if (current) throw new InputError(`A sprint already runs in this window: ${current.sprintDir}.`, 'Stop it first, or wait until it ends.');
  const mine = new RunningSprint(params.sprintDir, post);
  current = mine;
  try {
    const { model, ready } = await modelOf(params, mine, apiKey);
    const { ending } = await runSprint({
      sprintDir: params.sprintDir,
      model,
      ready,
      person: mine.person,
      overrides: params.overrides,
      signal: mine.signal,
      onOpen: (desk) => (mine.desk = desk),
      onEvent: (event, state) => mine.onEvent(event, state),
      onProgress: (item) => mine.onProgress(item),
    });
    return ending;
  } finally {
    mine.flush();
    current = undefined;
  }
}

async function apiKey(): Promise<string> {
  const id = ++wanted;
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
  if (error instanceof RetryableModelError) return { kind: 'input', message, next: 'Look at your connection and try again.' };
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
