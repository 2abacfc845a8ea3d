/** Lines and ranges of a text, as the Language Server Protocol counts them: from 0, in UTF-16 units. */
import type { Position, Range } from 'vscode-languageserver-types';

/** A lone carriage return ends a line too. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** From the first character of a line that is no space to its end. */
export function lineRange(lines: readonly string[], line: number): Range {
  const text = lines[line] ?? '';
  return { start: { line, character: text.length - text.trimStart().length }, end: endOfLine(lines, line) };
}

export function endOfLine(lines: readonly string[], line: number): Position {
  return { line, character: (lines[line] ?? '').trimEnd().length };
}

/** Part of one line. */
export function within(line: number, from: number, to: number): Range {
  return { start: { line, character: from }, end: { line, character: to } };
}
