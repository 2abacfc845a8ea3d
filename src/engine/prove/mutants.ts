/**
 * Mutants: the work with one line made wrong. Only lines of code that the covering commits added and that still exist are
 * changed, by small rules that keep the syntax. Tests in the work are left alone: a verification that only notices their
 * failure has not verified the work. Deterministic (I3).
 */
import { isNamedTest } from './own-tests.ts';
import { languageOf, type Language } from './source.ts';

/** Most mutants for one verification (I4). */
export const mutantsPerVerification = 8;

export interface Mutant {
  path: string;
  /** 1-based. */
  line: number;
  /** The line before and after the change. */
  was: string;
  now: string;
  /** The whole file with the changed line. */
  text: string;
}

/** For each path, the lines that patches add and how often. */
type Added = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Mutants of what `patches` added to `files` (path to current text), spread over files and lines. */
export function mutantsOf(files: Readonly<Record<string, string>>, patches: readonly string[]): Mutant[] {
  const added = addedLines(patches);
  const perLine = Object.entries(files).flatMap(([path, text]) => {
    const language = languageOf(path, text);
    const lines = added.get(path);
    return language && lines && !isNamedTest(path) ? mutantsByLine(path, text, language, lines) : [];
  });
  const chosen: Mutant[] = [];
  for (let round = 0; chosen.length < mutantsPerVerification && perLine.some((m) => m.length > round); round++) {
    const candidates = perLine.flatMap((mutants) => mutants.slice(round, round + 1));
    chosen.push(...spread(candidates, mutantsPerVerification - chosen.length));
  }
  return chosen;
}

/**
 * Tells whether patches added a line of `text`. A line that occurs more often than they added it may be older than the work,
 * so it does not count.
 * @param lines added lines of this file, with how often each was added.
 */
export function isAdded(text: string, lines: ReadonlyMap<string, number>): (line: string) => boolean {
  const occurrences = new Map<string, number>();
  for (const line of text.split('\n')) occurrences.set(line, (occurrences.get(line) ?? 0) + 1);
  return (line) => lines.has(line) && (occurrences.get(line) ?? 0) <= (lines.get(line) ?? 0);
}

export function addedLines(patches: readonly string[]): Added {
  const added = new Map<string, Map<string, number>>();
  for (const patch of patches) {
    let lines: Map<string, number> | undefined;
    let inHunk = false;
    for (const line of patch.split('\n')) {
      if (line.startsWith('diff --git ')) [lines, inHunk] = [undefined, false];
      else if (line.startsWith('@@ ')) inHunk = true;
      else if (inHunk && line.startsWith('+')) lines?.set(line.slice(1), (lines.get(line.slice(1)) ?? 0) + 1);
      else if (!inHunk && line.startsWith('+++ b/')) {
        const path = line.slice('+++ b/'.length).replace(/\t$/, '');
        lines = added.get(path) ?? new Map<string, number>();
        added.set(path, lines);
      }
    }
  }
  return added;
}

/** Picks at most `limit` items, evenly spread. */
function spread<T>(all: readonly T[], limit: number): T[] {
  if (all.length <= limit) return [...all];
  return all.filter((_, i) => Math.floor((i * limit) / all.length) !== Math.floor(((i - 1) * limit) / all.length));
}

function mutantsByLine(path: string, text: string, language: Language, lines: ReadonlyMap<string, number>): Mutant[][] {
  const all = text.split('\n');
  const added = isAdded(text, lines);
  return all.flatMap((was, index) => {
    if (!added(was)) return [];
    const mutants = variants(was, language).map((now) => ({
      path,
      line: index + 1,
      was,
      now,
      text: [...all.slice(0, index), now, ...all.slice(index + 1)].join('\n'),
    }));
    return mutants.length > 0 ? [mutants] : [];
  });
}

/** A change of code; matches inside strings and comments are ignored. */
type Rule = [find: RegExp, replacement: string | ((match: string) => string)];

