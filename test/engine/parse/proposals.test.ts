/** Proposed wording as changes of a document: where the quoted words stand once, whatever marks and line breaks are between them. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editsOf, withEdits, type Proposal } from '../../../src/engine/parse/proposals.ts';

const proposal = (quote: string, proposed: string, id = 'P1'): Proposal => ({ id, document: 'PRD.md', quote, proposed });
const rewritten = (text: string, ...proposals: Proposal[]): [string, string[]] => {
  const { edits, left } = editsOf(text, proposals);
  return [withEdits(text, edits), left.map(({ id }) => id)];
};

describe('proposed wording', () => {
  const cases: { name: string; text: string; quote: string; becomes: string }[] = [
    { name: 'the very words', text: '1. It is fast.\n', quote: 'It is fast', becomes: '1. NEW.\n' },
    { name: 'words with a line break between them', text: '1. It is\n   fast.\n', quote: 'It is fast.', becomes: '1. NEW\n' },
    { name: 'words with marks that the quote leaves out', text: '- It is **very** `fast`\n', quote: 'It is very fast', becomes: '- NEW\n' },
    { name: 'words with characters of patterns', text: 'a (b) c? $1 [x]\n', quote: '(b) c? $1 [x]', becomes: 'a NEW\n' },
    {
      name: 'words that end in the middle of what is marked',
      text: '- **Very fast** runs\n',
      quote: 'fast runs',
      becomes: '- **Very NEW\n',
    },
    { name: 'words that a mark stands before', text: '**Total** of all\n', quote: 'Total', becomes: '**NEW** of all\n' },
    {
      name: 'a quote in marks of which other words have none',
      text: 'none, or `none`\n',
      quote: '`none`',
      becomes: 'none, or NEW\n',
    },
    { name: 'marks that the quote begins with', text: '> **Login** works\n', quote: '> **Login**', becomes: 'NEW works\n' },
    { name: 'words beside others without a blank', text: '注文の合計を表示する\n', quote: '合計を表示', becomes: '注文のNEWする\n' },
    { name: 'words in emphasis', text: 'It _is fast_ now\n', quote: 'is fast', becomes: 'It _NEW_ now\n' },
  ];
  for (const { name, text, quote, becomes } of cases)
    it(`stands in the place of ${name}`, () => assert.deepEqual(rewritten(text, proposal(quote, 'NEW')), [becomes, []]));

  const marked: { text: string; quote: string; proposed: string; becomes: string }[] = [
    {
      text: 'prints `none` at once',
      quote: '`none`',
      proposed: '`no notes` and exits 1',
      becomes: 'prints `no notes` and exits 1 at once',
    },
    { text: 'prints `none` at once', quote: 'none', proposed: '`no notes` and exits 1', becomes: 'prints `no notes` and exits 1 at once' },
    { text: 'prints `none` at once', quote: '`none`', proposed: 'nothing', becomes: 'prints nothing at once' },
    { text: '**Login** works', quote: '**Login**', proposed: '**Sign-in**', becomes: '**Sign-in** works' },
    {
      text: '1. `notes list` prints `none`\n',
      quote: '`notes list` prints `none`',
      proposed: '`notes list` prints `no notes`',
      becomes: '1. `notes list` prints `no notes`\n',
    },
    {
      text: '1. `notes list`\n   prints `none`\n',
      quote: 'notes list prints none',
      proposed: '`notes list` prints `no notes`',
      becomes: '1. `notes list` prints `no notes`\n',
    },
  ];
  for (const { text, quote, proposed, becomes } of marked)
    it(`leaves no mark twice: "${quote}" becomes "${proposed}"`, () =>
      assert.deepEqual(rewritten(text, proposal(quote, proposed)), [becomes, []]));

  it('is inserted as it is, with dollar signs', () =>
    assert.deepEqual(rewritten('in euros', proposal('euros', '$& or $1')), ['in $& or $1', []]));

  it('changes several places, whatever their order', () =>
    assert.deepEqual(rewritten('one two three', proposal('three', '3'), proposal('one', '1', 'P2')), ['1 two 3', []]));

  for (const [name, text, quote] of [
    ['do not stand there', 'in euros', 'in dollars'],
    ['stand there twice', 'in euros, or in euros', 'in euros'],
    ['are part of others', 'fingerprints are kept', 'prints are kept'],
    ['are part of a name with underlines', 'old_file is kept', 'file is kept'],
    ['are part of a number', 'exits 12', 'exits 1'],
    ['are only marks', 'in *euros*', '**'],
  ] as const)
    it(`is left out where the words ${name}`, () => assert.deepEqual(rewritten(text, proposal(quote, 'NEW')), [text, ['P1']]));

  it('is left out where it overlaps another', () =>
    assert.deepEqual(rewritten('one two three', proposal('one two', 'A'), proposal('two three', 'B', 'P2')), ['A three', ['P2']]));
});
