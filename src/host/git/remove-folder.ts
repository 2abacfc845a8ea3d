/** Removes a folder with its content, also where a tool left read-only folders, as Go's module cache does. */
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** Milliseconds for which this thread may stand still. */
const atOnceMs = 20;

/** Removes links and never follows them. Does nothing where the path does not exist. */
export async function removeFolder(path: string): Promise<void> {
  if (removedUntil(performance.now() + atOnceMs, path)) return;
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 8 });
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 8 });
  }
}

/** Synchronous, which takes a quarter of the time. @returns false where it took too long, or anything was in the way. */
function removedUntil(end: number, folder: string): boolean {
  try {
    if (!lstatSync(folder).isDirectory()) return false;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (performance.now() > end) return false;
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) unlinkSync(path);
      else if (!removedUntil(end, path)) return false;
    }
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** What is gone by now is no problem: `rm` ends at its first error, while what it began goes on beside this. */
async function makeWritable(path: string): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat?.isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  for (const name of await readdir(path).catch(() => [])) await makeWritable(join(path, name));
}
