/** A sprint's documents from what somebody wrote elsewhere: what became of each part, and that no word of a specification is lost. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { draftOfFiles, draftOfWords, type SpecificationFile } from '../../../src/engine/parse/draft.ts';
import { readRequirements } from '../../../src/engine/parse/requirements.ts';

const fixture = (name: string, path: string): SpecificationFile => ({
  path,
  text: readFileSync(join('test', 'fixtures', 'requirements', `${name}.md`), 'utf8'),
});
const idsIn = (prd: string): string[] => readRequirements(prd).requirements.map(({ id }) => id);

describe('a draft from words', () => {
  it('has each sentence as a requirement of its own, and all of it in the Vision', () => {
    const { vision, prd, architecture, notes } = draftOfWords('A cook adds a recipe. `cook list` prints all of them, e.g. by name.');
    assert.equal(
      vision.split('\n<!--')[0],
      '# Vision\n\n## What will be true for them\n\nA cook adds a recipe. `cook list` prints all of them, e.g. by name.\n',
    );
    assert.match(vision, /<!-- The source does not say who it is for and how you will know\. Say it here/);
    assert.deepEqual(
      readRequirements(prd).requirements.map(({ id, title }) => [id, title]),
      [
        ['1', 'A cook adds a recipe.'],
        ['2', '`cook list` prints all of them, e.g. by name.'],
      ],
    );
    assert.equal(architecture, '');
    assert.deepEqual(notes, [
      'The text: PRD.md has 2 sentences of it, each with a number.',
      'VISION.md quotes what they will have; the source does not say who it is for and how you will know.',
    ]);
  });

  it('keeps the words of an issue that says by itself what must be true', () => {
    const issue =
      '# Export fails\r\n\r\nAs a bookkeeper, I want to export a month, so that I can file it.\r\n\r\n## Acceptance criteria\r\n\r\n- It writes `2026-05.csv`\r\n- A month without receipts exits 2\r\n';
    const { vision, prd, notes } = draftOfWords(issue);
    assert.equal(prd, `${issue.replaceAll('\r\n', '\n').trim()}\n`);
    assert.equal(idsIn(prd).length, 2);
    assert.match(vision, /## Who it is for\n\n- bookkeeper\n\n## What will be true for them\n\n- I can file it\n/);
    assert.equal(notes[0], 'The text: PRD.md has its words as they are.');
  });

  it('of a bug report requires what was expected, and not how it was seen', () => {
    const report = [
      '**Describe the bug**',
      'The list must have been empty, but it shows a note.',
      '',
      '**To Reproduce**',
      'Steps to reproduce the behavior:',
      '1. Go to the list',
      '2. Delete all notes',
      '3. Press refresh',
      '',
      '**Expected behavior**',
      'The list is empty.',
      '',
      '**Desktop (please complete the following information):**',
      '- OS: Linux',
      '',
      '**Additional context**',
      'It should have been seen before.',
    ].join('\n');
    const { prd } = draftOfWords(report);
    assert.deepEqual(
      readRequirements(prd).requirements.map(({ title }) => title),
      ['The list is empty.'],
    );
  });

  it('is refused without words', () => assert.throws(() => draftOfWords(' \n'), /There are no words to begin with/));
});

describe('a draft from a folder', () => {
  const rows: { kind: string; files: SpecificationFile[]; others?: string[]; vision: RegExp[]; notes: RegExp[]; architecture: RegExp }[] = [
    {
      kind: 'of spec-kit',
      files: [
        fixture('12-spec-kit', 'spec.md'),
        { path: 'plan.md', text: '# Plan\n\nSQLite.\n' },
        { path: 'tasks.md', text: '- [ ] T001 set up\n' },
        { path: 'checklists/quality.md', text: '- [ ] clear\n' },
      ],
      others: ['contracts/api.yaml'],
      vision: [
        /organise photos in albums grouped by date/,
        /## How we will know\n\n\*\*Measurable Outcomes\*\*\n\n- \*\*SC-001\*\*: A person makes/,
      ],
      notes: [
        /^spec\.md: PRD\.md has its words as they are\.$/,
        /^VISION\.md quotes what they will have and how you will know; the source does not say who it is for\.$/,
        /^plan\.md: stands in ARCHITECTURE\.md/,
        /^tasks\.md: left where it is\. It is a plan/,
        /^checklists\/quality\.md: left where it is/,
        /^contracts\/api\.yaml: left where it is\. It is no markdown/,
      ],
      architecture: /^<!-- plan\.md -->\n\n# Plan\n\nSQLite\.\n$/,
    },
    {
      kind: 'of Kiro',
      files: [fixture('11-kiro', 'requirements.md'), { path: 'design.md', text: '# Design\n' }],
      vision: [
        /## Who it is for\n\n- returning user\n- signed-in user\n- administrator\n/,
        /This feature adds passkeys to the sign-in page\. Users keep their passwords\.\n- I need not type a password\n- I can use it next time\n- I can plan\n/,
      ],
      notes: [/^requirements\.md: PRD/, /the source does not say how you will know\.$/, /^design\.md: stands/],
      architecture: /# Design/,
    },
    {
      kind: 'with a Vision of its own and a PRD under another name',
      files: [
        { path: 'notes.md', text: '# Notes\n\nWe met in May.\n' },
        fixture('01-numbered-headings', 'Product.md'),
        { path: 'Vision.md', text: '# Vision\n\nMine.\n' },
      ],
      vision: [/^# Vision\n\nMine\.\n$/],
      notes: [/^Product\.md: PRD/, /^Vision\.md: VISION\.md has its words as they are\.$/, /^notes\.md: stands/],
      architecture: /We met in May/,
    },
  ];
  for (const { kind, files, others = [], vision, notes, architecture } of rows)
    it(`${kind} says of each file what became of it, and keeps each word of its requirements`, () => {
      const draft = draftOfFiles(files, others);
      const source = files.find(({ path }) => draft.notes[0]?.startsWith(`${path}:`)) ?? assert.fail();
      assert.equal(draft.prd, source.text);
      assert.ok(idsIn(draft.prd).length > 2);
      for (const words of vision) assert.match(draft.vision, words);
      assert.equal(draft.notes.length, notes.length, draft.notes.join('\n'));
      for (const [index, words] of notes.entries()) assert.match(draft.notes[index] ?? '', words);
      assert.match(draft.architecture, architecture);
      for (const { path } of files)
        assert.ok(
          draft.notes.some((note) => note.startsWith(`${path}:`)),
          path,
        );
    });

  const demand = '# Shop\n\n1. It lists products.\n2. It sums them.\n';
  const readme = '# Shop\n\n- Fast\n- Small\n- Free\n- Tested\n';
  const choices: { what: string; files: Record<string, string>; taken: string }[] = [
    { what: 'a PRD below the folder before a README', files: { 'README.md': readme, 'docs/PRD.md': demand }, taken: 'docs/PRD.md' },
    { what: 'the nearest of two', files: { 'a/b/PRD.md': demand, 'c/prd.md': demand, 'a/b/c/prd.md': demand }, taken: 'c/prd.md' },
    { what: 'a specification of the folder itself before a PRD below', files: { 'a/PRD.md': demand, 'spec.md': demand }, taken: 'spec.md' },
    { what: 'a list of tasks last', files: { 'tasks.md': `${demand}3. It ends.\n`, 'product.md': demand }, taken: 'product.md' },
    { what: 'a PRD that demands nothing last', files: { 'docs/spec.md': '# Spec\n', 'Product.md': demand }, taken: 'Product.md' },
    { what: 'any other file before a README', files: { 'README.md': readme, 'docs/product.md': demand }, taken: 'docs/product.md' },
    { what: 'any other file before a log of changes', files: { 'CHANGELOG.md': readme, 'a.md': demand }, taken: 'a.md' },
    { what: 'a README where nothing else is there', files: { 'README.md': readme, 'a.md': '# A\n' }, taken: 'README.md' },
  ];
  for (const { what, files, taken } of choices)
    it(`takes ${what}`, () => {
      const { notes } = draftOfFiles(Object.entries(files).map(([path, text]) => ({ path, text })));
      assert.equal(notes[0], `${taken}: PRD.md has its words as they are.`);
    });

  it('takes a Vision that lies beside the PRD', () => {
    const files = { 'README.md': readme, 'docs/PRD.md': demand, 'docs/VISION.md': '# Vision\n\nMine.\n' };
    const { vision, architecture } = draftOfFiles(Object.entries(files).map(([path, text]) => ({ path, text })));
    assert.equal(vision, '# Vision\n\nMine.\n');
    assert.match(architecture, /^<!-- README\.md -->/);
  });

  it('is refused where nothing says what must be true', () => {
    assert.throws(() => draftOfFiles([]), /There is no markdown to read/);
    assert.throws(() => draftOfFiles([{ path: 'a.md', text: '# Hello\n' }]), /None of the files says what must be true/);
  });
});
