/** Scenarios as people write them in Gherkin 6, in English and German. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRequirements } from '../../../src/engine/parse/requirements.ts';

const read = (...lines: string[]): string[] => readRequirements(lines.join('\n')).requirements.map(({ text }) => text);
const fenced = (...lines: string[]): string[] => ['```gherkin', ...lines, '```'];
const sum = ['Given two receipts', 'When they are summed', 'Then the total is printed'];

describe('a Gherkin scenario', () => {
  for (const [word, steps] of [
    ['Example', sum],
    ['Beispiel', ['Angenommen zwei Belege', 'Wenn man sie addiert', 'Dann steht die Summe da']],
  ] as const)
    it(`may begin with ${word}`, () => {
      const one = [`${word}: Sum`, ...steps.map((step) => `  ${step}`)];
      assert.deepEqual(
        read(...fenced('Feature: Receipts', '', ...one, '', ...one)),
        Array<string>(2).fill(['Sum', ...one.slice(1)].join('\n')),
      );
    });
  it('is no example of a sentence', () =>
    assert.deepEqual(read('## Requirements', '- It prints a label.', '', 'Example: `label 40`', '', 'Example: a|b', '| a |'), [
      'It prints a label.',
    ]));

  const wrapped = ['Given two receipts of', '  one month', 'When they are summed', 'Then the total', '  is printed'];
  for (const [where, lines] of [
    ['a fence', fenced('Scenario: Sum', ...wrapped, 'Scenario: Tax', ...sum)],
    ['the text', ['Scenario: Sum', ...wrapped, '', 'Scenario: Tax', ...sum, '', 'Words.']],
  ] as const)
    it(`has steps of several lines in ${where}`, () =>
      assert.deepEqual(read(...lines), [['Sum', ...wrapped].join('\n'), ['Tax', ...sum].join('\n')]));
  it('has words of its own before its steps', () => {
    const one = ['  Whoever travels', '  wants it.', '', '  Given a receipt', '  Then it is kept'];
    assert.deepEqual(read(...fenced('Scenario: Keep', ...one)), [['Keep', ...one].join('\n')]);
  });
  it('ends before what begins anew', () => {
    for (const next of [
      '# Tax',
      '---',
      '**Tax**',
      '- 1.1 Tax',
      '1. Tax',
      'FR-1: Tax',
      'Background:',
      'Rule: Tax',
      'Hintergrund:',
      'Example: Tax',
    ])
      assert.equal(read('Scenario: Sum', ...sum, next, ...sum)[0], ['Sum', ...sum].join('\n'), next);
  });
});
