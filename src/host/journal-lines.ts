/**
 * The text of a journal line (I1): `{"v":1,"schema":"<8 hex>",<event>,"crc":"<8 hex>"}`, plain JSON whose checksum covers
 * every byte before its own key, so that a flipped bit or an edit by hand is found. A line that did not get onto the disk
 * whole is dropped if it is the last; any other damage is refused.
 *
 * Every event is checked against the schema before it is written, and the line names that schema. Reading checks it again
 * only where another schema is named, that is, where another version of Loop wrote: doing it always would take a third
 * of the time for reading and find nothing that the checksum does not.
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { Bug, InputError } from '../engine/ground/errors.ts';
import { event as schema, type Event } from '../engine/state/events.ts';
import { translated } from '../engine/state/older.ts';

const newline = 0x0a;
const suffixLength = ',"crc":"00000000"}'.length;
const anyPrefix = /^\{"v":1,"schema":"[0-9a-f]{8}",/;
const prefixLength = '{"v":1,"schema":"00000000",'.length;

let known: string | undefined;

/** How a line of this version begins. Worked out once and only when needed: it takes some milliseconds. */
function prefix(): string {
  known ??= `{"v":1,"schema":"${hex(crc32(JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))))}",`;
  return known;
}

/** Number of the first event of a journal; each that follows is one more. */
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
  /** Bytes of the lines that are whole; what follows them is a torn last line. */
  whole: number;
}

/** @throws InputError naming file and line for all damage but a torn last line. */
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

/** Damage of one line, in words for the person; `torn` when it may never have been written whole. */
class Damage extends Error {
  constructor(
    message: string,
    readonly next = 'Restore the file from a backup; or, to give this run up, move the folder ".loop" away and start again.',
    readonly torn = false,
  ) {
    super(message);
  }
}

function decodeLine(bytes: Buffer, start: number, end: number): Event {
  const text = bytes.toString('utf8', start, end);
  const body = Math.max(start, end - suffixLength);
  if (!text.endsWith(suffix(crc32(bytes.subarray(start, body))))) {
    // A power cut can leave a hole of zeros where a block of the line did not get onto the disk.
    throw new Damage('this line was changed after it was written: its checksum is wrong.', undefined, text.includes('\0'));
  }
  const ours = text.startsWith(prefix());
  if (!ours && !anyPrefix.test(text)) {
    throw new Damage('this line has a version that this Loop does not know.', 'Update Loop, then run the command again.');
  }
  const json = parseJson(`{${text.slice(prefixLength, -suffixLength)}}`);
  return ours ? (json as Event) : checked(json);
}

/** An event that was written by another version of Loop. */
function checked(json: unknown): Event {
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

/** The checksum's key and value, and the end of the line's object. */
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
