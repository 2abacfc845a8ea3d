/**
 * The conversation with a model, in the shape that is stored and sent (Anthropic Messages API, the least that Loop needs).
 * What was sent is stored as sent (I13), so that a session can be rebuilt from its payloads.
 */
import { z } from 'zod';

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  /** As the model wrote it; every tool parses it with its own schema. */
  input: z.unknown(),
});
/** Thinking and server blocks are kept verbatim: the API refuses a history in which they were edited. */
const opaqueBlock = z.looseObject({
  type: z.enum(['thinking', 'redacted_thinking', 'server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result']),
});
const picture = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('base64'), media_type: z.literal('image/png'), data: z.string() }),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.union([textBlock, picture]))]),
  is_error: z.boolean().optional(),
});

export const assistantBlock = z.union([textBlock, toolUse, opaqueBlock]);
export type AssistantBlock = z.infer<typeof assistantBlock>;
export type ToolUse = z.infer<typeof toolUse>;
export type ToolResult = z.infer<typeof toolResult>;

export const message = z.union([
  z.object({ role: z.literal('user'), content: z.array(z.union([textBlock, toolResult])) }),
  z.object({ role: z.literal('assistant'), content: z.array(assistantBlock) }),
]);
export type Message = z.infer<typeof message>;

/** What a tool's result says, with what it shows where there is a picture (base64 PNG). */
export function resultContent(text: string, png: string | undefined): ToolResult['content'] {
  if (png === undefined) return text;
  return [
    { type: 'text', text },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  ];
}

/** Messages as text without their pictures, which are no text and are billed by their size on the screen, and how many there are. */
export function withoutPictures(messages: readonly Message[]): { text: string; pictures: number } {
  const results = messages.flatMap((m) => (m.role === 'user' ? m.content : []));
  const pictures = results.reduce((sum, block) => sum + picturesOf(block).length, 0);
  const text = JSON.stringify(messages.map((m) => (m.role === 'user' ? { ...m, content: m.content.map(worded) } : m)));
  return { text, pictures };
}

type UserBlock = Extract<Message, { role: 'user' }>['content'][number];

function picturesOf(block: UserBlock): unknown[] {
  return block.type === 'tool_result' && typeof block.content !== 'string' ? block.content.filter((p) => p.type === 'image') : [];
}

function worded(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
  return { ...block, content: block.content.filter((part) => part.type === 'text') };
}

/** Tokens of one call; total input is the sum of the three input figures. */
export const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** Web searches, which are billed each; none where it is left out. */
  searches: z.number().optional(),
});
export type Usage = z.infer<typeof usage>;

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema. */
  inputSchema: Record<string, unknown>;
}

export interface AskRequest {
  role: string;
  /** `<action>/<target>#<attempt>`: with `turn`, what a recorded model matches on. */
  purpose: string;
  /** 1-based turn within the session. */
  turn: number;
  model: string;
  effort?: 'low' | 'medium' | 'high' | 'max';
  maxTokens: number;
  /** The stable part, cached; what changes is in `messages`. */
  system: string;
  tools: ToolSpec[];
  /** The provider's own tools, run by it: search and fetch. */
  web?: boolean;
  messages: Message[];
}

export const askReply = z.object({
  content: z.array(assistantBlock),
  stop: z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal', 'pause_turn']),
  usage,
  model: z.string(),
});
export type AskReply = z.infer<typeof askReply>;
