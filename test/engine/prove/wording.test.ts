/** What the work says in words of its own, which no verification can be asked to look for. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOwnWording, wordingOf } from '../../../src/engine/prove/wording.ts';

describe('wording', () => {
  const literals: [literal: string, pieces: string[]][] = [
    ["'the body is not JSON'", ['the body is not JSON']],
    ['`ticket ${number} ${state === "called" ? `was ${x}` : "has left"} already`', ['ticket', 'already']],
    ['f"Total: {sum(rows)} items"', ['Total:', 'items']],
    ['"%s owes %5.2f to nobody\\n"', ['owes', 'to nobody']],
    ['"no such file: $name"', ['no such file:']],
    ["'waiting'", []],
    ['`${from} gives ${to}`', []],
    ["'/tickets/:number'", []],
    ["''", []],
  ];
  for (const [literal, pieces] of literals)
    it(`is in ${literal}: ${pieces.join(' | ') || 'none'}`, () => assert.deepEqual(wordingOf(literal), pieces));

  it('of what is printed is one word, too', () => assert.deepEqual(wordingOf("'waiting'", 1), ['waiting']));

  it("is the work's own where a piece of it stands in no document", () => {
    const documents = ['It prints `Total: 3 items`.', 'One that was called answers 409.'];
    assert.equal(isOwnWording(['Total:', 'items'], documents), false);
    assert.equal(isOwnWording(['was called'], documents), false);
    assert.equal(isOwnWording(['was called', 'already'], documents), true);
    assert.equal(isOwnWording([], documents), false, 'no wording at all');
  });
});
