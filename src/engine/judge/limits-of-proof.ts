/** What keeps a proof from being strong whatever faults it sees, as the middle of a sentence. Journals hold these words. */
export const limitsOfProof = {
  inProcess: 'it loads the work into its own process, where the work could speak for it',
  knownValues: 'it asks only for values that a builder could know: all of them stand in the documents, examples or tests',
};

/** What a verification does that has no such limit; undefined where none can. */
export function withoutLimits(limits: readonly string[]): string | undefined {
  const ways = limits.map((limit) => remedies.get(limit));
  return ways.includes(undefined) ? undefined : ways.join(' and ');
}

const remedies = new Map([
  [limitsOfProof.inProcess, 'runs the work in a process of its own'],
  [limitsOfProof.knownValues, 'asks for a value that stands in no document, example or test'],
]);
