/** What a run's record, its summary, its identity and a prompt say of its cases. Pure (I3). */
import type { Ref } from '../state/events.ts';
import type { CaseSummary, TestCase } from '../work/case.ts';
import { cut } from './reports/found.ts';
import type { Cases } from './reports/read-cases.ts';

const shownCases = 20;
/** Characters of each text of a case that the journal holds. */
const shownText = 300;

/** @param ref the payload of all cases. */
export function summaryOfCases({ cases, total, failed, skipped }: Cases, ref: Ref): CaseSummary {
  const shown = failedOf(cases).slice(0, shownCases).map(shortened);
  return { total, failed, skipped, shown, ref };
}

function failedOf(cases: readonly TestCase[]): TestCase[] {
  return cases.filter(({ verdict }) => verdict === 'failed');
}

function shortened({ diff, message, expected, actual, ...rest }: TestCase): TestCase {
  const short = (key: string, text: string | undefined): object => (text === undefined ? {} : { [key]: cut(text, shownText) });
  return {
    ...rest,
    ...short('message', message),
    ...short('expected', expected),
    ...short('actual', actual),
    ...short('diff', diff),
  };
}

/** `2 of 17 cases failed: a, b`; where a framework says that all passed, that it says so. */
export function caseWords(cases: Cases): string | undefined {
  const { total, failed, reported } = cases;
  if (reported) {
    const names = failedOf(cases.cases).map(({ name }) => name);
    const more = Math.max(failed, names.length) - named;
    const list = names.slice(0, named).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return cut(`${failed} of ${total} cases failed: ${list}`, 300);
  }
  const passed = total - failed;
  return passed > 0 ? `its report says that ${passed} of ${passed} cases passed or were skipped, and yet it failed` : undefined;
}

const named = 3;

/** The failed cases by what stays the same from run to run: no place, no duration, in no order. */
export function identityOf(cases: Cases | undefined): string | undefined {
  if (!cases?.reported) return undefined;
  const lines = failedOf(cases.cases).map(({ name, message = '', expected = '', actual = '' }) =>
    [name, message, expected, actual].join('\n'),
  );
  return lines.sort().join('\n');
}

/** Lines for a person or a prompt. @param most cases. */
export function renderCases({ total, failed, shown }: CaseSummary, most: number): string {
  if (shown.length === 0) return '';
  const rest = failed - Math.min(shown.length, most);
  return [
    `Cases: ${failed} of ${total} failed${rest > 0 ? `; the first ${Math.min(shown.length, most)}` : ''}:`,
    ...shown.slice(0, most).map(caseLines),
  ].join('\n');
}

function caseLines({ name, file, line, message, expected, actual }: TestCase): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  const said = message?.split('\n').map((text) => `    ${text}`) ?? [];
  const isTold = expected === undefined || (message?.includes(expected) === true && message.includes(actual ?? ''));
  const values = isTold ? [] : [`    expected: ${oneLine(expected)}`, `    actual: ${oneLine(actual ?? '')}`];
  return [`- ${name}${place}`, ...said, ...values].join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Where its first failed case lies. */
export function placeOfCases(summary: CaseSummary | undefined): { file: string; line: number } | undefined {
  for (const { file, line } of summary?.shown ?? []) if (file !== undefined && line !== undefined) return { file, line };
  return undefined;
}
