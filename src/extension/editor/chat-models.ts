/**
 * The editor's own language models. Loop's engine asks them through here, since only the extension host has them. The editor asks
 * the person once whether Loop may use one; nothing is sent before they chose it.
 */
import * as vscode from 'vscode';
import type { ChatMessage, ChatPart } from '../../models/editor-chat.ts';
import { t } from '../../views/words.ts';
import type { EditorFailure, EditorReply, EditorRequest } from '../../models/editor.ts';

export interface OfferedChat {
  /** `editor:vendor/id`, as the configuration has it. */
  name: string;
  label: string;
  vendor: string;
  /** Tokens of input. */
  window: number;
}

const justification = t('Loop plans, builds and verifies with it what your Vision and PRD ask for.');

export class ChatModels {
  constructor(private readonly access: vscode.LanguageModelAccessInformation) {}

  async list(): Promise<OfferedChat[]> {
    const chats = await vscode.lm.selectChatModels();
    return chats.map(({ vendor, id, name, maxInputTokens }) => ({
      name: `editor:${vendor}/${id}`,
      label: name,
      vendor,
      window: maxInputTokens,
    }));
  }

  /**
   * Has the editor ask for the person's consent where it has not yet; to be called on a click of theirs.
   * @returns why Loop may not use it.
   */
  async consent(name: string): Promise<EditorFailure | undefined> {
    const chat = await chatOf(name.replace(/^editor:/, ''));
    if (!chat) return gone();
    const known = this.access.canSendRequest(chat);
    if (known === true) return undefined;
    const request = { model: name.replace(/^editor:/, ''), messages: hello, tools: [], mostBytes: 200 };
    const answer = await this.ask(request, () => undefined, new AbortController().signal);
    return 'kind' in answer ? answer : undefined;
  }

  /** Never rejects. */
  async ask(request: EditorRequest, onText: (delta: string) => void, signal: AbortSignal): Promise<EditorReply | EditorFailure> {
    const cut = new vscode.CancellationTokenSource();
    signal.addEventListener('abort', () => cut.cancel(), { once: true });
    try {
      const chat = await chatOf(request.model);
      if (!chat) return gone();
      const messages = request.messages.map(messageOf);
      const tools = request.tools.map((tool) => ({ ...tool }));
      const response = await chat.sendRequest(messages, { justification, ...(tools.length > 0 ? { tools } : {}) }, cut.token);
      const reply = await readReply(response, request.mostBytes, onText);
      if (reply.isCut) cut.cancel();
      return { ...reply, tokens: await countTokens(chat, request, reply) };
    } catch (error) {
      return failureOf(error);
    } finally {
      cut.dispose();
    }
  }
}

const hello: ChatMessage[] = [{ from: 'user', parts: [{ text: 'Answer with one word: hello.' }] }];

/** @param model `vendor/id`; an id may hold a slash. */
async function chatOf(model: string): Promise<vscode.LanguageModelChat | undefined> {
  const slash = model.indexOf('/');
  const [chat] = await vscode.lm.selectChatModels({ vendor: model.slice(0, slash), id: model.slice(slash + 1) });
  return chat;
}

function messageOf({ from, parts }: ChatMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(from === 'user' ? User : Assistant, parts.map(partOf));
}

function partOf(part: ChatPart): vscode.LanguageModelInputPart {
  if ('text' in part) return new vscode.LanguageModelTextPart(part.text);
  if ('call' in part) return new vscode.LanguageModelToolCallPart(part.call.id, part.call.name, inputOf(part.call.input));
  const { id, text, pictures } = part.result;
  const shown = pictures.map((data) => vscode.LanguageModelDataPart.image(Buffer.from(data, 'base64'), 'image/png'));
  return new vscode.LanguageModelToolResultPart(id, [new vscode.LanguageModelTextPart(text), ...shown]);
}

function inputOf(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : {};
}

/** Reads until the reply ends, or is longer than it may be: a call that is not whole by then is left out. */
async function readReply(
  response: vscode.LanguageModelChatResponse,
  mostBytes: number,
  onText: (delta: string) => void,
): Promise<Omit<EditorReply, 'tokens'>> {
  const reply = { text: '', calls: [] as EditorReply['calls'], isCut: false };
  let bytes = 0;
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      bytes += Buffer.byteLength(part.value);
      reply.text += part.value;
      onText(part.value);
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      bytes += Buffer.byteLength(JSON.stringify(part.input));
      if (bytes <= mostBytes) reply.calls.push({ id: part.callId, name: part.name, input: part.input });
      // A sign of life: a long call has no text.
      onText('');
    }
    if (bytes > mostBytes) return { ...reply, isCut: true };
  }
  return reply;
}

/** By the model's own count; what it cannot count is taken at its most by the engine. */
async function countTokens(
  chat: vscode.LanguageModelChat,
  { messages, tools }: EditorRequest,
  { text, calls }: Pick<EditorReply, 'text' | 'calls'>,
): Promise<EditorReply['tokens']> {
  const count = async (of: string): Promise<number | null> => {
    try {
      return await chat.countTokens(of);
    } catch {
      return null;
    }
  };
  const sent = JSON.stringify([messages.map(({ parts }) => parts.map(withoutPictures)), tools]);
  const [input, output] = await Promise.all([count(sent), count(text + (calls.length > 0 ? JSON.stringify(calls) : ''))]);
  return { input, output };
}

function withoutPictures(part: ChatPart): ChatPart {
  return 'result' in part ? { result: { ...part.result, pictures: [] } } : part;
}

function failureOf(error: unknown): EditorFailure {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  return { kind: kinds[code] ?? 'failed', message };
}

/** By the error's code. */
const kinds: Readonly<Record<string, EditorFailure['kind']>> = {
  [vscode.LanguageModelError.NoPermissions.name]: 'refused',
  [vscode.LanguageModelError.Blocked.name]: 'quota',
  [vscode.LanguageModelError.NotFound.name]: 'gone',
};

function gone(): EditorFailure {
  return { kind: 'gone', message: t('no extension offers it') };
}
