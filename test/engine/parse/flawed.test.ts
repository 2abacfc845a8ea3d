/** PRDs with flaws that a machine can tell by itself: each is told with its line and how to mend it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { readRequirements } from '../../../src/engine/parse/requirements.ts';

const read = (name: string) => readRequirements(readFileSync(`test/fixtures/qualify/${name}.md`, 'utf8'));
/** Not in a file, so that nobody takes it for a key of ours. */
const key = `AKIA${'Q7'.repeat(8)}`;

describe('a flawed PRD', () => {
  const flaws: { name: string; line: number; message: RegExp; next: RegExp; refuses: boolean }[] = [
    {
      name: 'numbers-used-twice',
      line: 11,
      message: /^requirement 1 is there already, in line 3$/,
      next: /a number of its own/,
      refuses: true,
    },
    { name: 'empty-sections', line: 7, message: /^the section "Tax" is empty$/, next: /^Write below it what must be true/, refuses: false },
    { name: 'no-requirements', line: 1, message: /^there are no requirements/, next: /^Number what must be true/, refuses: true },
    { name: 'only-tables-without-requirements', line: 1, message: /^there are no requirements/, next: /^Number/, refuses: true },
    { name: 'fence-without-end', line: 7, message: /never ends, so the 4 lines after it are not read$/, next: /^End it/, refuses: false },
  ];
  for (const { name, line, message, next, refuses } of flaws)
    it(`with ${name.replaceAll('-', ' ')} is told at line ${line}`, () => {
      const { problems } = read(name);
      assert.equal(problems.length, 1);
      const [problem] = problems;
      assert.deepEqual([problem?.line, problem?.refuses], [line, refuses]);
      assert.match(problem?.message ?? '', message);
      assert.match(problem?.next ?? '', next);
    });

  it('that is only tables is read where they hold requirements', () => {
    const { requirements, problems } = read('only-tables');
    assert.deepEqual(problems, []);
    assert.deepEqual(requirements[0], {
      id: 'R1',
      title: '`sum a.csv` prints the total',
      text: 'ID: R1\nRequirement: `sum a.csv` prints the total',
      line: 5,
      lastLine: 5,
    });
    assert.equal(requirements[1]?.id, 'R2');
  });

  it('with a key pasted in is told its line and kind, and not the key', () => {
    const [problem] = readRequirements(`# P\n\n## 1. Upload\n\nUse ${key} for it.\n`).problems;
    assert.deepEqual([problem?.line, problem?.refuses], [5, true]);
    assert.match(problem?.message ?? '', /^this line holds an AWS access key/);
    assert.ok(!JSON.stringify(problem).includes(key));
  });

  it('of two megabytes is refused at once', () => {
    const { requirements, problems } = readRequirements(`## 1. Sum\n${'- a point\n'.repeat(200_000)}`);
    assert.deepEqual(requirements, []);
    assert.match(problems[0]?.message ?? '', /^the document is too long: 2,001 thousand characters/);
  });

  it('is what the person says, by a word in the document', () => {
    const marked = [
      '## Totals (background)',
      '- 1.1 It adds',
      '## Overview (requirement)',
      '- It prints',
      '- It is small (constraint)',
      '- It is nice (background)',
    ];
    const { requirements, constraints, background } = readRequirements(marked.join('\n'));
    assert.deepEqual(
      [requirements, constraints, background].map((list) => list.map(({ title }) => title)),
      [['It prints'], ['It is small'], ['Totals']],
    );
  });
});
