/** What is usual depends on the machine (docs/decisions/0023). */
import { availableParallelism } from 'node:os';
import { defaults, type MachineDefaults } from '../engine/ground/config.ts';

const FEWEST = 4;

/**
 * Two verifications for each core: while one waits for a service or a browser, another works, and where all only work, each
 * takes twice its time, which a limit of its own must bear.
 */
export function machineDefaults(cores: number = availableParallelism()): MachineDefaults {
  return { verificationParallelism: Math.min(Math.max(2 * cores, FEWEST), defaults.verificationParallelism) };
}
