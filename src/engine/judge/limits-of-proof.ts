/** What keeps a proof from being strong whatever faults it sees, as the middle of a sentence. Journals hold these words. */
export const limitsOfProof = {
  inProcess: 'it loads the work into its own process, where the work could speak for it',
  knownValues: 'it asks only for values that a builder could know: all of them stand in the documents, examples or tests',
};

/** Limits that all of several verifications have; in words of its own where each has one, and they share none. None where one has none. */
export function limitsOfAll([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  if ([first, ...others].some(({ length }) => length === 0)) return [];
  const common = first.filter((limit) => others.every((limits) => limits.includes(limit)));
  return common.length > 0 ? common : [mixed];
}

const mixed = 'each of its verifications loads the work into its own process, or asks only for values that a builder could know';

/** What a verification does that has no such limit; undefined where none can. */
export function withoutLimits(limits: readonly string[]): string | undefined {
  const ways = limits.map((limit) => remedies.get(limit));
  return ways.includes(undefined) ? undefined : ways.join(' and ');
}

const ownProcess = 'runs the work in a process of its own';
const ownValue = 'asks for a value that stands in no document, example or test';
const remedies = new Map([
  [limitsOfProof.inProcess, ownProcess],
  [limitsOfProof.knownValues, ownValue],
  [mixed, `${ownProcess} and ${ownValue}`],
]);
