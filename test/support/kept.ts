/** A folder as it was, kept in memory, so that what is made once can be had often. */
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file or, without bytes, a folder. */
export interface Kept {
  path: string;
  mode: number;
  bytes: Buffer | undefined;
}

/** @returns what is below a folder, the outer before the inner; only files and folders may be there */
export async function keep(folder: string): Promise<Kept[]> {
  const paths = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    paths.map(async (path) => {
      const found = await lstat(join(folder, path));
      return { path, mode: found.mode & 0o7777, bytes: found.isDirectory() ? undefined : await readFile(join(folder, path)) };
    }),
  );
}

/** Makes a folder, and in it all that was kept. */
export async function putBack(folder: string, kept: readonly Kept[]): Promise<void> {
  await mkdir(folder);
  for (const { path, mode, bytes } of kept)
    await (bytes ? writeFile(join(folder, path), bytes, { mode }) : mkdir(join(folder, path), { mode }));
}
