/** Appends to a journal until it is killed, and prints the number of each event whose append returned. */
import { writeSync } from 'node:fs';
import { openJournal } from '../../../src/host/journal.ts';
import { sampleEvent } from '../sample-events.ts';

// Lines are long so that some kills come in the middle of one and leave it torn.
const long = 'x'.repeat(300_000);

async function main(path: string, durable: boolean): Promise<void> {
  const journal = await openJournal(path, { durable });
  const before = journal.events.length;
  for (let n = before + 1; ; n += 1) {
    await journal.append(sampleEvent(n, journal.owner, long));
    writeSync(1, `${n}\n`);
  }
}

const [path = '', durable] = process.argv.slice(2);
void main(path, durable === 'durable');
