/**
 * Translates JavaScript regular expressions, which models write, into the POSIX ones of `git grep -E`. Without that `[\d]` would
 * mean something else, and the search would find nothing. Git refuses what is not translated.
 */

const outside: Record<string, string> = { d: '[0-9]', D: '[^0-9]', t: '\t' };
const inside: Record<string, string> = { d: '0-9', w: '[:alnum:]_', s: '[:space:]', t: '\t' };

/** Returns the pattern as a POSIX extended regular expression with GNU's `\w`, `\s` and `\b`. */
export function posixPattern(pattern: string): string {
  return pattern.replaceAll(/\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?:/gs, (part) => {
    if (part === '(?:') return '(';
    if (part.startsWith('\\')) return outside[part.charAt(1)] ?? part;
    return bracket(part);
  });
}

/** In POSIX brackets a backslash is a plain character; a literal `]` must come first and a literal `-` last. */
function bracket(part: string): string {
  const [, start = '[', body = ''] = /^(\[\^?)(.*)\]$/s.exec(part) ?? [];
  let first = '';
  let last = '';
  const middle = body.replaceAll(/\\(.)/gs, (_, char: string) => {
    if (char === ']') first = ']';
    else if (char === '-') last = '-';
    else return inside[char] ?? char;
    return '';
  });
  return `${start}${first}${middle}${last}]`;
}
