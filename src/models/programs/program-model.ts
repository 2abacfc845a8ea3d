/**
 * Models that a program of the person's asks, with their own login: `claude`, `codex`. The program drives its conversation by
 * itself. Here it is taken apart into turns again: a call of a tool ends a turn, and what the engine sends next is that call's
 * result. So tools, journal and bounds are the engine's own, as with every model. A program remembers its conversation while it
 * runs; one that is not there any more is started again and told all of it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { mostRead } from '../../engine/agents/cost.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../../engine/ground/errors.ts';
import type { AskReply, AskRequest, AssistantBlock, Message, ToolResult, Usage } from '../../engine/ground/messages.ts';
import { ownName, programTitles, type ProgramName } from '../../engine/ground/model-names.ts';
import type { Model } from '../../engine/ports.ts';
import { windowOf } from '../traits.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import type { Dialect, Failure } from './dialect.ts';
import { historyOf } from './history.ts';
import type { ProgramCall, ProgramPort } from './port.ts';

const dialects: Readonly<Record<ProgramName, Dialect>> = { 'claude-code': claudeCode, codex };

export interface ProgramOptions {
  port: ProgramPort;
  /** Where the program reaches Loop's tools. */
  toolsUrl: string;
  /** Milliseconds without a sign of life. */
  idleMs?: number;
}

/** Some models think for minutes before their first word. */
const usualIdleMs = 600_000;
/** Milliseconds within which calls of one reply arrive. A later one is a turn of its own, which does no harm. */
const togetherMs = 50;

