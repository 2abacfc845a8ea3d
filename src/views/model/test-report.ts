/**
 * One result of a verification for the Test Explorer: outcome, message, expected and actual value, line of the script. The
 * verdict is the engine's own (I8); the texts are only for people, and of bounded length.
 */
import { linesOf } from '../../engine/diagnose/reports/report-text.ts';
import { valuesIn } from '../../engine/diagnose/reports/values.ts';
import { clip, excerpt } from '../../engine/ground/text.ts';
import type { Status } from '../../engine/judge/status.ts';
import type { TestCase } from '../../engine/work/case.ts';
import { scriptName, type Run } from '../../engine/work/verification.ts';
import { caseReports, type CaseReport } from './case-reports.ts';
import { inert } from './display-text.ts';
import { verificationLooks } from './looks.ts';

export interface TestReport {
  outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  duration: number;
  message: string;
  /** Read from words such as `expected` and `actual` in the output. */
  diff: { expected: string; actual: string } | null;
  /** 1-based: the first line of the script that the output names, else 1. */
  line: number;
  /** The cases that its framework reports; for a run of the sprint, only failed ones. */
  cases?: CaseReport[];
}

/** The result of a run by hand. */
export interface VerifiedView {
  verification: string;
  report: TestReport;
  /** The end of a long output. */
  output: string;
}

const outcomes: Record<Status, TestReport['outcome'] | null> = {
  pending: null,
  awaiting: 'skipped',
  passed: 'passed',
  failed: 'failed',
  flaky: 'failed',
  blocked: 'failed',
  retired: null,
};

/** @returns null when it has no result on the current code. */
export function reportOf(status: Status, run: Run): TestReport | null {
  const outcome = outcomes[status];
  const message = status === 'failed' ? run.summary : `${verificationLooks[status].words}\n${run.summary}`;
  const report = outcome && testReport(run.verification, { outcome, message, duration: run.duration, text: run.excerpt });
  return report && withCases(report, run.cases?.shown);
}

/** Characters. */
const outputLimit = 20_000;
const excerptLimit = 4000;

/** The view of a run by hand. */
export function verifiedView(run: {
  id: string;
  verdict: Run['verdict'];
  duration: number;
  summary: string;
  output: string;
  cases?: { cases: readonly TestCase[] } | undefined;
}): VerifiedView {
  const isGreen = run.verdict === 'green';
  const flake = run.verdict === 'flaky' ? `${verificationLooks.flaky.words}\n` : '';
  const outcome = isGreen ? 'passed' : 'failed';
  const text = excerpt(run.output, excerptLimit);
  const report = testReport(run.id, { outcome, message: flake + run.summary, duration: run.duration, text });
  return { verification: run.id, report: withCases(report, run.cases?.cases), output: inert(run.output.slice(-outputLimit)) };
}

function withCases(report: TestReport, cases: readonly TestCase[] | undefined): TestReport {
  return cases && cases.length > 0 ? { ...report, cases: caseReports(cases) } : report;
}

function testReport(
  verification: string,
  { outcome, message, duration, text }: Pick<TestReport, 'outcome' | 'message' | 'duration'> & { text: string },
): TestReport {
  if (outcome !== 'failed') return { outcome, message: '', duration, diff: null, line: 1 };
  const output = inert(text);
  return { outcome, message: inert(message), duration, diff: diffIn(output), line: lineIn(output, verification) };
}

const valueLimit = 2000;

function diffIn(text: string): TestReport['diff'] {
  const { expected, actual } = valuesIn(linesOf(text));
  if (expected === undefined || actual === undefined) return null;
  return { expected: clip(expected, valueLimit), actual: clip(actual, valueLimit) };
}

/** The first line of the script that its output names: `cli-name.sh: line 3`, `cli-name.mjs:3:7`. */
function lineIn(text: string, verification: string): number {
  const name = scriptName({ id: verification });
  const [, line] = new RegExp(String.raw`(?<![\w-])${name}\.\w{1,5}(?::|: line |", line )(\d{1,6})\b`).exec(text) ?? [];
  return Math.max(1, Number(line ?? 1));
}
