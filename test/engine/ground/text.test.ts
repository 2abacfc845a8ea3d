/** An excerpt keeps the head, the tail and the lines that look like errors (I9). */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { clip, excerpt, pieceOf, wellFormed, withoutCommandLinks } from '../../../src/engine/ground/text.ts';

const noise = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i} of the log`).join('\n');

/** Half of a character that has two code units in UTF-16. */
const half = /\p{Surrogate}/u;

describe('a cut', () => {
  it('splits no character, wherever it falls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, most) => {
        assert.ok(clip(text, most).length <= most);
        const cuts = [
          clip(text, most),
          pieceOf(text, 0, most),
          pieceOf(text, -most),
          excerpt(text, most),
          excerpt(`error ${text}`.repeat(20), 30),
        ];
        for (const cut of cuts) assert.doesNotMatch(cut, half);
      }),
    );
  });

  it('leaves out nothing else', () => {
    const text = 'a😀b';
    assert.deepEqual([pieceOf(text, 0, 2), pieceOf(text, 0, 3), pieceOf(text, 2), pieceOf(text, -3)], ['a', 'a😀', 'b', '😀b']);
  });

  it('that somebody else made is mended in all texts of a request', () => {
    const [broken, whole] = ['😀'.slice(0, 1), '\uFFFD'];
    assert.deepEqual(wellFormed({ a: [`x${broken}😀`, 1, null], [broken]: undefined }), {
      a: [`x${whole}😀`, 1, null],
      [whole]: undefined,
    });
  });
});

describe('excerpt', () => {
  it('keeps a text that fits', () => {
    assert.equal(excerpt('', 10), '');
    assert.equal(excerpt('x'.repeat(10), 10), 'x'.repeat(10));
  });

  it('keeps a third at each end, and says how much is left out', () => {
    assert.equal(
      excerpt(`${'a'.repeat(30)}${'b'.repeat(40)}${'c'.repeat(30)}`, 90),
      ['a'.repeat(30), '[… 40 characters left out; lines among them that look like errors:]', '[…]', 'c'.repeat(30)].join('\n'),
    );
  });

  const errorLines = [
    'AssertionError: 1 != 2',
    'error TS2322: no',
    'panic: nil',
    'permission denied',
    'Expected 5',
    'make: command not found',
    'connection refused',
  ];
  for (const line of errorLines)
    it(`keeps "${line}" from the middle`, () => {
      const text = `${noise(300)}\n${line}\n${noise(300)}`;
      const lines = excerpt(text, 1000).split('\n');
      assert.ok(lines.includes(line));
      assert.equal(lines[0], 'line 0 of the log');
      assert.equal(lines.at(-1), 'line 299 of the log');
    });

  it('keeps only the first twelve error lines, each cut to 200 characters', () => {
    const errors = Array.from({ length: 20 }, (_, i) => `error ${i} ${'x'.repeat(500)}`);
    const lines = excerpt(`${noise(300)}\n${errors.join('\n')}\n${noise(300)}`, 1000).split('\n');
    const kept = lines.filter((line) => line.startsWith('error '));
    assert.deepEqual(
      kept,
      errors.slice(0, 12).map((line) => line.slice(0, 200)),
    );
  });

  it('is never much longer than its limit, and starts and ends like the text', () => {
    const line = fc.constantFrom('error: no', 'fine', 'x'.repeat(900), '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 3, max: 3000 }), (lines, limit) => {
        const text = lines.join('\n');
        const short = excerpt(text, limit);
        const end = Math.floor(limit / 3);
        assert.ok(short.length <= limit + 12 * 201 + 120, String(short.length));
        assert.equal(short.slice(0, Math.min(end, text.length)), text.slice(0, end));
        assert.ok(text === short || short.endsWith(text.slice(-end)));
      }),
    );
  });
});

describe('command links', () => {
  const cases: [name: string, markdown: string, expected: string][] = [
    ['of a link', '[Do it](command:x?%5B%5D)', '[Do it](command :x?%5B%5D)'],
    ['of an angle bracket', '<COMMAND:x>', '<COMMAND :x>'],
    ['of a definition', '[a]: command:x', '[a]: command :x'],
    ['of a tag', '<a href="command:x">', '<a href="command :x">'],
  ];
  for (const [name, markdown, expected] of cases) it(`are broken, ${name}`, () => assert.equal(withoutCommandLinks(markdown), expected));

  it('are told from words', () => {
    const words = 'The command: npm test. "command":"ls", subcommand:x';
    assert.equal(withoutCommandLinks(words), words);
  });
});
