/** Which lines of a text ran, and which parts of lines, by V8's precise coverage. */

interface Covered {
  ranges: { startOffset: number; endOffset: number; count: number }[];
}

/**
 * `12` for a line of which all ran, `12:4-9` for columns of one of which only these did. Self-contained: its own text also runs inside
 * of programs of the work (`reach.ts`).
 * @param functions with offsets in `text`.
 */
export function reachedPlaces(text: string, functions: readonly Covered[]): string[] {
  const ranges = functions.flatMap((one) => one.ranges).sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  const counts = Array.from<number>({ length: text.length }).fill(0);
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  const places: string[] = [];
  let line = 1;
  let start = 0;
  let parts: string[] = [];
  let isWhole = true;
  let from = -1;
  let counted = false;
  for (let i = 0; i <= text.length; i += 1) {
    const isEnd = i === text.length || text[i] === '\n';
    if (isEnd || counts[i] === 0) {
      if (from >= 0 && counted) parts.push(`${line}:${from - start}-${i - start}`);
      [from, counted] = [-1, false];
    } else if (from < 0) from = i;
    if (isEnd) {
      places.push(...(isWhole && parts.length > 0 ? [String(line)] : parts));
      [line, start, parts, isWhole] = [line + 1, i + 1, [], true];
    } else if ((text[i] ?? '') > ' ' && !'{}();,'.includes(text[i] ?? '')) {
      if ((counts[i] ?? 0) > 0) counted = true;
      else isWhole = false;
    }
  }
  return places;
}