const common: Rule[] = [
  [/===|!==|==|!=| <= | >= | < | > |&&|\|\|/, (match) => opposites[match.trim()] ?? match],
  [/ [-+*/] /, (match) => ` ${opposites[match.trim()] ?? ''} `],
  [/\+=|-=/, (match) => opposites[match] ?? match],
  [/(?<![\w.$])\d+(?![\w.])/, (match) => String(Number(match) + 1)],
];
const opposites: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<=': ' > ',
  '>=': ' < ',
  '<': ' >= ',
  '>': ' <= ',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '+=': '-=',
  '-=': '+=',
};
const rules: Record<Language, Rule[]> = {
  javascript: [
    [/\bif \(/, 'if (false && '],
    [/\breturn (?=[^;]*;$)/, 'return void '],
    ...common,
    [/\b(true|false)\b/, (match) => (match === 'true' ? 'false' : 'true')],
    [/^(?=\s*[\w$.]+(\(| [-+*]?= ).*;$)/, '// '],
  ],
  python: [
    [/\b(if|while) (?=.*:$)/, (match) => `${match}not `],
    [/\breturn (?=\S)(?!.*[([{,\\]$)/, 'return None and '],
    ...common,
    [/\b(and|or)\b/, (match) => (match === 'and' ? 'or' : 'and')],
    [/\b(True|False)\b/, (match) => (match === 'True' ? 'False' : 'True')],
    [/(?<=^\s*)(?=[\w.]+(\(.*\)| [-+*]?= .*[^([{,\\])$)/, 'pass  # '],
  ],
  shell: [
    [/\b(if|while) (?=\S)/, (match) => `${match}! `],
    [
      / -(eq|ne|lt|ge|gt|le) /,
      (match) => ` -${{ eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', gt: 'le', le: 'gt' }[match.trim().slice(1)] ?? ''} `,
    ],
    [/ (=|!=) /, (match) => (match === ' = ' ? ' != ' : ' = ')],
    [/&&|\|\|/, (match) => opposites[match] ?? match],
    [/(?<![\w.$\-&>])\d+(?![\w.>&])/, (match) => String(Number(match) + 1)],
    [/^(?=\s*(echo|printf)\b.*[^\\]$)/, ': '],
  ],
};

/** Lines that only import, open or close something: changing them proves nothing. */
const passive: Record<Language, RegExp> = {
  javascript: /^\s*(\/\/|\/\*|\*|import\b|export (\*|\{)|['"]use strict)|\brequire\(/,
  python: /^\s*(#|import\b|from\b|@|"""|''')/,
  shell: /^\s*(#|\.|source\b|set\b|cd\b)/,
};

function variants(line: string, language: Language): string[] {
  if (line.trim() === '' || passive[language].test(line)) return [];
  const code = masked(line, language);
  const changed = rules[language].flatMap(([find, replacement]) => {
    const match = find.exec(code);
    if (!match) return [];
    const now = typeof replacement === 'string' ? replacement : replacement(match[0]);
    return [line.slice(0, match.index) + now + line.slice(match.index + match[0].length)];
  });
  const literal = literalIn(code);
  if (literal !== undefined) changed.splice(1, 0, `${line.slice(0, literal)}~${line.slice(literal)}`);
  return [...new Set(changed)].filter((now) => now !== line);
}

/** The line with the contents of its strings hidden, so that positions stay the same. A comment at its end is cut off. */
function masked(line: string, language: Language): string {
  const quotes = language === 'javascript' ? '\'"`' : '\'"';
  const sign = language === 'javascript' ? /^\/\// : /^(?<!\S)#/;
  let open = '';
  let code = '';
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (open === '' && sign.test(line.slice(i)) && (i === 0 || /\s/.test(line.charAt(i - 1)))) break;
    if (char === '\\' && open !== '') {
      code += hidden + hidden;
      i++;
    } else if (open === '' && quotes.includes(char)) code += open = char;
    else if (char === open) [code, open] = [code + char, ''];
    else code += open === '' ? char : hidden;
  }
  return code.slice(0, line.length).trimEnd();
}

const hidden = '\0';

/** Index where the content of the first non-empty string begins. */
function literalIn(code: string): number | undefined {
  return /(?<=(['"`]))\0+\1/.exec(code)?.index;
}
