/** Fills a small disk through each kind of storage and prints as JSON what is left. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, Interruption, messageOf } from '../../../src/engine/ground/errors.ts';
import { Inputs } from '../../../src/host/git/supplied-inputs.ts';
import { openJournal, readJournal, type OpenJournal } from '../../../src/host/journal.ts';
import { openPayloads } from '../../../src/host/payloads.ts';
import { openShelf } from '../../../src/host/shelf.ts';
import { sampleEvent } from '../sample-events.ts';

const big = 'b'.repeat(500_000);

async function failure(work: Promise<unknown>): Promise<{ reason: string; message: string } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    const reason = error instanceof Interruption ? error.reason : error instanceof InputError ? 'input' : 'other';
    return { reason, message: messageOf(error) };
  }
}

async function appendUntilFull(journal: OpenJournal, from: number): Promise<number> {
  for (let n = from; ; n += 1) {
    if (await failure(journal.append(sampleEvent(n, journal.owner, 'x'.repeat(700))))) return n - 1;
  }
}

async function fillJournal(disk: string): Promise<object> {
  const path = join(disk, 'journal.jsonl');
  const spare = join(disk, 'spare');
  writeFileSync(spare, 'y'.repeat(16_000));
  const journal = await openJournal(path);
  const appended = await appendUntilFull(journal, 1);
  const again = await failure(journal.append(sampleEvent(appended + 1, journal.owner)));
  const bytes = readFileSync(path);
  const read = await readJournal(path);
  const whileFull = await failure(openJournal(path));
  const untouched = readFileSync(path).equals(bytes);
  const filesWhileFull = readdirSync(disk);
  rmSync(spare);
  const next = await openJournal(path);
  await next.append(sampleEvent(appended + 1, next.owner));
  const torn = next.dropped?.bytes ?? 0;
  const after = (await readJournal(path)).events.length;
  await next.close();
  rmSync(path);
  if (next.dropped) rmSync(next.dropped.copy);
  return { appended, read: read.events.length, dropped: read.dropped, again, whileFull, untouched, filesWhileFull, torn, after };
}

async function fillPayloads(disk: string): Promise<object> {
  const payloads = openPayloads(disk);
  const small = await payloads.put('small');
  const failed = await failure(payloads.put(big));
  return { failed, small: await payloads.get(small), files: readdirSync(disk, { recursive: true }).length };
}

async function fillShelf(disk: string): Promise<object> {
  const shelf = openShelf(disk);
  await shelf.write('state.json', 'old');
  const failed = await failure(shelf.write('state.json', big));
  return { failed, text: await shelf.read('state.json'), files: readdirSync(disk).sort() };
}

/** A file without blocks of its own, and larger than what can be read at once. */
async function fillInputs(disk: string): Promise<object> {
  const [checkout, state] = [join(disk, 'checkout'), join(disk, 'state')];
  mkdirSync(checkout);
  for (const name of ['small', 'big']) writeFileSync(join(checkout, name), '');
  truncateSync(join(checkout, 'big'), 3 * 2 ** 30);
  const inputs = new Inputs(state, checkout);
  await inputs.take(['small']);
  const failed = await failure(inputs.take(['big']));
  return { failed, paths: await inputs.paths(), files: readdirSync(join(state, 'inputs')) };
}

async function main(disk: string): Promise<void> {
  const report = {
    journal: await fillJournal(disk),
    payloads: await fillPayloads(disk),
    shelf: await fillShelf(disk),
    inputs: await fillInputs(disk),
  };
  writeSync(1, JSON.stringify(report));
}

void main(process.argv[2] ?? '');
