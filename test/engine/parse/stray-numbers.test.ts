/** A number that begins a line is an id where others count on from it. One that stands alone is a word, and hides no demand. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRequirements } from '../../../src/engine/parse/requirements.ts';

const read = (...lines: string[]) => readRequirements(lines.join('\n')).requirements.map(({ id, title, line }) => [id, title, line]);

describe('a number without a mark', () => {
  const documents: { what: string; lines: string[]; requirements: [id: string, title: string, line: number][] }[] = [
    {
      what: 'is a word of a heading where none counts on from it',
      lines: [
        'The shop must list its products.',
        '### 404 page',
        'Unknown addresses must show it.',
        '### Cart',
        'The cart must show the total.',
      ],
      requirements: [
        ['shop-must-list-products', 'The shop must list its products.', 1],
        ['unknown-addresses-must-show', 'Unknown addresses must show it.', 3],
        ['cart-must-show-total', 'The cart must show the total.', 5],
      ],
    },
    {
      what: 'is a year, though a year counts on from it',
      lines: ['## 2024 edition', 'It must list all.', '## 2025 edition', 'It must sum all.'],
      requirements: [
        ['must-list', 'It must list all.', 2],
        ['it-must-sum-all', 'It must sum all.', 4],
      ],
    },
    {
      what: 'is a version of something',
      lines: ['- 1.0 first draft', '', 'It must print.', '', '3.11 or newer of Python must be used.'],
      requirements: [
        ['must-print', 'It must print.', 3],
        ['newer-python-must-used', '3.11 or newer of Python must be used.', 5],
      ],
    },
    {
      what: 'is an amount',
      lines: ['## Speed', '- 99.9 % of requests must be answered in a second', '- 1.5 GB of memory must be enough'],
      requirements: [
        ['requests-must-answered-second', '99.9 % of requests must be answered in a second', 2],
        ['memory-must-enough', '1.5 GB of memory must be enough', 3],
      ],
    },
    {
      what: 'is an id of an item where the author numbers items so, whatever its section',
      lines: ['## 1. All', '- 1.1 it prints', '- 1.2 it sums', '- 9.1 it ends', '- 99.9 % is enough'],
      requirements: [
        ['1.1', 'it prints', 2],
        ['1.2', 'it sums', 3],
        ['9.1', 'it ends', 4],
      ],
    },
    {
      what: 'is an id in a series, also with a gap in it',
      lines: ['## 1 Sum', '## 2 Tax', '## 4 Print', '### 404 page', 'It is shown.'],
      requirements: [
        ['1', 'Sum', 1],
        ['2', 'Tax', 2],
        ['4', 'Print', 3],
      ],
    },
    {
      what: 'is an id where it goes on from its section, and not in another one',
      lines: ['## 1. Sum', '- 1.2 cents are printed', '## 4. Needs', '- 1.5 times the memory', '- 4.3 euros'],
      requirements: [
        ['1.2', 'cents are printed', 2],
        ['4.3', 'euros', 5],
      ],
    },
    {
      what: 'is an id with a dash behind it',
      lines: ['## 7 - Sum', 'It is printed.', '## 20 – Tax', 'It is printed.'],
      requirements: [
        ['7', '- Sum', 1],
        ['20', '– Tax', 3],
      ],
    },
    {
      what: 'is an id where it stands alone before a title, and demands are read beside it',
      lines: ['- 2.1 The total is printed', '', 'A wrong date must be refused.'],
      requirements: [
        ['2.1', 'The total is printed', 1],
        ['wrong-date-must-refused', 'A wrong date must be refused.', 3],
      ],
    },
  ];
  for (const { what, lines, requirements } of documents) it(what, () => assert.deepEqual(read(...lines), requirements));
});
