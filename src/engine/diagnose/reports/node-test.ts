/** Parses the spec reporter of node:test. Its TAP and JUnit have parsers of their own. */
import type { TestCase } from '../../work/case.ts';
import { failureIn } from './failure.ts';
import type { Counts, Found } from './found.ts';
import { indentOf, nameOf } from './report-text.ts';

const treeLine = /^( *)(▶|✔|✖|﹣) (.+?)(?: \(([\d.]+)ms\))?(?: # (.*))?$/;
const failing = /^✖ failing tests:$/;
const fileName = /\.[cm]?[jt]s$/;

export function readNodeTest(lines: readonly string[]): Found | undefined {
  const counts = countsIn(lines);
  if (!counts) return undefined;
  const end = lines.findIndex((line) => failing.test(line));
  const places = placesIn(lines.slice(end === -1 ? lines.length : end));
  const cases = treeOf(lines.slice(0, end === -1 ? undefined : end));
  return { cases: cases.map((one) => ({ ...(one.verdict === 'failed' ? places.get(one.name) : {}), ...one })), counts };
}

function countsIn(lines: readonly string[]): Counts | undefined {
  const count = (word: string): number | undefined => {
    const text = lines.findLast((line) => line.startsWith(`ℹ ${word} `))?.slice(word.length + 3);
    return text === undefined ? undefined : Number(text) || 0;
  };
  const total = count('tests');
  if (total === undefined) return undefined;
  const failed = (count('fail') ?? 0) + (count('cancelled') ?? 0);
  return { total, failed, skipped: (count('skipped') ?? 0) + (count('todo') ?? 0) };
}

interface Node {
  at: number;
  depth: number;
  mark: string;
  title: string;
  duration: number | undefined;
  remark: string | undefined;
}

/** A suite is opened with `▶` and closed by a line with its name again. */
function treeOf(lines: readonly string[]): TestCase[] {
  const nodes = lines.flatMap((line, at) => nodeAt(line, at) ?? []);
  const suites: Node[] = [];
  return nodes.flatMap((node, i): TestCase[] => {
    while (suites.length > 0 && (suites.at(-1)?.depth ?? 0) > node.depth) suites.pop();
    if (node.mark === '▶') {
      suites.push(node);
      return [];
    }
    const open = suites.at(-1);
    if (open && open.depth === node.depth && open.title === node.title) {
      suites.pop();
      return [];
    }
    const body = lines.slice(node.at + 1, nodes[i + 1]?.at ?? lines.length);
    return [
      caseOf(
        node,
        suites.filter(({ depth }) => depth < node.depth),
        body,
      ),
    ];
  });
}

function nodeAt(line: string, at: number): Node | undefined {
  const [, indent, mark, title, time, remark] = treeLine.exec(line) ?? [];
  if (indent === undefined || mark === undefined || title === undefined) return undefined;
  return { at, depth: indent.length, mark, title, duration: time === undefined ? undefined : Number(time), remark };
}

function caseOf({ mark, title, duration: ms, remark, depth }: Node, suites: readonly Node[], body: readonly string[]): TestCase {
  const name = nameOf(...suites.map((suite) => suite.title), title);
  const duration = ms === undefined ? {} : { duration: ms };
  if (mark === '﹣' || /^(SKIP|TODO)\b/.test(remark ?? '')) return { name, verdict: 'skipped', ...duration };
  if (mark === '✔') return { name, verdict: 'passed', ...duration };
  const own = body.slice(0, endOf(body, depth));
  return { name, ...(fileName.test(title) ? { file: title } : {}), verdict: 'failed', ...failureIn(own), ...duration };
}

/** Output of the tests themselves is not indented, so it ends the failure. */
function endOf(body: readonly string[], depth: number): number {
  const end = body.findIndex((line) => line.trim() !== '' && indentOf(line) <= depth);
  return end === -1 ? body.length : end;
}

/** `test at total.test.mjs:10:3` is above the name of each failed test. It counts if the failure itself has no place. */
function placesIn(lines: readonly string[]): Map<string, Pick<TestCase, 'file' | 'line'>> {
  const places = new Map<string, Pick<TestCase, 'file' | 'line'>>();
  for (const [i, line] of lines.entries()) {
    const [, file, at] = /^test at (.+?):(\d+):\d+$/.exec(line) ?? [];
    const title = nodeAt(lines[i + 1] ?? '', 0)?.title;
    if (file !== undefined && title !== undefined && !fileName.test(title)) places.set(title, { file, line: Number(at) });
  }
  return places;
}
