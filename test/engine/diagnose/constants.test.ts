/** Constants of the work that look like answers, found in its text. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { constantsIn } from '../../../src/engine/diagnose/constants.ts';
import { cpuMs } from '../../support/cpu.ts';

const prd = [
  '## 1. Rates',
  '`rate 250 EUR` prints `281.75 USD`, and "Grosse Menge" above 5000.',
  '```',
  'rate 90 GBP',
  '```',
  'There are 10 currencies, or -1.',
].join('\n');
const script = { text: '[ "$(./rate 333 CHF)" = "371.20 USD" ] || echo "wrong rate"; say "click"', red: 'wrong rate' };
const patchOf = (path: string, lines: readonly string[]): string =>
  ['diff --git a/x b/x', `+++ b/${path}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
const found = (path: string, lines: readonly string[], added = lines) =>
  constantsIn({ [path]: lines.join('\n') }, [patchOf(path, added)], { documents: [prd], scripts: [script] });

describe('constants that look like answers', () => {
  const one = { path: 'rate.js', from: 1, to: 1 };
  const rows: [what: string, line: string, expected: { values: string[]; kind: string } | undefined][] = [
    ['a number of the PRD', 'const limit = 5000;', { values: ['5000'], kind: 'constant' }],
    ['a text of the PRD', 'return "281.75 USD";', { values: ['281.75 USD'], kind: 'constant' }],
    ['a line of an example of the PRD', 'if (line === "rate 90 GBP") rate();', { values: ['rate 90 GBP'], kind: 'condition' }],
    ['a number of a verification', 'if (amount === 333) rate();', { values: ['333'], kind: 'condition' }],
    ['a text of a verification', 'out = "371.20 USD";', { values: ['371.20 USD'], kind: 'constant' }],
    ['a word that the PRD quotes', 'const name = "Grosse Menge";', { values: ['Grosse Menge'], kind: 'constant' }],
    ['another number', 'const limit = 5001;', undefined],
    ['a number that any program has', 'const base = 10;', undefined],
    ['what means that nothing was found', 'if (at === -1) stop();', undefined],
    ['an example in a comment', '// "281.75 USD" for 250', undefined],
    ['an example in a comment of several lines', ' * `rate 90 GBP`', undefined],
    ['a private field', '  #limit = 5000;', { values: ['5000'], kind: 'constant' }],
    ['a small number', 'const section = 1;', undefined],
    ['part of a name', 'const rate250 = x5000;', undefined],
    ['a word of every page', 'add.addEventListener("click", go);', undefined],
    ['a word that is only said', 'const name = "currencies";', undefined],
    ['a module that is imported', 'import { total } from "281.75 USD";', undefined],
    ['the end of such a list', '} from "281.75 USD";', undefined],
  ];
  for (const [what, line, expected] of rows)
    it(`${expected ? 'are' : 'are not'} ${what}`, () =>
      assert.deepEqual(found('rate.js', [line]), expected ? [{ ...one, ...expected }] : []));

  it('are found as fast in data of a megabyte in one line', () => {
    const data = Array.from({ length: 20_000 }, (_, n) => `{"no":${n},"kind":"Grosse Menge","paid":"281.75 USD"}`);
    let values: string[] = [];
    const took = cpuMs(() => (values = found('rates.json', [`[${data.join()}]`])[0]?.values ?? []));
    assert.deepEqual(values.slice(0, 2), ['Grosse Menge', '281.75 USD']);
    assert.ok(took < 5000, `${took} ms`);
  });

  it('are no imports of Go, but the last row of a table in another language', () => {
    const known = { documents: ['`math/big`'], scripts: [] };
    const at = (path: string) => constantsIn({ [path]: '  "math/big"' }, [patchOf(path, ['  "math/big"'])], known).length;
    assert.deepEqual([at('rate.go'), at('rate.py')], [0, 1]);
  });

  it('are told as one where they stand beside each other, before others', () => {
    const lines = [
      'const limit = 5000;',
      '',
      '',
      '',
      'const rates = {',
      '  250: "281.75 USD",',
      '  // another',
      '  333: "371.20 USD",',
      '};',
    ];
    assert.deepEqual(
      found('rate.js', lines).map(({ from, to, kind, values }) => [from, to, kind, values]),
      [
        [6, 8, 'table', ['281.75 USD', '250', '371.20 USD', '333']],
        [1, 1, 'constant', ['5000']],
      ],
    );
  });

  it('are told of a chain of cases of a shell, which quotes none of them', () => {
    const lines = ['case "$1" in', '250) echo "281.75 USD" ;;', '333) echo "371.20 USD" ;;', 'esac'];
    assert.deepEqual(
      found('rate.sh', lines).map(({ from, to, kind }) => [from, to, kind]),
      [[2, 3, 'table']],
    );
  });

  it('are told of data, but neither of tests, of types, of prose nor of lock files', () => {
    const lines = ['{ "250": "281.75 USD" }'];
    assert.equal(found('rates.json', lines).length, 1);
    assert.deepEqual(
      ['rates.test.js', 'rates.d.ts', 'README.md', 'package-lock.json', 'tools/pnpm-lock.yaml'].flatMap((path) => found(path, lines)),
      [],
    );
  });

  it('are told only of lines that the work added', () => {
    const lines = ['const limit = 5000;', 'const name = "Grosse Menge";'];
    assert.deepEqual(
      found('rate.js', lines, lines.slice(1)).map(({ from }) => from),
      [2],
    );
  });
});
