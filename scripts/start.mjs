#!/usr/bin/env node
/**
 * `npm start [-- EXAMPLE [RECORDING]]`: installs what is missing, builds, and runs an example sprint. `--live` uses Claude; `--built`
 * runs what was built last.
 */
import { spawnSync } from 'node:child_process';
import { ensureModules, ensureSystem, ProvisionError } from './provision.mjs';

try {
  await ensureModules();
  await ensureSystem('run');
  if (!process.argv.includes('--built')) node('scripts/build.mjs', '--example');
  node('out/example.js', ...process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ProvisionError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
