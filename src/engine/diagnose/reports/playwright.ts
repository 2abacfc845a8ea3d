/** Parses Playwright Test's line, list and dot reporters, and its `json`. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Counts, Found } from './found.ts';
import { fieldsOf, listOf } from '../../ground/loose.ts';
import { numberOf, textOf } from './json.ts';
import { blocksOf, linesOf, nameOf } from './report-text.ts';

type Fields = ReturnType<typeof fieldsOf>;

export function readPlaywrightJson(value: unknown): Found | undefined {
  const document = fieldsOf(value);
  if (document['suites'] === undefined || document['errors'] === undefined) return undefined;
  const errors = listOf(document['errors']).map((error) => globalError(fieldsOf(error)));
  const cases = [...listOf(document['suites']).flatMap((suite) => casesIn(fieldsOf(suite), [])), ...errors];
  return cases.length > 0 ? { cases } : undefined;
}

const depthLimit = 50;

/** The outermost suite is the file. */
function casesIn(suite: Fields, names: readonly string[]): TestCase[] {
  const specs = listOf(suite['specs']).flatMap((spec) => specCases(fieldsOf(spec), names));
  if (names.length > depthLimit) return specs;
  const inner = listOf(suite['suites']).map(fieldsOf);
  return [...specs, ...inner.flatMap((one) => casesIn(one, [...names, textOf(one['title']) ?? '']))];
}

function specCases(spec: Fields, names: readonly string[]): TestCase[] {
  const file = textOf(spec['file']);
  return listOf(spec['tests']).map((value) => {
    const test = fieldsOf(value);
    const result = fieldsOf(listOf(test['results']).at(-1));
    const ms = numberOf(result['duration']);
    const common = {
      name: nameOf(textOf(test['projectName']) && `[${textOf(test['projectName'])}]`, ...names, textOf(spec['title'])),
      ...(file === undefined ? {} : { file }),
      ...(ms === undefined ? {} : { duration: ms }),
    };
    if (test['status'] === 'skipped') return { ...common, verdict: 'skipped' };
    if (test['status'] !== 'unexpected') return { ...common, verdict: 'passed' };
    return { ...common, verdict: 'failed', ...failureOf(fieldsOf(result['error'])) };
  });
}

function failureOf(error: Fields): Partial<TestCase> {
  const place = fieldsOf(error['location']);
  const [file, line] = [textOf(place['file']), numberOf(place['line'])];
  const failure = failureIn(linesOf(textOf(error['stack']) ?? textOf(error['message']) ?? ''));
  return { ...failure, ...(file !== undefined && line !== undefined ? { file, line } : {}) };
}

/** An error that kept a file from loading. */
function globalError(error: Fields): TestCase {
  const failure = failureOf(error);
  return { name: failure.file ?? 'before the tests', verdict: 'failed', ...failure };
}

const head = /^ {2}\d+\) (?:(\[[^\]]+\]) › )?(\S+?):(\d+):\d+ › (.+?)[ ─]*$/;
const listed = /^ {2}(✓|ok|-) +\d+ (?:(\[[^\]]+\]) › )?(\S+?):\d+:\d+ › (.+?)(?: \(([\d.]+)(m?s)\))?$/;

export function readPlaywright(lines: readonly string[]): Found | undefined {
  if (!lines.some((line) => /^Running \d+ tests? using \d+ workers?/.test(line))) return undefined;
  const failures = blocksOf(
    lines,
    (line) => head.exec(line) ?? undefined,
    (line) => /^ {2}\d+ \w+/.test(line),
  );
  const failed = failures.map(({ head: [, project, file = '', , title = ''], body }): TestCase => {
    const firstTry = body.findIndex((line) => /^ {4}Retry #\d/.test(line));
    const failure = failureIn(body.slice(0, firstTry === -1 ? undefined : firstTry));
    return { name: nameOf(project, title), file, verdict: 'failed', ...failure };
  });
  return { cases: [...lines.flatMap((line) => listedCase(line) ?? []), ...failed], counts: countsIn(lines) };
}

function listedCase(line: string): TestCase | undefined {
  const [, mark, project, file, title, time, unit] = listed.exec(line) ?? [];
  if (file === undefined || title === undefined) return undefined;
  const duration = time === undefined ? {} : { duration: Number(time) * (unit === 's' ? 1000 : 1) };
  return { name: nameOf(project, title), file, verdict: mark === '-' ? 'skipped' : 'passed', ...duration };
}

function countsIn(lines: readonly string[]): Counts {
  const count = (word: string): number =>
    Number(lines.map((line) => new RegExp(String.raw`^ {2}(\d+) ${word}\b`).exec(line)?.[1]).findLast(Boolean) ?? 0);
  const [failed, skipped] = [count('failed'), count('skipped') + count('did not run')];
  return { total: count('passed') + count('flaky') + failed + skipped, failed, skipped };
}
