import type { AskRequest, Usage } from '../../engine/ground/messages.ts';
import type { History } from './history.ts';
import type { ProgramStart } from '../../engine/ground/programs.ts';

/** What one line of a program's output tells. */
export interface Heard {
  /** More of the model's text. */
  text?: string;
  /** Tokens that were used since the last line that told any. */
  usage?: Usage;
  /** A message begins, or is whole. Calls and text come in between; one that begins anew takes the place of the one before. */
  message?: 'begun' | 'whole';
  /** Id of a call that its message makes: they arrive in any order, and count in this one. */
  call?: string;
  /** The whole last text, for where nothing of it was told as it came. */
  last?: string;
  /** Why it will end without a reply. */
  failure?: Failure;
}

export interface Failure {
  /**
   * `login`: nobody is logged in. `limit`: the person's plan is used up. `busy`: too many at the moment. `model`: it does not know the
   * model. `request`: the same would fail again. `cut`: the reply was longer than it may be. `unusable`: the program does not even begin.
   */
  kind: 'login' | 'limit' | 'busy' | 'model' | 'request' | 'cut' | 'unusable' | 'failed';
  message: string;
}

/** How a program is called, and what it prints. Pure. */
export interface Dialect {
  /** Milliseconds without a line or a call after which it counts as stalled: some models think for minutes before their first word. */
  idleMs: number;
  /** The person's next step where nobody is logged in. */
  login: string;
  start(request: AskRequest, history: History, toolsUrl: string): Omit<ProgramStart, 'tools'>;
  /** Of a line that is none of the protocol: nothing. */
  read(line: string): Heard;
}

export function systemOf({ system, context = '' }: AskRequest): string {
  return [system, context].filter((text) => text !== '').join('\n\n');
}

/** The kind of failure that a message of a program tells. @param status of the provider's answer, where the program tells it. */
export function failureOf(message: string, status?: number): Failure {
  const said = status === undefined ? message : `${message} (${status})`;
  return { kind: kinds.find(([pattern]) => pattern.test(said))?.[1] ?? 'failed', message: said };
}

/** The first that fits; what passes by itself may name a limit that it is not. */
const kinds: readonly (readonly [RegExp, Failure['kind']])[] = [
  [/not your usage limit/i, 'busy'],
  [/output token maximum|max_output_tokens/i, 'cut'],
  [/usage limit|hit your .*limit|insufficient|quota|credit balance/i, 'limit'],
  [/temporar|try again in|too many requests|rate limit|\b429\b/i, 'busy'],
  [/overloaded|\b529\b|\b50\d\b/i, 'failed'],
  [/\/login|not logged in|invalid api key|authentication_(error|failed)|unauthorized|forbidden|\b40[13]\b|oauth token/i, 'login'],
  [/selected model|not_found|\b404\b|model .*(not found|does not exist)/i, 'model'],
  [/prompt is too long|context window|invalid_request|\b400\b/i, 'request'],
];

/** Why it ended without a reply. @param output its last lines. */
export function failureOfEnd(exit: number | null, output: string): Failure {
  if (exit === 126 || exit === 127 || unknownOption.test(output)) return { kind: 'unusable', message: `it cannot be run here: ${output}` };
  return { kind: 'failed', message: `it ended with ${exit ?? 'a signal'}: ${output}` };
}

/** As the readers of options of both say it, in plain text; a line of the protocol does not begin so. */
const unknownOption = /^error: (unknown option|unexpected argument|invalid value|option '.*' argument '.*' is invalid)/m;

/** @returns undefined for what is no JSON object. */
export function objectOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
