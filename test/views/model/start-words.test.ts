/** What a person reads of a sprint before they start it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'mocha';
import { readingText, uncommittedText } from '../../../src/views/model/start-words.ts';
import { useWords } from '../../../src/views/words.ts';

const languages = ['de', 'ja'].map((name) => JSON.parse(readFileSync(`l10n/bundle.l10n.${name}.json`, 'utf8')) as Record<string, string>);

describe('before a start', () => {
  afterEach(() => useWords(undefined));

  it('is said what PRD.md was read as, without what is not in it', () => {
    assert.equal(
      readingText({ requirements: 13, constraints: 1, background: 2, names: 'Errors, Users' }),
      '13 requirements, 1 constraint, 2 sections read as background (Errors, Users)',
    );
    assert.equal(readingText({ requirements: 1, constraints: 0, background: 0, names: '' }), '1 requirement');
  });

  it('is warned of what is not committed, where there is something', () => {
    assert.deepEqual([0, 1, 2, null].map(uncommittedText), [
      '',
      '1 file of your checkout has changes that are not committed: the sprint starts from your last commit, without them.',
      '2 files of your checkout have changes that are not committed: the sprint starts from your last commit, without them.',
      'Git could not tell what in your checkout is not committed (git status tells, or says why not): the sprint starts from your last commit, without any of it.',
    ]);
  });

  it('is said so in the language of the editor', () => {
    const said = (): string[] => [
      ...readingText({ requirements: 13, constraints: 3, background: 2, names: 'Users' }).split(', '),
      ...[1, 2, null].map(uncommittedText),
    ];
    const english = said();
    for (const words of languages) {
      useWords(words);
      assert.deepEqual(
        said().filter((text) => english.includes(text)),
        [],
      );
    }
  });
});