export function createProgramModel(program: ProgramName, options: ProgramOptions): Model {
  let talk: Talk | undefined;
  const end = (): void => {
    talk?.end();
    talk = undefined;
  };
  return {
    id: program,
    prices: () => undefined,
    window: (name) => windowOf(ownName(name)),
    async ask(request, onText, signal) {
      if (signal.aborted) throw cancelled();
      if (talk?.continues(request)) talk.answer(request);
      else {
        end();
        talk = new Talk(program, request, options);
      }
      const abort = (): void => end();
      signal.addEventListener('abort', abort, { once: true });
      try {
        const reply = await talk.turn(request, onText);
        if (talk.isOver) end();
        return reply;
      } catch (error) {
        end();
        throw signal.aborted ? cancelled(error) : error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: end,
  };
}

type Event = { line: string } | { call: ProgramCall } | { ended: { exit: number | null; output: string } } | { failed: unknown };

/** A program that runs, and the conversation that it has. */
class Talk {
  private readonly program: ProgramName;
  private readonly dialect: Dialect;
  private readonly idleMs: number;
  private readonly stop: () => void;
  private readonly events: Event[] = [];
  private readonly open = new Map<string, ProgramCall>();
  private wake: () => void = () => undefined;
  /** What the next request has to begin with. */
  private said = '';
  isOver = false;

  constructor(program: ProgramName, request: AskRequest, { port, toolsUrl, idleMs = usualIdleMs }: ProgramOptions) {
    this.program = program;
    this.dialect = dialects[program];
    this.idleMs = idleMs;
    const start = this.dialect.start(request, historyOf(request.messages), toolsUrl);
    this.stop = port.start(
      { ...start, tools: request.tools },
      {
        line: (line) => this.hear({ line }),
        call: (call) => this.hear({ call }),
        ended: (exit, output) => this.hear({ ended: { exit, output } }),
        failed: (error) => this.hear({ failed: error }),
      },
    );
  }

  /** Whether a request goes on from this conversation's last reply, and has the results of its calls. */
  continues(request: AskRequest): boolean {
    const results = resultsIn(request.messages.at(-1)).map(({ tool_use_id: id }) => id);
    if (this.isOver || this.open.size === 0 || ![...this.open.keys()].every((id) => results.includes(id))) return false;
    return this.said === whole(request, request.messages.slice(0, -1));
  }

  /** What the engine says besides stands behind the last result, because nothing else can be said while the program waits. */
  answer({ messages }: AskRequest): void {
    const last = messages.at(-1);
    const more = last?.role === 'user' ? last.content.flatMap((block) => (block.type === 'text' ? [block] : [])) : [];
    const results = resultsIn(last);
    for (const [n, { tool_use_id: id, content, is_error: isError }] of results.entries()) {
      const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      const shown = n === results.length - 1 ? [...parts, ...more] : parts;
      this.open.get(id)?.answer({ content: shown, ...(isError === undefined ? {} : { is_error: isError }) });
    }
    this.open.clear();
  }

  async turn(request: AskRequest, onText: (delta: string) => void): Promise<AskReply> {
    const mostBytes = request.maxTokens * bytesOfToken;
    const calls: ProgramCall[] = [];
    let [text, used] = ['', undefined as Usage | undefined];
    for (;;) {
      const event = await this.next(calls.length > 0 ? togetherMs : this.idleMs);
      if (event === undefined && calls.length > 0) return this.reply(request, { text, calls, used, stop: 'tool_use' });
      if (event === undefined) throw new RetryableModelError(`Nothing came from ${this.title} for ${this.idleMs / 1000} s.`, 'stalled');
      if ('failed' in event) throw event.failed;
      if ('call' in event) calls.push(event.call);
      else if ('line' in event) {
        const heard = this.dialect.read(event.line);
        if (heard.usage) used = sum(used, heard.usage);
        if (heard.failure?.kind === 'cut') return this.reply(request, { text, calls: [], used, stop: 'max_tokens' });
        if (heard.failure) throw this.errorOf(heard.failure);
        if (heard.text !== undefined) onText(heard.text);
        text += heard.text ?? '';
        if (Buffer.byteLength(text) > mostBytes)
          return this.reply(request, { text: cutTo(text, mostBytes), calls: [], used, stop: 'max_tokens' });
      } else {
        const { exit, output } = event.ended;
        this.isOver = true;
        if (exit !== 0) throw this.errorOf({ kind: 'failed', message: `it ended with ${exit ?? 'a signal'}: ${output}` });
        return this.reply(request, { text, calls: [], used, stop: 'end_turn' });
      }
    }
  }

  end(): void {
    this.isOver = true;
    this.stop();
    this.hear({ failed: cancelled() });
  }

  private get title(): string {
    return programTitles[this.program];
  }

  private hear(event: Event): void {
    this.events.push(event);
    this.wake();
  }

  /** @returns undefined where nothing came in time. */
  private async next(ms: number): Promise<Event | undefined> {
    if (this.events.length === 0) {
      const late = new AbortController();
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      await Promise.race([woken, delay(ms, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
    }
    return this.events.shift();
  }

  private reply(request: AskRequest, { text, calls, used, stop }: Turn): AskReply {
    const content: AssistantBlock[] = text === '' ? [] : [{ type: 'text', text }];
    for (const call of calls) {
      const id = call.id !== undefined && !this.open.has(call.id) ? call.id : `call_${randomUUID()}`;
      this.open.set(id, call);
      content.push({ type: 'tool_use', id, name: call.name, input: call.input });
    }
    if (stop !== 'tool_use') this.isOver = true;
    this.said = whole(request, [...request.messages, { role: 'assistant', content }]);
    const written = Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(calls.map(({ name, input }) => [name, input])));
    return { content, stop, usage: usageOf(request, used, written), model: request.model };
  }

  private errorOf({ kind, message }: Failure): RetryableModelError | TerminalModelError {
    const words = `${this.title} could not answer: ${message.trim()}`;
    if (kind === 'login') return new TerminalModelError(words, 'authentication', this.dialect.login);
    if (kind === 'limit')
      return new TerminalModelError(words, 'authentication', 'Resume when the limit is renewed, or choose another model.');
    return new RetryableModelError(words, 'overloaded');
  }
}

interface Turn {
  text: string;
  calls: readonly ProgramCall[];
  used: Usage | undefined;
  stop: AskReply['stop'];
}

/** Fewer than a token of any real text has. */
const bytesOfToken = 2;

/** What the program tells, within what it may use at most; where it tells nothing, that. */
function usageOf(request: AskRequest, used: Usage | undefined, written: number): Usage {
  const most = { input: mostRead(request), output: Math.min(request.maxTokens, Math.ceil(written / bytesOfToken)) };
  if (!used) return { input: most.input, output: most.output, cacheRead: 0, cacheWrite: 0 };
  const read = used.input + used.cacheRead + used.cacheWrite;
  const share = Math.min(1, most.input / Math.max(read, 1));
  const part = (tokens: number): number => Math.floor(tokens * share);
  const input = { input: part(used.input), cacheRead: part(used.cacheRead), cacheWrite: part(used.cacheWrite) };
  return { ...input, output: Math.min(used.output, request.maxTokens) };
}

function sum(one: Usage | undefined, other: Usage): Usage {
  if (!one) return other;
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

function whole({ model, system, context, tools }: AskRequest, messages: readonly Message[]): string {
  return JSON.stringify([model, system, context, tools.map(({ name }) => name), messages]);
}

function resultsIn(message: Message | undefined): ToolResult[] {
  return message?.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [];
}

function cutTo(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');
}

function cancelled(cause?: unknown): Interruption {
  return new Interruption('cancelled', 'The call to the model was cancelled.', { cause });
}
