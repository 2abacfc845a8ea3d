/** Tests that mostly wait: all begin with the first, and each reports its own result. */
import { after, before, it } from 'mocha';
import { shareState } from './sprint.ts';

/** What ends with a test is handed over, and ends in reverse order. */
type AtEnd = (end: () => Promise<void>) => void;

export function sideBySide(tests: Record<string, (atEnd: AtEnd) => Promise<void>>): void {
  const running = new Map<string, Promise<void>>();
  let unshare = (): Promise<void> => Promise.resolve();
  before(async () => {
    unshare = await shareState();
    for (const [title, test] of Object.entries(tests)) {
      const run = withEnds(test);
      // Its own `it` reports it, and may come later.
      run.catch(() => undefined);
      running.set(title, run);
    }
  });
  for (const title of Object.keys(tests)) it(title, () => running.get(title));
  after(async () => {
    await Promise.allSettled(running.values());
    await unshare();
  });
}

async function withEnds(test: (atEnd: AtEnd) => Promise<void>): Promise<void> {
  const ends: (() => Promise<void>)[] = [];
  try {
    await test((end) => void ends.unshift(end));
  } finally {
    for (const end of ends) await end();
  }
}
