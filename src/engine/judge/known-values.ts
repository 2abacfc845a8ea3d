/**
 * The values that a script asks for, found in its text, and whether all of them stand in texts that a builder could read. A plain
 * rule of numbers and words: where it is in doubt a value counts as known, because then only more evidence is asked for.
 */

/** Numbers and words that a script gives to the work or expects of it, in order, each once. Its `red` text is none of them. */
export function askedValues(script: string, red: string): string[] {
  const code = script.split('\n').filter((line) => !comment.test(line) && !imported.test(line));
  const values = code.map(withoutStatus).flatMap((line) => {
    const literals = literalsIn(line);
    const bare = withoutLiterals(line, literals);
    const asked = literals.filter(({ before, text }) => !isMessage(before, line, text, red));
    return [
      ...asked.flatMap(({ text }) => wordsIn(text)),
      ...numbersIn(asked.map(({ text }) => text).join(' ')),
      ...numbersIn(plain(bare)),
    ];
  });
  return [...new Set(values)];
}

/** Those of the values that stand in none of the texts. */
export function unknownValues(values: readonly string[], texts: readonly string[]): string[] {
  const numbers = new Set<number>();
  const words = new Set<string>();
  for (const text of texts) {
    for (const number of mentionedIn(text)) numbers.add(number);
    for (const [word] of text.matchAll(anyWord)) words.add(word.toLowerCase());
  }
  return values.filter((value) => (isNumber(value) ? !numbers.has(Number(value)) : !words.has(value.toLowerCase())));
}

/** All numbers of a document, whatever stands beside them: `$45.50`, `320px`, `1,500 rows`, but no part of `3.14.15`. */
function mentionedIn(text: string): number[] {
  const grouped = text.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '');
  return [text, grouped].flatMap((one) => [...one.matchAll(/-?(\d+(?:\.\d+)*)/g)].flat().map(Number));
}

export interface Literal {
  /** As it stands in the line, with its quotes. */
  whole: string;
  text: string;
  /** The line before it. */
  before: string;
}

/** The quoted texts of a line. */
export function literalsIn(line: string): Literal[] {
  return [...line.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*\\?)\1/g)].map(({ 0: whole, 2: text = '', index }) => ({
    whole,
    text,
    before: line.slice(0, index),
  }));
}

/** A blank in the place of each of its literals; in one pass, since a file of data may be one line. */
export function withoutLiterals(line: string, literals: readonly Literal[]): string {
  const from = [0, ...literals.map(({ before, whole }) => before.length + whole.length)];
  const parts = literals.map(({ before }, index) => line.slice(from[index], before.length));
  return [...parts, line.slice(from.at(-1))].join(' ');
}

/** Plain numbers of a script, as they are written; parts of names are none. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w.$#&-]|[\w)]\[)-?\d+(?:\.\d+)?(?![\w]|\.\d)/g)].map(([number]) => number).filter((one) => !isSmall(one));
}

/** Every text has these, and in a script they are mostly statuses. */
function isSmall(number: string): boolean {
  return /^[0-2]$/.test(number);
}

function isNumber(value: string): boolean {
  return /^-?\d/.test(value);
}

const comment = /^\s*(#|\/\/|\*|\/\*|--\s)/;
const imported = /^\s*(import|from|use|using|source|\.)\s|\brequire\s*\(|\bimport\s*\(/;
const anyWord = /\p{L}{2,}/gu;

/** Commands and settings whose numbers say nothing of the work. */
const noise = [
  /\b(head|tail|cut|sed|awk|sleep|timeout|seq|sort|wc|grep|exit|return|shift|read)\b[^|;&]*/g,
  /\b(sys\.exit|process\.exit|exit|die)\s*\([^)]*\)/g,
  /\btime_?out\w*\s*[:=]\s*[\d_.e]+/gi,
  /\b(exitCode|returncode|status|code)\b\W{0,6}\d+/g,
  /\d*>{1,2}&?\d*|\$\{\d+\}/g,
];

/** A comparison of an exit status. */
function withoutStatus(line: string): string {
  return line.replaceAll(/["']?\$\{?(code|status|rc|\?|exit\w*)\}?["']?\s*(-\w\w|[=!]?=)\s*["']?\d+["']?/g, ' ');
}

function plain(code: string): string {
  return noise.reduce((text, one) => text.replaceAll(one, ' '), code);
}

/** Words of data: no path, no option, no name of the script's own, nothing that is put in later. */
function wordsIn(literal: string): string[] {
  if (/^[a-z][\w-]*$/.test(literal)) return [];
  const data = literal
    .replaceAll(/\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\{\w*\}|%[a-z]|\\[ntr]/g, ' ')
    .replaceAll(/[\w.-]*\/[\w./-]*|\b[\w-]+\.[a-z]\w{0,4}\b|(^|\s)--?[\w-]+/g, ' ');
  return [...data.matchAll(anyWord)].map(([word]) => word);
}

const prints =
  /(^|[;&|{(]|\bthen\b|\belse\b)\s*(echo|printf|print|fail|die|raise\b.*|throw\b.*|console\.\w+|process\.std\w+\.write|sys\.std\w+\.write)\b[^;&|]*$/;
const complains = /\b(expected|actual|got|instead|should|must|wrong|missing|fail\w*|but)\b/i;

/** What it tells a person, unless it is piped or written to where the work reads it. */
function isMessage(before: string, line: string, text: string, red: string): boolean {
  if (red !== '' && text.includes(red)) return true;
  if (complains.test(text) && /[$%{]/.test(text)) return true;
  const after = line.slice(before.length).replaceAll(/\|\||>&\d|\d>\s*\S+/g, ' ');
  return prints.test(before) && !/[|>]/.test(after.replace(text, ''));
}
