/** Small parts of the host in memory: files that a person edited, and a machine without Docker. */
import type { Browser, Docker, VerificationFiles } from '../../src/engine/ports.ts';

/** Files of verifications: what a person put into them, by id, until it is taken out. */
export class FakeVerifications implements VerificationFiles {
  readonly edited = new Map<string, string>();
  /** Ids of those in whose file an older text of ours lies. */
  readonly older = new Set<string>();
  private taken = 0;

  look({ id, ext }: { id: string; ext: string }): Promise<{ text: string; kept: string } | undefined> {
    const text = this.edited.get(id);
    return Promise.resolve(text === undefined ? undefined : { text, kept: `.loop/verifications/${id}.edited-${this.taken + 1}.${ext}` });
  }

  isOlder({ id }: { id: string }): Promise<boolean> {
    return Promise.resolve(this.older.has(id));
  }

  restore({ id }: { id: string }): Promise<void> {
    if (this.edited.delete(id)) this.taken += 1;
    return Promise.resolve();
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
