/**
 * Mutants: the work with one line of it made wrong (design §6). Only lines that the covering commits added, that still stand
 * and that are code are changed, by small rules that keep the syntax; tests in the work are left alone, since a check that
 * only sees these see failing has not looked at the work. Pure and deterministic (I3).
 */
import { isNamedTest } from './own-tests.ts';
import { languageOf, type Language } from './source.ts';

/** At most so many for one check (I4). */
export const mutantsPerVerification = 8;

export interface Mutant {
  path: string;
  /** 1-based. */
  line: number;
  /** The line as it is, and as it is made. */
  was: string;
  now: string;
  /** The whole file with that line made wrong. */
  text: string;
}

/** Lines that patches add, by path: how often each text was added. */
type Added = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Mutants of what `patches` added to `files` (path to present text), spread over files and lines. */
export function mutantsOf(files: Readonly<Record<string, string>>, patches: readonly string[]): Mutant[] {
  const added = addedLines(patches);
  const perLine = Object.entries(files).flatMap(([path, text]) => {
    const language = languageOf(path, text);
    const lines = added.get(path);
    return language && lines && !isNamedTest(path) ? ofFile({ path, text, language, lines }) : [];
  });
  const chosen: Mutant[] = [];
  for (let round = 0; chosen.length < mutantsPerVerification && perLine.some((m) => m.length > round); round++) {
    const candidates = perLine.flatMap((mutants) => mutants.slice(round, round + 1));
    chosen.push(...spread(candidates, mutantsPerVerification - chosen.length));
  }
  return chosen;
}

function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return all.filter((_, i) => Math.floor((i * most) / all.length) !== Math.floor(((i - 1) * most) / all.length));
}

/**
 * Whether a line of `text` was added by the patches, whose added lines of that file are given. One that also stands where no
 * patch added it says nothing about the work.
 */
export function isAdded(text: string, lines: ReadonlyMap<string, number>): (line: string) => boolean {
  const standing = new Map<string, number>();
  for (const line of text.split('\n')) standing.set(line, (standing.get(line) ?? 0) + 1);
  return (line) => lines.has(line) && (standing.get(line) ?? 0) <= (lines.get(line) ?? 0);
}

function ofFile({ path, text, language, lines }: { path: string; text: string; language: Language; lines: ReadonlyMap<string, number> }) {
  const all = text.split('\n');
  const added = isAdded(text, lines);
  return all.flatMap((was, index): Mutant[][] => {
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

/** A change of code; what it matches in a string or a comment is let be. */
type Rule = [find: RegExp, put: string | ((found: string) => string)];

const common: Rule[] = [
  [/===|!==|==|!=| <= | >= | < | > |&&|\|\|/, (found) => opposites[found.trim()] ?? found],
  [/ [-+*/] /, (found) => ` ${opposites[found.trim()] ?? ''} `],
  [/\+=|-=/, (found) => opposites[found] ?? found],
  [/(?<![\w.$])\d+(?![\w.])/, (found) => String(Number(found) + 1)],
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
    [/\b(true|false)\b/, (found) => (found === 'true' ? 'false' : 'true')],
    [/^(?=\s*[\w$.]+(\(| [-+*]?= ).*;$)/, '// '],
  ],
  python: [
    [/\b(if|while) (?=.*:$)/, (found) => `${found}not `],
    [/\breturn (?=\S)(?!.*[([{,\\]$)/, 'return None and '],
    ...common,
    [/\b(and|or)\b/, (found) => (found === 'and' ? 'or' : 'and')],
    [/\b(True|False)\b/, (found) => (found === 'True' ? 'False' : 'True')],
    [/(?<=^\s*)(?=[\w.]+(\(.*\)| [-+*]?= .*[^([{,\\])$)/, 'pass  # '],
  ],
  shell: [
    [/\b(if|while) (?=\S)/, (found) => `${found}! `],
    [
      / -(eq|ne|lt|ge|gt|le) /,
      (found) => ` -${{ eq: 'ne', ne: 'eq', lt: 'ge', ge: 'lt', gt: 'le', le: 'gt' }[found.trim().slice(1)] ?? ''} `,
    ],
    [/ (=|!=) /, (found) => (found === ' = ' ? ' != ' : ' = ')],
    [/&&|\|\|/, (found) => opposites[found] ?? found],
    [/(?<![\w.$\-&>])\d+(?![\w.>&])/, (found) => String(Number(found) + 1)],
    [/^(?=\s*(echo|printf)\b.*[^\\]$)/, ': '],
  ],
};

/** A line that only brings in, opens or closes something is no statement whose change would say anything. */
const passive: Record<Language, RegExp> = {
  javascript: /^\s*(\/\/|\/\*|\*|import\b|export (\*|\{)|['"]use strict)|\brequire\(/,
  python: /^\s*(#|import\b|from\b|@|"""|''')/,
  shell: /^\s*(#|\.|source\b|set\b|cd\b)/,
};

function variants(line: string, language: Language): string[] {
  if (line.trim() === '' || passive[language].test(line)) return [];
  const shown = masked(line, language);
  const made = rules[language].flatMap(([find, put]) => {
    const found = find.exec(shown);
    if (!found) return [];
    const now = typeof put === 'string' ? put : put(found[0]);
    return [line.slice(0, found.index) + now + line.slice(found.index + found[0].length)];
  });
  const literal = literalOf(shown);
  if (literal !== undefined) made.splice(1, 0, `${line.slice(0, literal)}~${line.slice(literal)}`);
  return [...new Set(made)].filter((now) => now !== line);
}

/** The line's code with what is inside of its strings made invisible, each character at its place; a comment after it is cut off. */
function masked(line: string, language: Language): string {
  const quotes = language === 'javascript' ? '\'"`' : '\'"';
  const sign = language === 'javascript' ? /^\/\// : /^(?<!\S)#/;
  let open = '';
  let shown = '';
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (open === '' && sign.test(line.slice(i)) && (i === 0 || /\s/.test(line.charAt(i - 1)))) break;
    if (c === '\\' && open !== '') {
      shown += hidden + hidden;
      i++;
    } else if (open === '' && quotes.includes(c)) shown += open = c;
    else if (c === open) [shown, open] = [shown + c, ''];
    else shown += open === '' ? c : hidden;
  }
  return shown.slice(0, line.length).trimEnd();
}

const hidden = '\0';

/** Where the text of the first string that is not empty begins. */
function literalOf(shown: string): number | undefined {
  return /(?<=(['"`]))\0+\1/.exec(shown)?.index;
}
