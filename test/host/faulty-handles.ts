/** File handles that fail on purpose, for faults that a test cannot provoke on a real disk. */
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';

type Method = 'datasync' | 'sync' | 'write' | 'writeFile';
type Fake = (this: FileHandle, ...args: unknown[]) => Promise<unknown>;

/** Runs `use` while `method` of every file handle is `fake`. */
export async function withFaultyHandles(method: Method, fake: Fake, use: () => Promise<void>): Promise<void> {
  const handle = await open(tmpdir());
  const prototype = Object.getPrototypeOf(handle) as object;
  await handle.close();
  const real = Object.getOwnPropertyDescriptor(prototype, method);
  Object.defineProperty(prototype, method, { ...real, value: fake });
  try {
    await use();
  } finally {
    Object.defineProperty(prototype, method, real ?? {});
  }
}
