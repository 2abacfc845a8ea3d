/**
 * Models that a program of the person's asks, with their own login: `claude`, `codex`. The program drives its conversation by
 * itself. Here it is taken apart into turns again: a call of a tool ends a turn, and what the engine sends next is that call's
 * result. So tools, journal and bounds are the engine's own, as with every model. A program remembers its conversation while it
 * runs; one that is not there any more is started again and told all of it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { mostRead } from '../../engine/agents/cost.ts';
import { RetryableModelError, TerminalModelError } from '../../engine/ground/errors.ts';
import type { AskReply, AskRequest, AssistantBlock, Message, ToolResult, Usage } from '../../engine/ground/messages.ts';
import { ownName, programTitles, type ProgramName } from '../../engine/ground/model-names.ts';
import type { Model } from '../../engine/ports.ts';
import { windowOf } from '../traits.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { failureOfEnd, type Dialect, type Failure } from './dialect.ts';
import { historyOf } from './history.ts';
import type { ProgramCall, ProgramPort, ProgramRun } from '../../engine/ground/programs.ts';
import { cancelled } from '../cancelled.ts';

const dialects: Readonly<Record<ProgramName, Dialect>> = { 'claude-code': claudeCode, codex };

export interface ProgramOptions {
  port: ProgramPort;
  /** Where the program reaches Loop's tools. */
  toolsUrl: string;
  /** Milliseconds without a sign of life; by default the program's own. */
  idleMs?: number;
}

