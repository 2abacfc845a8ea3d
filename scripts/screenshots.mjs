#!/usr/bin/env node
/** `npm run screenshots`: takes new pictures for docs/images, with the same steps in the editor as the tests. */
import { command, node } from './command.mjs';
import { ensureEditor, ensureModules, ensureSystem } from './provision.mjs';

await command(async () => {
  await ensureModules();
  await ensureSystem();
  await ensureEditor();
  node('scripts/build.mjs', '--tests');
  node('out/test/editor/driven/screenshots.js');
});
