/** What a parser of reports returns, and its limits: the work that is judged writes the report, so its size is not trusted (I13). */
import { clip } from '../../ground/text.ts';
import type { TestCase } from '../../work/case.ts';

export interface Found {
  cases: TestCase[];
  /** The report's own counts, if it does not name every case. */
  counts?: Counts;
}
export interface Counts {
  total: number;
  failed: number;
  skipped: number;
}

/** Most cases of one run. */
export const caseLimit = 5000;
/** Characters of each text of a case. */
const limits = { name: 300, file: 500, message: 2000, expected: 2000, actual: 2000, diff: 4000 } as const;
/** Characters of all texts of a run together; cases beyond it keep name, verdict and place. */
const textLimit = 1_000_000;

/** Shortens the cases and limits their number; failed cases are kept first. */
export function bounded(cases: readonly TestCase[]): TestCase[] {
  const kept = new Set(failedFirst(cases).slice(0, caseLimit));
  let room = textLimit;
  const short = new Map<TestCase, TestCase>();
  for (const one of failedFirst([...kept])) {
    const { message, expected, actual, diff } = one;
    room -= [message, expected, actual, diff].reduce((sum, text) => sum + Math.min(text?.length ?? 0, limits.diff), 0);
    short.set(one, shortened(one, room >= 0));
  }
  return cases.flatMap((one) => short.get(one) ?? []);
}

function failedFirst(cases: readonly TestCase[]): TestCase[] {
  return [...cases.filter((one) => one.verdict === 'failed'), ...cases.filter((one) => one.verdict !== 'failed')];
}

function shortened(one: TestCase, whole: boolean): TestCase {
  const { name, file, line, verdict, message, expected, actual, diff, duration } = one;
  return {
    name: clip(name, limits.name) || '(no name)',
    ...(file === undefined ? {} : { file: clip(file, limits.file) }),
    ...(line !== undefined && Number.isSafeInteger(line) && line > 0 ? { line } : {}),
    verdict,
    ...(whole && message !== undefined ? { message: clip(message, limits.message) } : {}),
    ...(whole && expected !== undefined ? { expected: clip(expected, limits.expected) } : {}),
    ...(whole && actual !== undefined ? { actual: clip(actual, limits.actual) } : {}),
    ...(whole && diff !== undefined ? { diff: clip(diff, limits.diff) } : {}),
    ...(duration !== undefined && Number.isFinite(duration) && duration >= 0 ? { duration: Math.round(duration) } : {}),
  };
}
