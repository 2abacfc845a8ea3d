/**
 * One streamed call to the Messages API through the Anthropic SDK. Every failure becomes one of the engine's errors. The SDK's
 * retries are off, because the engine retries. The SDK's timeout covers only the headers, so a watchdog ends a reply without
 * new bytes, or with nothing but pings. `load.ts` loads this file on first use.
 */
import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { worstCase } from '../engine/agents/cost.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';
import type { AskReply, AskRequest, Usage } from '../engine/ground/messages.ts';
import type { AbortSignal as Signal, Clock, Model } from '../engine/ports.ts';
import { modelErrorOf, type Stage } from './anthropic-errors.ts';
import { ReplyReader } from './anthropic-reply.ts';
import { bodyOf, sessionHeader, sessionOf } from './anthropic-request.ts';
import { checkedKey, checkedURL } from './credentials.ts';
import { pricesOf } from './prices.ts';
import { learn, windowOf } from './traits.ts';
import { cancelled } from './cancelled.ts';

export interface AnthropicOptions {
  apiKey: string;
  /** The endpoint, never from a repository file. Default: Anthropic's own. */
  baseURL?: string;
  /** Milliseconds without a byte after which a call counts as stalled. Default: 120,000. */
  idleTimeoutMs?: number;
  /** Milliseconds after which it does so although bytes come, since they are none of a reply. Default: 600,000. */
  eventTimeoutMs?: number;
  /** Replaces the platform's `fetch`, for a proxy. */
  fetch?: typeof globalThis.fetch;
}

export interface AnthropicModel extends Model {
  /**
   * Tests key, model and endpoint with a token count, and asks what the model can do; both are free.
   * @throws the errors of `ask`.
   */
  probe(model: string, signal: Signal): Promise<void>;
}

/**
 * A model behind the Messages API.
 * `ask` throws RetryableModelError, TerminalModelError, or Interruption('cancelled') when the signal fired.
 * @throws InputError when key or endpoint cannot be used.
 */
export function createAnthropic(options: AnthropicOptions): AnthropicModel {
  const client = createClient(options);
  const { idleTimeoutMs: idle = 120_000, eventTimeoutMs: eventless = 600_000 } = options;
  const limits = { idle, eventless };
  return {
    id: 'anthropic',
    web: () => options.baseURL === undefined,
    prices: pricesOf,
    window: windowOf,
    ask: (request, onText, signal) => guarded(limits, signal, (watch) => stream(client, request, onText, watch)),
    async probe(model, signal) {
      await guarded(limits, signal, (watch) => countTokens(client, model, watch));
      // Who knows the model may still not tell about it, as a gateway.
      await guarded({ ...limits, idle: Math.min(idle, 5000) }, signal, (watch) => askTraits(client, model, watch)).catch(
        (error: unknown) => {
          if (error instanceof Interruption) throw error;
        },
      );
    },
  };
}

export interface AccessOptions extends AnthropicOptions {
  models: readonly string[];
  signal: Signal;
  /** Called before each wait. @param attempt number of the failed attempt, from 1. @param waitMs milliseconds until the next. */
  onRetry(why: string, attempt: number, waitMs: number): void;
}

/**
 * Tests every model before a sprint begins. A failure that may pass is tried again for a minute, and `onRetry` reports it.
 * @throws TerminalModelError at once; RetryableModelError when the minute is over; Interruption when cancelled.
 */
export async function tryAnthropic(options: AccessOptions, clock: Clock): Promise<void> {
  const model = createAnthropic({ ...options, idleTimeoutMs: Math.min(options.idleTimeoutMs ?? 15_000, 15_000) });
  const deadline = clock.now() + 60_000;
  for (const name of new Set(options.models)) {
    for (let attempt = 1; ; attempt++) {
      const failed = await attemptAccess(model, name, options.signal);
      if (!failed) break;
      const left = deadline - clock.now();
      if (left <= 0 || (failed.retryAfterMs ?? 0) > left) throw failed;
      const wait = failed.retryAfterMs || Math.min(left, 16_000, 500 * 2 ** attempt);
      options.onRetry(failed.message, attempt, wait);
      await clock.sleep(wait, options.signal);
    }
  }
}

async function attemptAccess(model: AnthropicModel, name: string, signal: Signal): Promise<RetryableModelError | undefined> {
  try {
    await model.probe(name, signal);
    return undefined;
  } catch (error) {
    if (error instanceof RetryableModelError) return error;
    throw error;
  }
}

function createClient({ apiKey, baseURL, fetch }: AnthropicOptions): Anthropic {
  return new Anthropic({
    apiKey: checkedKey(apiKey),
    // Always set, because the SDK would otherwise read it from the environment.
    baseURL: checkedURL(baseURL ?? 'https://api.anthropic.com'),
    maxRetries: 0,
    // With `--json`, standard output is for the journal's lines only.
    logLevel: 'off',
    openTelemetry: false,
    ...(fetch ? { fetch } : {}),
  });
}

