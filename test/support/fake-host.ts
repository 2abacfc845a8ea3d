/** Small parts of the host in memory: files that a person edited, and a machine without Docker. */
import type { Docker, VerificationFiles } from '../../src/engine/ports.ts';

/** Files of verifications that a person edited: a name for the text that is kept, given once. */
export class FakeVerifications implements VerificationFiles {
  readonly edited = new Map<string, string>();

  restore({ id }: { id: string }): Promise<string | undefined> {
    const kept = this.edited.get(id);
    this.edited.delete(id);
    return Promise.resolve(kept);
  }
}

export const noDocker: Docker = {
  up: () => Promise.resolve({ ours: false, problem: 'there is none' }),
  stop: () => Promise.resolve('there is none'),
};
