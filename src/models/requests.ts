/**
 * What a recorded model was asked, in a file beside its recording: `recording.yaml` has `recording.requests.yaml`. A strict replay
 * compares with it. Loop writes it, without secrets and without what time, place and machine make different.
 */
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { InputError, messageOf } from '../engine/ground/errors.ts';
import { resultText, type AskRequest, type Message, type ToolSpec } from '../engine/ground/messages.ts';
import { redact } from '../engine/ground/redact.ts';
import { steady } from './steady.ts';

export interface Requests {
  /** How the run stopped. */
  ending: string;
  /** What each tool says about itself, by its name. */
  tools: Readonly<Record<string, string>>;
  asked: readonly Asked[];
}

/** One request: what it sends for the first time, and what stands before that in every request of its session. */
export interface Asked {
  role: string;
  purpose: string;
  turn: number;
  parts: Readonly<Record<string, string>>;
}

/** What identifies a request in a run. */
export function keyOf({ role, purpose, turn }: Pick<Asked, 'role' | 'purpose' | 'turn'>): string {
  return `${role} ${purpose}, turn ${turn}`;
}

/** @param messages the whole conversation, or what follows the last reply together with that reply. */
export function askedOf(
  request: Pick<AskRequest, 'role' | 'purpose' | 'turn' | 'model' | 'system' | 'context' | 'messages'> & { tools: readonly string[] },
): Asked {
  const { role, purpose, turn, model, system, context, tools, messages } = request;
  const parts: [name: string, text: string][] = [
    ['model', model],
    ['system', system],
    ...(context === undefined ? [] : [['context', context] as [string, string]]),
    ['tools', tools.join('\n')],
    ...addedParts(messages),
  ];
  return { role, purpose, turn, parts: Object.fromEntries(parts.map(([name, text]) => [name, steady(redact(text))])) };
}

/** A line for each field of its input. */
export function toolText({ description, inputSchema: { properties, ...rest } }: ToolSpec): string {
  const fields = Object.entries(properties ?? {}).map(([name, field]) => `${name}: ${JSON.stringify(field)}`);
  return [description, ...fields, JSON.stringify(rest)].join('\n');
}

/** The messages behind the last reply, block by block. */
function addedParts(messages: readonly Message[]): [name: string, text: string][] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const reply = messages[last];
  const tools = new Map(
    reply?.role === 'assistant' ? reply.content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name]] : [])) : [],
  );
  const blocks = messages.slice(last + 1).flatMap((message) => (message.role === 'user' ? message.content : []));
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const name = block.type === 'text' ? (reply ? 'words' : 'prompt') : `result of ${tools.get(block.tool_use_id) ?? 'a call'}`;
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return [n === 1 ? name : `${name} (${n})`, block.type === 'text' ? block.text : resultText(block)];
  });
}

const text = z.union([z.string(), z.int().nonnegative()]);
const file = z.strictObject({
  requests: z.literal(1),
  ending: z.string(),
  tools: z.record(z.string(), z.string()),
  texts: z.array(z.string()),
  asked: z.array(z.strictObject({ role: z.string(), purpose: z.string(), turn: z.int(), parts: z.record(z.string(), text) })),
});

/** The first line of a file that Loop wrote. */
export const requestsMark = '# What was asked when the recording beside it was played. Written by Loop.';

/** A text that several requests send stands once, under `texts`, and they have its number. */
export function writeRequests({ ending, tools, asked }: Requests): string {
  const times = new Map<string, number>();
  for (const part of asked.flatMap(({ parts }) => Object.values(parts))) times.set(part, (times.get(part) ?? 0) + 1);
  const texts = [...times].flatMap(([part, count]) => (count > 1 && part.length > shortest ? [part] : []));
  const numbers = new Map(texts.map((part, n) => [part, n]));
  const shared = asked.map((one) => ({
    ...one,
    parts: Object.fromEntries(Object.entries(one.parts).map(([name, part]) => [name, numbers.get(part) ?? part])),
  }));
  const sorted = Object.fromEntries(Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${requestsMark}\n${stringify({ requests: 1, ending, tools: sorted, texts, asked: shared }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** A text of fewer characters stands where it is sent. */
const shortest = 80;

/** @throws InputError for a file that Loop did not write. */
export function parseRequests(source: { name: string; text: string }): Requests {
  const next = 'Have it written again: play the recording with npm run replay -- --update, or record the run anew.';
  let yaml: unknown;
  try {
    yaml = parse(source.text);
  } catch (error) {
    throw new InputError(`${source.name} is no YAML: ${messageOf(error).split('\n')[0] ?? ''}.`, next);
  }
  const { data, error } = file.safeParse(yaml);
  const issue = error?.issues[0];
  if (!data) throw new InputError(`${source.name}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}.`, next);
  const { ending, tools, texts } = data;
  const wholeOf = (part: string | number): string => (typeof part === 'string' ? part : (texts[part] ?? ''));
  const asked = data.asked.map((one) => ({
    ...one,
    parts: Object.fromEntries(Object.entries(one.parts).map(([name, part]) => [name, wholeOf(part)])),
  }));
  return { ending, tools, asked };
}

/** The file beside a recording. */
export function requestsFileOf(recording: string): string {
  return recording.replace(/(\.ya?ml|\.json)?$/, '.requests.yaml');
}
