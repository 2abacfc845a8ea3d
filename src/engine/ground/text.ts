/** Shortens and formats texts for people and prompts. */

/** Offsets in a text; `to` is behind the last character. */
export interface TextSpan {
  from: number;
  to: number;
}

const errorLine = /\b(error|fail(ed|ure)?|exception|panic|traceback|assert\w*|expected|cannot|not found|denied|refused)\b/i;
const maxErrorLines = 12;

/**
 * Head, tail and, from the middle, lines that look like errors (I9).
 * @param limit characters, roughly.
 */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = Math.floor(limit / 3);
  const head = pieceOf(text, 0, end);
  const tail = pieceOf(text, -end);
  const middle = pieceOf(text, end, -end);
  const errors = middle
    .split('\n')
    .filter((line) => errorLine.test(line))
    .slice(0, maxErrorLines)
    .map((line) => pieceOf(line, 0, 200));
  return [head, `[… ${middle.length} characters left out; lines among them that look like errors:]`, ...errors, '[…]', tail].join('\n');
}

/** As `slice`, without half a character at either end: a provider refuses a request that holds one. */
export function pieceOf(text: string, from: number, to?: number): string {
  return text.slice(from, to).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** The same with each half of a character replaced, in all its texts. */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((one: unknown) => wellFormed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [wellFormed(key), wellFormed(one as unknown)]));
}

/** At most so many characters, with an ellipsis where something was cut. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${pieceOf(text, 0, most - 1)}…`;
}

/** A line that comes more often than this, time after time, is told once and counted. */
const mostAlike = 3;

/** With lines that only repeat the one before told by their number, as in the log of a server. */
export function withoutRepeats(text: string): string {
  const kept: string[] = [];
  const lines = text.split('\n');
  for (let at = 0, next = 0; at < lines.length; at = next) {
    const line = lines[at] ?? '';
    next = at + 1;
    while (next < lines.length && lines[next] === line) next += 1;
    const isLong = next - at > mostAlike && line.trim() !== '';
    kept.push(...(isLong ? [line, `[the same line ${next - at - 1} times more]`] : lines.slice(at, next)));
  }
  return kept.join('\n');
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Names the first ten. */
export function listPaths(paths: readonly string[]): string {
  return paths.length <= 10 ? paths.join(', ') : `${paths.slice(0, 10).join(', ')} and ${paths.length - 10} more`;
}

/** `never green` becomes `Never green.` */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${withFullStop(words.slice(1))}`;
}

export function withFullStop(words: string): string {
  const trimmed = words.trimEnd();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Makes a sentence part of another one. */
export function withoutFullStop(words: string): string {
  return words.replace(/\.$/, '');
}

/** Blanks within a line stay: a document may be about them. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** Whole words of a longer text, and `…`; at most so many characters. */
export function firstWords(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[^\p{L}\p{N}]+[\p{L}\p{N}]*$/u, '')}…`;
}

/** @param share from 0 to 1. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Colours and cursor movements of a terminal; bounded, because the work that is judged prints them. */
const terminalSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]{0,64}[A-Za-z]`, 'g');

export function withoutColours(text: string): string {
  return text.replaceAll(terminalSequence, '');
}

/** What moves a cursor or turns the reading direction; new lines and tabs stay. */
const controls = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

export function withoutControls(text: string): string {
  return text.replaceAll(controls, '');
}

/** An editor follows `[x](command:y)` in markdown, and so would run a command of its own that an agent wrote: a blank breaks that. */
export function withoutCommandLinks(markdown: string): string {
  return markdown.replaceAll(/\b(command):(?=\S)/gi, '$1 :');
}

/** Backticks around this text in markdown: more in a row than it has, and at least so many. */
export function ticksFor(text: string, least = 1): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  return '`'.repeat(Math.max(least, 1 + Math.max(0, ...runs)));
}
