/**
 * Matches paths against a glob that a model wrote: `*`, `?`, `[a-z]`, `**` for any folders, `{a,b}`. It uses no regular
 * expression: a library's took 52 s for twelve times `*a`. Here the time is limited by the product of the lengths.
 */
import { InputError } from './errors.ts';

const maxAlternatives = 64;

/** @throws InputError when the braces stand for too many patterns. */
export function globMatcher(pattern: string): (path: string) => boolean {
  const split = alternatives(pattern);
  return (path) => {
    const names = path.split('/');
    return split.some((parts) => matchesNames(parts, names));
  };
}

/** The same of a path or glob that a person wrote: a file or folder may be called `[id]`, so it matches word for word, too. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const matches = globMatcher(pattern);
  const folder = /^(.*\/)(?:\*\*)?$/.exec(pattern)?.[1];
  return (path) => path === pattern || (folder !== undefined && path.startsWith(folder)) || matches(path);
}

/** Globs of `*`, `**` and `\` alone that together match all that a glob matches, and perhaps more: others read the rest otherwise. */
export function plainGlobs(pattern: string): string[] {
  return alternatives(pattern).map((parts) => parts.map((part) => (part === 'folders' ? '**' : plainName(part))).join('/'));
}

function plainName(parts: readonly Token[]): string {
  const isWild = (token: Token | undefined) => token !== undefined && token.kind !== 'char';
  const plain = parts.map((token, index) => {
    if (token.kind === 'char') return token.char.replace(/[*?[\]\\]/, String.raw`\$&`);
    return isWild(parts[index - 1]) ? '' : '*';
  });
  return plain.join('');
}

function alternatives(pattern: string): Part[][] {
  return expandBraces(pattern.replace(/^(\.?\/)+/, '').replace(/\/$/, '/**')).map((alternative) =>
    alternative
      .split('/')
      .filter((name) => name !== '')
      .map(tokens),
  );
}

type Token =
  | { kind: 'char'; char: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'class'; not: boolean; ranges: [string, string][] };
type Part = Token[] | 'folders';

/** Dynamic programming: `reach[j]` is true if the parts so far match the first j names. */
function matchesNames(parts: Part[], names: string[]): boolean {
  let reach = [true, ...names.map(() => false)];
  for (const part of parts) {
    const next = names.map(() => false);
    next.push(false);
    for (let j = 0; j <= names.length; j++) {
      const name = names[j - 1];
      if (part === 'folders') next[j] = (reach[j] ?? false) || (j > 0 && (next[j - 1] ?? false));
      else next[j] = name !== undefined && (reach[j - 1] ?? false) && matchesName(part, name);
    }
    reach = next;
  }
  return reach[names.length] ?? false;
}

/** Matches one name. At a mismatch the last star takes one character more. */
function matchesName(parts: Token[], name: string): boolean {
  const chars = Array.from(name);
  let part = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < chars.length) {
    const token = parts[part];
    if (token?.kind === 'star') {
      star = part++;
      resume = at;
    } else if (token && matchesChar(token, chars[at] ?? '')) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else return false;
  }
  return parts.slice(part).every((token) => token.kind === 'star');
}

function matchesChar(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char;
  if (token.kind === 'class') return token.ranges.some(([from, to]) => from <= char && char <= to) !== token.not;
  return true;
}

function tokens(name: string): Part {
  if (name === '**') return 'folders';
  const found: Token[] = [];
  let rest = name;
  while (rest !== '') {
    const set = /^\[([!^]?)(\]?[^\]]*)\]/su.exec(rest);
    const escaped = /^\\(.)/su.exec(rest);
    const [char = ''] = rest;
    if (set) found.push({ kind: 'class', not: set[1] !== '', ranges: rangesOf(set[2] ?? '') });
    else if (escaped) found.push({ kind: 'char', char: escaped[1] ?? '' });
    else found.push(char === '*' ? { kind: 'star' } : char === '?' ? { kind: 'any' } : { kind: 'char', char });
    rest = rest.slice((set ?? escaped)?.[0].length ?? char.length);
  }
  return found;
}

function rangesOf(text: string): [string, string][] {
  return [...text.matchAll(/(.)-(.)|(.)/gsu)].map(([, from, to, one]) => [from ?? one ?? '', to ?? one ?? '']);
}

/** Expands `a{b,c{d,e}}` to `ab`, `acd`, `ace`. Braces without a comma or an end are ordinary characters. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = innermost(next);
    if (brace) open.push(...brace);
    else done.push(next);
    if (open.length + done.length > maxAlternatives)
      throw new InputError(`The glob "${pattern}" stands for more than ${maxAlternatives} patterns.`, 'Use fewer braces.');
  }
  return done;
}

function innermost(pattern: string): string[] | undefined {
  const brace = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!brace) return undefined;
  const [before, after] = [pattern.slice(0, brace.index), pattern.slice(brace.index + brace[0].length)];
  return (brace[1] ?? '').split(',').map((choice) => before + choice + after);
}
