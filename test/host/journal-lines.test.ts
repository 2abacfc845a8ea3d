/** Damaged journal lines are refused, except for a last line that was only partly written to disk. */
import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { Bug, InputError } from '../../src/engine/ground/errors.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { decodeLines, encodeLine } from '../../src/host/journal-lines.ts';
import { sampleEvent, sampleEvents } from './sample-events.ts';

const events = sampleEvents(6);
const lines = events.map(encodeLine);
const whole = Buffer.concat(lines);
const wholeLines = new Set(lines.map((_, i) => Buffer.concat(lines.slice(0, i)).length));

/** How decoding a damaged file ends. */
function outcome(bytes: Buffer): 'refused' | 'torn' | 'shorter' | 'accepted' {
  try {
    const decoded = decodeLines(bytes, 'j');
    assert.deepEqual(decoded.events, events.slice(0, decoded.events.length));
    if (decoded.whole < bytes.length) return 'torn';
    return decoded.events.length < events.length ? 'shorter' : 'accepted';
  } catch (error) {
    if (error instanceof InputError) return 'refused';
    throw error;
  }
}

/** A line with a right checksum, whatever its content. */
function forged(body: string): Buffer {
  return Buffer.from(`${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}\n`);
}

describe('journal lines', () => {
  it('finds every single flipped bit; at worst the last line counts as torn', () => {
    assert.equal(outcome(whole), 'accepted');
    const lastLine = whole.length - (lines.at(-1)?.length ?? 0);
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const at = bit >> 3;
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (bit & 7));
      const result = outcome(flipped);
      assert.ok(result === 'refused' || (result === 'torn' && at >= lastLine), `bit ${bit}: ${result}`);
    }
  });

  it('refuses removed, inserted or overwritten bytes, unless only the end is torn', () => {
    const change = fc.record({ at: fc.nat(whole.length), remove: fc.nat(400), insert: fc.uint8Array({ maxLength: 300 }) });
    fc.assert(
      fc.property(change, ({ at, remove, insert }) => {
        const changed = Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + remove)]);
        if (changed.equals(whole)) return;
        const result = outcome(changed);
        if (result === 'shorter') assert.ok(wholeLines.has(changed.length), 'only whole lines at the end are missing');
        else assert.notEqual(result, 'accepted');
      }),
      { numRuns: 3_000 },
    );
  });

  it('refuses lines that are missing, doubled, swapped, blank or edited, and names the line', () => {
    const [a, b, c] = lines as [Buffer, Buffer, Buffer];
    const edited = Buffer.from(b.toString().replace('"turn":2', '"turn":3'));
    const cases: [string, Buffer[], number][] = [
      ['missing', [a, c], 2],
      ['doubled', [a, a, b], 2],
      ['swapped', [b, a], 1],
      ['blank', [a, Buffer.from('\n'), b], 2],
      ['edited', [a, edited, c], 2],
      ['edited, last', [a, edited], 2],
      ['with a carriage return', [a, Buffer.from(b.toString().replace('\n', '\r\n')), c], 2],
    ];
    for (const [what, parts, line] of cases) {
      const refusal = (e: unknown): boolean => e instanceof InputError && e.message.startsWith(`j:${line}: `) && e.next !== '';
      assert.throws(() => decodeLines(Buffer.concat(parts), 'j'), refusal, what);
    }
  });

  it('drops a last line that is cut anywhere or has a hole', () => {
    const last = lines.at(-1) ?? Buffer.alloc(0);
    const rest = whole.length - last.length;
    for (let length = 1; length < last.length; length += 1) {
      assert.equal(decodeLines(whole.subarray(0, rest + length), 'j').whole, rest);
    }
    const hole = Buffer.concat([whole.subarray(0, rest + 40), Buffer.alloc(100), last.subarray(140)]);
    assert.equal(decodeLines(hole, 'j').whole, rest);
  });

  it('refuses a line with a right checksum that is no valid event of this journal', () => {
    const text = JSON.stringify(sampleEvent(2, 1)).slice(1, -1);
    const other = '{"v":1,"schema":"00000000",';
    const older = encodeLine(sampleEvent(3, 1));
    const cases: [RegExp, Buffer[]][] = [
      [/version/, [forged(`{"v":2,"schema":"00000000",${text}`)]],
      [/version/, [forged(`{"v":1,${text}`)]],
      [/not an event/, [forged(`${other}${text.replace('step.begun', 'step.dreamt')}`)]],
      [/not an event/, [forged(`${other}${text.replace('"role":"builder",', '')}`)]],
      [/not JSON/, [forged(`${other}${text},`)]],
      [/owner 0/, [encodeLine(sampleEvent(2, 0))]],
      [/owner 1 wrote this line after owner 2/, [encodeLine(sampleEvent(2, 2)), older]],
    ];
    for (const [message, added] of cases) {
      const bytes = Buffer.concat([lines[0] ?? Buffer.alloc(0), ...added]);
      assert.throws(
        () => decodeLines(bytes, 'j'),
        (e: unknown) => e instanceof InputError && message.test(e.message),
      );
    }
  });

  it('reads what a version with another schema wrote', () => {
    const event = sampleEvent(1, 1);
    const line = forged(`{"v":1,"schema":"00000000",${JSON.stringify(event).slice(1, -1)}`);
    const read = event.type === 'run.opened' ? { ...event, sizes: { look: 3, ...event.sizes } } : event;
    assert.deepEqual(decodeLines(line, 'j').events, [read]);
  });

  it('never writes what reading would refuse', () => {
    const endless = { ...sampleEvent(2, 1), at: Number.NaN };
    const unknown = { ...sampleEvent(2, 1), type: 'step.dreamt' } as unknown as Event;
    for (const event of [endless, unknown]) assert.throws(() => encodeLine(event), Bug);
  });

  it('keeps any text, each event on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const event = sampleEvent(3, 1, text);
        const bytes = Buffer.concat([...lines.slice(0, 2), encodeLine(event)]);
        assert.deepEqual(decodeLines(bytes, 'j').events[2], event);
      }),
      { numRuns: 50 },
    );
  });
});
