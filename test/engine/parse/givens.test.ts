import * as assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { givenFiles } from '../../../src/engine/parse/givens.ts';

describe('files that a PRD gives for comparison', () => {
  const cases: Record<string, string[]> = {
    '`node report.js` prints the report exactly as in reference/report.txt, from data/sales.txt': ['reference/report.txt'],
    'It prints the same as `./golden/all.json`.': ['golden/all.json'],
    'The page is identical to the file `want/page.html`.': ['want/page.html'],
    'Its output matches expected.snap and equals the contents of expected/b.out.': ['expected.snap', 'expected/b.out'],
    'Compare it with tests/data/one.csv, as shown in docs/example.md.': ['tests/data/one.csv'],
    '`tool --version` equals package.json, as in README.md.': [],
    'README.md shows how it is started.': [],
    'It writes its settings to config.json.': [],
    '`new.js` gives the same as old.js.': [],
    'It prints the same as ../elsewhere.txt, or /etc/hosts.txt.': [],
    'The list matches what the user typed.': [],
  };
  for (const [text, paths] of Object.entries(cases)) it(text, () => assert.deepEqual(givenFiles(text), paths));
});
