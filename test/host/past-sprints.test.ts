/** What sprints here cost that ended, as a person sees it before the next one. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { typicalOf, typicalWords } from '../../src/engine/render/typical.ts';
import { encodeLine } from '../../src/host/journal-lines.ts';
import { typicalCost } from '../../src/host/past-sprints.ts';
import { Story } from '../engine/support/events.ts';

const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };

/** A sprint whose one session cost that much. */
function journal(usd: number, isOver = true): string {
  const story = new Story();
  story.act('discovery', { fact: 'model.spent', role: 'reasoner', model: 'm', usage, usd });
  if (isOver) story.act('close');
  return story.events.map((event) => encodeLine(event).toString()).join('');
}

describe('what sprints here cost', () => {
  let root: string;
  const put = async (folder: string, text: string): Promise<void> => {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'journal.jsonl'), text);
  };
  before(async () => void (root = await mkdtemp(join(tmpdir(), 'loop-past-'))));
  after(() => rm(root, { recursive: true }));

  it('is nothing where none ended', async () => {
    await put('one/.loop', journal(9, false));
    assert.equal(await typicalCost(join(root, 'one')), undefined);
  });

  it('is the median of those in the folder, in its archive and beside it; what cannot be read is left out', async () => {
    await put('one/.loop/archive/first', journal(1));
    await put('one/.loop/archive/second', journal(3));
    await put('two/.loop', journal(8));
    await put('three/.loop', 'no journal\nat all\n');
    assert.deepEqual(await typicalCost(join(root, 'one')), { sprints: 3, usd: 3, tokens: 120 });
  });

  it('is said in words', () => {
    assert.equal(typicalOf([]), undefined);
    assert.equal(typicalWords({ sprints: 1, usd: 0.5, tokens: 1200 }), 'Typical here: $0.50 and 1,200 tokens (one sprint that ended).');
    assert.equal(
      typicalWords(
        typicalOf([
          { usd: 0, tokens: 100 },
          { usd: 0, tokens: 301 },
        ]) ?? assert.fail(),
      ),
      'Typical here: 201 tokens (the median of 2 sprints that ended).',
    );
  });
});
