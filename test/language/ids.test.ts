/** Ids of requirements: found, referred to and renamed in PRD.md, VISION.md and headers alike. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { definitionOf, idAt, idCompletions, referencesTo, rename, type Source } from '../../src/language/ids.ts';
import { prd } from './documents.ts';

const source = (kind: Source['kind'], text: string): Source => ({ uri: kind, kind, text });
const script = (ids: string): string => `# TEST: the total\n# PRD: ${ids}\n# RED: wrong total\necho wrong total\n`;
const sources = [
  source('prd', prd('- 2.1 A total, as §2.2 says.', '- 2.2 A tax (see requirement 2.1).', '', '## 3. Ends with 2.1', '1. A sum.')),
  source('vision', '# Vision\n\nMoney comes back by §2.1, not by 2.1 alone.\n'),
  source('verification', script('2.1, V1')),
];
const [document] = sources;
const textAt = ({ uri, range }: { uri: string; range: Parameters<TextDocument['getText']>[0] }): string => {
  const of = sources.find((one) => one.uri === uri);
  return TextDocument.create(uri, '', 0, of?.text ?? '').getText(range);
};

/** The documents after a renaming. */
function renamed(from: string, to: string): string[] {
  const edits = rename(sources, from, to);
  assert.ok(typeof edits !== 'string');
  return sources.map(({ uri, text }) => TextDocument.applyEdits(TextDocument.create(uri, '', 0, text), edits[uri] ?? []));
}

function refusal(result: ReturnType<typeof rename>): string {
  assert.ok(typeof result === 'string');
  return result;
}

