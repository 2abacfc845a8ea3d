/** Parses pytest's text, with any `--tb` and with or without `-v` and `-q`. Its JUnit XML has a parser of its own. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Counts, Found } from './found.ts';
import { blocksOf } from './report-text.ts';

const lastLine = /^=*\s*((?:\d+ [a-z]+,? ?)+) in [\d.]+s\b/;
/** Beside a long name stands one `_`; rows of `_ _ _` separate places. */
const headLine = /^_+ (?=.*[^_ ])(.+?) _+$/;
const section = /^={3,} .* ={3,}$|^!{3,} .* !{3,}$/;
/** Parameters stand in brackets, and may hold what else begins the message. */
const summaryLine = /^(FAILED|ERROR) (\S+?\[.*?\]|\S.*?)(?: - (.*))?$/;
const verboseLine = /^(\S+::.+?) (PASSED|SKIPPED|XFAIL|XPASS)\b/;

export function readPytest(lines: readonly string[]): Found | undefined {
  const last = lines.findLast((line) => lastLine.test(line));
  const ids = idsIn(lines);
  if (last === undefined && ids.length === 0) return undefined;
  const failures = blocksOf(
    lines,
    (line) => headLine.exec(line)?.[1],
    (line) => section.test(line),
  );
  const detailed = failures.map(({ head, body }) => caseOf(head, body, ids));
  const known = new Set(detailed.map(({ name }) => name));
  const short = ids.filter(({ id }) => !known.has(id)).map(shortCase);
  return {
    cases: [...verbose(lines), ...detailed, ...short],
    ...(last === undefined ? {} : { counts: countsIn(lastLine.exec(last)?.[1] ?? '') }),
  };
}

interface Id {
  id: string;
  message: string | undefined;
}

/** The ids in the short summary. */
function idsIn(lines: readonly string[]): Id[] {
  const from = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line));
  if (from === -1) return [];
  return lines.slice(from + 1).flatMap((line) => {
    const [, , id, message] = summaryLine.exec(line) ?? [];
    return id === undefined ? [] : [{ id, message }];
  });
}

function caseOf(head: string, body: readonly string[], ids: readonly Id[]): TestCase {
  const title = head.replace(/^ERROR (?:collecting|at (?:setup|teardown) of) /, '');
  const id = ids.find((one) => one.id === title || one.id.split('::').slice(1).join('.') === title)?.id;
  const file = (id ?? (head.startsWith('ERROR collecting') ? title : '')).split('::')[0];
  return { name: id ?? title, ...(file ? { file } : {}), verdict: 'failed', ...failureIn(body, true) };
}

function shortCase({ id, message }: Id): TestCase {
  return { name: id, file: id.split('::')[0] ?? id, verdict: 'failed', ...(message === undefined ? {} : { message }) };
}

function verbose(lines: readonly string[]): TestCase[] {
  return lines.flatMap((line): TestCase[] => {
    const [, name, result] = verboseLine.exec(line) ?? [];
    if (name === undefined) return [];
    const passed = result === 'PASSED' || result === 'XPASS';
    return [{ name, file: name.split('::')[0] ?? '', verdict: passed ? 'passed' : 'skipped' }];
  });
}

function countsIn(text: string): Counts {
  const count = (word: string): number => Number(new RegExp(String.raw`(\d+) ${word}\b`).exec(text)?.[1] ?? 0);
  const failed = count('failed') + count('errors?');
  const skipped = count('skipped') + count('xfailed');
  return { total: count('passed') + count('xpassed') + failed + skipped, failed, skipped };
}
