/** What a change of Vision and PRD re-opens, and nothing else: one row a change. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { differenceOf } from '../../../src/engine/parse/difference.ts';
import type { Requirement } from '../../../src/engine/work/requirement.ts';
import type { Reopened } from '../../../src/engine/work/revision.ts';

const vision = `# Vision

A clerk charges each order rihgt.

## Goal

Nobody adds up by hand any more.

## How we know

- A clerk sees the total of an order at once
- No order is charged twice

## Kill criteria

- The till can do it by itself <!-- ask the shop -->
`;
const prd = `# PRD

## Overview

The shop has one till, which is odl.

## 1. Totals

1.1 The total is printed
1.2 A total of nothing is 0
1.3 A wrong price is refused with status 2

## 2. Receipts

Each is printed on paper.

### Lines

2.1 A receipt lists each price

## 3. Bills

3.1 A bill shows

* its name
* [ ] its sum, as \`a ** b\`

|in|out|
|---|---|
|1|2|

~~~
* Bread 2
~~~

## Constraints

- No dependencies
- Nothing is sent anywhere
`;
const proofs = ['A clerk sees the total of an order at once', 'An order that nobody wrote down is found'].map(
  (text, index): Requirement => ({ id: `V${index + 1}`, title: text, text, line: 0, lastLine: 0 }),
);

interface Row {
  change: string;
  /** What is replaced by what, in either document. */
  by: readonly (readonly [from: string, to: string])[];
  reopens: Partial<Reopened>;
}
const nothing: Reopened = { reworded: [], added: [], removed: [], renumbered: {}, whole: false };

const table: readonly Row[] = [
  { change: 'a slip of the pen in the overview of PRD.md', by: [['odl', 'old']], reopens: {} },
  { change: 'a section of background more', by: [['## 1. Totals', '## Risks\n\nThe till may break.\n\n## 1. Totals']], reopens: {} },
  { change: 'lines broken elsewhere', by: [['A total of nothing is 0', 'A total\n    of nothing is 0']], reopens: {} },
  {
    change: 'marks of lists and tables as a formatter writes them',
    by: [
      ['* its name', '- its name'],
      ['|in|out|\n|---|---|\n|1|2|', '| in  | out |\n| --- | :-- |\n| 1   | 2   |'],
      ['- A clerk sees', '* A clerk sees'],
    ],
    reopens: {},
  },
  {
    change: 'boxes that are ticked, bold words and comments',
    by: [
      ['[ ] its sum', '[x] its sum'],
      ['The total is printed', 'The **total** is printed'],
      ['ask the shop', 'asked'],
    ],
    reopens: {},
  },
  {
    change: 'a power in code',
    by: [['a ** b', 'a b']],
    reopens: { reworded: ['3.1'], whole: true },
  },
  {
    change: 'what a section says before its requirements',
    by: [['printed on paper', 'sent by mail']],
    reopens: { whole: true },
  },
  { change: 'the words of a numbered heading', by: [['## 2. Receipts', '## 2. The receipts']], reopens: {} },
  { change: 'a mark in code', by: [['* Bread', '- Bread']], reopens: { reworded: ['3.1'], whole: true } },
  {
    change: 'a requirement in other words',
    by: [['is refused with status 2', 'is refused with status 3']],
    reopens: { reworded: ['1.3'], whole: true },
  },
  {
    change: 'a requirement more, at the end',
    by: [['lists each price', 'lists each price\n2.2 A receipt has a date']],
    reopens: { added: ['2.2'], whole: true },
  },
  {
    change: 'a requirement more, in the middle, and all behind it renumbered',
    by: [
      ['1.2 A total', '1.2 The total has two decimals\n1.3 A total'],
      ['1.3 A wrong', '1.4 A wrong'],
    ],
    reopens: { added: ['1.2'], renumbered: { '1.2': '1.3', '1.3': '1.4' }, whole: true },
  },
  {
    change: 'a requirement less, and those behind it renumbered',
    by: [
      ['1.1 The total is printed\n', ''],
      ['1.2 A total', '1.1 A total'],
      ['1.3 A wrong', '1.2 A wrong'],
    ],
    reopens: { removed: ['1.1'], renumbered: { '1.2': '1.1', '1.3': '1.2' }, whole: true },
  },
  { change: 'a requirement less', by: [['1.2 A total of nothing is 0\n', '']], reopens: { removed: ['1.2'], whole: true } },
  { change: 'a requirement with another number', by: [['2.1 A receipt', '2.7 A receipt']], reopens: { renumbered: { '2.1': '2.7' } } },
  {
    change: 'a requirement in another place, with its number',
    by: [
      ['1.3 A wrong price is refused with status 2\n', ''],
      ['lists each price', 'lists each price\n1.3 A wrong price is refused with status 2'],
    ],
    reopens: {},
  },
  {
    change: 'two requirements that swap their numbers',
    by: [['1.1 The total is printed\n1.2 A total of nothing is 0', '1.1 A total of nothing is 0\n1.2 The total is printed']],
    reopens: { renumbered: { '1.1': '1.2', '1.2': '1.1' } },
  },
  { change: 'a constraint', by: [['- No dependencies', '- No dependencies but the standard library']], reopens: { whole: true } },
  {
    change: 'constraints in another order',
    by: [['- No dependencies\n- Nothing is sent anywhere', '- Nothing is sent anywhere\n- No dependencies']],
    reopens: {},
  },
  { change: 'the goal of the Vision', by: [['adds up by hand', 'adds or counts by hand']], reopens: { whole: true } },
  { change: 'a kill criterion of the Vision', by: [['do it by itself', 'do it within a week']], reopens: { whole: true } },
  {
    change: 'a value proof of the Vision',
    by: [['sees the total of an order at once', 'hears the total']],
    reopens: { reworded: ['V1'], whole: true },
  },
  {
    change: 'a promise of the Vision that is taken back',
    by: [['- A clerk sees the total of an order at once\n', '']],
    reopens: { removed: ['V1'], whole: true },
  },
  {
    change: 'a promise that is taken back, and another part of the Vision in other words',
    by: [
      ['- A clerk sees the total of an order at once\n', ''],
      ['adds up by hand', 'adds or counts by hand'],
    ],
    reopens: { removed: ['V1'], whole: true },
  },
];

