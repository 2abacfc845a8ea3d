/**
 * A session that nears the model's window ends its conversation with a hand-over, and goes on in a new one from its prompt, that
 * hand-over and what its calls showed. Both are turns like all others: journaled, paid and counted.
 */
import { resultText, type AskReply, type AskRequest, type Message, type ToolResult } from '../ground/messages.ts';
import { promptText } from '../ground/prompts.ts';
import { pieceOf } from '../ground/text.ts';
import type { Model } from '../ports.ts';
import type { Added } from './ask.ts';
import { mostRead } from './cost.ts';
import type { Conversation } from './rebuild.ts';

/** The share of the window from which a session hands over: the rest must hold the hand-over and the reply. */
const fullShare = 0.8;

/** Characters of a result in the request for a hand-over. */
const lastSight = 2000;

/** Characters of the list of calls after it, and of the input and the result of each. */
const most = { list: 24_000, input: 160, result: 300 };

/** Whether what comes next would fill the window too far. Both counts are upper bounds; the provider's includes what its web tools read. */
export function isTooLong(request: AskRequest, next: Added, last: AskReply | undefined, model: Pick<Model, 'window'>): boolean {
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = last?.usage ?? {};
  const added = mostRead({ system: '', tools: [], messages: next.messages });
  const full = fullShare * model.window(request.model);
  // To count all of it anew takes long, and is mostly not needed.
  if (input + cacheRead + cacheWrite + output + added <= full) return false;
  return mostRead({ ...request, messages: [...request.messages, ...next.messages] }) > full;
}

/** Asks for the hand-over in place of the next turn. Results are cut, since a reply may have had many calls. */
export function handOver({ messages }: Added): Added {
  const blocks = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
  const content = blocks.map((block) =>
    block.type === 'tool_result' ? { ...block, content: beginning(resultText(block), lastSight) } : block,
  );
  return { messages: [{ role: 'user', content: [...content, { type: 'text', text: promptText('hand-over') }] }], as: 'hand-over' };
}

/** The first turn after the hand-over, which is the last reply. */
export function goOn(prompt: string, { messages, last }: Conversation): Added {
  const texts = last?.reply.content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : [])) ?? [];
  const values = { handOver: texts.join('\n\n') || 'You wrote none.', calls: callsIn(messages) || 'None.' };
  const text = `${prompt}\n\n${promptText('handed-over', values)}`;
  return { messages: [{ role: 'user', content: [{ type: 'text', text }] }], as: 'anew' };
}

/** One line a call, oldest first; the newest are kept where they are too many. */
function callsIn(messages: readonly Message[]): string {
  const results = new Map(messages.flatMap(resultsOf).map((result) => [result.tool_use_id, result]));
  const lines = messages
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .flatMap((block) => {
      const result = block.type === 'tool_use' ? results.get(block.id) : undefined;
      if (block.type !== 'tool_use' || !result) return [];
      return [`- ${block.name} ${oneLine(JSON.stringify(block.input), most.input)} → ${oneLine(resultText(result), most.result)}`];
    });
  let length = 0;
  const kept = lines.reverse().filter((line) => (length += line.length + 1) <= most.list);
  const left = lines.length - kept.length;
  return [...(left > 0 ? [`(${left} earlier calls are left out.)`] : []), ...kept.reverse()].join('\n');
}

function resultsOf(message: Message): ToolResult[] {
  return message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [];
}

function oneLine(text: string, length: number): string {
  return beginning(text.replaceAll(/\s+/g, ' ').trim(), length);
}

function beginning(text: string, length: number): string {
  return text.length <= length ? text : `${pieceOf(text, 0, length)} … (${text.length} characters)`;
}
