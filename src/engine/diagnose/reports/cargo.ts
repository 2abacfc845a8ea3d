/** Parses `cargo test`, as libtest prints it. Errors of the compiler are left to `lines.ts`. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Found } from './found.ts';
import { placeIn } from './place.ts';
import { blocksOf } from './report-text.ts';

const testLine = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/;
const bodyLine = /^---- (.+) stdout ----$/;

export function readCargo(lines: readonly string[]): Found | undefined {
  if (!lines.some((line) => /^test result: (?:ok|FAILED)\. \d+ passed/.test(line) || /^running \d+ tests?$/.test(line))) return undefined;
  const bodies = new Map(
    blocksOf(
      lines,
      (line) => bodyLine.exec(line)?.[1],
      (line) => /^failures:$|^test result: /.test(line),
    ).map(({ head, body }) => [head, body]),
  );
  const cases = lines.flatMap((line): TestCase[] => {
    const [, path, result] = testLine.exec(line) ?? [];
    if (path === undefined) return [];
    const name = path.replaceAll('::', ' › ');
    if (result !== 'FAILED') return [{ name, verdict: result === 'ok' ? 'passed' : 'skipped' }];
    return [{ name, verdict: 'failed', ...failureOf(bodies.get(path) ?? []) }];
  });
  return cases.length > 0 ? { cases } : undefined;
}

/** `thread 'x' panicked at 'message', file:line:col`, and since Rust 1.73 `panicked at file:line:col:` with the message below. */
function failureOf(body: readonly string[]): Partial<TestCase> {
  const panic = body.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
  if (panic === -1) return failureIn(body);
  const text = body.slice(panic).map((line) => line.replace(/^thread '.*?' (?:\(\d+\) )?panicked at /, ''));
  const stop = text.findIndex((line) => /^note: |^stack backtrace:/.test(line));
  const messageLines = text.slice(0, stop === -1 ? undefined : stop);
  const failure = failureIn(messageLines);
  const message = messageLines
    .join('\n')
    .replace(/^\S+:\d+:\d+:\n/, '')
    .replace(/, \S+:\d+:\d+\s*$/, '')
    .replace(/^'([^]*)'$/, '$1')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
  return { ...failure, ...placeIn(messageLines), message };
}
