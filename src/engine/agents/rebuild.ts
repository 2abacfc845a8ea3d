/**
 * Rebuilds a session's conversation from the open action's steps and their payloads, exactly as it was sent (I13). Every
 * session begins this way, whether it is new or resumes after a crash.
 */
import type { Payloads } from '../ports.ts';
import type { OpenAction, Part } from '../state/state.ts';
import type { StepId } from '../state/events.ts';
import type { Added, StoredRequest } from './ask.ts';
import { askReply, type AskReply, type Message } from '../ground/messages.ts';

export interface Conversation {
  /** Everything up to and including the last reply, since the last hand-over. */
  messages: Message[];
  /** The last reply, whose calls may be unanswered; undefined before the first. */
  last: { id: StepId; reply: AskReply; asked: Added['as'] } | undefined;
  /** Replies in a row, with the last, that the limit of tokens cut before a call in them was whole. */
  cuts: number;
  /** A model call that began and has no reply yet. */
  unanswered: { id: StepId; added: Added } | undefined;
  turns: number;
  /** The model of its first turn, which it keeps; undefined before that. */
  model: string | undefined;
  /** Ids of the person's words that are in it. */
  words: string[];
}

export async function rebuild(open: OpenAction, payloads: Payloads): Promise<Conversation> {
  const conversation: Conversation = {
    messages: [],
    last: undefined,
    cuts: 0,
    unanswered: undefined,
    turns: 0,
    model: undefined,
    words: [],
  };
  for (const [id, part] of open.parts) {
    if (part.begun?.kind === 'ask') await addAsk(conversation, id, part, payloads);
  }
  return conversation;
}

async function addAsk(conversation: Conversation, id: StepId, part: Part, payloads: Payloads): Promise<void> {
  if (part.begun?.kind !== 'ask') return;
  const { messages, model, as } = JSON.parse(await payloads.get(part.begun.request)) as StoredRequest;
  conversation.model ??= model;
  const { words } = part.begun;
  add(conversation, { messages, as, words });
  if (!part.ended?.result) {
    conversation.unanswered = { id, added: { messages, as, words } };
    return;
  }
  hear(conversation, { id, reply: askReply.parse(JSON.parse(await payloads.get(part.ended.result))), asked: as });
}

/** Adds what the next turn sends. */
export function add(conversation: Conversation, { messages, as, words = [] }: Added): void {
  if (as === 'anew') [conversation.messages, conversation.words] = [[], []];
  conversation.messages.push(...messages);
  conversation.words.push(...words);
  conversation.turns += 1;
}

/** Adds the reply to it. */
export function hear(conversation: Conversation, heard: NonNullable<Conversation['last']>): void {
  const { content, stop } = heard.reply;
  conversation.messages.push({ role: 'assistant', content });
  conversation.last = heard;
  conversation.unanswered = undefined;
  const isCut = stop === 'max_tokens' && !content.some(({ type }) => type === 'tool_use');
  conversation.cuts = isCut ? conversation.cuts + 1 : 0;
}
