/** Removes a folder with its content, also where a tool left read-only folders, as Go's module cache does. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes links and never follows them. Does nothing where the path does not exist. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 8 });
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 8 });
  }
}

async function makeWritable(path: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat?.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await makeWritable(join(path, name));
}
