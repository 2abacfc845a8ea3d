/**
 * Decides what a failure of the Messages API means for the engine: try again, and when, or never. It goes by status and error
 * type, never by the message's text.
 */
import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { messageOf, RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';

/**
 * How far a call came when it failed: before the first byte of its reply, before anything of it was read, or in its middle. A
 * broken connection is a cut reply once bytes came; an error that the API tells is one in the middle only.
 */
export type Stage = 'request' | 'bytes' | 'reply';

/**
 * @returns the engine's error, with the original as its cause.
 */
export function modelErrorOf(error: unknown, stage: Stage): RetryableModelError | TerminalModelError {
  if (error instanceof RetryableModelError || error instanceof TerminalModelError) return error;
  const options = { cause: error };
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    const kind = byStatus(error.status) ?? byType(error.type) ?? (stage === 'reply' ? 'cut' : 'overloaded');
    return isTerminal(kind)
      ? terminal(error, kind)
      : new RetryableModelError(messages[kind](error), kind, retryAfter(error.headers), options);
  }
  if (stage !== 'request') return new RetryableModelError(`The reply broke off: ${deepestMessage(error)}.`, 'cut', undefined, options);
  return new RetryableModelError(`The API could not be reached: ${deepestMessage(error)}.`, 'connection', undefined, options);
}

type Terminal = 'key' | 'permission' | 'billing' | 'unknown' | 'size' | 'request';
type Retryable = 'rate-limited' | 'overloaded' | 'connection' | 'cut';

const isTerminal = (kind: Terminal | Retryable): kind is Terminal => Object.hasOwn(terminals, kind);

function byStatus(status: number | undefined): Terminal | Retryable | undefined {
  if (status === undefined) return undefined;
  const known = statuses[status];
  if (known) return known;
  return status >= 500 ? 'overloaded' : 'request';
}

const statuses: Readonly<Record<number, Terminal | Retryable>> = {
  401: 'key',
  402: 'billing',
  403: 'permission',
  404: 'unknown',
  408: 'connection',
  409: 'overloaded',
  413: 'size',
  429: 'rate-limited',
};

/** An `error` event of a stream has no status, only a type. */
function byType(type: string | null): Terminal | Retryable | undefined {
  return type !== null && Object.hasOwn(types, type) ? types[type] : undefined;
}

const types: Readonly<Record<string, Terminal | Retryable>> = {
  authentication_error: 'key',
  billing_error: 'billing',
  permission_error: 'permission',
  not_found_error: 'unknown',
  invalid_request_error: 'request',
  rate_limit_error: 'rate-limited',
  overloaded_error: 'overloaded',
};

const messages: Readonly<Record<Retryable, (error: APIError) => string>> = {
  'rate-limited': (error) => `The API's rate limit is reached${detail(error)}.`,
  overloaded: (error) => `The API is overloaded or failing${detail(error)}.`,
  connection: (error) => `The API took too long to accept the request${detail(error)}.`,
  cut: (error) => `The API broke off its reply${detail(error)}.`,
};

function terminal(error: APIError, kind: Terminal): TerminalModelError {
  const { engineKind, message, next } = terminals[kind];
  return new TerminalModelError(`${message}${detail(error)}.`, engineKind, next, { cause: error });
}

const terminals: Readonly<Record<Terminal, { engineKind: 'authentication' | 'request' | 'size'; message: string; next: string }>> = {
  key: {
    engineKind: 'authentication',
    message: 'The API refused the key',
    next: 'Check ANTHROPIC_API_KEY, or store a valid key with "Loop: Set API Key".',
  },
  permission: {
    engineKind: 'authentication',
    message: 'The key may not do this',
    next: 'Use a key whose workspace may use the model, or choose another model.',
  },
  billing: {
    engineKind: 'authentication',
    message: 'The account cannot pay for the call',
    next: "Add credit or correct the payment in the API's console, then run the same command again.",
  },
  unknown: {
    engineKind: 'request',
    message: 'The API knows no such model or address',
    next: 'Check the names of the models in the settings, and ANTHROPIC_BASE_URL if it is set.',
  },
  size: {
    engineKind: 'size',
    message: 'The request is larger than the API accepts',
    next: 'Shorten VISION.md, PRD.md or the context, or split the sprint.',
  },
  request: {
    engineKind: 'request',
    message: 'The API refused the request',
    next: 'Read its reason. If the account is used up, add credit or raise its limit, then do the same again; if it is neither that nor the models in the settings, this is a fault in Loop to report.',
  },
};

/** The API's own message in brackets, with the request's id for its support. */
function detail(error: APIError): string {
  const parts = [error.status, error.apiMessage ?? error.type, error.requestID].filter((part) => part !== undefined && part !== null);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** Milliseconds that the API asks to wait. A date is compared with the response's own date, because the clock here may be wrong. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const ms = nonNegative(headers?.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const text = headers?.get('retry-after');
  const seconds = nonNegative(text);
  if (seconds !== undefined) return seconds * 1000;
  const wait = Date.parse(text ?? '') - Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function nonNegative(text: string | null | undefined): number | undefined {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The message of the first cause: "fetch failed" alone would hide a refused connection. */
function deepestMessage(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error && at.cause instanceof Error; depth++) at = at.cause;
  const code = at instanceof Error && 'code' in at && typeof at.code === 'string' ? at.code : '';
  return messageOf(at) || code || 'no reason was given';
}
