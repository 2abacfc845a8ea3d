/**
 * The text of a journal line (I1): `{"v":1,"schema":"<8 hex>",<event>,"crc":"<8 hex>"}`. The checksum covers every byte before
 * its own key, so a flipped bit or an edit by hand is detected. A torn last line is dropped; any other damage is refused.
 *
 * Every event is validated against the schema before it is written, and the line names that schema. Reading validates only
 * lines with another schema, from another version of Loop. To validate all lines would take a third of the time for reading,
 * and it would find nothing that the checksum does not find.
 */
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { Bug, InputError } from '../engine/ground/errors.ts';
import { event as schema, type Event } from '../engine/state/events.ts';
import { translated } from '../engine/state/older.ts';
import { restoreOrGiveUp } from './loop-folder.ts';

const newline = 0x0a;
const suffixLength = ',"crc":"00000000"}'.length;
const anyPrefix = /^\{"v":1,"schema":"[0-9a-f]{8}",/;
const prefixLength = '{"v":1,"schema":"00000000",'.length;

let known: string | undefined;

/** The beginning of a line of this version. Computed once and only when needed, because it takes some milliseconds. */
function prefix(): string {
  known ??= `{"v":1,"schema":"${hex(crc32(JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))))}",`;
  return known;
}

/** Number of a journal's first event; each next event adds one. */
export const firstNumber = 1;

/** @throws Bug for an event that reading would refuse. */
export function encodeLine(event: Event): Buffer {
  const problem = schema.safeParse(event).error;
  if (problem) throw new Bug(`event ${event.n} does not fit the schema: ${problem.message}`);
  const body = prefix() + JSON.stringify(event).slice(1, -1);
  return Buffer.from(`${body}${suffix(crc32(body))}\n`);
}

export interface Decoded {
  events: Event[];
  /** Bytes of all complete lines; a torn last line follows them. */
  whole: number;
}

/** @throws InputError with file and line for any damage except a torn last line. */
export function decodeLines(bytes: Buffer, path: string): Decoded {
  const events: Event[] = [];
  let last = { n: firstNumber - 1, owner: 1 };
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    try {
      const event = decodeLine(bytes, start, end);
      checkOrder(event, last);
      events.push(event);
      last = event;
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      if (error.torn && end === bytes.length - 1) break;
      throw new InputError(`${path}:${events.length + 1}: ${error.message}`, error.next);
    }
    start = end + 1;
  }
  return { events, whole: start };
}

/** Damage of one line, described for the person. `torn` when the line may never have been complete. */
class Damage extends Error {
  constructor(
    message: string,
    readonly next = restoreOrGiveUp,
    readonly torn = false,
  ) {
    super(message);
  }
}

function decodeLine(bytes: Buffer, start: number, end: number): Event {
  const text = bytes.toString('utf8', start, end);
  const body = Math.max(start, end - suffixLength);
  if (!text.endsWith(suffix(crc32(bytes.subarray(start, body))))) {
    // After a power cut, zeros can stand where a block of the line was never written.
    throw new Damage('this line was changed after it was written: its checksum is wrong.', undefined, text.includes('\0'));
  }
  const ours = text.startsWith(prefix());
  if (!ours && !anyPrefix.test(text)) {
    throw new Damage('this line has a version that this Loop does not know.', 'Update Loop, then run the command again.');
  }
  const json = parseJson(`{${text.slice(prefixLength, -suffixLength)}}`);
  return ours ? (json as Event) : translate(json);
}

/** Translates and validates an event that another version of Loop wrote. */
function translate(json: unknown): Event {
  const parsed = schema.safeParse(translated(json));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Damage(`this line is not an event that this Loop knows (${issue?.path.join('.')}: ${issue?.message}).`);
}

function checkOrder(event: Event, last: { n: number; owner: number }): void {
  if (event.n !== last.n + 1) throw new Damage(`this is event ${event.n} where event ${last.n + 1} belongs.`);
  if (!Number.isSafeInteger(event.owner) || event.owner < last.owner) {
    throw new Damage(`owner ${event.owner} wrote this line after owner ${last.owner} had taken over.`);
  }
}

/** The end of a line: the checksum's key and value, and the closing brace. */
function suffix(crc: number): string {
  return `,"crc":"${hex(crc)}"}`;
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Damage('this line is not JSON.');
  }
}
