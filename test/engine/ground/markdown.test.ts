/** Texts of others stay words in markdown. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { asCode, escaped, inWords, literally } from '../../../src/engine/ground/markdown.ts';

describe('a text of others within markdown', () => {
  const cases: [title: string, text: string, words: string][] = [
    [
      'ordinary words',
      "It's 2 * 3 < 7, at 5 % & more: see snake_case (a-b), [1] #2!",
      "It's 2 * 3 < 7, at 5 % & more: see snake_case (a-b), [1] #2!",
    ],
    ['code', 'Use `<b>` or ``a`b_`` in `__init__.py`', 'Use `<b>` or ``a`b_`` in `__init__.py`'],
    ['a tag', 'It prints <script>x</script> <!-- a', 'It prints \\<script>x\\</script> \\<!-- a'],
    ['a tag behind a backslash', '\\<b>', '\\\\\\<b>'],
    ['a name with low lines', 'in src/__init__.py', 'in src/\\_\\_init\\_\\_.py'],
    ['stars', 'all *.ts and *.js, 2*3', 'all \\*.ts and \\*.js, 2\\*3'],
    ['a backtick that no other one closes', 'a ` b <i>', 'a \\` b \\<i>'],
    ['an entity', 'It shows &lt; as it is', 'It shows \\&lt; as it is'],
    ['a picture', '![x](http://a.b/c)', '\\![x](http://a.b/c)'],
    ['a section of its own', 'Fine.\r\n\n## Cost\n\n- $0', 'Fine. ## Cost - $0'],
    ['a heading', '## Cost', '\\## Cost'],
  ];
  for (const [title, text, words] of cases)
    it(`stays words where it has ${title}`, () => {
      assert.equal(inWords(text), words);
    });

  it('keeps its lines and their indentation where they are laid out already', () => {
    assert.equal(escaped('- a ` b\n  - ` <b>'), '- a \\` b\n  - \\` \\<b>');
  });

  it('keeps every backtick of a line of code', () => {
    assert.equal(literally('"`a${b}`" for "`a`"'), '"\\`a${b}\\`" for "\\`a\\`"');
  });

  it('is code with enough backticks', () => {
    assert.deepEqual(['a_b', 'a`b', 'a``b\nc'].map(asCode), ['`a_b`', '`` a`b ``', '``` a``b c ```']);
  });
});
