/** What headings and sentences say of themselves: what is left out of a product is never required. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRequirements } from '../../../src/engine/parse/requirements.ts';
import { demands, kindOfHeading, type Kind } from '../../../src/engine/parse/section-kinds.ts';

const ids = (...lines: string[]): string[] => readRequirements(lines.join('\n')).requirements.map(({ id }) => id);

describe('a heading', () => {
  const headings: Record<'requirement' | 'background' | 'other', string[]> = {
    requirement: [
      '✨ Features',
      'Features ✨',
      '👨‍💻 User stories:',
      '1️⃣ Requirements',
      'Functional requirements',
      'Non-functional requirements',
      'Non-Functional Requirements (NFRs)',
      'Expected behavior',
      'Expected result',
      'What did you expect to happen?',
      '機能要件',
      '2. セキュリティ要件',
      '受け入れ基準',
    ],
    background: [
      '🚫 Out of Scope',
      'Out of Scope for v1',
      'Out of scope (v1)',
      'Out of scope: later',
      'Out-of-scope Requirements',
      'Explicitly out of scope',
      'Future Requirements',
      'Future functional requirements',
      'Future Enhancements',
      'Future enhancements & ideas',
      'Deferred features',
      'Excluded Requirements',
      'Non-Requirements',
      'Non-Goals for this release',
      'Success Metrics',
      'Key success metrics',
      'KPIs',
      'Zukünftige Anforderungen',
      'Nicht im Umfang von Version 1',
      'To Reproduce',
      'Steps to reproduce',
      'Actual behavior',
      'Describe the bug',
      '概要',
      '背景・目的',
      '対象外（v1）',
      'スコープ外の機能',
      '将来の拡張',
      '用語集',
    ],
    other: [
      'Out of scope tokens are refused',
      'Future dates are refused',
      'Deferred payment',
      'Files are listed',
      'Metrics',
      'Feature flags',
      '対象外のファイルは無視する',
    ],
  };
  for (const [kind, titles] of Object.entries(headings) as [Kind | 'other', string[]][])
    for (const title of titles)
      it(`"${title}" says ${kind === 'other' ? 'nothing' : kind}`, () =>
        assert.equal(kindOfHeading(title), kind === 'other' ? undefined : kind));
});

describe('what is left out', () => {
  it('is not required with an emoji before its heading, by its numbers either', () =>
    assert.deepEqual(ids('## ✨ Features', '1. Sum', '2. Tax', '## 🚫 Out of Scope', '3. Print', '4. Mail'), ['1', '2']));
  it('is not required below a heading that ends in requirements', () =>
    assert.deepEqual(
      ids(
        '## Requirements',
        '- Sum',
        '### Non-Requirements',
        '- Tax',
        '### Future Requirements',
        '- Print',
        '## Excluded requirements',
        '- Mail',
      ),
      ['sum'],
    ));
  it('is not required in numbered sections, and neither are goals and metrics', () =>
    assert.deepEqual(
      ids(
        '## 1. Goals',
        '- Nobody adds up by hand',
        '## 2. Sum',
        'It is printed.',
        '## 3. Future Enhancements',
        'A tax.',
        '## 4. Success Metrics',
        'Ten users.',
        '## 5. Out of Scope for v1',
        'Mail.',
      ),
      ['2'],
    ));
  it('is not required in Japanese either, nor are background and constraints', () => {
    const lines = ['# 集計', '## 概要', '- 毎月使う', '## 要件', '- 合計を表示する', '## 対象外', '- 税', '## 制約', '- 依存なし'];
    const { requirements, constraints } = readRequirements(lines.join('\n'));
    assert.deepEqual(
      [requirements, constraints].map((all) => all.map(({ title }) => title)),
      [['合計を表示する'], ['依存なし']],
    );
  });
  it('is no goal that has numbers of its own', () => assert.deepEqual(ids('## 1. Goals', '1. Sum', '2. Tax'), ['1.1', '1.2']));
});

describe('a sentence', () => {
  const demanding = [
    'The indexer must extract keywords from each article.',
    'Writers MUST write UTF-8. See RFC 2119 for the words.',
    'Writers MUST write UTF-8 (RFC 2119).',
    'The key words of an article must be shown.',
    '記事を索引しなければならない。',
    '合計を表示すること。',
  ];
  for (const text of demanding) it(`demands something: ${text}`, () => assert.equal(demands(text), true));
  const explaining = [
    'The key words "MUST", "SHOULD" and "MAY" in this document are to be interpreted as described in RFC 2119.',
    'The keywords MUST and SHALL are to be interpreted as in BCP 14.',
    'MUST and SHOULD have the meaning of RFC 2119.',
    'The words must and should are used as defined in RFC 8174.',
    '合計を変更することができる。',
    'Die Schlüsselwörter MUSS und SOLL sind zu verstehen wie in RFC 2119 beschrieben.',
  ];
  for (const text of explaining) it(`demands nothing: ${text}`, () => assert.equal(demands(text), false));
});