describe('a change of Vision or PRD re-opens', () => {
  for (const { change, by, reopens } of table) {
    it(`${describeReopened({ ...nothing, ...reopens })}: ${change}`, () => {
      const { reworded, added, removed, renumbered, whole } = differenceOf({ vision, prd }, replaced(by), proofs);
      assert.deepEqual({ reworded, added, removed, renumbered, whole }, { ...nothing, ...reopens });
    });
  }

  it('nothing where requirements in the same words get other numbers: the first of them gets the first', () => {
    const numbered = (...numbers: string[]): string =>
      `# PRD\n\n## 1. Totals\n\n${numbers.map((id) => `${id} A total is printed\n`).join('')}`;
    const change = (before: string[], after: string[]) => {
      const { reworded, added, removed, renumbered } = differenceOf(
        { vision, prd: numbered(...before) },
        { vision, prd: numbered(...after) },
      );
      return { reworded, added, removed, renumbered };
    };
    assert.deepEqual(change(['1.1', '1.2', '1.3'], ['1.2', '1.5', '1.4', '1.6']), {
      reworded: [],
      added: ['1.6'],
      removed: [],
      renumbered: { '1.1': '1.5', '1.3': '1.4' },
    });
    assert.deepEqual(change(['1.1', '1.2', '1.3'], ['1.4']), {
      reworded: [],
      added: [],
      removed: ['1.2', '1.3'],
      renumbered: { '1.1': '1.4' },
    });
  });

  it('two value proofs in words of their own, where they swap places as well', () => {
    const was = 'A clerk sees the total of an order at once\n- No order is charged twice';
    const now = 'No order is ever charged two times\n- A clerk hears the total of an order';
    const second = { ...proofs[0], id: 'V2', text: 'No order is charged twice' } as Requirement;
    const difference = differenceOf({ vision, prd }, replaced([[was, now]]), [...proofs.slice(0, 1), second]);
    assert.deepEqual(
      difference.proofs.map(({ id, text }) => [id, text]),
      [
        ['V1', 'A clerk hears the total of an order'],
        ['V2', 'No order is ever charged two times'],
      ],
    );
  });

  it('a value proof in the words that the Vision has for it now', () => {
    const { proofs: now } = differenceOf({ vision, prd }, replaced([['sees the total of an order at once', 'hears the total']]), proofs);
    assert.deepEqual(
      now.map(({ id, text }) => [id, text]),
      [
        ['V1', 'A clerk hears the total'],
        ['V2', 'An order that nobody wrote down is found'],
      ],
    );
  });
});

/** Each change finds its words in one of the documents. */
function replaced(by: Row['by']): { vision: string; prd: string } {
  const texts = { vision, prd };
  for (const [from, to] of by) {
    const name = texts.vision.includes(from) ? 'vision' : 'prd';
    assert.ok(texts[name].includes(from), from);
    texts[name] = texts[name].replace(from, to);
  }
  return texts;
}

function describeReopened({ reworded, added, removed, renumbered, whole }: Reopened): string {
  const parts = [...reworded, ...added.map((id) => `new ${id}`), ...removed.map((id) => `no ${id} any more`)];
  const moved = Object.entries(renumbered).map(([from, to]) => `${from} as ${to}`);
  return [...parts, ...moved, ...(whole ? ['the judgement of the whole'] : [])].join(', ') || 'nothing';
}

it('two stars in a path or a power ask for something', () => {
  const asked = (was: string, now: string): readonly string[] =>
    differenceOf({ vision, prd: `# PRD\n\n1. ${was}\n2. It ends.\n` }, { vision, prd: `# PRD\n\n1. ${now}\n2. It ends.\n` }, []).reworded;
  assert.deepEqual(asked('It reads src/**/*.ts and lib/**/*.ts.', 'It reads src//*.ts and lib//*.ts.'), ['1']);
  assert.deepEqual(asked('2**3 is 8, 3**2 is 9.', '23 is 8, 32 is 9.'), ['1']);
  assert.deepEqual(asked('It reads **all** files, **each** once.', 'It reads all files, each once.'), []);
});
