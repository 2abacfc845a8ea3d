/**
 * The cases of one run: from the reports it left, then from what it printed, in the order in which they say most. Pure and total
 * (I3): whatever a report holds, it is read in linear time and within bounds. Evidence only (I8).
 */
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
  /** Texts of the reports that the run left. */
  reports?: readonly string[] | undefined;
  /** The folder that it ran in: what lies in it is named relative to it. */
  root?: string | undefined;
}

export interface Cases extends Counts {
  cases: TestCase[];
  /** A framework named what failed: the names are an identity. Else they are places that were found in the text. */
  reported: boolean;
}

/** @param red by the exit status: only then is the text searched for failing places. @returns undefined where there is none. */
export function casesOf({ output, reports = [], root }: Printed, red: boolean): Cases | undefined {
  if (output === '' && reports.length === 0) return undefined;
  const text = relative(ends(output), root);
  const lines = linesOf(text);
  const left = reports.flatMap((report) => structured(relative(report, root)));
  const found = [...left, ...structured(text, lines), ...printed(lines)];
  const merged = merge(found);
  const reported = merged.some((one) => one.verdict === 'failed');
  const places = red ? readLines(lines) : [];
  const cases = bounded(reported ? merged.map((one) => located(one, places)) : [...merged, ...places]);
  if (cases.length === 0 && found.length === 0) return undefined;
  return { cases, reported, ...countsOf(cases, found) };
}

function relative(text: string, root: string | undefined): string {
  if (root === undefined || root.length < 2) return text;
  return text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}

/** Characters of the head and of the tail of an output that are read: results stand at one of its ends. */
const endLimit = 1_500_000;

function ends(text: string): string {
  return text.length <= 2 * endLimit ? text : `${text.slice(0, endLimit)}\n${text.slice(-endLimit)}`;
}

/** What is written for machines. */
function structured(text: string, lines: readonly string[] = linesOf(text)): Found[] {
  const documents = documentsIn(text).flatMap((value) => [readPlaywrightJson(value), readJestJson(value), readMochaJson(value)]);
  return [readJunit(text), ...documents, readGo(lines), readTap(lines)].filter((one) => one !== undefined);
}

/** What is printed for people. */
function printed(lines: readonly string[]): Found[] {
  const readers = [readPytest, readJest, readVitest, readMocha, readNodeTest, readPlaywright, readCargo];
  return readers.map((read) => read(lines)).filter((one) => one !== undefined);
}

/** A later source adds what no earlier one has, by name or place. */
function merge(found: readonly Found[]): TestCase[] {
  const names = new Set<string>();
  const places = new Set<string>();
  return found.flatMap(({ cases }) => {
    const fresh = cases.filter((one) => !names.has(one.name) && !places.has(placeOf(one)));
    for (const one of cases) names.add(one.name);
    for (const one of cases) if (one.verdict === 'failed' && one.line !== undefined) places.add(placeOf(one));
    return fresh;
  });
}

function placeOf({ file, line }: TestCase): string {
  return `${file}:${line}`;
}

/** A file that could not be loaded fails as a whole; the line and the reason are printed elsewhere. */
function located(one: TestCase, places: readonly TestCase[]): TestCase {
  if (one.verdict !== 'failed' || one.file === undefined || (one.line !== undefined && one.name !== one.file)) return one;
  const place = places.find(({ file }) => file === one.file);
  if (place?.line === undefined) return one;
  return { ...one, line: place.line, ...(place.message === undefined ? {} : { message: place.message }) };
}

function countsOf(cases: readonly TestCase[], found: readonly Found[]): Counts {
  const most = (key: keyof Counts, own: number): number => Math.max(own, ...found.map(({ counts }) => counts?.[key] ?? 0));
  const count = (verdict: TestCase['verdict']): number => cases.filter((one) => one.verdict === verdict).length;
  return {
    total: most('total', cases.length),
    failed: most('failed', count('failed')),
    skipped: most('skipped', count('skipped')),
  };
}
