/** What differs between two texts, for a terminal: every line, those that went with `-`, those that came with `+`. Pure. */

/** By the longest common run of lines; scripts are short, so its square is no matter up to the bound. */
export function changedLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length * b.length > most) return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  const common = commonTails(a, b);
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const gone = common(i + 1, j) >= common(i, j + 1);
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || gone)) lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}

/** Pairs of lines that are compared at most. */
const most = 4_000_000;

/** How many lines the texts have in common from two places on. */
function commonTails(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
