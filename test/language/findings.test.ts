/** What is found in VISION.md and PRD.md, and where; and that what is fine is left alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../../src/language/finding.ts';
import { findingsOf } from '../../src/language/findings.ts';
import { isActivity } from '../../src/language/outcome.ts';
import type { Kind } from '../../src/language/place.ts';
import { readPrd } from '../../src/language/prd.ts';
import { prd } from './documents.ts';

const documentOf = (text: string): TextDocument => TextDocument.create('file:///s/PRD.md', 'markdown', 1, text);
const find = (text: string, kind: Kind = 'prd'): Finding[] => findingsOf(documentOf(text), kind);
const places = (text: string, kind?: Kind): string[] =>
  find(text, kind).map(({ code, range }) => `${code} ${documentOf(text).getText(range)}`);
/** The text after the first fix of its only finding. */
function mended(text: string, fix = 0): string {
  const [finding, ...more] = find(text);
  assert.deepEqual(more, []);
  return TextDocument.applyEdits(documentOf(text), finding?.fixes[fix]?.edits ?? []);
}
/** Put together, so that no search for secrets stops here. */
const key = ['sk', 'ant', 'api03', 'q8Zk2LmW0xVb7Tn4Rc9Y'].join('-');

describe('findings in PRD.md', () => {
  const cases: { what: string; lines: string[]; found: string[] }[] = [
    { what: 'nothing in a good one', lines: ['- 2.1 The total is printed.', '- 2.2 The tax is printed.'], found: [] },
    { what: 'a number that is used twice', lines: ['- 2.1 A total.', '- 2.1 A tax.'], found: ['duplicate-number 2.1'] },
    { what: 'a short number that is used twice', lines: ['1. A total.', '1. A tax.'], found: ['duplicate-number 1'] },
    { what: 'an item without a number beside others', lines: ['- 2.1 A total.', '- A tax.'], found: ['missing-number - A tax.'] },
    { what: 'no detail of an item', lines: ['- 2.1 A total.', '  - with decimals'], found: [] },
    { what: 'no list under numbered lines', lines: ['2.1 A total, of', '- meals', '- trips'], found: [] },
    { what: 'an empty section', lines: ['- 2.1 A total.', '', '## Later', '', '## Never', 'Nothing.'], found: ['empty-section ## Later'] },
    { what: 'no section that has code only', lines: ['- 2.1 A total.', '## Sample', '```', 'x', '```'], found: [] },
    { what: 'nothing in code and comments', lines: ['- 2.1 A total.', '<!-- - 2.1 A tax. -->', '```', '- 2.1 A tax.', '```'], found: [] },
    { what: 'work without an outcome', lines: ['- 2.1 Refactor the parser.'], found: ['activity-for-outcome - 2.1 Refactor the parser.'] },
    {
      what: 'no work whose outcome stands below it',
      lines: ['- 2.1 Implement the parser.', '  A wrong date is refused with its line.'],
      found: [],
    },
    ...[
      'Everything else works as before.',
      'The output of `list` stays exactly as it is today.',
      'All other words are unchanged.',
      'Existing tests still pass.',
      'The file is read, and nothing else changes.',
    ].map((text) => ({ what: `what is true already: ${text}`, lines: [`- 2.1 ${text}`], found: [`true-already - 2.1 ${text}`] })),
    ...[
      'A word that is not known is printed unchanged.',
      'Where it is refused the file stays as it was before that command, and 3 is its status.',
      'A name is kept as it was given, without blanks.',
      'Works as before. (constraint)',
    ].map((text) => ({ what: `nothing of a behaviour: ${text}`, lines: ['- 2.0 A total.', `- 2.1 ${text}`], found: [] })),
    { what: 'no nested number', lines: ['1. Notes', '   1. are listed', '   2. are added', '2. Tags'], found: [] },
    { what: 'a demand that is not read', lines: ['It must be', 'quick.', '- 2.1 A total.'], found: ['unread-demand It must be\nquick.'] },
    {
      what: 'a demand above numbered items, which no word makes a requirement',
      lines: ['1. Users must log in.', '   1. A wrong password is refused.', '2. Tags are kept.'],
      found: ['reading 1. Users must log in.'],
    },
    { what: 'no demand that leads to others', lines: ['All of it must hold:', '- 2.1 A total.'], found: [] },
    { what: 'no demand in a requirement', lines: ['- 2.1 A total.', '  It must be quick.'], found: [] },
    { what: 'no demand that explains', lines: ['It must be quick. (background)', '- 2.1 A total.'], found: [] },
    { what: 'a pasted key', lines: [`- 2.1 It calls the API with ${key}.`], found: [`secret ${key}`] },
    { what: 'a pasted password', lines: ['- 2.1 It logs in: password = "Kx93-jfLq0-2mZs".'], found: ['secret Kx93-jfLq0-2mZs'] },
  ];
  for (const { what, lines, found } of cases) it(`are: ${what}`, () => assert.deepEqual(places(prd(...lines)), found));

  it('say that nothing is required', () =>
    assert.deepEqual(places('# Receipts\n\nA program that adds up what stands on receipts.\n'), ['no-requirement # Receipts']));
  it('say that it is too short', () => assert.deepEqual(places('1. A total.'), ['too-short 1. A total.']));
  it('say that it is too long, and of such a document nothing else', () => {
    const [found, ...more] = find(prd('- 2.1 A total.\n'.repeat(30_000)));
    assert.match(found?.message ?? '', /The document is too long: 451 thousand characters/);
    assert.deepEqual(more, []);
  });
  it('have the place in a document with other ends of lines', () =>
    assert.deepEqual(places(prd('- 2.1 A total.', '- 2.1 A tax.').replaceAll('\n', '\r')), ['duplicate-number 2.1']));
});

