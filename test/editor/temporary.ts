/** Temporary folders of the editor tests. Each is removed after use, and also when this process ends before that. */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates an empty folder whose name begins with `loop-` and the given word. */
export async function temporaryFolder(word: string): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), `loop-${word}-`));
  const removeAtExit = (): void => rmSync(folder, removalOptions);
  process.once('exit', removeAtExit);
  return {
    path: folder,
    remove: async () => {
      await rm(folder, removalOptions);
      process.off('exit', removeAtExit);
    },
  };
}

// A process that is ending may still write, so the removal is tried again.
const removalOptions = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
