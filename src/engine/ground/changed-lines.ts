/** A diff of two texts: every line, removed ones with `-`, new ones with `+`. Pure. */

/** Uses the longest common subsequence of lines. Scripts are short, so quadratic time is acceptable up to a limit. */
export function changedLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length * b.length > maxPairs) return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  const common = commonSuffixLengths(a, b);
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const removeFirst = common(i + 1, j) >= common(i, j + 1);
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || removeFirst)) lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}

/** Above this number of pairs of lines, the texts are not compared. */
const maxPairs = 4_000_000;

/** @returns the length of the longest common subsequence of `a` from line `i` on and `b` from line `j` on. */
function commonSuffixLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
