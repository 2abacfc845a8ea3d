/** Small parts of the host in memory: files that a person edited, and a machine without Docker. */
import type { Browser, Docker, VerificationFiles } from '../../src/engine/ports.ts';

/** Files of verifications that a person edited: a name for the text that is kept, given once. */
export class FakeVerifications implements VerificationFiles {
  readonly edited = new Map<string, string>();

  restore({ id }: { id: string }): Promise<string | undefined> {
    const kept = this.edited.get(id);
    this.edited.delete(id);
    return Promise.resolve(kept);
  }
}

/** None is found, and whoever uses it all the same is told so. */
export const noBrowser: Browser = {
  problem: () => 'None is installed here.',
  act: () => Promise.resolve({ refused: 'None is installed here.' }),
  close: () => Promise.resolve(),
};

export const noDocker: Docker = {
  running: () => Promise.resolve({ names: [], problem: 'there is none' }),
  up: () => Promise.resolve('there is none'),
  stop: () => Promise.resolve('there is none'),
};
