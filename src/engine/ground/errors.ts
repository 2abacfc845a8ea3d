/**
 * What went wrong, by what happens next. Nothing in Loop matches on an error's message.
 */

/** Input, configuration or key that a person must mend before a sprint can start or go on (exit 4). */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** @param next what to do about it, one sentence. */
  constructor(
    message: string,
    readonly next: string,
  ) {
    super(message);
  }
}

/** The sprint stops here and resumes with the same command; nothing that was settled is lost. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** What to do about it, one sentence. */
  readonly next = 'Nothing that was settled is lost: do the same again, and it goes on from here.';
  constructor(
    readonly reason: 'cancelled' | 'unreachable' | 'failed-write' | 'lost-lock' | 'lost-launcher',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A model call that may be tried again, after `retryAfterMs` if the provider said so. */
export class RetryableModelError extends Error {
  override readonly name = 'RetryableModelError';
  constructor(
    message: string,
    readonly kind: 'rate-limited' | 'overloaded' | 'connection' | 'stalled' | 'cut',
    readonly retryAfterMs?: number,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A model call that will fail the same way again: a bad key, a refused request, a recording without the turn. */
export class TerminalModelError extends Error {
  override readonly name = 'TerminalModelError';
  constructor(
    message: string,
    readonly kind: 'authentication' | 'request' | 'recording',
    readonly next: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A change that must not be committed as it is: a key in it, a repository inside it. It is taken back, with the reason. */
export class RefusedChange extends Error {
  override readonly name = 'RefusedChange';
  constructor(readonly reasons: string[]) {
    super(`The change cannot be committed: ${reasons.join('; ')}.`);
  }
}

/** A guarantee of our own does not hold. Never caught and never worded for a person: it is a bug. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** What to show of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
