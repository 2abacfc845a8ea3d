import type { AskRequest, Usage } from '../../engine/ground/messages.ts';
import type { History } from './history.ts';
import type { ProgramStart } from './port.ts';

/** What one line of a program's output tells. */
export interface Heard {
  /** More of the model's text. */
  text?: string;
  /** Tokens that were used since the last line that told any. */
  usage?: Usage;
  /** Why it will end without a reply. */
  failure?: Failure;
}

export interface Failure {
  /** `login`: nobody is logged in. `limit`: the person's plan is used up. `cut`: the reply was longer than it may be. */
  kind: 'login' | 'limit' | 'cut' | 'failed';
  message: string;
}

/** How a program is called, and what it prints. Pure. */
export interface Dialect {
  /** The person's next step where nobody is logged in. */
  login: string;
  start(request: AskRequest, history: History, toolsUrl: string): Omit<ProgramStart, 'tools'>;
  /** Of a line that is none of the protocol: nothing. */
  read(line: string): Heard;
}

/** The kind of failure that a message of a program tells. */
export function failureOf(message: string): Failure {
  const kind = kinds.find(([pattern]) => pattern.test(message))?.[1] ?? 'failed';
  return { kind, message };
}

const kinds: readonly (readonly [RegExp, Failure['kind']])[] = [
  [/\/login|log ?in\b|not logged in|invalid api key|authenticat|unauthorized|\b401\b|oauth/i, 'login'],
  [/output token maximum|max_output_tokens/i, 'cut'],
  [/overloaded|\b529\b|\b50\d\b/i, 'failed'],
  [/usage limit|limit reached|hit your .*limit|quota|insufficient|credit balance/i, 'limit'],
];

/** @returns undefined for what is no JSON object. */
export function objectOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
