/**
 * A model of the editor's own (`vscode.lm`). The editor asks it, in another thread; this side knows no editor (I12). The editor
 * tells neither prices nor what a call used, so tokens are counted by the model's own count, within bounds.
 */
import { mostRead, worstCase } from '../engine/agents/cost.ts';
import { RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';
import type { AskReply, AskRequest, AssistantBlock, Usage } from '../engine/ground/messages.ts';
import { ownName } from '../engine/ground/model-names.ts';
import type { AbortSignal, Model } from '../engine/ports.ts';
import { chatOf, type ChatMessage, type ChatTool } from './editor-chat.ts';
import { cancelled } from './cancelled.ts';

/** What the editor is asked; plain data, since it goes to another thread. */
export interface EditorRequest {
  /** `vendor/id`. */
  model: string;
  messages: ChatMessage[];
  tools: ChatTool[];
  /** Bytes of a reply after which it is cut. */
  mostBytes: number;
}

export interface EditorReply {
  text: string;
  calls: { id: string; name: string; input: unknown }[];
  /** It was longer than `mostBytes`. */
  isCut: boolean;
  /** By the model's own count; null where it gives none. */
  tokens: { input: number | null; output: number | null };
}

/** Why the editor could not answer. */
export interface EditorFailure {
  kind: 'refused' | 'quota' | 'gone' | 'failed';
  message: string;
}

export interface EditorPort {
  /** Tokens of input that each model takes, by its name. */
  windows: Readonly<Record<string, number>>;
  /** Resolves with a failure in place of a reply; rejects only where the signal aborts. */
  ask(request: EditorRequest, onText: (delta: string) => void, signal: AbortSignal): Promise<EditorReply | EditorFailure>;
}

/** Milliseconds without a sign of life: some models think for minutes before their first word. */
const idleTimeoutMs = 300_000;
const smallestWindow = 16_000;

export function createEditorModel(port: EditorPort, idleMs = idleTimeoutMs): Model {
  return {
    id: 'editor',
    prices: () => undefined,
    window: (name) => port.windows[name] ?? smallestWindow,
    ask: (request, onText, signal) => ask(port, request, onText, { signal, idleMs }),
  };
}

interface Watch {
  signal: AbortSignal;
  idleMs: number;
}

async function ask(port: EditorPort, request: AskRequest, onText: (delta: string) => void, { signal, idleMs }: Watch): Promise<AskReply> {
  if (signal.aborted) throw cancelled();
  const watch = new AbortController();
  const stop = (): void => watch.abort();
  signal.addEventListener('abort', stop, { once: true });
  let isStalled = false;
  let hasBegun = false;
  const timer = setTimeout(() => {
    isStalled = true;
    watch.abort();
  }, idleMs);
  try {
    const answer = await port.ask(
      { model: ownName(request.model), ...chatOf(request), mostBytes: request.maxTokens * bytesOfToken },
      (delta) => {
        timer.refresh();
        hasBegun = true;
        onText(delta);
      },
      watch.signal,
    );
    if (signal.aborted || isStalled) throw cancelled();
    if ('kind' in answer) throw errorOf(answer, request.model, hasBegun ? worstCase(request) : undefined);
    return replyOf(request, answer);
  } catch (error) {
    if (signal.aborted) throw cancelled(error, worstCase(request));
    if (isStalled) throw new RetryableModelError(`Nothing came from the editor's model for ${idleMs / 1000} s.`, 'stalled');
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Fewer than a token of any real text has, and more than one has. */
const bytesOfToken = 2;
const mostBytesOfToken = 8;

function replyOf(request: AskRequest, { text, calls, isCut, tokens }: EditorReply): AskReply {
  const content: AssistantBlock[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
  ];
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(calls));
  const usage: Usage = {
    input: withinBounds(tokens.input, mostRead(request)),
    output: withinBounds(tokens.output, Math.ceil(bytes / bytesOfToken)),
    cacheRead: 0,
    cacheWrite: 0,
  };
  const stop = isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  return { content, stop, usage, model: request.model };
}

/** A model that counts nothing, or too little, would never reach its bound. */
function withinBounds(counted: number | null, most: number): number {
  if (counted === null || !Number.isFinite(counted)) return most;
  return Math.min(most, Math.max(Math.ceil(counted), Math.ceil((most * bytesOfToken) / mostBytesOfToken)));
}

function errorOf({ kind, message }: EditorFailure, model: string, used: Usage | undefined): RetryableModelError | TerminalModelError {
  const name = ownName(model);
  if (kind === 'failed') return new RetryableModelError(`The editor's model ${name} failed: ${message}`, 'overloaded', undefined, { used });
  const { words, next } = terminals[kind];
  return new TerminalModelError(`${words(name)} (${message})`, 'authentication', next, { used });
}

const terminals: Record<Exclude<EditorFailure['kind'], 'failed'>, { words: (name: string) => string; next: string }> = {
  refused: {
    words: (name) => `The editor does not let Loop use ${name}`,
    next: 'Allow it with "Manage Language Model Access", or choose another model, and resume.',
  },
  quota: {
    words: (name) => `${name} does not take the request; its quota may be used up`,
    next: 'Resume when the quota is renewed, or choose another model.',
  },
  gone: { words: (name) => `The editor has no model ${name} any more`, next: 'Choose another model, and resume.' },
};
