/** The cases of a verification, as its children in the Test Explorer. Cases are evidence, never a verdict (I8). */
import { clip } from '../../engine/ground/text.ts';
import type { TestCase } from '../../engine/work/case.ts';
import { inert, plain } from './display-text.ts';

export interface CaseReport {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  duration: number | null;
  message: string;
  diff: { expected: string; actual: string } | null;
  /** Relative to the sprint's worktree; null when it is unknown or outside. `line` is 1-based. */
  place: { file: string; line: number } | null;
}

/** More cases do not help the person, and slow the editor. */
const maxCases = 200;
const textLimit = 2000;

/** Keeps the order. Of too many cases, failed ones are kept first. */
export function caseReports(cases: readonly TestCase[]): CaseReport[] {
  const failed = cases.filter(({ verdict }) => verdict === 'failed');
  const others = cases.filter(({ verdict }) => verdict !== 'failed');
  const kept = new Set([...failed, ...others].slice(0, maxCases));
  return cases.filter((testCase) => kept.has(testCase)).map(caseReport);
}

function caseReport({ name, verdict, duration, message, expected, actual, file, line }: TestCase): CaseReport {
  const text = (value: string): string => clip(inert(value), textLimit);
  const isInTree = file !== undefined && /^(?![/\\~]|[A-Za-z]:|\.\.?(?:[/\\]|$)).+/.test(file) && !/(^|[/\\])\.\.([/\\]|$)/.test(file);
  return {
    name: plain(name),
    outcome: verdict,
    duration: duration ?? null,
    message: verdict === 'failed' ? text(message ?? 'failed') : '',
    diff:
      expected === undefined || actual === undefined || verdict !== 'failed' ? null : { expected: text(expected), actual: text(actual) },
    place: isInTree && line !== undefined ? { file, line } : null,
  };
}
