/**
 * The work of a simulated sprint: source files whose lines give features their values (`feature_3 = 7`), in three languages
 * for which the engine has mutants and silent versions. The values are the simulator's ground truth.
 */

export const languages = ['py', 'js', 'sh'] as const;
export type Language = (typeof languages)[number];
export type Files = Readonly<Record<string, string>>;

/** The values that a program of these files gives; `broken` is the place of the first syntax error. */
export interface Reading {
  values: ReadonlyMap<string, number>;
  broken: string | undefined;
  /** The files that end the process which they are loaded into, with status 0. */
  ending: ReadonlySet<string>;
}

/** Reads the program: files in the order of their names, the last assignment wins. Closing files of a sprint are left out. */
export function read(files: Files): Reading {
  const values = new Map<string, number>();
  const ending = new Set<string>();
  let broken: string | undefined;
  for (const path of Object.keys(files).sort()) {
    const language = languageOf(path);
    if (!language || path.startsWith('sprint/')) continue;
    const parsed = parse(language, files[path] ?? '');
    for (const [name, value] of parsed.values) values.set(name, value);
    if (parsed.broken !== undefined) broken ??= `${path}:${parsed.broken}`;
    if (parsed.ends) ending.add(path);
  }
  return { values, broken, ending };
}

/** A line that gives a feature its value. */
export function assignment(language: Language, name: string, value: number | string): string {
  return { py: `${name} = ${value}`, js: `${name} = ${value};`, sh: `${name}=${value}` }[language];
}

export function commentLine(language: Language, text: string): string {
  return language === 'js' ? `// ${text}` : `# ${text}`;
}

/** A line that ends the process; what stands behind it never runs. */
export function endingLine(language: Language): string {
  return { py: 'exit(0)', js: 'process.exit(0);', sh: 'exit 0' }[language];
}

/** The same file with these values for features; other lines stay. */
export function withValues(language: Language, text: string, values: ReadonlyMap<string, number | string>): string {
  const left = new Map(values);
  const lines = text.split('\n').filter((line) => line !== '');
  const changed = lines.flatMap((line) => {
    const name = patterns[language].exec(line)?.[1] ?? '';
    if (!values.has(name)) return [line];
    const value = left.get(name);
    left.delete(name);
    return value === undefined ? [] : [assignment(language, name, value)];
  });
  return [...changed, ...[...left].map(([name, value]) => assignment(language, name, value)), ''].join('\n');
}

export function languageOf(path: string): Language | undefined {
  return languages.find((language) => path.endsWith(`.${language}`));
}

interface Parsed {
  values: ReadonlyMap<string, number>;
  /** The number of the line, from 1. */
  broken: number | undefined;
  ends: boolean;
}

const patterns: Record<Language, RegExp> = {
  py: /^(\w+) = (\d+)(?: ([-+*/]) (\d+))?$/,
  js: /^(\w+) = (\d+)(?: ([-+*/]) (\d+))?;$/,
  sh: /^(\w+)=(\d+)$/,
};
const endings: Record<Language, RegExp> = { py: /^exit\(\d+\)$/, js: /^process\.exit\(\d+\);$/, sh: /^exit \d+$/ };
const comments: Record<Language, RegExp> = { py: /^(#|pass\b)/, js: /^(\/\/|;$)/, sh: /^(#|:$)/ };
/** How the first and the last line of words that do not run look. */
const blocks: Record<Language, [begin: RegExp, end: RegExp]> = {
  py: [/^r'''/, /'''$/],
  js: [/^\/\*/, /\*\/$/],
  sh: [/^: <<'THE_WORDS_ALONE'/, /^THE_WORDS_ALONE$/],
};
const cache = new Map<string, Parsed>();

function parse(language: Language, text: string): Parsed {
  const key = language + text;
  const known = cache.get(key);
  if (known) return known;
  if (cache.size > 5000) cache.clear();
  const parsed = parseLines(language, text.split('\n'));
  cache.set(key, parsed);
  return parsed;
}

function parseLines(language: Language, lines: readonly string[]): Parsed {
  const values = new Map<string, number>();
  const [begin, end] = blocks[language];
  let isSilent = false;
  let broken: number | undefined;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (isSilent) isSilent = !end.test(line);
    else if (begin.test(line)) isSilent = true;
    else if (endings[language].test(line)) return { values, broken, ends: true };
    else if (line !== '' && !comments[language].test(line)) {
      const [, name, first, sign, second] = patterns[language].exec(line) ?? [];
      if (name === undefined) broken ??= index + 1;
      else values.set(name, sum(Number(first), sign, Number(second)));
    }
  }
  return { values, broken, ends: false };
}

function sum(a: number, sign: string | undefined, b: number): number {
  if (sign === undefined) return a;
  return { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[sign] ?? a;
}

/** The lines (1-based) of a source file that give a feature its value; undefined for other files. */
export function assignedIn(path: string, text: string): { name: string; line: number }[] | undefined {
  const language = languageOf(path);
  if (!language) return undefined;
  return text.split('\n').flatMap((raw, index) => {
    const name = patterns[language].exec(raw.trim())?.[1];
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
}
