/**
 * A model that plays a recording (format: `recording.ts`), for demonstrations, examples and tests of whole sprints. It has no
 * state: the turn follows from the messages, so a resumed session goes on where it was. Calls that a crash left "interrupted" or
 * "not run" (I2) are made again, and that reply does not count as a turn. So is a report that came with a command that failed, where the
 * recording says nothing more.
 */
import { InputError, TerminalModelError } from '../engine/ground/errors.ts';
import { isPriced } from '../engine/ground/model-names.ts';
import {
  withoutPictures,
  type AskReply,
  type AskRequest,
  type Message,
  type ToolResult,
  type ToolUse,
  type Usage,
} from '../engine/ground/messages.ts';
import type { AbortSignal, Clock, Model } from '../engine/ports.ts';
import { pricesOf } from './prices.ts';
import { windowOf } from './traits.ts';
import { parseRecording, type RecordedSession, type RecordedTurn, type Recording } from './recording.ts';
import { cancelled } from './cancelled.ts';

export interface RecordedOptions {
  /** The text of a file that `$file` names, by its path relative to the recording. */
  readFile?: (relative: string) => string;
  /** Each turn's text takes `ms` milliseconds, so that a person can follow. */
  pace?: { ms: number; clock: Clock };
}

/**
 * `ask` throws TerminalModelError('recording') where the recording has no turn.
 * @throws InputError with file and line if the recording cannot be used.
 */
export function createRecorded(file: { name: string; text: string }, options: RecordedOptions = {}): Model {
  const recording = parseRecording(file, options.readFile ?? noFiles);
  return {
    id: 'recorded',
    prices: (name, answered) => (isPriced(name) ? pricesOf(name, answered) : undefined),
    window: windowOf,
    async ask(request, onText, signal) {
      const reply = replyTo(recording, request);
      await play(textOf(reply), onText, signal, options.pace);
      return reply;
    },
  };
}

/** The engine starts the result of a call with one of these if a crash interrupted the call, or it was not run after a crash. */
const marks = ['[interrupted]', '[not run]'] as const;
/** With this it starts that of a report which came before anybody saw that a command failed. */
const early = ['[not taken]'] as const;

function replyTo(recording: Recording, request: AskRequest): AskReply {
  const at = positionOf(request, writtenFor(recording, request));
  const turn: RecordedTurn =
    at.again.length > 0 ? { ...turnOf(recording, request, at.turn), text: '', calls: at.again } : turnOf(recording, request, at.turn);
  const id = [request.role, request.purpose, at.turn, ...(at.repeats > 0 ? [`r${at.repeats}`] : [])].join('-');
  const calls = turn.calls.map(({ name, input }, index): ToolUse => ({
    type: 'tool_use',
    id: `${id.replace(/[^\w-]/g, '_')}-${index + 1}`,
    name,
    input: structuredClone(input),
  }));
  const content: AskReply['content'] = [...(turn.text ? [{ type: 'text' as const, text: turn.text }] : []), ...calls];
  return {
    content,
    stop: turn.stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    usage: usageOf(turn, request, content),
    model: request.model,
  };
}

interface Position {
  /** Number of the current turn, from 1. */
  turn: number;
  /** Number of replies so far of which calls are made again. */
  repeats: number;
  /** Calls of the last reply to make again. */
  again: { name: string; input: unknown }[];
}

/**
 * After a hand-over only the request's own number tells how many turns there were before.
 * @param written turns that the recording has for this session.
 */
function positionOf({ messages, turn }: AskRequest, written: number): Position {
  const replies = messages.flatMap((message, index) => (message.role === 'assistant' ? [{ message, results: messages[index + 1] }] : []));
  const position: Position = { turn: Math.max(turn, replies.length + 1) - replies.length, repeats: 0, again: [] };
  for (const { message, results } of replies) {
    position.again = callsWith(position.turn < written ? marks : [...marks, ...early], message, results);
    if (position.again.length > 0) position.repeats += 1;
    else position.turn += 1;
  }
  return messages.at(-2)?.role === 'assistant' ? position : { ...position, again: [] };
}

