/** Where a recording may be written: asked before the sprint begins. That it plays again: run.test.ts. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { requireRecordable, withRecords } from '../../src/cli/record.ts';
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

  it('is refused where something else stands in the place of what was asked', async () => {
    await writeFile(join(folder, 'new.requests.yaml'), 'mine');
    await assert.rejects(requireRecordable(join(folder, 'new.yaml')), /new\.requests\.yaml is there already/);
  });

  it('is refused in a folder that is not there, and where it is a folder', async () => {
    await assert.rejects(requireRecordable(join(folder, 'none', 'a.yaml')), /There is no folder/);
    await assert.rejects(requireRecordable(folder), /cannot be read/);
  });

  it('never hides how the run ended, and says what was not recorded', async () => {
    const said: string[] = [];
    const asked = { ending: 'delivered', tools: {}, asked: [] };
    const to = { sprintDir: folder, record: join(folder, 'new.yaml'), asked, print: (line: string) => void said.push(line) };
    await assert.rejects(withRecords(Promise.reject(new Error('the key is wrong')), to), /the key is wrong/);
    await mkdir(join(folder, '.loop', 'journal.jsonl'), { recursive: true });
    await assert.rejects(withRecords(Promise.reject(new Error('the disk is full')), to), /the disk is full/);
    assert.deepEqual(said.slice(0, 5), ['Nothing was recorded: it did not begin.', '', 'Not as recorded:', 'ending:', '  -delivered']);
    assert.match(said[6] ?? '', /^The recording .*new\.yaml could not be written: /);
    assert.match(said[7] ?? '', /^What was asked could not be read: /);
  });
});
