/** Parses one failure's text, as most frameworks print it under the name of a test: message, place, expected and actual. */
import type { TestCase } from '../../work/case.ts';
import { dedent } from './report-text.ts';
import { placeIn } from './place.ts';
import { valuesIn } from './values.ts';

export type Failure = Pick<TestCase, 'message' | 'file' | 'line' | 'expected' | 'actual' | 'diff'>;

/** @param lines below the test's name. @param last whether the innermost place comes last. */
export function failureIn(lines: readonly string[], last = false): Failure {
  const body = dedent(lines);
  const message = messageOf(body);
  return { ...(message === '' ? {} : { message }), ...placeIn(body, last), ...valuesIn(body) };
}

const messageLines = 10;
/** The first line of a stack, of a source snippet or of a diff; the message ends before it. */
const end =
  /^\s*(at (async )?\S|❯ |> +\d+ *\||\d+ *\||\| +\^|- Expected( |$)|\+ (expected - actual|actual - expected)$|Call log:|note: run with|stack backtrace:|goroutine \d|Error Context:|generatedMessage: |\[?Node\.js v)/;

function messageOf(body: readonly string[]): string {
  const marked = body.flatMap((line) => /^E {3}\s*(.*)$/.exec(line)?.[1] ?? []);
  // For a syntax error Python prints the source line before the reason.
  if (marked[0]?.startsWith('File "') === true) marked.splice(0, marked.length - 1);
  const from = Math.max(0, body.findIndex((line) => line.trim() === 'Details:') + 1);
  const own = marked.length > 0 ? marked : body.slice(from);
  const stop = own.findIndex((line) => end.test(line));
  const message = own
    .slice(0, stop === -1 ? undefined : stop)
    .map((line) => line.trim())
    .filter(Boolean);
  return once(message).slice(0, messageLines).join('\n').replace(/ \{$/, '');
}

/** Mocha prints a message alone, and again with the stack. */
function once(lines: readonly string[]): readonly string[] {
  const again = lines.findIndex((line, i) => i > 0 && line.endsWith(`: ${lines[0]}`));
  return again === -1 ? lines : lines.slice(0, again);
}
