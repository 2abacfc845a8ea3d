/** A conversation in the form that the editor's models take: text, calls and results, and no place for a system prompt. Pure. */
import type { AskRequest, Message, ToolResult } from '../engine/ground/messages.ts';

export type ChatPart =
  | { text: string }
  | { call: { id: string; name: string; input: unknown } }
  /** `pictures`: base64 PNG. */
  | { result: { id: string; text: string; pictures: string[] } };
export interface ChatMessage {
  from: 'user' | 'model';
  parts: ChatPart[];
}
export interface ChatTool {
  name: string;
  description: string;
  inputSchema: object;
}

/** The system prompt goes first, as the editor's documentation advises. Blocks that only another provider reads are left out. */
export function chatOf({ system, context = '', messages, tools }: Pick<AskRequest, 'system' | 'context' | 'messages' | 'tools'>): {
  messages: ChatMessage[];
  tools: ChatTool[];
} {
  const stable = [system, context].filter((text) => text !== '').map((text) => ({ text }));
  const first: ChatMessage[] = stable.length === 0 ? [] : [{ from: 'user', parts: stable }];
  const rest = messages.map((message): ChatMessage => ({ from: message.role === 'user' ? 'user' : 'model', parts: partsOf(message) }));
  return {
    messages: [...first, ...rest.filter(({ parts }) => parts.length > 0)],
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  };
}

function partsOf({ content }: Message): ChatPart[] {
  return content.flatMap((block): ChatPart[] => {
    if (block.type === 'text') return [{ text: block.text }];
    if (block.type === 'tool_use') return [{ call: { id: block.id, name: block.name, input: block.input } }];
    return block.type === 'tool_result' ? [{ result: resultOf(block) }] : [];
  });
}

/** The editor has no mark for a result that is an error, so its text says so. */
function resultOf({ tool_use_id: id, content, is_error: isError }: ToolResult): { id: string; text: string; pictures: string[] } {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const pictures = parts.flatMap((part) => (part.type === 'image' ? [part.source.data] : []));
  return { id, text: isError ? `Error: ${text}` : text, pictures };
}
