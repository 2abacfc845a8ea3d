/** In which line of a text a character stands. */

/** Where each line begins. */
export function lineStarts(lines: readonly string[]): number[] {
  let from = 0;
  return lines.map((line) => {
    const start = from;
    from += line.length + 1;
    return start;
  });
}

/** The line, from 0, that holds this character. */
export function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
