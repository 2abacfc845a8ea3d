/** The journal for its writer and its readers: what is kept, what stops it, who may write. */
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Bug, InputError, Interruption } from '../../src/engine/ground/errors.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { encodeLine } from '../../src/host/journal-lines.ts';
import { openJournal, readJournal, type OpenJournal } from '../../src/host/journal.ts';
import { temporaryFolder } from './children.ts';
import { withFaultyHandles } from './faulty-handles.ts';
import { sampleEvent, sampleEvents } from './sample-events.ts';

/** The caller holds the lock, and nothing is synced. */
const quick = { durable: false };
const interruptedBy = (reason: Interruption['reason']) => (error: unknown) => error instanceof Interruption && error.reason === reason;

describe('journal', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    temporary = temporaryFolder();
    path = join(temporary.path, 'journal.jsonl');
  });
  afterEach(() => temporary.remove());

  async function writeEvents(count: number): Promise<Event[]> {
    const journal = await openJournal(path, quick);
    const events = sampleEvents(count, journal.owner);
    for (const event of events) await journal.append(event);
    await journal.close();
    return events;
  }

  it('returns what was appended, and keeps it as plain JSON lines', async () => {
    const events = await writeEvents(7);
    assert.deepEqual(await readJournal(path), { events, dropped: 0 });
    const lines = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ v, n }) => [v, n]),
      events.map(({ n }) => [1, n]),
    );
  });

  it('reads a missing file as no events, and does not create it', async () => {
    assert.deepEqual(await readJournal(path), { events: [], dropped: 0 });
    assert.deepEqual(readdirSync(temporary.path), []);
  });

  it('takes the next owner number at each opening', async () => {
    const first = await openJournal(path, quick);
    assert.equal(first.owner, 1);
    await first.append(sampleEvent(1, 1));
    await first.close();
    const second = await openJournal(path, quick);
    assert.equal(second.owner, 2);
    assert.equal(second.events.length, 1);
    await second.close();
  });

  it('writes overlapping appends one after the other', async () => {
    const journal = await openJournal(path, quick);
    const events = sampleEvents(20);
    await Promise.all(events.map((event) => journal.append(event)));
    await journal.close();
    assert.deepEqual((await readJournal(path)).events, events);
  });

  it('is on disk, with its name, once it is open', async () => {
    let syncs = 0;
    const count = (): Promise<void> => Promise.resolve(void (syncs += 1));
    await withFaultyHandles('sync', count, async () => {
      await (await openJournal(path, quick)).close();
      assert.equal(syncs, 0);
      await (await openJournal(path)).close();
    });
    assert.equal(syncs, 2);
  });

  it('has each event on disk when append returns', async () => {
    let syncs = 0;
    const count = (): Promise<void> => Promise.resolve(void (syncs += 1));
    await withFaultyHandles('datasync', count, async () => {
      const journal = await openJournal(path);
      await journal.append(sampleEvent(1, 1));
      await journal.append(sampleEvent(2, 1));
      await journal.close();
    });
    assert.equal(syncs, 2);
  });

  it('refuses an event out of order, of another owner or of no known kind, before it writes', async () => {
    const journal = await openJournal(path, quick);
    const unknown = { ...sampleEvent(2, 1), type: 'step.dreamt' } as unknown as Event;
    await journal.append(sampleEvent(1, 1));
    for (const event of [sampleEvent(1, 1), sampleEvent(3, 1), sampleEvent(2, 2), unknown]) {
      await assert.rejects(journal.append(event), Bug);
    }
    await journal.append(sampleEvent(2, 1));
    await journal.close();
    assert.equal((await readJournal(path)).events.length, 2);
    await assert.rejects(journal.append(sampleEvent(3, 1)), Bug);
  });

  it('stops at the first failed fsync and never tries another', async () => {
    let syncs = 0;
    const journal = await openJournal(path);
    const fail = (): Promise<void> => {
      syncs += 1;
      return Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
    };
    await withFaultyHandles('datasync', fail, async () => {
      await assert.rejects(journal.append(sampleEvent(1, 1)), interruptedBy('failed-write'));
    });
    const { size } = statSync(path);
    await assert.rejects(journal.append(sampleEvent(1, 1)), interruptedBy('failed-write'));
    await journal.close();
    assert.equal(syncs, 1);
    assert.equal(statSync(path).size, size);
  });

  it('treats a short write as a failed one', async () => {
    const journal = await openJournal(path, quick);
    const short = (): Promise<unknown> => Promise.resolve({ bytesWritten: 10 });
    await withFaultyHandles('write', short, async () => {
      await assert.rejects(journal.append(sampleEvent(1, 1)), interruptedBy('failed-write'));
    });
  });

  it('cuts a torn last line off, keeps a copy, and goes on', async () => {
    const events = await writeEvents(3);
    for (const [round, tail] of ['{"v":1,"n":4,"ow', '\0\0\0\0\n'].entries()) {
      appendFileSync(path, tail);
      assert.deepEqual(await readJournal(path), { events, dropped: tail.length });
      const journal = await openJournal(path, quick);
      assert.deepEqual(journal.dropped, { bytes: tail.length, copy: `${path}.torn-${round + 1}` });
      assert.equal(readFileSync(`${path}.torn-${round + 1}`, 'utf8'), tail);
      events.push(sampleEvent(events.length + 1, journal.owner));
      await journal.append(sampleEvent(events.length, journal.owner));
      await journal.close();
    }
    assert.deepEqual((await readJournal(path)).events, events);
  });

  it('refuses damage, says where, keeps one copy and changes nothing', async () => {
    await writeEvents(5);
    const damaged = readFileSync(path, 'utf8').replace('"turn":4', '"turn":5');
    writeFileSync(path, damaged);
    const refusal = (error: unknown): boolean =>
      error instanceof InputError && error.message.startsWith(`${path}:4: `) && /backup.*copy.*damaged-/.test(error.next);
    await assert.rejects(openJournal(path, quick), refusal);
    await assert.rejects(openJournal(path, quick), refusal);
    await assert.rejects(readJournal(path), InputError);
    assert.equal(readFileSync(path, 'utf8'), damaged);
    const [copy, ...others] = readdirSync(temporary.path).filter((name) => name.includes('damaged'));
    assert.deepEqual(others, []);
    assert.equal(readFileSync(join(temporary.path, copy ?? ''), 'utf8'), damaged);
  });

  it('does not write through a link', async () => {
    const elsewhere = join(temporary.path, 'elsewhere');
    writeFileSync(elsewhere, '');
    symlinkSync(elsewhere, path);
    await assert.rejects(openJournal(path, quick), interruptedBy('failed-write'));
  });

  it('stops where the file was moved or replaced', async () => {
    const moved = await openJournal(path, quick);
    renameSync(path, `${path}.old`);
    await assert.rejects(moved.append(sampleEvent(1, 1)), interruptedBy('lost-lock'));

    const replaced = await openJournal(path, quick);
    renameSync(`${path}.old`, path);
    await assert.rejects(replaced.append(sampleEvent(1, 1)), interruptedBy('lost-lock'));
  });

  it('refuses a stale owner once its successor has written', async () => {
    const stale = await openJournal(path, quick);
    await stale.append(sampleEvent(1, 1));
    const successor = await openJournal(path, quick);
    await successor.append(sampleEvent(2, successor.owner));
    await assert.rejects(stale.append(sampleEvent(2, stale.owner)), interruptedBy('lost-lock'));
    await successor.append(sampleEvent(3, successor.owner));
    await successor.close();
    assert.deepEqual(
      (await readJournal(path)).events.map(({ owner }) => owner),
      [1, 2, 2],
    );
  });

  it('stays readable and in order however writers without a lock take turns', async () => {
    const turn = fc.record({ writer: fc.nat(2), reopen: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 25 }), async (turns) => {
        writeFileSync(path, '');
        const acknowledged = await takeTurns(turns);
        const { events, dropped } = await readJournal(path);
        assert.deepEqual(events, acknowledged);
        assert.equal(dropped, 0);
      }),
      { numRuns: 200 },
    );
  });

  /** In each turn a writer opens the journal again or appends the next event that it knows of. Returns the acknowledged events. */
  async function takeTurns(turns: readonly { writer: number; reopen: boolean }[]): Promise<Event[]> {
    const writers = new Map<number, { journal: OpenJournal; n: number }>();
    const acknowledged: Event[] = [];
    for (const { writer, reopen } of turns) {
      const known = writers.get(writer);
      if (!known || reopen) {
        await known?.journal.close();
        const journal = await openJournal(path, quick);
        writers.set(writer, { journal, n: journal.events.length });
        continue;
      }
      const event = sampleEvent(known.n + 1, known.journal.owner);
      const error: unknown = await known.journal.append(event).catch((e: unknown) => e);
      if (error === undefined) acknowledged.push(event);
      else assert.ok(interruptedBy('lost-lock')(error), 'it stops for no other reason');
      known.n += error === undefined ? 1 : 0;
    }
    for (const { journal } of writers.values()) await journal.close();
    return acknowledged;
  }

  it('ignores a last line that is not finished yet', async () => {
    const events = await writeEvents(2);
    const line = encodeLine(sampleEvent(3, 1));
    appendFileSync(path, line.subarray(0, -1));
    assert.deepEqual(await readJournal(path), { events, dropped: line.length - 1 });
    appendFileSync(path, '\n');
    assert.equal((await readJournal(path)).events.length, 3);
  });
});
