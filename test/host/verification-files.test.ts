/** The files that show verifications to the person: their edits in them are never overwritten (I10). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Payloads } from '../../src/engine/ports.ts';
import type { VerificationFile } from '../../src/engine/work/edit.ts';
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
  const verification = async (script: string, ...before: string[]) => ({
    id: 'cli/name',
    ext: 'sh',
    script: await payloads.put(script),
    ours: await Promise.all(before.map((old) => payloads.put(old))),
  });
  /** Does what the engine does with an edit: reads it, keeps its text, and puts our script back. */
  const takeOut = async (file: VerificationFile): Promise<string | undefined> => {
    const found = await files.look(file);
    if (!found) return undefined;
    await files.restore(file, { text: await payloads.put(found.text), kept: found.kept });
    return found.kept;
  };
  beforeEach(async () => {
    temporary = temporaryFolder();
    folder = await openLoopFolder(temporary.path);
    payloads = openPayloads(folder);
    files = createVerificationFiles(openShelf(folder), payloads);
  });
  afterEach(() => temporary.remove());

  it('are written, and written again when QC wrote another text', async () => {
    await files.render(await verification('one'));
    assert.equal(text('name.sh'), 'one');
    const two = await verification('two', 'one');
    assert.equal(await takeOut(two), undefined, 'our own older text is no edit');
    assert.equal(await files.isOlder(two), true);
    await files.render(two);
    assert.equal(text('name.sh'), 'two');
    assert.equal(await files.isOlder(two), false, 'the current text');
    writeFileSync(path('name.sh'), 'one # mine');
    assert.equal(await files.isOlder(two), false, 'a text of somebody else');
    assert.equal(await takeOut(two), '.loop/verifications/cli/name.edited-1.sh');
  });

  it('are left alone once edited, until the edit is kept elsewhere and our text is put back', async () => {
    const one = await verification('one');
    await files.render(one);
    writeFileSync(path('name.sh'), 'exit 0');
    await files.render(one);
    assert.equal(text('name.sh'), 'exit 0');
    assert.equal(await takeOut(one), '.loop/verifications/cli/name.edited-1.sh');
    assert.deepEqual([text('name.sh'), text('name.edited-1.sh')], ['one', 'exit 0']);
    assert.equal(await takeOut(one), undefined, 'once');
  });

  it('keep every edit, each under a name of its own', async () => {
    const one = await verification('one');
    await files.render(one);
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    for (const edit of ['first', 'first', bytes]) {
      writeFileSync(path('name.sh'), edit);
      await takeOut(one);
    }
    assert.deepEqual(readdirSync(join(folder, 'verifications', 'cli')).sort(), [
      'name.edited-1.sh',
      'name.edited-2.sh',
      'name.edited-3.sh',
      'name.sh',
    ]);
    assert.ok(readFileSync(path('name.edited-3.sh')).equals(bytes), 'also bytes that are no text');
  });

  it('keep an edit under one name, however often taking it out is repeated', async () => {
    const one = await verification('one');
    await files.render(one);
    writeFileSync(path('name.sh'), 'theirs');
    const theirs = { text: await payloads.put('theirs'), kept: '.loop/verifications/cli/name.edited-1.sh' };
    await files.render(one);
    assert.equal(text('name.sh'), 'theirs', 'as after a crash before the record names it');
    for (let time = 0; time < 2; time += 1) {
      writeFileSync(path('name.sh'), 'theirs');
      await files.restore(one, theirs);
      await files.restore(one, theirs);
    }
    assert.deepEqual(readdirSync(join(folder, 'verifications', 'cli')).sort(), ['name.edited-1.sh', 'name.sh']);
  });

  it('keep a later edit that came meanwhile, and a file that stands where the copy should go', async () => {
    const one = await verification('one');
    await files.render(one);
    writeFileSync(path('name.sh'), 'theirs');
    const found = await files.look(one);
    writeFileSync(path('name.sh'), 'theirs, later');
    await files.restore(one, { text: await payloads.put('theirs'), kept: found?.kept ?? '' });
    assert.equal(text('name.sh'), 'theirs, later', 'the next look reports it');
    writeFileSync(path('name.edited-1.sh'), 'somebody else');
    assert.equal(await takeOut(one), '.loop/verifications/cli/name.edited-2.sh');
    assert.deepEqual([text('name.edited-1.sh'), text('name.edited-2.sh')], ['somebody else', 'theirs, later']);
    writeFileSync(path('name.sh'), 'theirs, too');
    await files.restore(one, { text: await payloads.put('theirs, too'), kept: '.loop/verifications/cli/name.edited-1.sh' });
    assert.deepEqual([text('name.edited-1.sh'), text('name.edited-3.sh')], ['somebody else', 'theirs, too']);
  });

  it('count as ours once the edit was adopted', async () => {
    await files.render(await verification('one'));
    writeFileSync(path('name.sh'), 'theirs');
    await takeOut(await verification('one'));
    const theirs = await verification('theirs', 'one');
    await files.render(theirs);
    assert.equal(text('name.sh'), 'theirs');
    assert.equal(await takeOut(theirs), undefined);
  });

  it('count as not edited where they are missing', async () => {
    assert.equal(await takeOut(await verification('one')), undefined);
    assert.equal(await files.isOlder(await verification('one')), false);
  });
});
