// Owns the temporary folders of the editor tests: each is removed when it is done with, and as well when this process ends
// before that.

import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes an empty folder whose name begins with `loop-` and the given word. */
export async function temporaryFolder(word: string): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), `loop-${word}-`));
  const removeAtExit = (): void => rmSync(folder, REMOVAL);
  process.once('exit', removeAtExit);
  return {
    path: folder,
    remove: async () => {
      await rm(folder, REMOVAL);
      process.off('exit', removeAtExit);
    },
  };
}

// A process that is just dying may still write.
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
