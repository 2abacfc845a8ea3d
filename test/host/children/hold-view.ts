/** Runs a verification in a view of a tree, prints how it ended, and ends. */
import { writeSync } from 'node:fs';
import { createRunner } from '../../../src/host/sandbox/runner.ts';

async function main(worktree: string, views: string, script: string): Promise<void> {
  const runner = createRunner({ worktree, gitCommonDir: `${worktree}/.git`, views, viewBy: 'overlay', network: 'none' });
  const run = { script, ext: 'sh', name: 'area-view' };
  const job = { run, at: 'worktree' as const, timeout: 60, network: false, view: true };
  const { exit, output } = await runner.run(job, new AbortController().signal);
  writeSync(1, `${exit} ${output}`);
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '');
