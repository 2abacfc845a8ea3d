/** A writer that is killed while it appends loses no acknowledged event and leaves at most one torn line. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { readJournal } from '../../src/host/journal.ts';
import { bundleChild, killHard, startChild, temporaryFolder } from './children.ts';

describe('journal of a killed writer', () => {
  const temporary = temporaryFolder();
  const script = bundleChild('append-forever', temporary.path);
  after(() => temporary.remove());

  for (const mode of ['durable', 'not durable']) {
    it(`keeps every acknowledged event over several kills, ${mode}`, async () => {
      const path = join(temporary.path, `${mode}.jsonl`);
      let events = 0;
      for (let round = 1; round <= 4; round += 1) {
        const acknowledged = await appendAndKill(path, mode, 5 + round * 10);
        const read = await readJournal(path);
        assert.ok(acknowledged > events, 'it appended');
        assert.ok(read.events.length - acknowledged <= 1 && read.events.length >= acknowledged, `${read.events.length}/${acknowledged}`);
        assert.equal(read.events.at(-1)?.owner, round);
        events = read.events.length;
      }
    });
  }

  /** Returns the number of the last event whose append returned in the child. */
  async function appendAndKill(path: string, mode: string, afterMs: number): Promise<number> {
    const child = startChild(script, path, mode);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    if (child.stdout) await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await killHard(child);
    return Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1));
  }
});
