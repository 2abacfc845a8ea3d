#!/usr/bin/env node
/**
 * `npm run replay`: plays all recordings below `examples` and says where a request differs from what was asked when it was
 * recorded: one line each, then each change once.
 *
 *   npm run replay -- lent hosting         only these
 *   npm run replay -- --update             what is asked now is what was recorded
 *   npm run replay -- --in FOLDER          recordings that lie elsewhere, as the examples do
 */
import { spawnSync } from 'node:child_process';
import { ensureModules, ensureSystem } from './provision.mjs';

await ensureModules();
await ensureSystem('run');
node('scripts/build.mjs', '--example');
node('out/replay.js', ...process.argv.slice(2));

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
