/** Parses Mocha's spec reporter and its `json`. All its text reporters print the same list of failures. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Counts, Found } from './found.ts';
import { fieldsOf, listOf } from '../../ground/loose.ts';
import { numberOf, textOf } from './json.ts';
import { blocksOf, indentOf, linesOf, nameOf } from './report-text.ts';

export function readMochaJson(value: unknown): Found | undefined {
  const document = fieldsOf(value);
  if (document['stats'] === undefined || document['testResults'] !== undefined) return undefined;
  const lists = ['passes', 'failures', 'pending'] as const;
  const verdicts = { passes: 'passed', failures: 'failed', pending: 'skipped' } as const;
  const cases = lists.flatMap((list) => listOf(document[list]).map((test) => jsonCase(fieldsOf(test), verdicts[list])));
  return cases.length > 0 ? { cases } : undefined;
}

function jsonCase(test: ReturnType<typeof fieldsOf>, verdict: TestCase['verdict']): TestCase {
  const title = textOf(test['title']) ?? '';
  const full = textOf(test['fullTitle']) ?? title;
  const file = textOf(test['file']);
  const ms = numberOf(test['duration']);
  const common = {
    name: nameOf(full.endsWith(title) ? full.slice(0, full.length - title.length) : '', title),
    ...(file === undefined ? {} : { file }),
    ...(ms === undefined ? {} : { duration: ms }),
  };
  if (verdict !== 'failed') return { ...common, verdict };
  const error = fieldsOf(test['err']);
  const [expected, actual] = [textOf(error['expected']), textOf(error['actual'])];
  const failure = failureIn(linesOf(textOf(error['stack']) ?? textOf(error['message']) ?? ''));
  return {
    ...common,
    verdict,
    ...failure,
    ...(expected !== undefined && actual !== undefined ? { expected, actual } : {}),
  };
}

export function readMocha(lines: readonly string[]): Found | undefined {
  const end = lines.findIndex((line) => /^ {2}\d+ passing\b/.test(line));
  if (end === -1) return undefined;
  return { cases: [...treeOf(lines.slice(0, end)), ...failuresOf(lines.slice(end))], counts: countsIn(lines.slice(end)) };
}

function countsIn(lines: readonly string[]): Counts {
  const count = (word: string): number =>
    Number(lines.map((line) => new RegExp(String.raw`^ {2}(\d+) ${word}\b`).exec(line)?.[1]).find(Boolean) ?? 0);
  const [failed, skipped] = [count('failing'), count('pending')];
  return { total: count('passing') + failed + skipped, failed, skipped };
}

/** The reporter's marks, on terminals and elsewhere. A failed test has a number instead. */
const treeLine = /^( {2,})(✔|✓|√|-) (.+?)(?: \((\d+)ms\))?$/;

function treeOf(lines: readonly string[]): TestCase[] {
  const suites: { depth: number; name: string }[] = [];
  return lines.flatMap((line): TestCase[] => {
    if (line.trim() === '' || /^ +\d+\) /.test(line)) return [];
    const depth = indentOf(line);
    while (suites.length > 0 && (suites.at(-1)?.depth ?? 0) >= depth) suites.pop();
    const [, , mark, title, time] = treeLine.exec(line) ?? [];
    if (title === undefined) {
      if (depth >= 2) suites.push({ depth, name: line.trim() });
      return [];
    }
    const duration = time === undefined ? {} : { duration: Number(time) };
    return [{ name: nameOf(...suites.map(({ name }) => name), title), verdict: mark === '-' ? 'skipped' : 'passed', ...duration }];
  });
}

/** `1) total`, then one line for each inner suite and the test; the last one ends with a colon. */
function failuresOf(lines: readonly string[]): TestCase[] {
  const failures = blocksOf(
    lines,
    (line) => /^ {2}\d+\) (.+)$/.exec(line)?.[1],
    () => false,
  );
  return failures.map(({ head, body }) => {
    const last = head.endsWith(':') ? -1 : body.slice(0, 20).findIndex((line) => /^ {5,}.*:$/.test(line));
    const names = [head, ...body.slice(0, last + 1)].map((name) => name.trim());
    const name = nameOf(...names).replace(/:$/, '');
    return { name, verdict: 'failed', ...failureIn(body.slice(last + 1)) };
  });
}
