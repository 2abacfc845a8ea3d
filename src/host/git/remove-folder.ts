/** Takes a folder away with all that is in it, also where a tool left folders that nobody may write (Go's cache does). */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Links are removed, never followed. Fine if nothing is there. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await openUp(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function openUp(path: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat?.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openUp(join(path, name));
}
