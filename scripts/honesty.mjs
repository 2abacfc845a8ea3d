#!/usr/bin/env node
/**
 * `npm run honesty`: whole sprints with cheating builders, gamed verifications, honest work and contradictions (test/honesty).
 * One line a case.
 *
 *   npm run honesty -- --corpus cheats --only exit     the cases of one corpus, or with this in their names
 *   npm run honesty -- --sample 3 [--seed N]           three of each corpus
 *   npm run honesty -- --bare                          only whether the cases are what they say
 *   npm run honesty -- --planted [--seed N]            faults of StrykerJS in delivered works, against the strength shown
 */
import { command, node } from './command.mjs';
import { ensureModules, ensureMutators, ensureSystem } from './provision.mjs';

await command(async () => {
  await ensureModules();
  await ensureSystem('honesty');
  if (process.argv.includes('--planted')) process.env.LOOP_MUTATORS = await ensureMutators();
  node('scripts/build.mjs', '--honesty');
  node('out/honesty.mjs', ...process.argv.slice(2));
});
