/**
 * Writes down a run as a recording (format: `recording.ts`) and what its model was asked (`requests.ts`), from its journal: so both
 * hold every life of the run, also those before they were wanted.
 */
import { stringify } from 'yaml';
import type { StoredRequest } from '../engine/agents/ask.ts';
import { askReply, type AskReply, type Message } from '../engine/ground/messages.ts';
import { redact } from '../engine/ground/redact.ts';
import type { Payloads } from '../engine/ports.ts';
import type { Event } from '../engine/state/events.ts';
import { presentTool } from '../engine/state/older.ts';
import { toolsNamed } from '../engine/tools/registry.ts';
import { specOf } from '../engine/tools/tool.ts';
import { askedOf, toolText, type Asked, type Requests } from './requests.ts';

/** The first line of a recording that Loop wrote. */
export const recordingMark = '# Recorded by Loop. To play it: loop run SPRINT --model recorded:FILE';

/** One request, and its reply; undefined where none came. */
export interface Turn {
  asked: Asked;
  tools: readonly string[];
  reply: AskReply | undefined;
}

/** All requests of a run in order, each once, without secrets; what a provider's own tools did is not in them. */
export async function turnsIn(events: readonly Event[], payloads: Pick<Payloads, 'get'>): Promise<Turn[]> {
  const results = new Map(events.flatMap((e) => (e.type === 'step.ended' && e.result !== undefined ? [[e.id, e.result] as const] : [])));
  const last = new Map<string, Message>();
  const turns = new Map<string, Turn>();
  for (const event of events) {
    if (event.type !== 'step.begun' || event.step.kind !== 'ask' || turns.has(event.step.id)) continue;
    const { id, role, purpose, turn, request: ref } = event.step;
    const { system, context, model, messages, as, ...stored } = JSON.parse(await payloads.get(ref)) as StoredRequest;
    const tools = stored.tools.map(presentTool);
    const session = `${role} ${purpose}`;
    const before = as === 'anew' ? undefined : last.get(session);
    const asked = askedOf({ role, purpose, turn, system, context, model, tools, messages: [...(before ? [before] : []), ...messages] });
    const result = results.get(id);
    const reply = result === undefined ? undefined : askReply.parse(JSON.parse(await payloads.get(result)));
    turns.set(id, { asked, tools, reply });
    if (reply) last.set(session, { role: 'assistant', content: reply.content });
  }
  return [...turns.values()];
}

/** The recording's text. */
export function recordingOf(turns: readonly Turn[]): string {
  const sessions = new Map<string, { role: string; purpose: string; turns: object[] }>();
  for (const { asked, reply } of turns) {
    if (!reply) continue;
    const { role, purpose } = asked;
    const session = sessions.get(`${role} ${purpose}`) ?? { role, purpose, turns: [] };
    session.turns.push(turnOf(reply));
    sessions.set(`${role} ${purpose}`, session);
  }
  // Before it is YAML: a mark in place of a whole value would be read as a list.
  const text = stringify(
    { recording: 1, sessions: [...sessions.values()] },
    (_, value: unknown) => (typeof value === 'string' ? redact(value) : value),
    { lineWidth: 0 },
  );
  return `${recordingMark}\n${text}`;
}

/** @param ending how the run stopped. */
export function requestsOf(turns: readonly Turn[], ending: string): Requests {
  const tools = toolsNamed([...new Set(turns.flatMap((turn) => turn.tools))]).map(specOf);
  return {
    ending,
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toolText(tool)])),
    asked: turns.map(({ asked }) => asked),
  };
}

function turnOf({ content, stop, usage }: AskReply): object {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [{ [block.name]: block.input }] : []));
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    ...(text === '' ? {} : { text }),
    ...(calls.length > 0 ? { calls } : {}),
    usage: { input, output, cacheRead, cacheWrite },
    ...(stop === (calls.length > 0 ? 'tool_use' : 'end_turn') ? {} : { stop }),
  };
}
