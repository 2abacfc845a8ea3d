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
}

/** Reads the program: files in the order of their names, the last assignment wins. Closing files of a sprint are left out. */
export function read(files: Files): Reading {
  const values = new Map<string, number>();
  let broken: string | undefined;
  for (const path of Object.keys(files).sort()) {
    const language = languageOf(path);
    if (!language || path.startsWith('sprint/')) continue;
    const parsed = parse(language, files[path] ?? '');
    for (const [name, value] of parsed.values) values.set(name, value);
    if (parsed.broken !== undefined) broken ??= `${path}:${parsed.broken}`;
  }
  return { values, broken };
}

/** A line that gives a feature its value. */
export function assignment(language: Language, name: string, value: number | string): string {
  return { py: `${name} = ${value}`, js: `${name} = ${value};`, sh: `${name}=${value}` }[language];
}

export function commentLine(language: Language, text: string): string {
  return language === 'js' ? `// ${text}` : `# ${text}`;
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
}

const patterns: Record<Language, RegExp> = {
  py: /^(\w+) = (\d+)(?: ([-+*/]) (\d+))?$/,
  js: /^(\w+) = (\d+)(?: ([-+*/]) (\d+))?;$/,
  sh: /^(\w+)=(\d+)$/,
};
const comments: Record<Language, RegExp> = { py: /^(#|pass\b)/, js: /^\/\//, sh: /^(#|:$)/ };
/** The lines around words that do not run. */
const blocks: Record<Language, [begin: string, end: string]> = {
  py: ["r'''", "'''"],
  js: ['/*', '*/'],
  sh: [": <<'THE_WORDS_ALONE'", 'THE_WORDS_ALONE'],
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
    if (isSilent) isSilent = line !== end;
    else if (line === begin) isSilent = true;
    else if (line !== '' && !comments[language].test(line)) {
      const [, name, first, sign, second] = patterns[language].exec(line) ?? [];
      if (name === undefined) broken ??= index + 1;
      else values.set(name, sum(Number(first), sign, Number(second)));
    }
  }
  return { values, broken };
}

function sum(a: number, sign: string | undefined, b: number): number {
  if (sign === undefined) return a;
  return { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[sign] ?? a;
}
