/**
 * Errors, one class for each way to react. No code matches on an error's message.
 */
import type { Usage } from './messages.ts';

/** The person must correct an input, a setting or a key before a sprint can start or resume (exit 4). */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** @param next what the person can do, one sentence. */
  constructor(
    message: string,
    readonly next: string,
  ) {
    super(message);
  }
}

/** What the person asked for is refused as things stand, and nothing was changed: they must act or decide first (exit 3). */
export class Refusal extends InputError {}

/** The sprint stops here, and the same command resumes it. Nothing that was settled is lost. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly next: string;
  /** What a model call that it broke off used at most; undefined where there was none. */
  readonly used: Usage | undefined;
  constructor(
    readonly reason: 'cancelled' | 'paused' | 'unreachable' | 'failed-write' | 'lost-lock' | 'lost-launcher',
    message: string,
    options?: { cause?: unknown; used?: Usage | undefined; next?: string },
  ) {
    super(message, options);
    this.used = options?.used;
    this.next = options?.next ?? 'Nothing that was settled is lost: do the same again, and it goes on from here.';
  }
}

/** A model call that may be tried again, after `retryAfterMs` if the provider asks for a delay. */
export class RetryableModelError extends Error {
  override readonly name = 'RetryableModelError';
  /** What a reply that broke off used at most; undefined where the provider told nothing. */
  readonly used: Usage | undefined;
  constructor(
    message: string,
    readonly kind: 'rate-limited' | 'overloaded' | 'connection' | 'stalled' | 'cut',
    readonly retryAfterMs?: number,
    options?: { cause?: unknown; used?: Usage | undefined },
  ) {
    super(message, options);
    this.used = options?.used;
  }
}

/** A model call that would fail again in the same way: a bad key, a refused request, a recording without this turn. */
export class TerminalModelError extends Error {
  override readonly name = 'TerminalModelError';
  /** What a reply that had begun used at most; undefined where there was none. */
  readonly used: Usage | undefined;
  constructor(
    message: string,
    readonly kind: 'authentication' | 'request' | 'size' | 'recording',
    readonly next: string,
    options?: { cause?: unknown; used?: Usage | undefined },
  ) {
    super(message, options);
    this.used = options?.used;
  }
}

/** A change that must not be committed, because it contains a secret or a nested repository. It is undone with these reasons. */
export class RefusedChange extends Error {
  override readonly name = 'RefusedChange';
  constructor(readonly reasons: string[]) {
    super(`The change cannot be committed: ${reasons.join('; ')}.`);
  }
}

/** An action has used up a limit of its own (docs/termination.md). The loop ends it as failed and decides anew. */
export class ActionLimit extends Error {
  override readonly name = 'ActionLimit';
}

/** One of Loop's own guarantees does not hold. Never caught; its message is for developers. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** The text to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
