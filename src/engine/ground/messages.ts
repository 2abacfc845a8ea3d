/**
 * The conversation with a model: the part of the Anthropic Messages API that Loop needs. Messages are stored exactly as
 * they were sent, so that a session can be rebuilt from its payloads.
 */
import * as z from 'zod';

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
const imageBlock = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('base64'), media_type: z.literal('image/png'), data: z.string() }),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.union([textBlock, imageBlock]))]),
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

/** Content of a tool's result: the text and, if there is one, an image (base64 PNG). */
export function resultContent(text: string, png: string | undefined): ToolResult['content'] {
  if (png === undefined) return text;
  return [
    { type: 'text', text },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  ];
}

/** A result as text, with a mark for each picture. */
export function resultText({ content }: ToolResult): string {
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n');
}

/** The messages as JSON without images, and the number of images: providers bill these by size in pixels, not as text. */
export function withoutPictures(messages: readonly Message[]): { text: string; pictures: number } {
  const results = messages.flatMap((m) => (m.role === 'user' ? m.content : []));
  const pictures = results.reduce((sum, block) => sum + imagesOf(block).length, 0);
  const text = JSON.stringify(messages.map((m) => (m.role === 'user' ? { ...m, content: m.content.map(withoutImages) } : m)));
  return { text, pictures };
}

type UserBlock = Extract<Message, { role: 'user' }>['content'][number];

function imagesOf(block: UserBlock): unknown[] {
  return block.type === 'tool_result' && typeof block.content !== 'string' ? block.content.filter((part) => part.type === 'image') : [];
}

function withoutImages(block: UserBlock): UserBlock {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
  return { ...block, content: block.content.filter((part) => part.type === 'text') };
}

/** Tokens of one call. The total input is `input` + `cacheRead` + `cacheWrite`. */
export const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** Web searches; each one is billed. Absent means none. */
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
  /** `<action>/<target>#<attempt>`. A recorded model finds its reply by this and `turn`. */
  purpose: string;
  /** 1-based turn within the session. */
  turn: number;
  model: string;
  effort?: 'low' | 'medium' | 'high' | 'max';
  maxTokens: number;
  /** The part that stays the same for a whole sprint, which the provider caches. */
  system: string;
  /** Stands behind it with a cache point of its own: what discovery found, which sessions before it do not have. */
  context?: string | undefined;
  tools: ToolSpec[];
  /** Offers the provider's own search and fetch. */
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
