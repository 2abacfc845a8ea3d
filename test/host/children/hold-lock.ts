/** Takes the lock of a sprint, prints whether it got it, and keeps it until it is killed. */
import { writeSync } from 'node:fs';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { acquireLock } from '../../../src/host/lock.ts';

async function main(sprint: string): Promise<void> {
  try {
    await acquireLock(sprint);
    writeSync(1, 'held');
    setInterval(() => undefined, 1_000);
  } catch (error) {
    writeSync(1, error instanceof InputError ? 'refused' : String(error));
  }
}

void main(process.argv[2] ?? '');
