/**
 * One result of a verification as a Test Explorer tells it: outcome, message, expected and actual, line of the script. Made in
 * the worker; the verdict is the engine's own (I8), the texts around it are for people and of bounded length.
 */
import { excerpt } from '../../engine/tools/excerpt.ts';
import { classify } from '../../engine/verify/classify.ts';
import { summarize } from '../../engine/verify/signature.ts';
import type { CheckStatus } from '../../engine/verify/status.ts';
import type { CheckRun } from '../../engine/work/check.ts';
import { clip, inert } from './text.ts';
import { checkLooks } from './words.ts';

export interface TestReport {
  outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  duration: number;
  message: string;
  /** What the output says in words such as `expected`, `actual`. */
  diff: { expected: string; actual: string } | null;
  /** 1-based: the first of the script that the output names, else its first. */
  line: number;
}

/** The result of a verification that a person ran. */
export interface VerifiedView {
  check: string;
  report: TestReport;
  /** Its end, where it is long. */
  output: string;
}

const outcomes: Record<CheckStatus, TestReport['outcome'] | null> = {
  pending: null,
  awaiting: 'skipped',
  passed: 'passed',
  failed: 'failed',
  flaky: 'failed',
  blocked: 'failed',
  retired: null,
};

/** @returns null when it has no result on the code as it is. */
export function reportOf(status: CheckStatus, run: CheckRun): TestReport | null {
  const outcome = outcomes[status];
  const message = status === 'failed' ? run.summary : `${checkLooks[status].words}\n${run.summary}`;
  return outcome && reported(run.check, { outcome, message, duration: run.duration, text: run.excerpt });
}

/** Characters. */
const outputLimit = 20_000;
const excerptLimit = 4000;

/** What `verifySprint` found. */
export function verifiedView(run: {
  id: string;
  green: boolean;
  exit: number | null;
  timedOut: boolean;
  duration: number;
  output: string;
}): VerifiedView {
  const outcome = run.green ? 'passed' : 'failed';
  const message = summarize(run, classify(run));
  const report = reported(run.id, { outcome, message, duration: run.duration, text: excerpt(run.output, excerptLimit) });
  return { check: run.id, report, output: inert(run.output.slice(-outputLimit)) };
}

function reported(
  check: string,
  { outcome, message, duration, text }: Pick<TestReport, 'outcome' | 'message' | 'duration'> & { text: string },
): TestReport {
  if (outcome !== 'failed') return { outcome, message: '', duration, diff: null, line: 1 };
  const clean = inert(text);
  return { outcome, message: inert(message), duration, diff: diffIn(clean), line: lineIn(clean, check) };
}

const valueLimit = 2000;
/** `expected: 5`, as test runners and assertion errors print it, a line each. */
const expectedLine = /^\s*expected ?[:=] ?(\S.*)$/im;
const actualLine = /^\s*(?:actual|received|got) ?[:=] ?(\S.*)$/im;
/** `expected 'a', got 'b'`, as scripts say it, in one. */
const both = /\bexpected:? (\S.*?)[,;]? (?:but )?(?:got|received|actual|was):? (\S.*)$/im;

function diffIn(text: string): TestReport['diff'] {
  const lines = [expectedLine.exec(text)?.[1], actualLine.exec(text)?.[1]];
  const [expected, actual] = lines.every((line) => line !== undefined) ? lines : (both.exec(text)?.slice(1) ?? []);
  if (expected === undefined || actual === undefined) return null;
  return { expected: value(expected), actual: value(actual) };
}

/** Node prints the two as fields of an error, with a comma after each. */
function value(text: string): string {
  return clip(text.trim().replace(/,$/, ''), valueLimit);
}

/** In the sandbox a script lies in a folder of its own, under a name made of its id: `cli-name.sh: line 3`, `cli-name.mjs:3:7`. */
function lineIn(text: string, check: string): number {
  const name = check.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  const [, line] = new RegExp(String.raw`(?<![\w-])${name}\.\w{1,5}(?::|: line |", line )(\d{1,6})\b`).exec(text) ?? [];
  return Math.max(1, Number(line ?? 1));
}
