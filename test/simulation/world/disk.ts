/** Journal and payloads on a simulated disk. A new process reads the bytes with the host's own decoder. */
import { createHash } from 'node:crypto';
import { Bug } from '../../../src/engine/ground/errors.ts';
import type { Event } from '../../../src/engine/state/events.ts';
import type { Journal, Payloads } from '../../../src/engine/ports.ts';
import { decodeLines, encodeLine } from '../../../src/host/journal-lines.ts';
import type { Fate } from './fate.ts';

export class SimulatedJournal implements Journal {
  /** The lines on disk; the last may be torn. */
  private lines: Buffer[] = [];
  constructor(
    private readonly fate: Fate,
    /** Called after each line that is whole on disk. */
    private readonly onDisk: (event: Event) => void,
  ) {}

  /** Writes the first line, before anything can go wrong. */
  begin(event: Event): void {
    this.lines.push(encodeLine(event));
  }

  async append(event: Event): Promise<void> {
    const line = encodeLine(event);
    await this.fate.append(
      () => {
        this.lines.push(line);
        this.onDisk(event);
      },
      () => void this.lines.push(line.subarray(0, line.length >> 1)),
    );
  }

  /** Reads the journal as opening it does: a torn last line is dropped. @throws InputError for other damage */
  read(): Event[] {
    const bytes = this.bytes();
    const { events, whole } = decodeLines(bytes, 'journal.jsonl');
    this.lines = [bytes.subarray(0, whole)];
    return events;
  }

  bytes(): Buffer {
    return Buffer.concat(this.lines);
  }
}

export class SimulatedPayloads implements Payloads {
  private readonly texts = new Map<string, string>();
  constructor(private readonly fate: Fate) {}

  put(text: string): Promise<string> {
    return this.fate.effect(() => this.keep(text), 'disk');
  }

  keep(text: string): string {
    const ref = createHash('sha256').update(text).digest('hex');
    this.texts.set(ref, text);
    return ref;
  }

  peek(ref: string): string | undefined {
    return this.texts.get(ref);
  }

  get(ref: string): Promise<string> {
    const text = this.texts.get(ref);
    return text === undefined ? Promise.reject(new Bug(`no payload ${ref}`)) : Promise.resolve(text);
  }
}
