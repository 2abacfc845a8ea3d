/**
 * Twenty PRDs in different styles, each with the list that a careful reader wrote by hand before the parser was written. A reading
 * agrees where kind, line, id and first words are the same; what is read besides counts against it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { parseRequirements } from '../../../src/engine/parse/requirements.ts';

const folder = 'test/fixtures/requirements';
/** Of all entries of all lists. */
const least = 0.98;

interface Entry {
  line: number;
  title: string;
  id?: string;
}
type Lists = Record<'requirements' | 'constraints' | 'background', Entry[]>;
const kinds = ['requirements', 'constraints', 'background'] as const;

describe('twenty PRDs in different styles', () => {
  const names = readdirSync(folder).filter((name) => /^\d+.*\.md$/.test(name));

  it(`are read as a careful reader reads them, to ${least * 100} %`, () => {
    assert.equal(names.length, 20);
    const found = names.map((name) => ({ name, ...compared(name) }));
    const sum = (of: 'agree' | 'all'): number => found.reduce((total, one) => total + one[of], 0);
    const share = sum('agree') / sum('all');
    const differ = found.flatMap(({ name, differences }) => differences.map((difference) => `${name}: ${difference}`));
    process.stdout.write(`      ${sum('agree')} of ${sum('all')} entries agree (${(share * 100).toFixed(1)} %)\n`);
    for (const difference of differ) process.stdout.write(`      ${difference}\n`);
    assert.ok(share >= least, differ.join('\n'));
  });
});

function compared(name: string): { agree: number; all: number; differences: string[] } {
  const expected = parse(readFileSync(join(folder, name.replace('.md', '.yaml')), 'utf8')) as Lists;
  const read: Lists = parseRequirements(name, readFileSync(join(folder, name), 'utf8'));
  const counts = kinds.map((kind) => {
    const missed = expected[kind].filter((entry) => !read[kind].some((found) => isSame(entry, found)));
    const besides = read[kind].filter((found) => !expected[kind].some((entry) => isSame(entry, found)));
    const differences = [
      ...missed.map((entry) => `${kind} lack ${JSON.stringify(entry)}`),
      ...besides.map(({ id, line, title }) => `${kind} have ${JSON.stringify({ id, line, title })}`),
    ];
    return { all: expected[kind].length + besides.length, agree: expected[kind].length - missed.length, differences };
  });
  return {
    agree: counts.reduce((total, { agree }) => total + agree, 0),
    all: counts.reduce((total, { all }) => total + all, 0),
    differences: counts.flatMap(({ differences }) => differences),
  };
}

function isSame(expected: Entry, { line, id, title }: Entry): boolean {
  return expected.line === line && title.startsWith(expected.title) && (expected.id === undefined || expected.id === id);
}
