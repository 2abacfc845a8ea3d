#!/usr/bin/env node
/** `npm run kills`: kills a sprint and a pipeline with `kill -9` at every line of their journals, then repeats the same command. */
import { spawnSync } from 'node:child_process';
import { ensureModules, ensureSystem } from './provision.mjs';

await ensureModules();
await ensureSystem('run');
node('scripts/build.mjs', '--tests');
node('node_modules/mocha/bin/mocha.js', 'out/test/sprint/{kill,pipeline-kill}.test.mjs');

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, LOOP_KILLS: 'all' } });
  if (status !== 0) process.exit(status ?? 1);
}