/** Milliseconds within which calls arrive together, where nobody tells how many there are. A later one is a turn of its own. */
const togetherMs = 50;
/** The same where one that was told does not come: the program may have refused it by itself. */
const lateMs = 10_000;

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
      const asked = talk;
      const abort = (): void => end();
      signal.addEventListener('abort', abort, { once: true });
      try {
        const reply = await asked.turn(request, onText);
        if (asked.isOver) end();
        return reply;
      } catch (error) {
        end();
        throw signal.aborted ? cancelled(error, asked.usedAtMost(request)) : error;
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
  private readonly run: ProgramRun;
  private readonly events: Event[] = [];
  private readonly open = new Map<string, ProgramCall>();
  private wake: () => void = () => undefined;
  /** Its calls and its text still come. */
  private isMessageOpen = false;
  /** Ids of its calls, in the model's order. */
  private announced: string[] = [];
  /** What the next request has to begin with. */
  private said = '';
  private now: Turn = newTurn();
  isOver = false;

  constructor(program: ProgramName, request: AskRequest, { port, toolsUrl, idleMs }: ProgramOptions) {
    this.program = program;
    this.dialect = dialects[program];
    this.idleMs = idleMs ?? this.dialect.idleMs;
    const start = this.dialect.start(request, historyOf(request.messages), toolsUrl);
    this.run = port.start(
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
    const turn = (this.now = newTurn());
    // What an earlier message said stays; one that begins anew does not.
    let kept = '';
    for (;;) {
      turn.calls = turn.calls.filter((call) => !call.isWithdrawn());
      const event = await this.next(this.patienceFor(turn));
      if (event === undefined && turn.calls.length > 0) return this.reply(request, turn);
      if (event === undefined) throw this.failed('stalled', `nothing came for ${this.idleMs / 1000} s`, request);
      if ('failed' in event) throw event.failed;
      if ('call' in event) turn.calls.push(event.call);
      else if ('line' in event) {
        const { message, call, text, usage, last, failure } = this.dialect.read(event.line);
        if (message === 'begun') this.announced = [];
        if (call !== undefined) this.announced.push(call);
        if (message === 'begun') turn.text = this.isMessageOpen ? kept : (kept = turn.text);
        if (message === 'begun') turn.messages += 1;
        if (message === 'begun') turn.untold += 1;
        else if (usage) turn.untold = Math.max(0, turn.untold - 1);
        if (message !== undefined) this.isMessageOpen = message === 'begun';
        if (usage) turn.used = sum(turn.used, usage);
        if (failure?.kind === 'cut') return this.reply(request, { ...turn, calls: [], stop: 'max_tokens' });
        if (failure) throw this.errorOf(failure, request);
        if (text !== undefined) onText(text);
        turn.text += text ?? (turn.text === '' ? (last ?? '') : '');
        if (Buffer.byteLength(turn.text) > mostBytes)
          return this.reply(request, { ...turn, text: cutTo(turn.text, mostBytes), calls: [], stop: 'max_tokens' });
      } else {
        const { exit, output } = event.ended;
        this.isOver = true;
        if (exit === 0) return this.reply(request, { ...turn, calls: [], stop: 'end_turn' });
        throw this.errorOf(failureOfEnd(exit, output), request);
      }
    }
  }

  /** What its turn used at most where it breaks off now. */
  usedAtMost(request: AskRequest): Usage {
    return usageOf(request, this.now, Infinity);
  }

  end(): void {
    this.isOver = true;
    this.run.end();
    this.hear({ failed: cancelled() });
  }

  private get title(): string {
    return programTitles[this.program];
  }

  /** Milliseconds. Nothing is left to wait for where all calls of a whole message are there. */
  private patienceFor({ calls }: Turn): number {
    if (calls.length === 0 || this.isMessageOpen) return this.idleMs;
    if (this.announced.length === 0) return togetherMs;
    return this.announced.every((id) => calls.some((call) => call.id === id)) ? 0 : lateMs;
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

  private reply(request: AskRequest, turn: Turn): AskReply {
    const { text, stop } = turn;
    const { announced } = this;
    const place = ({ id }: ProgramCall): number => (id !== undefined && announced.includes(id) ? announced.indexOf(id) : announced.length);
    const calls = turn.calls.toSorted((one, other) => place(one) - place(other));
    this.announced = [];
    const content: AssistantBlock[] = text === '' ? [] : [{ type: 'text', text }];
    for (const call of calls) {
      const id = call.id !== undefined && !this.open.has(call.id) ? call.id : `call_${randomUUID()}`;
      this.open.set(id, call);
      content.push({ type: 'tool_use', id, name: call.name, input: call.input });
    }
    if (stop !== 'tool_use') this.isOver = true;
    this.said = whole(request, [...request.messages, { role: 'assistant', content }]);
    const written = Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(calls.map(({ name, input }) => [name, input])));
    return { content, stop, usage: usageOf(request, turn, written), model: request.model };
  }

  private errorOf({ kind, message }: Failure, request: AskRequest): RetryableModelError | TerminalModelError {
    // The person, or another run of the program, renewed it meanwhile: the next one has the new one.
    if (kind === 'login' && this.run.hasOldLogin()) return this.failed('connection', message, request);
    if (kind === 'busy') return this.failed('rate-limited', message, request);
    if (kind === 'failed' || kind === 'cut') return this.failed('overloaded', message, request);
    const next = kind === 'login' ? this.dialect.login : nextSteps[kind];
    const used = this.paid(request);
    return new TerminalModelError(this.words(message), kind === 'request' ? 'request' : 'authentication', next, { used });
  }

  private failed(kind: RetryableModelError['kind'], why: string, request: AskRequest): RetryableModelError {
    return new RetryableModelError(this.words(why), kind, undefined, { used: this.paid(request) });
  }

  private words(why: string): string {
    return `${this.title} could not answer: ${why.trim()}`;
  }

  /** Undefined where nothing of a reply came. */
  private paid(request: AskRequest): Usage | undefined {
    const { messages, text, calls } = this.now;
    return messages > 0 || text !== '' || calls.length > 0 ? this.usedAtMost(request) : undefined;
  }
}

const nextSteps: Readonly<Record<'limit' | 'model' | 'request' | 'unusable', string>> = {
  limit: 'Resume when the limit is renewed, or choose another model.',
  model: 'Choose a model that it knows, and resume.',
  request: 'Choose another model, and resume.',
  // Its interpreter is not in the sandbox, or it is older than what Loop says to it.
  unusable: 'Update it, and let what runs it, such as Node.js, lie outside of your home; or choose another model. Then resume.',
};

interface Turn {
  text: string;
  calls: ProgramCall[];
  used: Usage | undefined;
  /** How often the program asked its provider. */
  messages: number;
  /** Messages of which it has not told yet what they wrote. */
  untold: number;
  stop: AskReply['stop'];
}

const newTurn = (): Turn => ({ calls: [], text: '', used: undefined, messages: 0, untold: 0, stop: 'tool_use' });

/** Fewer than a token of any real text has. */
const bytesOfToken = 2;

/**
 * What the program tells, within what one request may use at most, as often as it asked; where it tells nothing, that.
 * @param written bytes
 */
function usageOf(request: AskRequest, { used, messages, untold }: Turn, written: number): Usage {
  const times = Math.max(1, messages);
  const most = { input: times * mostRead(request), output: Math.min(request.maxTokens, Math.ceil(written / bytesOfToken)) };
  const read = used ? used.input + used.cacheRead + used.cacheWrite : 0;
  const share = Math.min(1, most.input / Math.max(read, 1));
  const part = (tokens = 0): number => Math.floor(tokens * share);
  const input = { input: part(used?.input), cacheRead: part(used?.cacheRead), cacheWrite: part(used?.cacheWrite) };
  const output = used ? Math.min(used.output + untold * request.maxTokens, times * request.maxTokens) : 0;
  // Zeros tell nothing: a gateway may send them.
  return { ...input, ...(read === 0 ? { input: most.input } : {}), output: output === 0 ? most.output : output };
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
