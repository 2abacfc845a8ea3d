#!/usr/bin/env node
/** `npm run screenshots`: takes new pictures for docs/images, with the same steps in the editor as the tests. */
import { spawnSync } from 'node:child_process';
import { ensureEditor, ensureModules, ensureSystem, ProvisionError } from './provision.mjs';

try {
  await ensureModules();
  await ensureSystem();
  await ensureEditor();
  node('scripts/build.mjs', '--tests');
  node('out/test/editor/driven/screenshots.js');
} catch (error) {
  if (!(error instanceof ProvisionError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
