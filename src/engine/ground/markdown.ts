/** Texts of others within markdown: they stay words, and cannot become its headings, tags or code. */
import { oneLine, ticksFor } from './text.ts';

/** On one line, as code: a path, a command. */
export function asCode(text: string): string {
  const line = oneLine(text);
  const ticks = ticksFor(line);
  return line.includes('`') ? `${ticks} ${line} ${ticks}` : `\`${line}\``;
}

/** Words of an agent, on one line; what they mark as code stays code. */
export function inWords(text: string): string {
  return escaped(oneLine(text.replaceAll('\r', '\n'))).replace(/^(?=#{1,6}(\s|$)|>)/, '\\');
}

/** The same for lines that are laid out already. */
export function escaped(text: string): string {
  return text.replaceAll(codeOrSign, escapedUnlessCode);
}

/** Lines of code among words, in which a backtick marks nothing. */
export function literally(text: string): string {
  return text.replaceAll(sign, (found: string, at: number) => escapedAt(text, found, at));
}

/** A run of signs that markdown may take for more than words. */
const sign = /`+|\\(?=[!-/:-@[-`{-~]|$)|<(?=[a-z/!?])|&(?=#?\w+;)|!(?=\[)|\*+|_+/gi;
const codeOrSign = new RegExp(`(?<!\`)(\`+)(?!\`)[^\\n]*?[^\`\\n]\\1(?!\`)|${sign.source}`, 'gi');

function escapedUnlessCode(found: string, ticks: string | undefined, at: number, text: string): string {
  return ticks === undefined ? escapedAt(text, found, at) : found;
}

/** `a * b` and `snake_case` are words to markdown, too. */
function escapedAt(text: string, found: string, at: number): string {
  const around = [text[at - 1] ?? ' ', text[at + found.length] ?? ' '];
  const isApart = around.every((one) => /\s/.test(one));
  const isWithin = around.every((one) => /[\p{L}\p{N}]/u.test(one));
  if ((found.startsWith('*') && isApart) || (found.startsWith('_') && (isApart || isWithin))) return found;
  return found.replaceAll(/./g, '\\$&');
}
