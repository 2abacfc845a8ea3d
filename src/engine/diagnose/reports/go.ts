/**
 * Parses `go test`: its text, with or without `-v`, and `-json`, which wraps the same text in JSON. Each package is read by itself, since
 * tests of several may have one name.
 */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Found } from './found.ts';
import { fieldsOf } from '../../ground/loose.ts';
import { parsed, textOf } from './json.ts';
import { indentOf, linesOf } from './report-text.ts';

const resultLine = /^( *)--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)$/;
const packageLine = /^(?:ok {2}|FAIL|\?   )\t(\S+)/;
const buildLine = /^(\S+\.go):(\d+):(?:\d+:)? (.+)$/;
const runLine = /^=== (?:RUN|CONT|NAME|PAUSE) +(\S+)$/;

export function readGo(lines: readonly string[]): Found | undefined {
  const packages = printedIn(lines).flatMap(packagesIn);
  const isGo = packages.some((text) => text.some((line) => resultLine.test(line) || packageLine.test(line)));
  return isGo ? { cases: [...packages.flatMap(testCases), ...packages.flatMap(buildCases)] } : undefined;
}

/** A line with the result of a package stands below all that it printed. */
function packagesIn(lines: readonly string[]): string[][] {
  let open: string[] = [];
  const packages = [open];
  for (const line of lines) {
    open.push(line);
    if (packageLine.test(line)) packages.push((open = []));
  }
  return packages;
}

function testCases(text: readonly string[]): TestCase[] {
  const results = text.flatMap((line, at) => resultAt(line, at) ?? []);
  const outputs = outputByTest(text);
  const parents = new Set(
    results.filter(({ verdict }) => verdict === 'FAIL').map(({ name }) => name.slice(0, Math.max(0, name.lastIndexOf('/')))),
  );
  return results
    .filter(({ name }) => !parents.has(name))
    .map((result) => caseOf(result, [...(outputs.get(result.name) ?? []), ...bodyOf(text, result)]));
}

/** The printed lines; unwrapped from JSON if need be, which has those of several packages among each other. */
function printedIn(lines: readonly string[]): (readonly string[])[] {
  if (!lines.some((line) => /^\{"(?:Time|ImportPath|Action)":/.test(line))) return [lines];
  const texts = new Map<string, string>();
  for (const { from, text } of lines.map(unwrapped)) texts.set(from, (texts.get(from) ?? '') + text);
  return [...texts.values()].map(linesOf);
}

/** What stands beside JSON is of no package: a build that failed. */
function unwrapped(line: string): { from: string; text: string } {
  if (!line.startsWith('{')) return { from: '', text: `${line}\n` };
  const { Action: action, Package: from, Output: output } = fieldsOf(parsed(line));
  return { from: textOf(from) ?? '', text: action === 'output' || action === 'build-output' ? (textOf(output) ?? '') : '' };
}

interface Result {
  at: number;
  depth: number;
  verdict: string;
  name: string;
  seconds: number;
}

function resultAt(line: string, at: number): Result | undefined {
  const [, indent, verdict, name, seconds] = resultLine.exec(line) ?? [];
  if (indent === undefined || verdict === undefined || name === undefined) return undefined;
  return { at, depth: indent.length, verdict, name, seconds: Number(seconds) };
}

/** With `-v` a test's output comes before its result, after a line `=== RUN`. */
function outputByTest(lines: readonly string[]): Map<string, string[]> {
  const outputs = new Map<string, string[]>();
  let running: string[] | undefined;
  for (const line of lines) {
    const name = runLine.exec(line)?.[1];
    if (name !== undefined) {
      running = outputs.get(name) ?? [];
      outputs.set(name, running);
    } else if (resultLine.test(line) || packageLine.test(line)) running = undefined;
    else running?.push(line);
  }
  return outputs;
}

/** The lines indented under a result; after a panic, all lines up to the next result. */
function bodyOf(lines: readonly string[], { at, depth }: Result): string[] {
  const panics = (lines[at + 1] ?? '').startsWith('panic: ');
  const rest = lines.slice(at + 1, at + 1 + bodyLimit);
  const end = rest.findIndex((line) =>
    panics ? packageLine.test(line) || resultLine.test(line) : line === '' || indentOf(line) <= depth || resultLine.test(line),
  );
  return rest.slice(0, end === -1 ? undefined : end);
}

const bodyLimit = 200;

function caseOf({ name, verdict, seconds }: Result, body: readonly string[]): TestCase {
  const duration = { duration: Math.round(seconds * 1000) };
  if (verdict === 'PASS') return { name, verdict: 'passed', ...duration };
  if (verdict === 'SKIP') return { name, verdict: 'skipped', ...duration };
  const failure = failureIn(body);
  const panic = body.find((line) => line.startsWith('panic: '))?.replace(/ \[recovered.*$/, '');
  const message = panic ?? failure.message?.replace(/^\S+\.go:\d+: /, '');
  return { name, verdict: 'failed', ...failure, ...(message === undefined ? {} : { message }), ...duration };
}

/** The compiler's errors under `# package`; such a package runs no test. */
function buildCases(lines: readonly string[]): TestCase[] {
  let inBuild = false;
  return lines.flatMap((line): TestCase[] => {
    if (line.startsWith('# ')) inBuild = true;
    else if (packageLine.test(line)) inBuild = false;
    const [, file, at, message] = inBuild ? (buildLine.exec(line) ?? []) : [];
    if (file === undefined || message === undefined) return [];
    return [{ name: `${file}:${at}`, file, line: Number(at), verdict: 'failed', message }];
  });
}
