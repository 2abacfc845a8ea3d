#!/usr/bin/env node
/**
 * `npm run replay`: plays all recordings below `examples` and says where a request differs from what was asked when it was
 * recorded: one line each, then each change once.
 *
 *   npm run replay -- lent hosting         only these
 *   npm run replay -- --update             what is asked now is what was recorded
 *   npm run replay -- --in FOLDER          recordings that lie elsewhere, as the examples do
 */
import { command, node } from './command.mjs';
import { ensureModules, ensureSystem } from './provision.mjs';

await command(async () => {
  await ensureModules();
  await ensureSystem('run');
  node('scripts/build.mjs', '--example');
  node('out/replay.js', ...process.argv.slice(2));
});
