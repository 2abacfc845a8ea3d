/** Lists that begin anew at 1, as people write them: each item has an id of its own. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseHeader } from '../../../src/engine/parse/header.ts';
import { readRequirements } from '../../../src/engine/parse/requirements.ts';

const ids = (...lines: string[]): string[] => {
  const { requirements, problems } = readRequirements(lines.join('\n'));
  assert.deepEqual(
    problems.filter(({ refuses }) => refuses),
    [],
  );
  return requirements.map(({ id }) => id);
};

describe('numbers that begin anew', () => {
  const documents: { what: string; lines: string[]; expected: string[] }[] = [
    {
      what: 'below a numbered item are its children',
      lines: ['1. Notes', '   1. are listed', '   2. are added', '2. Tags', '   1. are shown', '3. Search'],
      expected: ['1.1', '1.2', '2.1', '3'],
    },
    {
      what: 'below an item of a numbered section are its children, at any depth',
      lines: ['## 2. Notes', '1. List', '   1. Rows', '      1. Cells', '   2. Ends', '2. Add', '- 2.5 Drop', '  1. All', '  2. One'],
      expected: ['2.1.1.1', '2.1.2', '2.2', '2.5.1', '2.5.2'],
    },
    {
      what: 'only further in go on',
      lines: ['1. Sum', ' 2. Tax', '  3. Print', ' 9. Mail', '10. Fax'],
      expected: ['1', '2', '3', '9', '10'],
    },
    {
      what: 'below other headings have the words of theirs before them',
      lines: ['# Shop', '### Login', '1. Name', '2. Word', '### Logout', '1. Button'],
      expected: ['login.1', 'login.2', 'logout.1'],
    },
    {
      what: 'below headings with the same words are told apart',
      lines: ['## Login', '### Rules', '1. Name', '## Logout', '### Rules', '1. Button', '   1. Red'],
      expected: ['rules.1', 'rules-2.1.1'],
    },
    {
      what: 'in a table are told apart alike',
      lines: [
        '## Login',
        '| # | What |',
        '|---|---|',
        '| 1 | Name |',
        '| 2 | Word |',
        '## Logout',
        '| # | What |',
        '|---|---|',
        '| 1 | Button |',
      ],
      expected: ['login.1', 'login.2', 'logout.1'],
    },
    {
      what: 'leave codes and numbers with dots as they are',
      lines: ['## Login', '1. Name', '- 7.1 Word', '## Logout', '1. Button'],
      expected: ['login.1', '7.1', 'logout.1'],
    },
  ];
  for (const { what, lines, expected } of documents) it(what, () => assert.deepEqual(ids(...lines), expected));

  it('give ids that a header can name', () => {
    for (const id of ids('## Löschen und Ändern', '1. Name', '## 合計', '1. Sum')) {
      const parsed = parseHeader(`# TEST: x\n# PRD: ${id}\n# RED: y\n`);
      assert.deepEqual('header' in parsed && parsed.header.prd, [id]);
    }
  });
});
