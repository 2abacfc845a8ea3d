/** Small in-memory parts of the host: verification files that the person edited, and a machine without a browser or Docker. */
import type { Browser, Docker, VerificationFiles } from '../../src/engine/ports.ts';

/** The person's edits of verification files, by id, until the edit is taken out. */
export class FakeVerifications implements VerificationFiles {
  readonly edited = new Map<string, string>();
  /** Ids of verifications whose file still holds an older text of Loop's own. */
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

/** No browser is installed; every use is refused. */
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
