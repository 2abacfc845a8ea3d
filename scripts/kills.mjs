#!/usr/bin/env node
/** `npm run kills`: kills a sprint with `kill -9` before, in and after every line of its journal, then repeats the same command. */
import { spawnSync } from 'node:child_process';
import { ensureModules, ensureSystem } from './provision.mjs';

await ensureModules();
await ensureSystem('run');
node('scripts/build.mjs', '--tests');
node('node_modules/mocha/bin/mocha.js', 'out/test/sprint/kill.test.mjs');

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, LOOP_KILLS: 'all' } });
  if (status !== 0) process.exit(status ?? 1);
}