describe('ids of requirements', () => {
  it('lead to the requirement', () =>
    assert.deepEqual(
      definitionOf(sources, '2.1').map(({ uri, range }) => [uri, range.start.line]),
      [['prd', 5]],
    ));
  it('have references in prose and headers, and none in plain numbers', () => {
    const places = referencesTo(sources, '2.1', false);
    assert.deepEqual(
      places.map(({ uri }) => uri),
      ['prd', 'vision', 'verification'],
    );
    assert.deepEqual(places.map(textAt), ['2.1', '2.1', '2.1']);
    assert.equal(referencesTo(sources, '2.1', true).length, 4);
  });
  it('are found at a position', () => {
    assert.equal(idAt(source('verification', script('2.1, V1')), { line: 1, character: 14 })?.id, 'V1');
    const places = [8, 16].map((character) => idAt(source('verification', script('FR-001, §2.1.')), { line: 1, character })?.range);
    assert.deepEqual(
      places.map((range) => range && [range.start.character, range.end.character]),
      [
        [7, 13],
        [16, 19],
      ],
    );
    assert.equal(document && idAt(document, { line: 9, character: 1 })?.id, '3.1');
    assert.equal(document && idAt(document, { line: 0, character: 1 }), undefined);
  });

  it('are renamed everywhere', () => {
    const [inPrd, vision, verification] = renamed('2.1', '2.7');
    assert.equal(inPrd, prd('- 2.7 A total, as §2.2 says.', '- 2.2 A tax (see requirement 2.7).', '', '## 3. Ends with 2.1', '1. A sum.'));
    assert.match(vision ?? '', /by §2\.7, not by 2\.1 alone/);
    assert.equal(verification, script('2.7, V1'));
  });
  it('of a section are renamed with all that is in it', () => {
    const [inPrd, , verification] = renamed('2', '5');
    assert.ok(inPrd?.includes('## 5. Output\n- 5.1 A total, as §5.2 says.'));
    assert.equal(verification, script('5.1, V1'));
  });
  it('stay short in a list that leaves out its section', () => {
    assert.match(renamed('3', '6')[0] ?? '', /## 6\. Ends with 2\.1\n1\. A sum/);
    assert.match(renamed('3.1', '3.4')[0] ?? '', /\n4\. A sum/);
    assert.match(renamed('3.1', '2.3')[0] ?? '', /\n2\.3\. A sum/);
  });
  it('are renamed where they stand for the requirement, and nowhere else in its line', () => {
    const table = ['| Goal | # | Text |', '| ---- | - | ---- |', '| P1 | 1 | Adds 1. |', '| 2 | 2 | Adds. |'];
    const cases: [lines: string[], from: string, to: string, renamed: string[]][] = [
      [['## 2. Output', '1. Prints version 2.1 and exits.'], '2.1', '2.4', ['## 2. Output', '4. Prints version 2.1 and exits.']],
      [['- [ ] **2.1** As 2.1 says'], '2.1', '2.4', ['- [ ] **2.4** As 2.1 says']],
      [['### Requirement 3: Sorts 3 lists'], '3', '4', ['### Requirement 4: Sorts 3 lists']],
      [table, '1', '7', [...table.slice(0, 2), '| P1 | 7 | Adds 1. |', '| 2 | 2 | Adds. |']],
      [table, '2', '7', [...table.slice(0, 3), '| 2 | 7 | Adds. |']],
    ];
    for (const [lines, from, to, expected] of cases) {
      const text = lines.join('\n');
      const edits = rename([source('prd', text)], from, to);
      assert.ok(typeof edits !== 'string', text);
      assert.equal(TextDocument.applyEdits(TextDocument.create('prd', '', 0, text), edits['prd'] ?? []), expected.join('\n'));
    }
  });

  describe('that are codes', () => {
    const coded = [
      source('prd', prd('- **FR-1**: A total.', '- **FR-2**: A tax, see FR-1.', '- **FR-10**: A sum, as FR-1–FR-2 and XFR-1 say.')),
      source('vision', '# Vision\n\nMoney comes back (FR-1, FR-10), not by FR-1a.\n'),
      source('verification', script('FR-1, V1')),
    ];
    const [inPrd] = coded;
    const applied = (from: string, to: string): string[] => {
      const edits = rename(coded, from, to);
      assert.ok(typeof edits !== 'string');
      return coded.map(({ uri, text }) => TextDocument.applyEdits(TextDocument.create(uri, '', 0, text), edits[uri] ?? []));
    };

    it('are found as whole words wherever they stand', () => {
      assert.deepEqual(
        referencesTo(coded, 'FR-1', false).map(({ uri, range }) => [uri, range.start.line, range.start.character]),
        [
          ['prd', 6, 23],
          ['prd', 7, 23],
          ['vision', 2, 18],
          ['verification', 1, 7],
        ],
      );
      const [, vision] = coded;
      assert.equal(vision && idAt(vision, { line: 2, character: 20 }, inPrd?.text)?.id, 'FR-1');
    });
    it('are renamed to codes', () => {
      assert.deepEqual(applied('FR-1', 'FR-9'), [
        prd('- **FR-9**: A total.', '- **FR-2**: A tax, see FR-9.', '- **FR-10**: A sum, as FR-9–FR-2 and XFR-1 say.'),
        '# Vision\n\nMoney comes back (FR-9, FR-10), not by FR-1a.\n',
        script('FR-9, V1'),
      ]);
    });
    it('are renamed to none that would be read as words, and to no number', () => {
      assert.match(refusal(rename(coded, 'FR-1', '2.1')), /"2\.1" is no code such as FR-1; give one/);
      assert.match(refusal(rename(coded, 'FR-1', 'FR-10')), /FR-10 is there already/);
      const bare = [source('prd', prd('- FR-1 A total.', '- FR-2 A tax.'))];
      assert.match(refusal(rename(bare, 'FR-1', 'UTF-8')), /"UTF-8" would be read as words there/);
    });
    it('are offered where one is begun', () =>
      assert.deepEqual(
        idCompletions({ kind: 'verification', text: '# PRD: FR-' }, { line: 0, character: 10 }, inPrd?.text ?? '').map((one) => [
          one.label,
          one.textEdit && 'range' in one.textEdit && one.textEdit.range.start.character,
        ]),
        [
          ['FR-1', 7],
          ['FR-2', 7],
          ['FR-10', 7],
        ],
      ));
  });

  it('are renamed in lists and ranges, and not where something else is counted', () => {
    const lines = [
      '- 2.1 A total.',
      '- 2.2 A tax, as requirements 2.1 and 2.2, §2.1–2.2 and §2.1, 2.2 or §2.2 say.',
      '- 2.3 A sum, as §2.1 and 2 files of requirement 2.1, 2.20% say.',
    ];
    const text = prd(...lines);
    const edits = rename([source('prd', text)], '2.2', '2.7');
    assert.ok(typeof edits !== 'string');
    assert.equal(
      TextDocument.applyEdits(TextDocument.create('prd', '', 0, text), edits['prd'] ?? []),
      text.replaceAll(/2\.2(?!0)/g, '2.7'),
    );
    const counted = prd(
      '- 2.1 A total.',
      '- 2.2 A tax.',
      '',
      '## 3. More',
      '1. As requirement 2 and 3 files, or requirements 2 and 3, say.',
    );
    const places = referencesTo([source('prd', counted)], '3', false).map(({ range }) => range.start.character);
    assert.deepEqual(places, ['1. As requirement 2 and 3 files, or requirements 2 and '.length]);
  });

  const refused: [from: string, to: string, why: RegExp][] = [
    ['2.1', '2.2', /2\.2 is there already/],
    ['2.1', 'two', /"two" is no number/],
    ['V1', '2.9', /V1 is no number of PRD\.md/],
    ['2', '2.9', /2\.9 lies in 2/],
    ['2.1', '3', /3 is there already/],
  ];
  for (const [from, to, why] of refused)
    it(`are not renamed from ${from} to ${to}`, () => assert.match(refusal(rename(sources, from, to)), why));

  const otherwise = [
    { what: 'a number without a mark, and none beside it', from: '2.2', to: '9', lines: ['## 2. Output', '2.1 A total.', '2.2 A tax.'] },
    { what: 'a section whose number then begins no row', from: '1', to: '9', lines: ['## 1 Output', '', '1. A total.'] },
  ];
  for (const { what, from, to, lines } of otherwise)
    it(`are not renamed where PRD.md would be read otherwise: ${what}`, () => {
      const text = ['# Receipts', '', ...lines, ''].join('\n');
      assert.match(refusal(rename([source('prd', text)], from, to)), new RegExp(`^With "${to}" there, PRD.md would be read otherwise`));
    });

  it('are offered where they fit', () => {
    const text = document?.text ?? '';
    const offered = (kind: Source['kind'], line: string): string[] =>
      idCompletions({ kind, text: line }, { line: 0, character: line.length }, text).map(({ label }) => label);
    assert.deepEqual(offered('verification', '# PRD: 2.1, '), ['2.1', '2.2', '3.1']);
    assert.deepEqual(offered('verification', '# AFTER: 2'), ['2.1', '2.2', '3.1']);
    assert.deepEqual(offered('vision', 'as §2'), ['2.1', '2.2', '3.1']);
    assert.deepEqual(offered('vision', 'as 2'), []);
    assert.deepEqual(offered('verification', '# RED: '), []);
  });
});
