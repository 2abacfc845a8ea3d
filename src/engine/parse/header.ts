/**
 * Parses the header of a script: comments in any style, after a shebang if there is one.
 */
import type { Script } from '../work/verification.ts';
import { normalizeRequirementId } from '../work/requirement.ts';
import { allowedTiers, plainTier, tierNamed } from '../work/tier.ts';

export interface Header {
  test: string;
  tier: string;
  requires: string[];
  /** Seconds; undefined for the configured timeout. */
  timeout: number | undefined;
  prd: string[];
  /** Requirements whose work it goes through, too. */
  after: string[];
  red: string;
  /** It makes its inputs from `SEED`. */
  varies: boolean;
  /** Helpers whose text it holds, by file name. */
  uses: string[];
}

/** `line` is 1-based. */
export type Parsed = { header: Header } | { line: number; problem: string };

/** Every field, and what it says. */
export const headerFields = {
  TEST: 'what it verifies, in a sentence',
  PRD: 'number of the requirement that it proves',
  AFTER: 'numbers of requirements whose work it goes through, too: until their tasks are done, it may be red',
  RED: 'text that its output contains when the requirement does not hold',
  TIER: 'how basic it is',
  REQUIRES: 'services and tools that it needs',
  TIMEOUT: 'seconds',
  VARIES: 'SEED: it makes its inputs from $SEED',
  USES: 'helpers whose text it holds',
} as const;
type Field = keyof typeof headerFields;
const fields = Object.keys(headerFields) as Field[];
const comment = /^\s*(?:#|\/\/|--|;|\/\*+|\*|<!--)([^]*)$/;
const fieldLine = /^([A-Z]+)\s*:\s*(.*)$/;

/** @param areHelpersApart the texts of its helpers are not in it yet; one of them may read the seed. */
export function parseHeader(script: string, areHelpersApart = false): Parsed {
  const values = new Map<Field, { value: string; line: number }>();
  for (const { field, value, line } of fieldsIn(script)) {
    if (values.has(field)) return { line, problem: `${field} is given twice` };
    values.set(field, { value, line });
  }
  const parsed = headerOf(values);
  const line = values.get('VARIES')?.line;
  const mayBeApart = areHelpersApart && 'header' in parsed && parsed.header.uses.length > 0;
  if ('header' in parsed && line !== undefined && !usesSeed(script) && !mayBeApart) return { line, problem: seedProblem };
  return parsed;
}

/** The fields of the comments at the top, in order. `line` is 1-based; `at` is the 0-based place of the value in its line. */
export function fieldsIn(script: string): { field: Field; value: string; line: number; at: number }[] {
  const found: ReturnType<typeof fieldsIn> = [];
  const lines = script.split('\n');
  for (const [index, text] of lines.slice(0, headerEnd(lines)).entries()) {
    const [, name = '', value = ''] = fieldLine.exec(commentIn(text)) ?? [];
    const field = fields.find((f) => f === name);
    if (field) found.push({ field, value, line: index + 1, at: value === '' ? text.trimEnd().length : text.lastIndexOf(value) });
  }
  return found;
}

/** What a line says as a comment; empty where it is none. Trimmed step by step: one pattern for it is slow on a long row of blanks. */
function commentIn(line: string): string {
  const [, text = ''] = comment.exec(line) ?? [];
  return text
    .trim()
    .replace(/(?:\*\/|-->)$/, '')
    .trimEnd();
}

/** Index of the first line that is neither blank nor a comment. */
export function headerEnd(lines: readonly string[]): number {
  const at = lines.findIndex((text) => !comment.test(text) && text.trim() !== '');
  return at < 0 ? lines.length : at;
}

const seedProblem =
  'it declares VARIES: SEED, and no line of its code reads the variable SEED; make its inputs from $SEED (process.env.SEED, os.environ["SEED"]), or leave VARIES out';

/** A line that is no comment names it. */
function usesSeed(script: string): boolean {
  return script.split('\n').some((text) => !comment.test(text) && /(?<![A-Za-z0-9_])SEED(?![A-Za-z0-9_])/.test(text));
}

/** 1-based line of a field; 1 if it is missing. */
export function lineOf(script: string, field: Field): number {
  const at = script.split('\n').findIndex((text) => fieldLine.exec(commentIn(text))?.[1] === field);
  return Math.max(at, 0) + 1;
}

/** Seconds. */
const maxTimeout = 3600;

/** @param defaultTimeout seconds, if the header has no `TIMEOUT`. */
export function fieldsOf(
  header: Header,
  defaultTimeout: number,
): Pick<Script, 'title' | 'prd' | 'after' | 'red' | 'requires' | 'tier' | 'timeout' | 'varies'> {
  const { test: title, prd, after, red, requires, tier, timeout, varies } = header;
  return { title, prd, ...(after.length > 0 ? { after } : {}), red, requires, tier, varies, timeout: timeout ?? defaultTimeout };
}

function headerOf(values: ReadonlyMap<Field, { value: string; line: number }>): Parsed {
  const missing = (['TEST', 'PRD', 'RED'] as const).filter((field) => !values.get(field)?.value);
  if (missing.length > 0) return { line: 1, problem: `the header lacks ${missing.join(', ')}` };
  const value = (field: Field): string => values.get(field)?.value ?? '';
  const seconds = value('TIMEOUT');
  if (seconds !== '' && !(/^[1-9]\d{0,3}$/.test(seconds) && Number(seconds) <= maxTimeout))
    return { line: values.get('TIMEOUT')?.line ?? 1, problem: `TIMEOUT is "${seconds}"; give seconds, 1 to ${maxTimeout}` };
  const tier = value('TIER') === '' ? plainTier : tierNamed(value('TIER'));
  if (tier === undefined) return { line: values.get('TIER')?.line ?? 1, problem: `TIER is "${value('TIER')}"; give ${allowedTiers}` };
  if (!['', 'SEED'].includes(value('VARIES')))
    return { line: values.get('VARIES')?.line ?? 1, problem: `VARIES is "${value('VARIES')}"; only SEED varies` };
  const ids = (field: Field): string[] => list(value(field)).map(normalizeRequirementId).filter(Boolean);
  const prd = ids('PRD');
  if (prd.length === 0) return { line: values.get('PRD')?.line ?? 1, problem: 'PRD names no requirement' };
  const header = {
    test: value('TEST'),
    tier,
    requires: list(value('REQUIRES')),
    timeout: seconds === '' ? undefined : Number(seconds),
    prd,
    after: ids('AFTER'),
    red: value('RED'),
    varies: value('VARIES') !== '',
    uses: list(value('USES')),
  };
  return { header };
}

function list(text: string): string[] {
  return text
    .split(/[,\s]+/)
    .map((item) => item.trim())
    .filter(Boolean);
}
