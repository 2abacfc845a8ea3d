/** Parses TAP 13 and 14 (testanything.org): subtests are indented, and a YAML block is under a failure. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import { caseLimit, type Found } from './found.ts';
import { placeOn } from './place.ts';
import { dedent, indentOf, nameOf } from './report-text.ts';

const testLine = /^( *)(not )?ok\b(?: (\d+))?(?: -)?(?: (.*))?$/;
const sign = /^TAP version 1[34]$|^\s*1\.\.\d+/;

export function readTap(lines: readonly string[]): Found | undefined {
  const tests = lines.flatMap((line, at) => testAt(line, at) ?? []).slice(0, caseLimit);
  if (tests.length === 0 || !lines.some((line) => sign.test(line))) return undefined;
  const cases = tests.flatMap((test, i) => {
    const body = lines.slice(test.at + 1, tests[i + 1]?.at ?? lines.length);
    return isSuite(tests, i, body) ? [] : [caseOf(test, suitesOf(tests, i), body)];
  });
  return cases.length > 0 ? { cases } : undefined;
}

interface Test {
  at: number;
  depth: number;
  ok: boolean;
  name: string;
  directive: string;
  duration: number | undefined;
  /** Vitest opens a suite with a brace before its tests; node:test prints the suite after them. */
  opens: boolean;
}

function testAt(line: string, at: number): Test | undefined {
  const match = testLine.exec(line);
  if (!match) return undefined;
  const [, indent = '', not, , rest = ''] = match;
  const [, title = '', remark = ''] = /^(.*?)(?:(?:^| )#(?: (.*))?)?$/.exec(rest.replace(/ ?\{$/, '')) ?? [];
  const time = /\btime=([\d.]+)ms/.exec(remark)?.[1];
  return {
    at,
    depth: indent.length,
    ok: not === undefined,
    name: title.replace(/^- /, '').replaceAll('\\#', '#').trim(),
    directive: /^(?:SKIP|TODO)\b/i.exec(remark)?.[0]?.toUpperCase() ?? '',
    duration: time === undefined ? undefined : Number(time),
    opens: rest.endsWith('{'),
  };
}

function isSuite(tests: readonly Test[], i: number, body: readonly string[]): boolean {
  const test = tests[i];
  if (!test || test.opens) return true;
  return (tests[i - 1]?.depth ?? 0) > test.depth || body.slice(0, 12).some((line) => /^\s*type: '?suite'?$/.test(line));
}

/** The suites around a test: opened before it, or closed after it, as in standard TAP. */
function suitesOf(tests: readonly Test[], i: number): string[] {
  const own = tests[i];
  if (!own || own.depth === 0) return [];
  const before = around(tests.slice(Math.max(0, i - lookAround), i).reverse(), own.depth, (test) => test.opens);
  const suites = before.length > 0 ? before : around(tests.slice(i + 1, i + 1 + lookAround), own.depth, (test) => !test.opens);
  return suites.filter((name) => !/\.[cm]?[jt]sx?$/.test(name)).reverse();
}

/** Tests to search in each direction; the limit keeps the search fast. */
const lookAround = 200;

function around(tests: readonly Test[], depth: number, isAround: (test: Test) => boolean): string[] {
  const names: string[] = [];
  let under = depth;
  for (const test of tests)
    if (test.depth < under) {
      if (!isAround(test)) return names;
      names.push(test.name);
      under = test.depth;
    }
  return names;
}

function caseOf(test: Test, suites: readonly string[], body: readonly string[]): TestCase {
  const name = nameOf(...suites, test.name);
  const block = blockUnder(body, test.depth);
  const fields = fieldsOf(block);
  const ms = test.duration ?? Number(fields.get('duration_ms') ?? NaN);
  const duration = Number.isFinite(ms) ? { duration: ms } : {};
  if (test.directive !== '') return { name, verdict: 'skipped', ...duration };
  if (test.ok) return { name, verdict: 'passed', ...duration };
  return { name, verdict: 'failed', ...failureOf(block, fields), ...duration };
}

/** The lines indented more than the test, up to a plan or the next subtest. */
function blockUnder(body: readonly string[], depth: number): string[] {
  const end = body.findIndex((line) => line !== '' && (indentOf(line) <= depth || /^\s*(?:# Subtest|1\.\.\d|\.\.\.$)/.test(line)));
  return dedent(body.slice(0, end === -1 ? undefined : end));
}

function failureOf(block: readonly string[], fields: ReadonlyMap<string, string>): Partial<TestCase> {
  const error = fields.get('error') || fields.get('message');
  const place = placeOn(fields.get('at') ?? '');
  const { expected, actual } = { expected: fields.get('expected'), actual: fields.get('actual') };
  const failure = failureIn(block[0] === '---' ? [...(error ?? '').split('\n'), ...stackOf(block, fields)] : block);
  return {
    ...failure,
    ...place,
    ...(error ? { message: error } : {}),
    ...(expected && actual ? { expected, actual } : {}),
  };
}

/** Prefers the stack, since the `location` that node:test prints is only where the test begins. */
function stackOf(block: readonly string[], fields: ReadonlyMap<string, string>): readonly string[] {
  const stack = fields.get('stack');
  if (stack !== undefined && placeOn(stack.replaceAll('\n', ' '))) return stack.split('\n').map((line) => `at ${line}`);
  const location = fields.get('location');
  return location === undefined ? block : [location];
}

/** Parses `key: value` and `key: |-` with an indented text: all the YAML that frameworks print. */
function fieldsOf(block: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (let i = 0; i < block.length; i += 1) {
    const [, indent = '', key, value = ''] = /^( *)(\w+): ?(.*)$/.exec(block[i] ?? '') ?? [];
    if (key === undefined || fields.has(key)) continue;
    if (!/^[|>]-?$/.test(value) && !isOpenQuote(value)) {
      fields.set(key, unquoted(value));
      continue;
    }
    const from = i + 1;
    const goesOn = isOpenQuote(value)
      ? (line: string): boolean => !/(?<!\\)"$/.test(line)
      : (line: string): boolean => line === '' || indentOf(line) > indent.length;
    while (i + 1 < block.length && goesOn(block[i + 1] ?? '')) i += 1;
    if (isOpenQuote(value)) i += 1;
    const text = block.slice(from, i + 1);
    fields.set(key, isOpenQuote(value) ? unquoted([value, ...text].join('\n')) : dedent(text).join('\n').trimEnd());
  }
  return fields;
}

function isOpenQuote(value: string): boolean {
  return value.startsWith('"') && !/(?<!\\)"$/.test(value.slice(1));
}

function unquoted(value: string): string {
  const [, quote, text] = /^(["'`])([^]*)\1$/.exec(value) ?? [];
  if (text === undefined) return value === '~' ? '' : value;
  return quote === "'" ? text.replaceAll("''", "'") : text.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
