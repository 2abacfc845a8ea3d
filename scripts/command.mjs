/** What the commands of `npm run` have in common. */
import { spawnSync } from 'node:child_process';
import { ProvisionError } from './provision.mjs';

/** Runs a command. What it lacks and cannot install is told in words, without a stack. */
export async function command(/** @type {() => Promise<void>} */ main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ProvisionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Runs a Node program, and ends this one where that fails. */
export function node(/** @type {string[]} */ ...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
