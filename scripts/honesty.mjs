#!/usr/bin/env node
/**
 * `npm run honesty`: whole sprints with cheating builders, gamed verifications and honest work (test/honesty); one line a case.
 *
 *   npm run honesty -- --corpus cheats --only exit     the cases of one corpus, or with this in their names
 *   npm run honesty -- --sample 3 [--seed N]           three of each corpus
 *   npm run honesty -- --bare                          only whether the cases are what they say
 */
import { spawnSync } from 'node:child_process';
import { ensureModules, ensureSystem } from './provision.mjs';

await ensureModules();
await ensureSystem('honesty');
node('scripts/build.mjs', '--honesty');
node('out/honesty.mjs', ...process.argv.slice(2));

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
