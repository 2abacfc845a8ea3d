#!/usr/bin/env node
/**
 * `npm start [-- EXAMPLE [RECORDING]]`: installs what is missing, builds, and runs an example sprint. `--live` uses Claude; `--built`
 * runs what was built last.
 */
import { command, node } from './command.mjs';
import { ensureModules, ensureSystem } from './provision.mjs';

await command(async () => {
  await ensureModules();
  await ensureSystem('run');
  if (!process.argv.includes('--built')) node('scripts/build.mjs', '--example');
  node('out/example.js', ...process.argv.slice(2));
});
