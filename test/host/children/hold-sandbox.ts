/**
 * Runs a command through a launcher as an engine does, prints its output, and ends by itself, since no handle keeps it alive.
 * It ignores SIGINT, which a terminal sends to the whole process group.
 */
import { writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLauncher } from '../../../src/host/launcher/launcher.ts';

async function main(file: string, worktree: string, gitCommonDir: string, command: string): Promise<void> {
  process.on('SIGINT', () => undefined);
  const views = join(dirname(worktree), 'views');
  const runner = createLauncher(file).runner({ worktree, gitCommonDir, views, network: 'none', variables: {} });
  writeSync(1, 'begun\n');
  const job = { run: { command }, at: 'worktree' as const, timeout: 60, network: false };
  const { output } = await runner.run(job, new AbortController().signal);
  writeSync(1, output);
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '', process.argv[5] ?? '');
