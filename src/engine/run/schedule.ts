/** The one scheduler of verifications: bounded parallelism, in the order that is given. */

export interface Schedule<Item> {
  /** How many at the same time. */
  parallel: number;
  /** Asked before each; once it is false nothing more is begun, and what has begun goes on to its end. */
  goesOn: () => boolean;
  run: (item: Item) => Promise<void>;
}

/** @returns what was not begun, in its order. @throws what the first that could not be run threw; nothing is begun after it. */
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
