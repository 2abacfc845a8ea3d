/** Where a recording may be written: asked before the sprint begins. That it plays again: run.test.ts. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { requireRecordable } from '../../src/cli/record.ts';
import { InputError } from '../../src/engine/ground/errors.ts';
import { recordingMark } from '../../src/models/write-recording.ts';

describe('the file of a recording', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'loop-record-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('may be a new one, or one that Loop wrote', async () => {
    await requireRecordable(join(folder, 'new.yaml'));
    await writeFile(join(folder, 'own.yaml'), `${recordingMark}\nrecording: 1\n`);
    await requireRecordable(join(folder, 'own.yaml'));
  });

  it('is refused where something else stands there, and nothing is lost', async () => {
    const notes = join(folder, 'notes.md');
    await writeFile(notes, 'mine');
    await assert.rejects(requireRecordable(notes), (error) => error instanceof InputError && /is there already/.test(error.message));
    assert.equal(await readFile(notes, 'utf8'), 'mine');
  });

  it('is refused in a folder that is not there, and where it is a folder', async () => {
    await assert.rejects(requireRecordable(join(folder, 'none', 'a.yaml')), /There is no folder/);
    await assert.rejects(requireRecordable(folder), /cannot be read/);
  });
});
