/**
 * Owns what each failure of the Messages API means for the engine: try again, and when, or never. Decided by status and error
 * type, never by wording.
 */
import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { messageOf, RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';

/**
 * @param stage whether the reply had begun: what breaks after that is a cut, whatever broke.
 * @returns the engine's error, the original as its cause.
 */
export function modelErrorOf(error: unknown, stage: 'request' | 'stream'): RetryableModelError | TerminalModelError {
  if (error instanceof RetryableModelError || error instanceof TerminalModelError) return error;
  const options = { cause: error };
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    const kind = byStatus(error.status) ?? byType(error.type) ?? 'cut';
    return isTerminal(kind)
      ? terminal(error, kind)
      : new RetryableModelError(worded[kind](error), kind, retryAfter(error.headers), options);
  }
  if (stage === 'stream') return new RetryableModelError(`The reply broke off: ${deepest(error)}.`, 'cut', undefined, options);
  return new RetryableModelError(`The API could not be reached: ${deepest(error)}.`, 'connection', undefined, options);
}

type Terminal = 'key' | 'permission' | 'billing' | 'unknown' | 'size' | 'request';
type Retryable = 'rate-limited' | 'overloaded' | 'connection' | 'cut';

const isTerminal = (kind: Terminal | Retryable): kind is Terminal => Object.hasOwn(mended, kind);

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

/** An `error` event has no status; its type says the same. */
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

const worded: Readonly<Record<Retryable, (error: APIError) => string>> = {
  'rate-limited': (error) => `The API's rate limit is reached${detail(error)}.`,
  overloaded: (error) => `The API is overloaded or failing${detail(error)}.`,
  connection: (error) => `The API took too long to take the request${detail(error)}.`,
  cut: (error) => `The API broke off its reply${detail(error)}.`,
};

function terminal(error: APIError, kind: Terminal): TerminalModelError {
  const { engineKind, says, next } = mended[kind];
  return new TerminalModelError(`${says}${detail(error)}.`, engineKind, next, { cause: error });
}

const mended: Readonly<Record<Terminal, { engineKind: 'authentication' | 'request'; says: string; next: string }>> = {
  key: {
    engineKind: 'authentication',
    says: 'The API refused the key',
    next: 'Check ANTHROPIC_API_KEY, or store a valid key with "Loop: Set API Key".',
  },
  permission: {
    engineKind: 'authentication',
    says: 'The key may not do this',
    next: 'Use a key whose workspace may use the model, or choose another model.',
  },
  billing: {
    engineKind: 'authentication',
    says: 'The account cannot pay for the call',
    next: "Add credit or mend the payment in the API's console, then run the same command again.",
  },
  unknown: {
    engineKind: 'request',
    says: 'The API knows no such model or address',
    next: 'Check the names of the models in the settings, and ANTHROPIC_BASE_URL if it is set.',
  },
  size: {
    engineKind: 'request',
    says: 'The request is larger than the API takes',
    next: 'Shorten VISION.md, PRD.md or the context, or split the sprint.',
  },
  request: {
    engineKind: 'request',
    says: 'The API refused the request',
    next: 'Read its reason; if the models in the settings are right, this is a fault in Loop to report.',
  },
};

/** What the API itself said, in brackets, with the request's id for its support. */
function detail(error: APIError): string {
  const said = [error.status, error.apiMessage ?? error.type, error.requestID].filter((part) => part !== undefined && part !== null);
  return said.length > 0 ? ` (${said.join(', ')})` : '';
}

/** Milliseconds that the API asks to wait. A date counts from the answer's own date, so that a wrong clock here does no harm. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const ms = amount(headers?.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const text = headers?.get('retry-after');
  const seconds = amount(text);
  if (seconds !== undefined) return seconds * 1000;
  const wait = Date.parse(text ?? '') - Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function amount(text: string | null | undefined): number | undefined {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The message at the bottom of a chain of causes: "fetch failed" hides the refused connection below it. */
function deepest(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error && at.cause instanceof Error; depth++) at = at.cause;
  const code = at instanceof Error && 'code' in at && typeof at.code === 'string' ? at.code : '';
  return messageOf(at) || code || 'no reason was given';
}
