/**
 * A sprint in a process of its own that dies by `kill -9` at one append of its journal: before the line is written, when
 * half of it is, or after it is on disk. Without a number it runs to its end.
 * Arguments: sprint folder, repository, file of sessions, number of the event, when, and `silent` for a person who never answers.
 */
import { readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { runSprint } from '../../src/host/sprint.ts';
import { createRecorded } from '../../src/models/recorded.ts';
import { silent } from '../support/silent.ts';
import { helpful } from '../support/sprint.ts';

export type When = 'before' | 'torn' | 'after';

const [sprintDir = '', repo = '', recording = '', at = '0', when = 'after', who = ''] = process.argv.slice(2);

void main();

async function main(): Promise<void> {
  await dieAt(Number(at), when as When);
  await runSprint({
    sprintDir,
    model: createRecorded({ name: 'recording.json', text: readFileSync(recording, 'utf8') }),
    person: who === 'silent' ? silent : helpful(repo),
    overrides: {},
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onProgress: () => undefined,
  });
}

/** Every journal line goes through one `write` and one `datasync` of a file handle. */
async function dieAt(n: number, moment: When): Promise<void> {
  if (n === 0) return;
  const handle = await open(__filename);
  const proto = Object.getPrototypeOf(handle);
  await handle.close();
  const write = proto.write as (this: FileHandle, data: Buffer) => Promise<unknown>;
  const datasync = proto.datasync as (this: FileHandle) => Promise<void>;
  const line = new RegExp(`^\\{"v":1,"schema":"\\w+","n":${n},`);
  let reached = false;
  Object.assign(proto, {
    async write(this: FileHandle, data: Buffer) {
      reached = Buffer.isBuffer(data) && line.test(data.subarray(0, 80).toString());
      if (reached && moment === 'before') die();
      if (reached && moment === 'torn') {
        await write.call(this, data.subarray(0, data.length / 2));
        die();
      }
      return write.call(this, data);
    },
    async datasync(this: FileHandle) {
      await datasync.call(this);
      if (reached) die();
    },
  });
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
