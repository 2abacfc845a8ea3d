/** A replaced file is wholly old or wholly new, whatever fails on the way and whenever it is read. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { replaceFile } from '../../src/host/disk.ts';
import { temporaryFolder } from './children.ts';
import { withFaultyHandles } from './faulty-handles.ts';

const failedWrite = (error: unknown): boolean => error instanceof Interruption && error.reason === 'failed-write';

describe('replaceFile', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    temporary = temporaryFolder();
    path = join(temporary.path, 'file');
  });
  afterEach(() => temporary.remove());

  it('never shows a reader a missing file, a part or a mixture', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(100_000));
    const contents = new Set<string>();
    writeFileSync(path, texts[0] ?? '');
    const written = new AbortController();
    const reading = (async () => {
      while (!written.signal.aborted) {
        contents.add(readFileSync(path, 'utf8'));
        await new Promise(setImmediate);
      }
    })();
    for (let i = 0; i < 200; i += 1) await replaceFile(path, Buffer.from(texts[i % 2] ?? ''), { durable: false });
    written.abort();
    await reading;
    assert.deepEqual([...contents].sort(), texts);
  });

  it('keeps the old file when the system takes only a part of the new one', async () => {
    writeFileSync(path, 'old');
    async function half(this: FileHandle, bytes: unknown): Promise<void> {
      await this.write((bytes as Buffer).subarray(0, 1));
    }
    await withFaultyHandles('writeFile', half, async () => {
      await assert.rejects(replaceFile(path, Buffer.from('new'), { durable: true }), failedWrite);
    });
    assert.equal(readFileSync(path, 'utf8'), 'old');
    assert.deepEqual(readdirSync(temporary.path), ['file']);
  });

  it('leaves nothing behind when the new file cannot take its place', async () => {
    mkdirSync(path);
    await assert.rejects(replaceFile(path, Buffer.from('new'), { durable: false }), failedWrite);
    assert.deepEqual(readdirSync(temporary.path), ['file']);
  });

  it('syncs the file and its folder when it has to be durable, and neither when not', async () => {
    let syncs = 0;
    const count = (): Promise<void> => Promise.resolve(void (syncs += 1));
    await withFaultyHandles('sync', count, async () => {
      await replaceFile(path, Buffer.from('new'), { durable: false });
      assert.equal(syncs, 0);
      await replaceFile(path, Buffer.from('newer'), { durable: true });
    });
    assert.equal(syncs, 2);
  });
});
