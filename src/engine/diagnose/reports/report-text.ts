/** Text of tools as parsers take it: without colours, in lines of a bounded length, so that no pattern is slow on it. */

const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** Characters; what is longer is cut off, since no place or message of use is. */
const lineLimit = 2000;

/** Lines; of more, the middle is left out. */
const lineCount = 40_000;

export function linesOf(text: string): string[] {
  const all = plain(text).split('\n');
  const half = lineCount / 2;
  const kept = all.length > lineCount ? [...all.slice(0, half), ...all.slice(-half)] : all;
  return kept.map((line) => line.slice(0, lineLimit).trimEnd());
}

export function plain(text: string): string {
  return text.replaceAll(ansi, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** The lines without the indentation that all of them share. */
export function dedent(lines: readonly string[]): string[] {
  const depth = lines.filter((line) => line !== '').reduce((least, line) => Math.min(least, indentOf(line)), Infinity);
  return depth === Infinity ? [] : lines.map((line) => line.slice(depth));
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Most failures of one text that are looked into. */
const blockLimit = 2000;

/** The blocks that begin at lines which `head` knows, each up to the next head or the first line that `end` knows. */
export function blocksOf<T>(
  lines: readonly string[],
  head: (line: string) => T | undefined,
  end: (line: string) => boolean,
): { head: T; body: string[] }[] {
  const blocks: { head: T; body: string[] }[] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    const found = head(line);
    if (found !== undefined) {
      if (blocks.length === blockLimit) break;
      open = [];
      blocks.push({ head: found, body: open });
    } else if (end(line)) open = undefined;
    else open?.push(line);
  }
  return blocks;
}

/** Suites and test in one name. */
export function nameOf(...parts: (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' › ');
}
