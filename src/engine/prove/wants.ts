/**
 * Faults in what a script wants: one value that it compares with is another one. A script that is green with them all does not
 * decide by what it says. Found by a plain rule of lines, because a script holds other languages in many ways; where the rule is
 * in doubt it leaves a value out, and so less is asked.
 */

export interface Want {
  /** 1-based. */
  line: number;
  /** The line before and after the change. */
  was: string;
  now: string;
  /** The whole script with the fault. */
  text: string;
  /**
   * `stated`: compared with as it stands, so work that keeps its requirement turns it red. `paired`: in a table, an argument, a
   * variable or a formula, where it may be an input as well. `first` and `last`: rows that a loop of a shell reads.
   */
  how: 'stated' | 'paired' | 'first' | 'last';
}

/** In the script's order. @param red its `RED` text, which is a message and no value. */
export function wantsOf(script: string, red: string): Want[] {
  const lines = script.split('\n');
  const seen = seenOf(lines.map(readable), red);
  let start = 0;
  return lines.flatMap((line, index) => {
    const from = start;
    start += line.length + 1;
    const row = seen.rows.get(index);
    if (row === 'between' || readable(line) === '' || (row === undefined && passive.test(line))) return [];
    const decides = line.includes(red) || lines.slice(index + 1, index + 4).some((one) => one.includes(red));
    const edits =
      row === undefined
        ? [
            ...statedIn(line, decides, seen).flatMap((value) => edited(value, 'stated')),
            ...pairedIn(line, seen).flatMap((value) => edited(value, 'paired')),
            ...formulasIn(line, seen),
          ]
        : valuesIn(line, 0, line.length, true)
            .slice(-1)
            .flatMap((value) => edited(value, row));
    const known = new Set<string>();
    return edits.flatMap(({ at, length, now, how }) => {
      const key = `${at}:${now}`;
      if (known.has(key) || isMessage(line, at, red)) return [];
      known.add(key);
      const other = line.slice(0, at) + now + line.slice(at + length);
      return [
        {
          line: index + 1,
          was: line.trim(),
          now: other.trim(),
          text: script.slice(0, from) + other + script.slice(from + line.length),
          how,
        },
      ];
    });
  });
}

/** Nobody writes a longer line by hand, and reading it would take long. */
const longest = 1000;

function readable(line: string): string {
  return line.length > longest ? '' : line;
}

