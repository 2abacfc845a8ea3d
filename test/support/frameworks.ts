/** The output of real test frameworks on `test/fixtures/frameworks/projects` (only the folder names are replaced), and the cases in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cases } from '../../src/engine/diagnose/reports/read-cases.ts';
import type { TestCase } from '../../src/engine/work/case.ts';

export const fixtures = join(process.cwd(), 'test', 'fixtures', 'frameworks');

/** The folder that replaces the tree's real path in the printed texts. */
export const printedRoot = '/work/tree';

export function printedNames(): string[] {
  return readdirSync(join(fixtures, 'printed')).map((file) => file.replace(/\.txt$/, ''));
}

export function printed(name: string): string {
  return readFileSync(join(fixtures, 'printed', `${name}.txt`), 'utf8');
}

/** The expected cases, without durations. A person compared them with the printed output. */
export const expected = JSON.parse(readFileSync(join(fixtures, 'cases.json'), 'utf8')) as Readonly<Record<string, Cases>>;

export function withoutDurations(cases: Cases | undefined): Cases | undefined {
  return cases && { ...cases, cases: cases.cases.map(withoutDuration) };
}

function withoutDuration(one: TestCase): TestCase {
  const { duration: _, ...rest } = one;
  return rest;
}
