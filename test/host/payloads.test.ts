/** A payload is read back unchanged, or an error tells the person why it cannot be. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Bug, InputError } from '../../src/engine/ground/errors.ts';
import type { Payloads } from '../../src/engine/ports.ts';
import { openPayloads } from '../../src/host/payloads.ts';
import { temporaryFolder } from './children.ts';
import { withFaultyHandles } from './faulty-handles.ts';

describe('payloads', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let payloads: Payloads;
  const fileOf = (ref: string): string => join(temporary.path, 'payloads', ref.slice(0, 2), ref);
  beforeEach(() => {
    temporary = temporaryFolder();
    payloads = openPayloads(temporary.path);
  });
  afterEach(() => temporary.remove());

  it('return any text, at the address of its content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (text) => {
        const ref = await payloads.put(text);
        assert.equal(ref, createHash('sha256').update(text).digest('hex'));
        assert.equal(await payloads.get(ref), text);
      }),
      { numRuns: 50 },
    );
  });

  it('are written once, also when one text is put twice at the same time', async () => {
    const [ref, same] = await Promise.all([payloads.put('text'), payloads.put('text')]);
    assert.equal(ref, same);
    const { ino } = statSync(fileOf(ref));
    await openPayloads(temporary.path).put('text');
    assert.equal(statSync(fileOf(ref)).ino, ino);
    assert.deepEqual(readdirSync(join(temporary.path, 'payloads', ref.slice(0, 2))), [ref]);
  });

  it('say that one is missing or damaged, and where', async () => {
    const ref = await payloads.put('text');
    const refusal = (what: RegExp) => (e: unknown) =>
      e instanceof InputError && what.test(e.message) && e.message.includes(fileOf(ref)) && /backup/.test(e.next);
    writeFileSync(fileOf(ref), 'test');
    await assert.rejects(payloads.get(ref), refusal(/was changed/));
    rmSync(fileOf(ref));
    await assert.rejects(payloads.get(ref), refusal(/is missing/));
    mkdirSync(fileOf(ref));
    await assert.rejects(payloads.get(ref), refusal(/cannot be read/));
  });

  it('are repaired when a damaged one is put again', async () => {
    const ref = await payloads.put('text');
    writeFileSync(fileOf(ref), '');
    await payloads.put('text');
    assert.equal(readFileSync(fileOf(ref), 'utf8'), 'text');
  });

  it('are on disk with their names, also when an earlier writer was killed before it synced', async () => {
    let syncs = 0;
    const count = (): Promise<void> => Promise.resolve(void (syncs += 1));
    await withFaultyHandles('sync', count, async () => {
      await openPayloads(temporary.path, { durable: false }).put('text');
      assert.equal(syncs, 0);
      await payloads.put('text');
      assert.equal(syncs, 1, 'its folder');
      await payloads.put('another');
      assert.equal(syncs, 4, 'its folder’s parent, itself, its folder');
      await payloads.put('another');
      assert.equal(syncs, 4, 'its name is on disk');
    });
  });

  it('are read by an address only', async () => {
    await assert.rejects(payloads.get('../../etc/passwd'), Bug);
  });

  it('follow no link out of their folder', async () => {
    const elsewhere = join(temporary.path, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(temporary.path, 'payloads'));
    await assert.rejects(payloads.put('text'), InputError);
    assert.deepEqual(readdirSync(elsewhere), []);
  });
});
