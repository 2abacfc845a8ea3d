/** Parses Vitest's text. Its JSON is that of Jest; its JUnit and TAP have parsers of their own. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Counts, Found } from './found.ts';
import { blocksOf } from './report-text.ts';

const failLine = /^ *FAIL {2}(?:\|[^|]*\| )?(.+)$/;
const ruler = /^⎯{3,}/;

export function readVitest(lines: readonly string[]): Found | undefined {
  const counts = countsIn(lines);
  if (!counts || !lines.some((line) => /^ *(?:RUN|DEV) {2}v\d/.test(line) || /^ *Test Files {2}/.test(line))) return undefined;
  const failures = blocksOf(
    lines,
    (line) => failLine.exec(line)?.[1],
    (line) => ruler.test(line),
  );
  const failed = failures.flatMap(({ head, body }, i) => caseOf(head, bodyOf(failures, i, body)));
  return { cases: [...treeOf(lines), ...failed], counts };
}

/** Tests with the same failure are printed as several heads with one body under the last. */
function bodyOf(failures: readonly { body: string[] }[], i: number, body: string[]): string[] {
  for (let next = i; next < Math.min(failures.length, i + 100); next += 1) {
    const own = failures[next]?.body ?? [];
    if (own.some((line) => line.trim() !== '')) return own;
  }
  return body;
}

function caseOf(head: string, body: readonly string[]): TestCase[] {
  const [, file] = /^(\S+) \[ .+ \]$/.exec(head) ?? [];
  if (file !== undefined) return [{ name: file, file, verdict: 'failed', ...failureIn(body) }];
  const [first = '', ...names] = head.split(' > ');
  return [{ name: names.join(' › ') || first, file: first, verdict: 'failed', ...failureIn(body) }];
}

function countsIn(lines: readonly string[]): Counts | undefined {
  const line = lines.findLast((one) => /^ *Tests {2}.*\(\d+\)$/.test(one));
  const files = lines.findLast((one) => /^ *Test Files {2}.*\(\d+\)$/.test(one));
  if (files === undefined) return undefined;
  const count = (pattern: RegExp): number => Number(pattern.exec(line ?? '')?.[1] ?? 0);
  return {
    total: count(/\((\d+)\)$/),
    failed: count(/(\d+) failed/),
    skipped: count(/(\d+) skipped/) + count(/(\d+) todo/),
  };
}

/** ` ✓ total.test.js (5 tests) 9ms`, and its tests below if they are printed. */
function treeOf(lines: readonly string[]): TestCase[] {
  let file = '';
  return lines.flatMap((line): TestCase[] => {
    file = /^ [✓❯×↓] (\S+) \(\d+ tests?/.exec(line)?.[1] ?? file;
    const [, mark, title, time] = /^ {3}([✓↓]) (.+?)(?: (\d+)ms)?$/.exec(line) ?? [];
    if (file === '' || title === undefined) return [];
    const duration = time === undefined ? {} : { duration: Number(time) };
    return [{ name: title.replaceAll(' > ', ' › '), file, verdict: mark === '✓' ? 'passed' : 'skipped', ...duration }];
  });
}
