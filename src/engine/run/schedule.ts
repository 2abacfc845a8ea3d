/** The one scheduler of verifications: bounded parallelism, in the given order. */
import type { Ground } from './ground.ts';

export interface Schedule<Item> {
  /** How many at the same time. */
  parallel: number;
  /** Called before each item. Once it returns false no item begins; items that run go on to their end. */
  goesOn: () => boolean;
  run: (item: Item) => Promise<void>;
}

/** @returns the items that did not begin, in order. @throws the first error of `run`, after which no item begins. */
export async function inOrder<Item>(items: readonly Item[], { parallel, goesOn, run }: Schedule<Item>): Promise<Item[]> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    while (waiting.length > 0 && goesOn()) {
      const [item] = waiting.splice(0, 1);
      if (item !== undefined) await run(item);
    }
  };
  const workers = Array.from({ length: Math.min(parallel, items.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (error) {
    waiting.length = 0;
    throw error;
  }
  return waiting;
}

/** Runs `use` on all items, as many at a time as verifications may run. @returns the results in the order of `items`. */
export async function inParallel<Item, Result>(
  { state, signal }: Ground,
  items: readonly Item[],
  use: (item: Item) => Promise<Result>,
  parallel = state.config.verificationParallelism,
): Promise<Result[]> {
  const results = new Map<Item, Result>();
  await inOrder(items, { parallel, goesOn: () => !signal.aborted, run: async (item) => void results.set(item, await use(item)) });
  return items.flatMap((item) => (results.has(item) ? [results.get(item) as Result] : []));
}
