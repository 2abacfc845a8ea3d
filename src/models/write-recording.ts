/**
 * Writes down the turns of a sprint as a recording (format: `recording.ts`), from its journal: so it holds every life of the
 * sprint, also those before it was asked for.
 */
import { stringify } from 'yaml';
import { askReply, type AskReply } from '../engine/ground/messages.ts';
import { redact } from '../engine/ground/redact.ts';
import type { Payloads } from '../engine/ports.ts';
import type { Event } from '../engine/state/events.ts';

/** The first line of a recording that Loop wrote. */
export const recordingMark = '# Recorded by Loop. To play it: loop run SPRINT --model recorded:FILE';

/** @returns the recording's text, without secrets; what a provider's own tools did is not in it. */
export async function writeRecording(events: readonly Event[], payloads: Pick<Payloads, 'get'>): Promise<string> {
  const sessions = new Map<string, { role: string; purpose: string; turns: object[] }>();
  const asks = new Map(events.flatMap((e) => (e.type === 'step.begun' && e.step.kind === 'ask' ? [[e.step.id, e.step] as const] : [])));
  for (const event of events) {
    const ask = event.type === 'step.ended' ? asks.get(event.id) : undefined;
    if (event.type !== 'step.ended' || !ask || event.result === undefined) continue;
    const { role, purpose } = ask;
    const session = sessions.get(`${role} ${purpose}`) ?? { role, purpose, turns: [] };
    session.turns.push(turnOf(askReply.parse(JSON.parse(await payloads.get(event.result)))));
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
