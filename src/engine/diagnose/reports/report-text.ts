/** Prepares a tool's text for parsers: without colours, in lines of limited length, so that no pattern is slow on it. */
import { pieceOf, withoutColours } from '../../ground/text.ts';

/** Characters; a longer line is cut off, since no useful place or message is longer. */
const lineLimit = 2000;

/** If there are more lines, the middle is left out. */
const lineCount = 40_000;

export function linesOf(text: string): string[] {
  const all = plain(text).split('\n');
  const half = lineCount / 2;
  const kept = all.length > lineCount ? [...all.slice(0, half), ...all.slice(-half)] : all;
  return kept.map((line) => pieceOf(line, 0, lineLimit).trimEnd());
}

export function plain(text: string): string {
  return withoutColours(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** Removes the indentation that all lines share. */
export function dedent(lines: readonly string[]): string[] {
  const depth = lines.filter((line) => line !== '').reduce((least, line) => Math.min(least, indentOf(line)), Infinity);
  return depth === Infinity ? [] : lines.map((line) => line.slice(depth));
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Blocks of one text that are read; those after them are left out. */
const blockLimit = 2000;

/** Blocks begin at lines that `head` recognises, and go up to the next head or to a line that `end` recognises. */
export function blocksOf<T>(
  lines: readonly string[],
  head: (line: string) => T | undefined,
  end: (line: string) => boolean,
): { head: T; body: string[] }[] {
  const blocks: { head: T; body: string[] }[] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    const matched = head(line);
    if (matched !== undefined) {
      if (blocks.length === blockLimit) break;
      open = [];
      blocks.push({ head: matched, body: open });
    } else if (end(line)) open = undefined;
    else open?.push(line);
  }
  return blocks;
}

/** Joins suites and test to one name. */
export function nameOf(...parts: (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' › ');
}
