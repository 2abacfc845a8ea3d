/** For runs without a framework: one case for each failing place that compilers, runtimes and scripts print. */
import type { TestCase } from '../../work/case.ts';
import { placeIn, placeOn } from './place.ts';

const maxCases = 50;

export function readLines(printed: readonly string[]): TestCase[] {
  // TAP and some runners print a test's own output as comments.
  const lines = printed.map((line) => line.replace(/^# /, '').replaceAll('file://', ''));
  const cases: TestCase[] = [];
  const known = new Set<string>();
  for (let at = 0; at < lines.length && cases.length < maxCases; at += 1) {
    const failingCase = readers.map((reader) => reader(lines, at)).find((one) => one !== undefined);
    const key = `${failingCase?.file}:${failingCase?.line}`;
    if (!failingCase || known.has(key)) continue;
    known.add(key);
    cases.push(failingCase);
  }
  return cases;
}

type Reader = (lines: readonly string[], at: number) => TestCase | undefined;

/** From the most specific to the least. */
const readers: readonly Reader[] = [rust, python, uncaught, thrown, compiler, shell];

function caseAt(place: { file: string; line: number } | undefined, message: string | undefined): TestCase | undefined {
  const words = message?.trim();
  if (!place || !words) return undefined;
  return { name: `${place.file}:${place.line}`, ...place, verdict: 'failed', message: words };
}

/** `error[E0425]: …`, and ` --> src/lib.rs:2:5` below it. */
function rust(lines: readonly string[], at: number): TestCase | undefined {
  const message = /^(error(?:\[E\d+\])?: .+)$/.exec(lines[at] ?? '')?.[1];
  const next = lines[at + 1] ?? '';
  return message !== undefined && /^ *--> /.test(next) ? caseAt(placeOn(next.replace(/^ *--> /, '')), message) : undefined;
}

const lookAhead = 60;

/** A traceback ends with the exception, which is not indented. */
function python(lines: readonly string[], at: number): TestCase | undefined {
  const isTraceback = /^\s*Traceback \(most recent call last\):$/.test(lines[at] ?? '');
  const isSyntax = /^ +File ".+", line \d+$/.test(lines[at] ?? '') && /^ +\S/.test(lines[at + 1] ?? '');
  if (!isTraceback && !isSyntax) return undefined;
  const body = lines.slice(at, at + lookAhead);
  const end = body.findIndex((line, i) => i > 0 && /^[A-Za-z_][\w.]*(?::|$)/.test(line));
  if (end === -1) return undefined;
  return caseAt(placeIn(body.slice(0, end), true), body[end]);
}

/** Node's `file:4`, the line, a caret, and the error. */
function uncaught(lines: readonly string[], at: number): TestCase | undefined {
  const [, place] = /^(?:\W*(?:Exception during run|Error): )?(\S+\.[cm]?[jt]sx?:\d+)$/.exec(lines[at] ?? '') ?? [];
  if (place === undefined) return undefined;
  const body = lines.slice(at + 1, at + 8);
  return caseAt(
    placeOn(place),
    body.find((line) => errorLine.test(line)),
  );
}

const errorLine = /^\s*(?:Uncaught )?\w*(?:Error|Exception)\b[^:]{0,40}: ./;

/** `TypeError: x is not a function` above a stack, or with the place in brackets or below. */
function thrown(lines: readonly string[], at: number): TestCase | undefined {
  const line = lines[at] ?? '';
  if (!errorLine.test(line)) return undefined;
  const stack = lines.slice(at + 1, at + 12).filter((one) => /^\s*(?:at |❯ )/.test(one));
  return caseAt(placeOn(line) ?? placeIn(stack), line);
}

const problemWord = /error|fail|expect|undefined|undeclared|cannot|can't|missing|invalid|unexpected|not |assert|wrong|mismatch/i;

/** `a.go:4:9: undefined: x`, `a.c:3: error: …`, `a.ts(1,14): error TS…`. */
function compiler(lines: readonly string[], at: number): TestCase | undefined {
  const line = lines[at] ?? '';
  const [, file, row, message] =
    /^(\S+?\.[A-Za-z]\w{0,4})\((\d{1,7}),\d+\): (error .+)$/.exec(line) ??
    /^(\S+?\.[A-Za-z]\w{0,4}):(\d{1,7})(?::\d+)?:? (?:- )?(.+)$/.exec(line) ??
    [];
  if (file === undefined || message === undefined || !problemWord.test(message) || /\bwarning\b/i.test(message)) return undefined;
  return caseAt(placeOn(`${file}:${row}`), message);
}

/** `check.sh: line 3: x: command not found`. */
function shell(lines: readonly string[], at: number): TestCase | undefined {
  const [, file, row, message] = /^(\S+): line (\d{1,7}): (.+)$/.exec(lines[at] ?? '') ?? [];
  return file === undefined ? undefined : caseAt({ file, line: Number(row) }, message);
}
