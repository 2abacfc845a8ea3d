/** The cases of a run, for its record, its summary, its signature and prompts. */
import { clip } from '../ground/text.ts';
import type { Ref } from '../state/events.ts';
import type { CaseSummary, TestCase } from '../work/case.ts';
import type { Cases } from './reports/read-cases.ts';

const shownCases = 20;
/** Characters of each text of a case in the journal. */
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
  const short = (key: string, text: string | undefined): object => (text === undefined ? {} : { [key]: clip(text, shownText) });
  return {
    ...rest,
    ...short('message', message),
    ...short('expected', expected),
    ...short('actual', actual),
    ...short('diff', diff),
  };
}

/** `2 of 17 cases failed: a, b`; or that the report contradicts the red run. */
export function caseWords(cases: Cases): string | undefined {
  const { total, failed, reported } = cases;
  if (reported) {
    const names = failedOf(cases.cases).map(({ name }) => name);
    const more = Math.max(failed, names.length) - namedCases;
    const list = names.slice(0, namedCases).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return clip(`${failed} of ${total} cases failed: ${list}`, 300);
  }
  const passed = total - failed;
  return passed > 0 ? `its report says that ${passed} of ${total} cases passed or were skipped, and yet it failed` : undefined;
}

const namedCases = 3;

/** Identifies the failed cases across runs, so it has no place, no duration and no order. */
export function identityOf(cases: Cases | undefined): string | undefined {
  if (!cases?.reported) return undefined;
  const lines = failedOf(cases.cases).map(({ name, message = '', expected = '', actual = '' }) =>
    [name, message, expected, actual].join('\n'),
  );
  return lines.sort().join('\n');
}

/** Lines for a person or a prompt. @param most cases to list. */
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
  const messageLines = message?.split('\n').map((text) => `    ${text}`) ?? [];
  const isSaid = expected === undefined || (message?.includes(expected) === true && message.includes(actual ?? ''));
  const values = isSaid ? [] : [`    expected: ${unbroken(expected)}`, `    actual: ${unbroken(actual ?? '')}`];
  return [`- ${name}${place}`, ...messageLines, ...values].join('\n');
}

/** Keeps a space at either end, which may be the difference. */
function unbroken(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** The place of the first failed case that has one. */
export function placeOfCases(summary: CaseSummary | undefined): { file: string; line: number } | undefined {
  for (const { file, line } of summary?.shown ?? []) if (file !== undefined && line !== undefined) return { file, line };
  return undefined;
}
