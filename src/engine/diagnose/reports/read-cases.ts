/**
 * Reads the cases of one run: first from its report files, then from its output, the most detailed source first. Whatever a
 * report contains, it is read in linear time and within limits. Cases are evidence only (I8).
 */
import { pieceOf } from '../../ground/text.ts';
import type { TestCase } from '../../work/case.ts';
import { readCargo } from './cargo.ts';
import { bounded, type Counts, type Found } from './found.ts';
import { readGo } from './go.ts';
import { readJest, readJestJson } from './jest.ts';
import { documentsIn } from './json.ts';
import { readJunit } from './junit.ts';
import { readLines } from './lines.ts';
import { readMocha, readMochaJson } from './mocha.ts';
import { readNodeTest } from './node-test.ts';
import { readPlaywright, readPlaywrightJson } from './playwright.ts';
import { readPytest } from './pytest.ts';
import { readTap } from './tap.ts';
import { linesOf } from './report-text.ts';
import { readVitest } from './vitest.ts';

export interface Printed {
  output: string;
  /** Texts of the run's report files. */
  reports?: readonly string[] | undefined;
  /** The run's working directory; paths inside it become relative. */
  root?: string | undefined;
}

export interface Cases extends Counts {
  cases: TestCase[];
  /** A framework named the failed cases, so the names identify the failure. Else the cases are places in the text. */
  reported: boolean;
}

/** @param red by exit status; only then the text is searched for failing places. @returns undefined if there is no case. */
export function casesOf({ output, reports = [], root }: Printed, red: boolean): Cases | undefined {
  if (output === '' && reports.length === 0) return undefined;
  const text = relative(ends(output), root);
  const lines = linesOf(text);
  const fromFiles = reports.flatMap((report) => structured(relative(report, root)));
  const sources = [...fromFiles, ...structured(text, lines), ...printed(lines)];
  const merged = merge(sources, fromFiles.length);
  const reported = merged.some((one) => one.verdict === 'failed');
  const places = red ? readLines(lines) : [];
  const cases = bounded(reported ? merged.map((one) => located(one, places)) : [...merged, ...places]);
  if (cases.length === 0 && sources.length === 0) return undefined;
  return { cases, reported, ...countsOf(cases, sources) };
}

function relative(text: string, root: string | undefined): string {
  if (root === undefined || root.length < 2) return text;
  return text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}

/** Characters that are read at each end of an output: test results are at one of them. */
const endLimit = 1_500_000;

function ends(text: string): string {
  return text.length <= 2 * endLimit ? text : `${pieceOf(text, 0, endLimit)}\n${pieceOf(text, -endLimit)}`;
}

/** Formats for machines. */
function structured(text: string, lines: readonly string[] = linesOf(text)): Found[] {
  const documents = documentsIn(text).flatMap((value) => [readPlaywrightJson(value), readJestJson(value), readMochaJson(value)]);
  return [readJunit(text), ...documents, readGo(lines), readTap(lines)].filter((one) => one !== undefined);
}

/** Formats for people. */
function printed(lines: readonly string[]): Found[] {
  const readers = [readPytest, readJest, readVitest, readMocha, readNodeTest, readPlaywright, readCargo];
  return readers.map((read) => read(lines)).filter((one) => one !== undefined);
}

/**
 * A later source adds only cases that no earlier one has, by name or place. Of the report files, the first ones, each may tell of
 * another package with cases of the same names: none that failed is left out for one that passed, or for one that fails in its place.
 */
function merge(sources: readonly Found[], files: number): TestCase[] {
  const names = new Set<string>();
  const failed = new Set<string>();
  const places = new Set<string>();
  return sources.flatMap(({ cases }, n) => {
    const isFile = n < files;
    const isKnown = ({ name, verdict }: TestCase): boolean => (isFile && verdict === 'failed' ? failed : names).has(name);
    const fresh = cases.filter((one) => !isKnown(one) && (isFile || !places.has(placeOf(one))));
    for (const one of cases) {
      names.add(one.name);
      if (one.verdict !== 'failed') continue;
      failed.add(one.name);
      if (one.line !== undefined) places.add(placeOf(one));
    }
    return fresh;
  });
}

function placeOf({ file, line }: TestCase): string {
  return `${file}:${line}`;
}

/** A file that cannot be loaded fails as a whole; its line and the reason are elsewhere in the text. */
function located(one: TestCase, places: readonly TestCase[]): TestCase {
  if (one.verdict !== 'failed' || one.file === undefined || (one.line !== undefined && one.name !== one.file)) return one;
  const place = places.find(({ file }) => file === one.file);
  if (place?.line === undefined) return one;
  return { ...one, line: place.line, ...(place.message === undefined ? {} : { message: place.message }) };
}

function countsOf(cases: readonly TestCase[], sources: readonly Found[]): Counts {
  const most = (key: keyof Counts, own: number): number => Math.max(own, ...sources.map(({ counts }) => counts?.[key] ?? 0));
  const count = (verdict: TestCase['verdict']): number => cases.filter((one) => one.verdict === verdict).length;
  return {
    total: most('total', cases.length),
    failed: most('failed', count('failed')),
    skipped: most('skipped', count('skipped')),
  };
}
