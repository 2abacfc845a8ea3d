/** The files in which a person sees verifications: what they put there is never written over (I10). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Payloads } from '../../src/engine/ports.ts';
import { openLoopFolder } from '../../src/host/loop-folder.ts';
import { openPayloads } from '../../src/host/payloads.ts';
import { openShelf } from '../../src/host/shelf.ts';
import { createVerificationFiles, type OwnFiles } from '../../src/host/verification-files.ts';
import { temporaryFolder } from './children.ts';

describe('files of verifications', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let folder: string;
  let payloads: Payloads;
  let files: OwnFiles;
  const path = (name: string): string => join(folder, 'verifications', 'cli', name);
  const text = (name: string): string => readFileSync(path(name), 'utf8');
  const check = async (script: string) => ({ id: 'cli/name', ext: 'sh', script: await payloads.put(script) });
  beforeEach(async () => {
    temporary = temporaryFolder();
    folder = await openLoopFolder(temporary.path);
    payloads = openPayloads(folder);
    files = createVerificationFiles(openShelf(folder), payloads);
  });
  afterEach(() => temporary.remove());

  it('are written, and written again when QC wrote another text', async () => {
    await files.render(await check('one'));
    assert.equal(text('name.sh'), 'one');
    const two = await check('two');
    assert.equal(await files.restore(two), undefined, 'an older text of ours is nobody’s edit');
    await files.render(two);
    assert.equal(text('name.sh'), 'two');
  });

  it('are left alone where somebody edited them, until they are put back and theirs is kept', async () => {
    const one = await check('one');
    await files.render(one);
    writeFileSync(path('name.sh'), 'exit 0');
    await files.render(one);
    assert.equal(text('name.sh'), 'exit 0');
    assert.equal(await files.restore(one), '.loop/verifications/cli/name.edited-1.sh');
    assert.deepEqual([text('name.sh'), text('name.edited-1.sh')], ['one', 'exit 0']);
    assert.equal(await files.restore(one), undefined, 'once');
  });

  it('keep every edit, each under a name of its own', async () => {
    const one = await check('one');
    await files.render(one);
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    for (const edit of ['first', 'first', bytes]) {
      writeFileSync(path('name.sh'), edit);
      await files.restore(one);
    }
    assert.deepEqual(readdirSync(join(folder, 'verifications', 'cli')).sort(), [
      'name.edited-1.sh',
      'name.edited-2.sh',
      'name.edited-3.sh',
      'name.sh',
    ]);
    assert.ok(readFileSync(path('name.edited-3.sh')).equals(bytes), 'what is no text too');
  });

  it('are no edit where they are missing', async () => {
    assert.equal(await files.restore(await check('one')), undefined);
  });
});