describe('a quick fix', () => {
  it('gives a free number', () => assert.equal(mended(prd('- 2.1 A.', '- 2.2 B.', '- 2.1 C.')), prd('- 2.1 A.', '- 2.2 B.', '- 2.3 C.')));
  it('makes a constraint of what is true already', () =>
    assert.equal(
      mended(prd('- 2.1 A.', '- 2.2 All else works as before.')),
      prd('- 2.1 A.', '- 2.2 All else works as before. (constraint)'),
    ));
  it('counts on where a nested number is there twice', () =>
    assert.equal(mended(prd('1. A', '   1. B', '   1. C', '2. D')), prd('1. A', '   1. B', '   2. C', '2. D')));
  it('leaves lists alone that begin anew below another heading', () => {
    const text = (number: number): string =>
      ['# Shop\n\n### Login', '1. A name', `${number}. A word`, '### Logout', '1. A button', ''].join('\n');
    assert.equal(mended(text(1)), text(2));
  });
  it('makes a requirement of a demand that is not read', () =>
    assert.equal(mended(prd('It must be', 'quick.', '', '- 2.1 A.')), prd('It must be', 'quick. (requirement)', '', '- 2.1 A.')));
  const rows: { what: string; row: string; becomes: string }[] = [
    {
      what: 'with a bar at its end',
      row: '| FR-2 | Existing commands still work |',
      becomes: '| FR-2 | Existing commands still work (constraint) |',
    },
    {
      what: 'without one',
      row: 'FR-2 | Existing commands still work \\|',
      becomes: 'FR-2 | Existing commands still work \\| (constraint)',
    },
    {
      what: 'with an empty cell behind it',
      row: '| FR-2 | Existing `a \\| b` commands still work \\| | |',
      becomes: '| FR-2 | Existing `a \\| b` commands still work \\| (constraint) | |',
    },
  ];
  for (const { what, row, becomes } of rows)
    it(`makes a constraint within its cell of a row ${what}`, () => {
      const head = becomes.endsWith('| |') ? ['| # | Requirement | Note |', '|---|---|---|'] : ['| # | Requirement |', '|---|---|'];
      const text = mended(prd(...head, '| FR-1 | A sum is printed |', row));
      assert.equal(text, prd(...head, '| FR-1 | A sum is printed |', becomes));
      assert.deepEqual([readPrd(text).requirements.map(({ id }) => id), readPrd(text).constraints.size], [['FR-1'], 1]);
    });
  it('gives a short number where the list has short ones', () => assert.equal(mended(prd('1. A.', '1. B.')), prd('1. A.', '2. B.')));
  it('numbers an item', () => assert.equal(mended(prd('- 2.1 A.', '- B.')), prd('- 2.1 A.', '- 2.2 B.')));
  it('gives the next code of the same form', () => {
    assert.equal(mended(prd('- **FR-002**: A.', '- **FR-002**: B.')), prd('- **FR-002**: A.', '- **FR-003**: B.'));
    assert.equal(mended(prd('- PM-009: A.', '- B.')), prd('- PM-009: A.', '- PM-010: B.'));
  });
  it('gives no number where the code has a letter at its end', () =>
    assert.deepEqual(find(prd('- FR-2a: A.', '- FR-2a: B.'))[0]?.fixes, []));
  it('indents an item', () => assert.equal(mended(prd('- 2.1 A.', '- B.'), 1), prd('- 2.1 A.', '  - B.')));
  it('takes out an empty section', () => assert.equal(mended(prd('- 2.1 A.', '', '## B', '')), prd('- 2.1 A.', '')));
  it('takes out a secret', () => assert.equal(mended(prd(`- 2.1 A ${key}.`)), prd('- 2.1 A [redacted].')));
});

describe('findings in VISION.md', () => {
  it('are: it is too short', () => assert.deepEqual(places('Money.', 'vision'), ['too-short Money.']));
  it('are: an empty section and a secret', () =>
    assert.deepEqual(places(`# Vision\n\nWhoever travels gets their money back.\n\n## For whom\n\n## Key\n${key}\n`, 'vision'), [
      'empty-section ## For whom',
      `secret ${key}`,
    ]));
  it('are none for numbers', () =>
    assert.deepEqual(places('# Vision\n\n1. Whoever travels gets their money back.\n1. Soon.\n', 'vision'), []));
});

describe('isActivity', () => {
  const work = [
    'Refactor the parser',
    'Implement user authentication',
    'Use TypeScript and React',
    'The team should set up continuous integration',
    'Must integrate with Stripe',
    'Add tests for the importer',
    'Write unit tests',
    '**Migrate** to PostgreSQL',
    'We will investigate caching',
  ];
  for (const text of work) it(`is true for: ${text}`, () => assert.equal(isActivity(text), true));
  const outcomes = [
    'The total is printed with two decimals',
    'A user can use the keyboard alone',
    'Use of a wrong date is refused',
    'Implement a search that returns results within 200 ms',
    'Documents open in a second window',
    'Designs are saved',
    'Add a receipt',
    'Configure the port with --port, so that two servers run beside each other',
    'Install with one command: afterwards `loop --version` prints the version',
    'As a traveller, I want to add a receipt',
    'Totals',
  ];
  for (const text of outcomes) it(`is false for: ${text}`, () => assert.equal(isActivity(text), false));
});
