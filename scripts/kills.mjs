#!/usr/bin/env node
/** `npm run kills`: kills a sprint and a pipeline with `kill -9` at every line of their journals, then repeats the same command. */
import { command, node } from './command.mjs';
import { ensureModules, ensureSystem } from './provision.mjs';

await command(async () => {
  await ensureModules();
  await ensureSystem('run');
  process.env.LOOP_KILLS = 'all';
  node('scripts/build.mjs', '--tests');
  node('node_modules/mocha/bin/mocha.js', 'out/test/sprint/{kill,pipeline-kill}.test.mjs');
});