/** Comments and what only brings in other code. */
const passive = /^\s*(#|\/\/|\*|\/\*|--\s)|^\s*(import|from|use|using|source|\.)\s|\brequire\s*\(|\bimport\s*\(/;

/** What the script says elsewhere about the values of a line. */
interface Seen {
  /** Names that are compared and go nowhere else. */
  wanted: ReadonlySet<string>;
  /** Functions of its own whose last parameter is so. */
  helpers: ReadonlySet<string>;
  /** It goes through pairs whose last part is so. */
  isByPairs: boolean;
  /** Files that `cmp` or `diff` compares. */
  files: readonly string[];
  /** Lines of tables that a shell reads, by index. */
  rows: ReadonlyMap<number, 'first' | 'last' | 'between'>;
}

function seenOf(lines: readonly string[], red: string): Seen {
  const comparing = lines.filter((line) => comparison.test(line) || equality.test(line));
  const isTold = (line: string): boolean => red !== '' && line.includes(red);
  const others = lines.filter((line) => !comparing.includes(line) && !isTold(line) && !binding.test(line) && !passive.test(line));
  const elsewhere = new Set(others.flatMap(namesIn));
  const compared = new Set(comparing.flatMap(namesIn));
  const isWanted = (name: string): boolean => compared.has(name) && !elsewhere.has(name);
  const defined = lines.map(definedIn).filter(isWanted);
  const functions = lines.flatMap((line) =>
    [...line.matchAll(helper)].map(([, one, ofOne, two, ofTwo]) => [one ?? two ?? '', ofOne ?? ofTwo ?? ''] as const),
  );
  const loops = lines.flatMap((line) => [...line.matchAll(byPairs)].map(([, one, two, three]) => one ?? two ?? three ?? ''));
  return {
    wanted: new Set(defined.filter((name) => !statuses.test(name) && defined.indexOf(name) === defined.lastIndexOf(name))),
    helpers: new Set(functions.filter(([, names]) => isWanted(namesIn(names).at(-1) ?? '')).map(([name]) => name)),
    isByPairs: loops.some((names) => isWanted(namesIn(names).at(-1) ?? '')),
    files: namedWith(lines, /\b(cmp|diff)\b/),
    rows: rowsOf(lines),
  };
}

function namesIn(line: string): string[] {
  return line.match(/[A-Za-z_]\w*/g) ?? [];
}

function namedWith(lines: readonly string[], program: RegExp): string[] {
  return lines.filter((line) => program.test(line)).flatMap((line) => line.match(/[\w./-]*[\w/-]{3,}/g) ?? []);
}

const helper = /\b(?:function|def)\s+(\w+)\s*\(([^()]*)\)|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?\(([^()]*)\)\s*=>/g;
const byPairs = /\bfor\s+([\w\s,()]+)\s+in\b|\bfor\s*(?:await\s*)?\(\s*(?:const|let)\s*\[([^\]]*)\]\s+of\b|\(\s*\(\s*\[([\w\s,]*)\]/g;
/** Gives a name its value. */
const binding = /^\s*(?:async\s+)?(?:for|function|def)\b|^\s*(?:const\s+|let\s+|var\s+)?[A-Za-z_]\w*\s*=(?![=])/;
const comparison = /[=!]==?|\s-(eq|ne)\s|\[.*\s=\s|\btest\s.*\s=\s/;
const equality = /\b(?:assert\w*|expect|startsWith|startswith)\b/;
/** Functions of test libraries whose second argument is what is wanted, and those whose first one is. */
const equals = /\b(?:equal|equals|strictEqual|deepEqual|deepStrictEqual|assertEqual|assertEquals|assertListEqual|assertDictEqual)\s*\(/g;
const tells = /\.(?:toBe|toEqual|toStrictEqual)\s*\(/g;
/** What says how a program ended or a test runner fared, and nothing of a value. */
const statuses = /(status|code|\brc|\?|exit\w*|\btypeof\s+[\w.]+|__name__|platform)\W*$/i;
const reported = /\b(pass(ed|ing|es)?|fail(ed|ing|ures?|s)?|errors?|tests?|ok|skipped|suites?)\b/i;

/** A value of a line: where what stands for it begins, and its text. */
interface Value {
  at: number;
  text: string;
}

function statedIn(line: string, decides: boolean, { files }: Seen): Value[] {
  const found: Value[] = [];
  for (const { index, 0: sign } of line.matchAll(/[!=]==?|\s-(?:eq|ne)\s|(?<=(?:\[|\btest)\s.*\s)=(?=\s)/g)) {
    const from = index + sign.length;
    if (!decides && !/\bassert\b/.test(line.slice(0, index))) continue;
    if (!statuses.test(line.slice(0, index)))
      found.push(...literalAt(line, from, /^\s*"?\$\(/.test(line.slice(from)) ? line.length : endOf(line, from)));
  }
  for (const { index, 0: call } of line.matchAll(equals)) found.push(...argument(line, index + call.length, 1));
  for (const { index, 0: call } of line.matchAll(tells)) found.push(...argument(line, index + call.length, 0));
  const printed = /\b(?:printf|echo)\s+(.*?)(?:\|\s*(?:cmp|diff)\b|>\s*("?)([\w./$-]+)\2)/.exec(line);
  if (printed && (printed[3] === undefined || files.includes(printed[3])))
    found.push(...valuesIn(line, printed.index, printed.index + printed[0].lastIndexOf(printed[1] ?? '') + (printed[1] ?? '').length));
  const searched = /\bgrep\s+(?:-\w+\s+)*/.exec(line);
  if (searched && decides) {
    const [pattern] = valuesIn(line, searched.index + searched[0].length, line.length);
    if (pattern && !reported.test(pattern.text)) found.push(pattern);
  }
  return found;
}

function pairedIn(line: string, { wanted, helpers, isByPairs }: Seen): Value[] {
  const found: Value[] = [];
  if (isByPairs)
    for (const { index, 0: whole, 1: value = '' } of line.matchAll(new RegExp(`[,:]\\s*(${literal})\\s*(?=[,})\\]])`, 'g'))) {
      const at = index + whole.indexOf(value);
      if (/^[)\]]\s*([,)\]]|$)/.test(line.slice(at + value.length).trimStart()) || whole.startsWith(':'))
        found.push(...valuesIn(line, at, at + value.length));
    }
  const [, called = ''] = /^\s*(\w+)\s*\(/.exec(line) ?? [];
  const last = new RegExp(`,\\s*(${literal})\\s*\\)\\s*;?\\s*$`).exec(line);
  if (helpers.has(called) && last) found.push(...valuesIn(line, last.index, line.length));
  if (wanted.has(definedIn(line))) found.push(...literalAt(line, line.indexOf('=') + 1, line.length));
  return found;
}

/** Other arithmetic in what a compared name stands for. */
function formulasIn(line: string, { wanted }: Seen): Edit[] {
  if (!wanted.has(definedIn(line))) return [];
  return [...line.matchAll(/(?<=[\w)\]] )[-+*](?= [\w(])/g)].flatMap(({ index, 0: sign }) =>
    ['+', '-', '*'].filter((other) => other !== sign).map((now) => ({ at: index, length: 1, now, how: 'paired' as const })),
  );
}

function definedIn(line: string): string {
  return /^\s*(?:const\s+|let\s+|var\s+)?([A-Za-z_]\w*)\s*=(?![=>])/.exec(line)?.[1] ?? '';
}

const literal = '"(?:\\\\.|[^"\\\\])*"|\'(?:\\\\.|[^\'\\\\])*\'|-?\\d+(?:\\.\\d+)?';

/** Values in a part of a line. @param bare whether words without quotes count. */
function valuesIn(line: string, from: number, to: number, bare = false): Value[] {
  const part = line.slice(from, to);
  const word = bare ? '|\\S+' : '';
  return [...part.matchAll(new RegExp(`${literal}${word}`, 'g'))]
    .filter(({ index, 0: text }) => !/^-?\d/.test(text) || !/[\w.$]/.test(part[index - 1] ?? ''))
    .map(({ index, 0: text }) => ({ at: from + index, text }));
}

/** The values of what stands there, if that is nothing but values. */
function literalAt(line: string, from: number, to: number): Value[] {
  const operand = line.slice(from, to);
  const said = /^\s*"?\$\((?:printf|echo)\s+/.exec(operand);
  if (said) return valuesIn(line, from + said[0].length, line.length).slice(0, 1);
  if (new RegExp(`^\\s*[bfr]?(${literal})`).test(operand) || /^\s*[[({]/.test(operand)) return valuesIn(line, from, to);
  const [whole = '', word = ''] = /^\s*([A-Z][A-Za-z]*)\s*$/.exec(operand) ?? [];
  return word === '' ? [] : [{ at: from + whole.indexOf(word), text: word }];
}

/** The values of one argument, counted from 0, if it is nothing but values. */
function argument(line: string, from: number, count: number): Value[] {
  let at = from;
  for (let left = count; left > 0; left -= 1) {
    at = endOf(line, at);
    if (line[at] !== ',') return [];
    at += 1;
  }
  return literalAt(line, at, endOf(line, at));
}

/** Where an expression ends that begins there: at a comma, a bracket that it did not open, or an operator. */
function endOf(line: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (/["'`]/.test(sign)) quote = sign;
    else if (/[[({]/.test(sign)) depth += 1;
    else if (/[\])}]/.test(sign)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth === 0 && (/[,;?]/.test(sign) || /^(&&|\|\||:|and\b|or\b)/.test(line.slice(at)))) return at;
  }
  return line.length;
}

interface Edit {
  at: number;
  length: number;
  now: string;
  how: Want['how'];
}

/** Its last letter or digit is the next one, so that its length and kind stay. What is put in later is no part of it. */
function edited({ at, text }: Value, how: Want['how']): Edit[] {
  const blank = (part: string): string => ' '.repeat(part.length);
  const plain = text.replaceAll(/\\.|\$\{[^}]*\}|\$\([^)]*\)?|\$\w+|\{[^}]*\}|%\d*[a-z]/g, blank);
  const place = /[\p{L}\d](?=[^\p{L}\d]*$)/u.exec(plain)?.index;
  if (place === undefined || /\.\w+["']?$|\//.test(text)) return [];
  return [{ at: at + place, length: 1, now: after(plain[place] ?? ''), how }];
}

function after(sign: string): string {
  if (/\d/.test(sign)) return String((Number(sign) + 1) % 10);
  return /[a-yA-Y]/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) + 1) : sign === 'Z' ? 'Y' : 'y';
}

/** Whether it stands in the text with which the script turns red, or behind that. */
function isMessage(line: string, at: number, red: string): boolean {
  const place = line.indexOf(red);
  return red !== '' && place >= 0 && at >= place;
}

/** The tables in here-documents that a loop reads line by line, where all rows have as many words. */
function rowsOf(lines: readonly string[]): Seen['rows'] {
  const rows = new Map<number, 'first' | 'last' | 'between'>();
  let isRead = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    isRead ||= /\bwhile\b.*\bread\b/.test(line);
    const [, end] = /\bdone\b.*<<-?\s*["']?(\w+)["']?/.exec(line) ?? [];
    if (!isRead || end === undefined) continue;
    const last = lines.findIndex((one, index) => index > at && one.trim() === end) - 1;
    const counts = new Set(lines.slice(at + 1, last + 1).map((row) => row.trim().split(/\s+/).length));
    if (last > at + 1 && counts.size === 1 && !counts.has(1))
      for (let index = at + 1; index <= last; index += 1) rows.set(index, index === last ? 'last' : index === at + 1 ? 'first' : 'between');
    isRead = false;
  }
  return rows;
}
