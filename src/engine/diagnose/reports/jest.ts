/** Parses Jest's text and its `--json`, which Vitest writes too. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Counts, Found } from './found.ts';
import { fieldsOf, listOf } from '../../ground/loose.ts';
import { numberOf, textOf } from './json.ts';
import { blocksOf, linesOf, nameOf, plain } from './report-text.ts';

/** `testResults` of files, each with `assertionResults`. */
export function readJestJson(value: unknown): Found | undefined {
  const files = listOf(fieldsOf(value)['testResults']).map(fieldsOf);
  const cases = files.flatMap((file) => {
    const name = textOf(file['name']) ?? '';
    const tests = listOf(file['assertionResults']).map(fieldsOf);
    if (tests.length > 0) return tests.map((test) => jsonCase(test, name));
    const message = textOf(file['message']);
    return message === undefined ? [] : [brokenFile(name, linesOf(message))];
  });
  return cases.length > 0 ? { cases } : undefined;
}

function jsonCase(test: ReturnType<typeof fieldsOf>, file: string): TestCase {
  const name = nameOf(...listOf(test['ancestorTitles']).map(textOf), textOf(test['title']));
  const ms = numberOf(test['duration']);
  const duration = ms === undefined ? {} : { duration: ms };
  const status = test['status'];
  if (status === 'failed') {
    const text = listOf(test['failureMessages']).map(textOf).join('\n');
    return { name, file, verdict: 'failed', ...failureIn(linesOf(withoutKind(text))), ...duration };
  }
  return { name, file, verdict: status === 'passed' ? 'passed' : 'skipped', ...duration };
}

/** Errors of Jest's `expect` are plain `Error`s; its text leaves that word out, so this does too. */
function withoutKind(text: string): string {
  return plain(text).replace(/^Error: (?=expect\()/, '');
}

function brokenFile(file: string, body: readonly string[]): TestCase {
  const failure = failureIn(body.filter((line) => !line.includes('●')));
  return { name: file, file, verdict: 'failed', ...failure };
}

const fileLine = /^(?:PASS|FAIL) (?:\.\/)?(\S+)/;
const failureLine = /^ {2}● (.+)$/;
const treeLine = /^( +)(✓|✕|○|✎) (?:skipped |todo )?(.+?)(?: \((\d+(?:\.\d+)?) (m?s)\))?$/;

/** Jest's text, with the tree of tests (one file, or `--verbose`) or without. */
export function readJest(lines: readonly string[]): Found | undefined {
  const counts = countsIn(lines);
  if (!counts) return undefined;
  const files = blocksOf(
    withoutSummary(lines),
    (line) => fileLine.exec(line)?.[1],
    (line) => line.startsWith(countsLine),
  );
  return { cases: files.flatMap(({ head: file, body }) => casesOf(body, file)), counts };
}

const countsLine = 'Test Suites: ';

/** Of many files it prints each failure once more, above its counts. */
function withoutSummary(lines: readonly string[]): string[] {
  let isSummary = false;
  return lines.filter((line) => {
    isSummary = line.startsWith('Summary of all failing tests') || (isSummary && !line.startsWith(countsLine));
    return !isSummary;
  });
}

function countsIn(lines: readonly string[]): Counts | undefined {
  const line = lines.findLast((one) => /^Tests: {2,}.*\d+ total$/.test(one));
  const suites = lines.findLast((one) => /^Test Suites: .*\d+ total$/.test(one));
  if (line === undefined || suites === undefined) return undefined;
  const count = (word: string): number => Number(new RegExp(String.raw`(\d+) ${word}`).exec(line)?.[1] ?? 0);
  return { total: count('total'), failed: count('failed'), skipped: count('skipped') + count('todo') };
}

/** A failed test may be in the tree, with its duration, and again with its failure: both make one case. */
function casesOf(body: readonly string[], file: string): TestCase[] {
  const tree = treeOf(body, file);
  const durations = new Map(tree.map(({ name, duration }) => [name, duration]));
  const failures = failuresOf(body, file).map((one): TestCase => {
    const duration = durations.get(one.name);
    return duration === undefined ? one : { ...one, duration };
  });
  const failedNames = new Set(failures.map(({ name }) => name));
  return [...tree.filter(({ name, verdict }) => verdict !== 'failed' || !failedNames.has(name)), ...failures];
}

function failuresOf(body: readonly string[], file: string): TestCase[] {
  const failures = blocksOf(
    body,
    (line) => failureLine.exec(line)?.[1],
    () => false,
  );
  return failures
    .filter(({ head }) => !/^(Console|Deprecation)/.test(head))
    .map(({ head, body: text }) =>
      head === 'Test suite failed to run' ? brokenFile(file, text) : { name: head, file, verdict: 'failed', ...failureIn(text) },
    );
}

/** The tests of the tree; failed ones have only a name and a duration. */
function treeOf(body: readonly string[], file: string): TestCase[] {
  const suites: { depth: number; name: string }[] = [];
  const end = body.findIndex((line) => failureLine.test(line));
  return body.slice(0, end === -1 ? undefined : end).flatMap((line): TestCase[] => {
    const [, indent, mark, title, time, unit] = treeLine.exec(line) ?? [];
    const depth = line.search(/\S/);
    if (depth === -1) return [];
    while (suites.length > 0 && (suites.at(-1)?.depth ?? 0) >= depth) suites.pop();
    if (indent === undefined || title === undefined) {
      if (depth > 0) suites.push({ depth, name: line.trim() });
      return [];
    }
    const duration = time === undefined ? {} : { duration: Number(time) * (unit === 's' ? 1000 : 1) };
    const verdict = mark === '✓' ? 'passed' : mark === '✕' ? 'failed' : 'skipped';
    return [{ name: nameOf(...suites.map(({ name }) => name), title), file, verdict, ...duration }];
  });
}
