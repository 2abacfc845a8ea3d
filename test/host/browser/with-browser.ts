/** Scripts that use pages by the command `browser`, in a real sandbox with a real Chromium. */
import { resolve } from 'node:path';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { findBrowser } from '../../../src/host/browser/find.ts';
import type { World } from '../sandbox/world.ts';

export const browser = { program: findBrowser([]) ?? '', command: resolve('dist/browser-command.js') };

/** Runs a verification of these lines of bash in the world's tree, with time enough for a busy machine. */
export function runWithBrowser(world: World, lines: readonly string[], more: Partial<Job> = {}): Promise<Finished> {
  const script = `#!/usr/bin/env bash\n${lines.join('\n')}`;
  return world.run({ script, ext: 'sh', name: 'page-a' }, { timeout: 800, ...more }, { browser });
}