function writtenFor({ sessions }: Recording, { role, purpose }: AskRequest): number {
  return Math.max(0, ...sessions.flatMap((one) => (one.role === role && matches(one.purpose, purpose) ? [one.turns.length] : [])));
}

/** Those whose results begin with one of the marks. */
function callsWith(some: readonly string[], reply: Message, results: Message | undefined): ToolUse[] {
  if (results?.role !== 'user') return [];
  const open = new Set<string>();
  for (const block of results.content) {
    if (block.type === 'tool_result' && isMarked(block.content, some)) open.add(block.tool_use_id);
  }
  return reply.content.filter((block): block is ToolUse => block.type === 'tool_use' && open.has(block.id));
}

/** A result with a picture is not a string, and no interrupted call has one. */
function isMarked(content: ToolResult['content'], some: readonly string[]): boolean {
  return typeof content === 'string' && some.some((mark) => content.startsWith(mark));
}

function turnOf(recording: Recording, request: AskRequest, turn: number): RecordedTurn {
  for (const session of recording.sessions) {
    const last = session.turns.at(-1);
    const match = session.turns[turn - 1] ?? (last?.repeat ? last : undefined);
    if (match && session.role === request.role && matches(session.purpose, request.purpose)) return match;
  }
  const near = nearestSessions(recording.sessions, request);
  throw new TerminalModelError(
    `${recording.name} has no turn ${turn} for ${request.role} ${request.purpose}. ${near || 'It has no sessions'}.`,
    'recording',
    'Add that turn to the recording, or run the sprint with a live model.',
  );
}

function matches(pattern: string, purpose: string): boolean {
  const subject = pattern.includes('#') ? purpose : purpose.replace(/#\d+$/, '');
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(subject);
}

/** The most similar sessions, with their lines. */
function nearestSessions(sessions: readonly RecordedSession[], request: AskRequest): string {
  const closeness = (session: RecordedSession): number =>
    (session.role === request.role ? 1000 : 0) +
    (matches(session.purpose, request.purpose) ? 500 : 0) +
    sharedLength(session.purpose, request.purpose);
  return [...sessions]
    .sort((a, b) => closeness(b) - closeness(a))
    .slice(0, 3)
    .map(({ line, role, purpose, turns }) => `Line ${line}: ${role} ${purpose} (${turns.length} turn${turns.length === 1 ? '' : 's'})`)
    .join('; ');
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function usageOf({ usage }: RecordedTurn, request: AskRequest, content: AskReply['content']): Usage {
  return {
    input: usage.input ?? estimate(request.system, request.context ?? '', request.tools, withoutPictures(request.messages).text),
    output: usage.output ?? estimate(content),
    cacheRead: usage.cacheRead ?? 0,
    cacheWrite: usage.cacheWrite ?? 0,
  };
}

/** Four characters for each token, which is about right for English and code. */
function estimate(...parts: unknown[]): number {
  return Math.ceil(JSON.stringify(parts).length / 4);
}

function textOf(reply: AskReply): string {
  return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function play(text: string, onText: (delta: string) => void, signal: AbortSignal, pace: RecordedOptions['pace']): Promise<void> {
  const pieces = text.match(/[\s\S]{1,24}/gu) ?? [];
  const wait = pace ? pace.ms / Math.max(1, pieces.length) : 0;
  for (const piece of pieces.length > 0 ? pieces : ['']) {
    if (pace) await pace.clock.sleep(wait, signal);
    if (signal.aborted) throw cancelled();
    if (piece) onText(piece);
  }
}

function noFiles(relative: string): string {
  throw new InputError(`there are no files beside it, so "${relative}" is not among them`, 'Write the text into the recording.');
}