async function stream(client: Anthropic, request: AskRequest, onText: (delta: string) => void, watch: Watchdog): Promise<AskReply> {
  const options = { signal: watch.controller.signal, headers: { [sessionHeader]: sessionOf(request) } };
  watch.most = worstCase(request);
  const response = await client.messages.create(bodyOf(request), options).asResponse();
  const reader = new ReplyReader(request, onText);
  watch.used = () => reader.usedAtMost();
  const events = Stream.fromSSEResponse<RawMessageStreamEvent>(watch.watchBytes(response), watch.controller, client);
  for await (const event of events) {
    // The SDK gives no pings.
    watch.heardEvent();
    const reply = reader.accept(event);
    if (reader.hasBegun) watch.stage = 'reply';
    // The return ends the request, so a server that keeps the connection open is not waited for.
    if (reply) return reply;
  }
  if (watch.stage === 'request') throw new RetryableModelError('The API sent an empty reply.', 'connection');
  throw new RetryableModelError('The API ended its reply before it was whole.', 'cut');
}

async function askTraits(client: Anthropic, model: string, watch: Watchdog): Promise<void> {
  learn(model, await client.models.retrieve(model, {}, { signal: watch.controller.signal }));
}

async function countTokens(client: Anthropic, model: string, watch: Watchdog): Promise<void> {
  const answer: { input_tokens?: unknown } = await client.messages.countTokens(
    { model, messages: [{ role: 'user', content: 'Hello' }] },
    { signal: watch.controller.signal },
  );
  if (typeof answer?.input_tokens === 'number') return;
  throw new TerminalModelError(
    `The server at ${client.baseURL} does not speak the Messages API.`,
    'request',
    'Check ANTHROPIC_BASE_URL, and whether a proxy or a login page is in between.',
  );
}

/** Runs a call under a watchdog and turns its failure into one of the engine's errors. */
async function guarded<T>(limits: Limits, signal: Signal, call: (watch: Watchdog) => Promise<T>): Promise<T> {
  const watch = new Watchdog(limits, signal);
  try {
    if (signal.aborted) throw cancelled();
    return await call(watch);
  } catch (error) {
    if (signal.aborted) throw cancelled(error, watch.used?.() ?? watch.most);
    const failed = watch.stalled
      ? new RetryableModelError(watch.stalled, 'stalled', undefined, { cause: error })
      : modelErrorOf(error, watch.stage);
    throw withUsage(failed, watch.used?.());
  } finally {
    watch.dispose();
  }
}

function withUsage(error: RetryableModelError | TerminalModelError, used: Usage | undefined): Error {
  if (used === undefined) return error;
  const options = { cause: error.cause, used };
  return error instanceof RetryableModelError
    ? new RetryableModelError(error.message, error.kind, error.retryAfterMs, options)
    : new TerminalModelError(error.message, error.kind, error.next, options);
}

/** Milliseconds. */
interface Limits {
  /** Without a byte; also one of a ping counts. */
  idle: number;
  /** Without an event of a reply. */
  eventless: number;
}

/** Ends a request that reaches a limit, or whose caller aborts. */
class Watchdog {
  readonly controller = new AbortController();
  /** Why it gave up. */
  stalled: string | undefined;
  stage: Stage = 'request';
  /** The most that the request may use, once it is sent. */
  most: Usage | undefined;
  /** What the reply so far used, once it is read. */
  used: (() => Usage | undefined) | undefined;
  private readonly idle: NodeJS.Timeout;
  private readonly eventless: NodeJS.Timeout;
  private readonly giveUp = (): void => this.controller.abort();

  constructor(
    { idle, eventless }: Limits,
    private readonly caller: Signal,
  ) {
    this.idle = this.after(idle, 'Nothing');
    this.eventless = this.after(eventless, 'No part of a reply');
    caller.addEventListener('abort', this.giveUp, { once: true });
  }

  heardEvent(): void {
    this.eventless.refresh();
  }

  /** Returns the same response, and restarts the timer at each of its bytes. */
  watchBytes(response: Response): Response {
    this.idle.refresh();
    const bytes = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, next) => {
          this.idle.refresh();
          if (this.stage === 'request') this.stage = 'bytes';
          next.enqueue(chunk);
        },
      }),
    );
    return new Response(bytes ?? null, { headers: response.headers });
  }

  dispose(): void {
    clearTimeout(this.idle);
    clearTimeout(this.eventless);
    this.caller.removeEventListener('abort', this.giveUp);
  }

  private after(ms: number, what: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.stalled = `${what} came from the API for ${ms / 1000} s.`;
      this.controller.abort();
    }, ms);
  }
}
