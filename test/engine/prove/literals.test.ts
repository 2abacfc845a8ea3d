/** Tables of several lines, of which a runtime tells one line. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { literalLines } from '../../../src/engine/prove/literals.ts';
import type { Language } from '../../../src/engine/prove/language.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';

const syntax = createSyntax();

async function linesIn(language: Language, text: string): Promise<[number, number][]> {
  const tree = await syntax.parse(language, text);
  assert.ok(tree);
  return literalLines(language, text, tree);
}

describe('a table', () => {
  it('is one place from its first line to its last, with all that it holds', async () => {
    assert.deepEqual(await linesIn('python', 'ROWS = [\n  ("a", 1),\n  ("b",\n   2),\n]\nNAMES = {"x"}\nMORE = {\n  "k": 1,\n}\n'), [
      [1, 5],
      [7, 9],
    ]);
    assert.deepEqual(await linesIn('shell', 'rows=(\n  a\n  b\n)\n'), [[1, 4]]);
  });

  it('is told line by line where a part may be left out, and in languages that tell each place', async () => {
    for (const choice of ['1 if x else 2', 'x or 2', 'lambda: 2', '[y for y in x]'])
      assert.deepEqual(await linesIn('python', `ROWS = [\n  ${choice},\n]\n`), [], choice);
    assert.deepEqual(await linesIn('javascript', 'const rows = [\n  1,\n];\n'), []);
  });
});
