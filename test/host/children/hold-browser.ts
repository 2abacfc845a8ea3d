/** Opens a page of a tree in a browser, prints what it shows, and keeps it open until it is killed. */
import { writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createBrowser } from '../../../src/host/browser/browser.ts';
import { findBrowser } from '../../../src/host/browser/find.ts';
import { createRunner } from '../../../src/host/sandbox/runner.ts';

async function main(worktree: string, gitCommonDir: string, temporary: string): Promise<void> {
  // When it is killed, it leaves its temporary files there.
  process.env['TMPDIR'] = temporary;
  const runner = createRunner({ worktree, gitCommonDir, views: join(dirname(worktree), 'views'), network: 'none' });
  const browser = createBrowser(runner, { program: findBrowser([]), veil: (text) => text });
  const ground = { at: 'worktree' as const, network: false, readonly: true, services: [] };
  const answer = await browser.act({ action: 'open', url: 'page.html' }, ground, new AbortController().signal);
  writeSync(1, 'refused' in answer ? answer.refused : answer.text);
}

void main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4] ?? '');
