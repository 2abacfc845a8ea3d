import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { countWords, durationWords, endWords, plain } from '../../../src/views/model/display-text.ts';

/** Half of a character that has two code units in UTF-16. */
const loneSurrogate = /\p{Surrogate}/u;

describe('plain', () => {
  it('leaves nothing that the editor would interpret, for any text', () => {
    const pieces = fc.array(fc.constantFrom('[', ']', '(', ')', '$', 'command:x', '\n', '\u202e', '\0', 'a', '😀'));
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 30 }), (parts, limit) => {
        const text = plain(parts.join(''), limit);
        assert.doesNotMatch(text, loneSurrogate);
        assert.doesNotMatch(text, /\]\(|\$\(|[\n\0\u202e]/);
      }),
    );
  });

  it('keeps ordinary words unchanged', () =>
    assert.equal(plain('Put the key (64 digits) into key.txt'), 'Put the key (64 digits) into key.txt'));
});

describe('figures', () => {
  it('are short', () => {
    assert.deepEqual([999, 12_345, 4_560_000].map(countWords), ['999', '12.3k', '4.5M']);
    assert.deepEqual([12, 1_999, 61_000, 7_260_000].map(durationWords), ['12 ms', '1.9 s', '1 min 1 s', '2 h 1 min']);
  });

  it('distinguish an exit, a kill and a timeout', () => {
    const words = (exit: number | null, timedOut: boolean): string => endWords({ exit, timedOut, duration: 1000 });
    assert.deepEqual(
      [words(1, false), words(null, false), words(null, true)],
      ['exit status 1 after 1.0 s', 'killed after 1.0 s', 'timed out after 1.0 s'],
    );
  });
});
