/**
 * A conversation as one text. A program remembers a conversation only while it runs: where it has to be started in the middle of
 * one, after a crash or an error, it is told what was said and done. Pure.
 */
import type { Message, ToolResult } from '../../engine/ground/messages.ts';
import { promptText } from '../../engine/ground/prompts.ts';

export interface History {
  text: string;
  /** Base64 PNG, in the order in which the text names them. */
  pictures: string[];
}

export function historyOf(messages: readonly Message[]): History {
  const pictures: string[] = [];
  const picture = (png: string): string => `[picture ${pictures.push(png)}]`;
  const [first, ...later] = messages.map((message) => partsOf(message, picture).join('\n\n'));
  if (later.length === 0) return { text: first ?? '', pictures };
  const said = [first, ...later].map((text, n) => `<${messages[n]?.role}>\n${text}\n</${messages[n]?.role}>`);
  return { text: promptText('program-history', { history: said.join('\n\n') }), pictures };
}

type Show = (png: string) => string;

function partsOf(message: Message, show: Show): string[] {
  if (message.role === 'user')
    return message.content.map((block) => (block.type === 'text' ? block.text : `${titleOf(block)}\n${resultText(block, show)}`));
  return message.content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'tool_use' ? [`[call ${block.id}] ${block.name} ${JSON.stringify(block.input)}`] : [];
  });
}

function titleOf({ tool_use_id: id, is_error: isError }: ToolResult): string {
  return isError ? `[call ${id} failed]` : `[call ${id} showed]`;
}

function resultText({ content }: ToolResult, show: Show): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : show(part.source.data))).join('\n');
}
