/** Defaults that depend on the machine (docs/decisions/0023). */
import { availableParallelism } from 'node:os';
import { defaults, type MachineDefaults } from '../engine/ground/config.ts';

const minParallelism = 4;

/**
 * Two verifications for each core: while one waits for a service or a browser, another works. If none waits, each takes twice
 * its time, and its timeout must allow for that.
 */
export function machineDefaults(cores: number = availableParallelism()): MachineDefaults {
  return { verificationParallelism: Math.min(Math.max(2 * cores, minParallelism), defaults.verificationParallelism) };
}
