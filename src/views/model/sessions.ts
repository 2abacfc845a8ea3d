/** The sessions of a sprint as documents to read: what an agent was told, each turn, its calls and their results. */
import type { StoredRequest } from '../../engine/agents/ask.ts';
import { askReply, type AskReply, type ToolUse } from '../../engine/ground/messages.ts';
import { decisionWords } from '../../engine/render/explanation.ts';
import type { Decision, Ended, Event, EventOf, Step, StepId } from '../../engine/state/events.ts';
import { clip, sentence } from '../../engine/ground/text.ts';
import { durationWords, inert, plain } from './display-text.ts';
import { roleName } from './activity.ts';
import type { GetPayload } from './history-entries.ts';
import { toolWords } from './tool-words.ts';
import { plural, t, translated } from '../words.ts';

export interface SessionView {
  /** Its decision. */
  step: StepId;
  /** `Building: T2`. */
  words: string;
  role: string;
  /** Milliseconds since the epoch. */
  at: number;
  turns: number;
  isUnderWay: boolean;
  outcome: string;
}

type Asked = Extract<Step, { kind: 'ask' }>;

/** One decision with the model calls and tool calls that belong to it. */
interface Told {
  decision: Decision;
  at: number;
  asks: { step: Asked; at: number }[];
  begun: Map<StepId, number>;
  ended: Map<StepId, Ended>;
  end: Ended | undefined;
}

/** Newest first. */
export function sessionsIn(events: readonly Event[]): SessionView[] {
  return [...toldIn(events)]
    .flatMap(([step, { decision, at, asks, end }]): SessionView[] => {
      const [first] = asks;
      if (!first) return [];
      const words = plain(decisionWords(decision), 100);
      return [{ step, words, role: roleName(first.step.role), at, turns: asks.length, isUnderWay: !end, outcome: outcomeOf(end) }];
    })
    .reverse();
}

function outcomeOf(end: Ended | undefined): string {
  return end ? translated(end.outcome) : t('under way');
}

/** @param now what the agent does at this moment, in words. @returns undefined where there is no such session. */
export async function sessionText(
  events: readonly Event[],
  step: StepId,
  get: GetPayload,
  now: readonly string[],
): Promise<string | undefined> {
  const told = toldIn(events).get(step);
  const [first] = told?.asks ?? [];
  if (!told || !first) return undefined;
  const { decision, at, asks, end } = told;
  const request = await requestOf(first.step, get);
  const parts = [
    `# ${plain(decisionWords(decision), 100)}`,
    [roleName(first.step.role), request?.model ?? '', timeWords(at), plural(asks.length, '{0} turn', '{0} turns'), outcomeOf(end)]
      .filter((part) => part !== '')
      .join(' · '),
    t('Why: {0}', sentence(plain(decision.why, 1000))),
    t('## Beginning'),
    t('### What it was told\n\n{0}', fenced(request ? textsOf(request) : missing)),
    ...(await Promise.all(asks.map((ask, index) => turnText(told, ask, { index, get })))),
    !end && now.length > 0 ? t('## Now\n\n{0}', now.map((line) => `- ${inert(line)}`).join('\n')) : '',
    end?.why === undefined ? '' : t('## How it ended\n\n{0}', sentence(plain(end.why, 1000))),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function toldIn(events: readonly Event[]): Map<StepId, Told> {
  const all = new Map<StepId, Told>();
  let open: Told | undefined;
  for (const event of events) {
    if (event.type === 'step.begun') open = begin(all, open, event);
    if (event.type === 'step.ended' && open) {
      if (all.get(event.id) === open) [open.end, open] = [event, undefined];
      else open.ended.set(event.id, event);
    }
  }
  return all;
}

function begin(all: Map<StepId, Told>, open: Told | undefined, { step, at }: EventOf<'step.begun'>): Told | undefined {
  if (step.kind === 'action') {
    const told: Told = { decision: step.decision, at, asks: [], begun: new Map(), ended: new Map(), end: undefined };
    all.set(step.id, told);
    return told;
  }
  // A try that failed begins again, and is the same turn.
  if (step.kind === 'ask' && open?.begun.has(step.id) === false) open.asks.push({ step, at });
  open?.begun.set(step.id, at);
  return open;
}

const missing = t('(this text is missing from .loop/payloads)');

async function requestOf({ request }: Asked, get: GetPayload): Promise<StoredRequest | undefined> {
  return get(request)
    .then((text) => JSON.parse(text) as StoredRequest)
    .catch(() => undefined);
}

/** What Loop said; results of calls stand below the call. */
function textsOf({ messages }: StoredRequest): string {
  const blocks = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

interface Turn {
  /** From 0. */
  index: number;
  get: GetPayload;
}

async function turnText(told: Told, { step, at }: Told['asks'][number], { index, get }: Turn): Promise<string> {
  const said = index === 0 ? '' : textsOf((await requestOf(step, get)) ?? { system: '', tools: [], model: '', messages: [] });
  const ref = told.ended.get(step.id)?.result;
  const reply = ref === undefined ? undefined : await replyOf(ref, get);
  const calls = reply?.content.filter((block): block is ToolUse => block.type === 'tool_use') ?? [];
  const texts = reply?.content.flatMap((block) => (block.type === 'text' ? [quoted(block.text)] : [])) ?? [];
  return [
    t('## Turn {0} · {1}', index + 1, timeWords(at)),
    said === '' ? '' : t('Loop said:\n\n{0}', fenced(said)),
    ref === undefined ? t('The model has not answered yet.') : reply ? '' : missing,
    ...texts,
    ...(await Promise.all(calls.map((call, n) => callText(told, call, { id: `${step.id}/c${n + 1}`, get })))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

async function replyOf(ref: string, get: GetPayload): Promise<AskReply | undefined> {
  const text = await get(ref).catch(() => '');
  return text === '' ? undefined : askReply.parse(JSON.parse(text));
}

async function callText({ begun, ended }: Told, { name, input }: ToolUse, { id, get }: { id: StepId; get: GetPayload }): Promise<string> {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const first = fields.map(([, value]) => value).find((value) => typeof value === 'string') ?? '';
  const end = ended.get(id);
  const [from, result] = [begun.get(id), end?.result];
  const status = end?.exit === undefined ? '' : t(' · exit status {0}', end.exit);
  const took = end && from !== undefined ? ` · ${durationWords(end.at - from)}` : '';
  const outcome = !end ? t(' · under way') : end.outcome === 'done' ? '' : ` · ${translated(end.outcome)}`;
  return [
    `### ${plain(toolWords(name, first.split('\n')[0] ?? ''), 120)}${status}${took}${outcome}`,
    ...fields.map(([key, value]) => fieldText(key, value)),
    result === undefined ? '' : t('Result:\n\n{0}', fenced(await get(result).catch(() => missing))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fieldText(key: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('\n') || text.length > 100 ? `${plain(key)}:\n\n${fenced(text)}` : `${plain(key)}: ${inert(text)}`;
}

/** Characters of one text; the payloads keep all of it. */
const limit = 20_000;

/** In a fence that the text cannot end. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${inert(clip(text, limit)).trimEnd()}\n${fence}`;
}

export function quoted(text: string): string {
  return inert(clip(text, limit))
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** By the person's clock. The Swedish write `2026-11-29 10:41:24`. */
function timeWords(at: number): string {
  return new Date(at).toLocaleString('sv-SE');
}
