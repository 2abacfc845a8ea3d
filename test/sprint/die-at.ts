/** Ends this process by `kill -9` at one append of a journal: before the line is written, when half of it is, or after it is on disk. */
import { open, type FileHandle } from 'node:fs/promises';

export const moments = ['before', 'torn', 'after'] as const;
export type When = (typeof moments)[number];

/** Works since each journal line needs one `write` and one `datasync` of a file handle. @param n number of the event; 0 for never */
export async function dieAt(n: number, moment: When): Promise<void> {
  if (n === 0) return;
  const handle = await open(process.execPath);
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
