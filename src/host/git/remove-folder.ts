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

/** What is gone by now is no problem: `rm` ends at its first error, while what it began goes on beside this. */
async function makeWritable(path: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat?.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  for (const name of await readdir(path).catch(() => [])) await makeWritable(join(path, name));
}
