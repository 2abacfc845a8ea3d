/** The cases of a verification as children of it in a Test Explorer: evidence of what its framework reports, never a verdict. */
import type { TestCase } from '../../engine/work/case.ts';
import { clip, inert, plain } from './display-text.ts';

export interface CaseReport {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  duration: number | null;
  message: string;
  diff: { expected: string; actual: string } | null;
  /** In the sprint's tree, where it lies there; `line` is 1-based. */
  place: { file: string; line: number } | null;
}

/** More are of no use to a person, and cost the editor. */
const most = 200;
const textLimit = 2000;

/** In their order; where there are too many, those that failed are kept first. */
export function caseReports(cases: readonly TestCase[]): CaseReport[] {
  const failed = cases.filter(({ verdict }) => verdict === 'failed');
  const others = cases.filter(({ verdict }) => verdict !== 'failed');
  const kept = new Set([...failed, ...others].slice(0, most));
  return cases.filter((one) => kept.has(one)).map(caseReport);
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
