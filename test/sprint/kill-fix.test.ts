/** A fix that breaks what another fix mended is undone exactly (I10), even where Loop is killed meanwhile (I2). */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { fold } from '../../src/engine/core/fold.ts';
import { build, withSessions, type Session } from '../support/greeter.ts';
import type { When } from './die-at.ts';
import { killAndResume, undisturbed, type Undisturbed } from './kills.ts';

const program = (word: string, fallback: string): string =>
  ['word=Hello', `[ "$1" = --house ] && shift && word="$(${word})"`, `name="\${1:-${fallback}}"`, 'echo "$word, $name!"', ''].join('\n');

const house = (attempt: number, fallback: string): Session => ({
  role: 'fixer',
  purpose: `fix/cli/house#${attempt}`,
  turns: [
    {
      calls: [
        { write_file: { path: 'greet.sh', content: program('cat house.txt', fallback) } },
        { report_fix: { fix_applied: `trims, ${fallback}`, files_changed: ['greet.sh'], reasoning: 'a line break' } },
      ],
    },
  ],
});

/** Fix A, from `honest`, mends cli/world. Fix B of cli/house breaks that again; its next attempt mends only cli/house. */
const sessions = withSessions(
  build(
    'T3',
    { bash: { command: 'cat house.txt' } },
    { write_file: { path: 'greet.sh', content: program('cat house.txt; echo .', 'world') } },
  ),
  house(1, 'World'),
  house(2, 'world'),
);

describe('a fix that breaks what another fix mended', () => {
  let expected: Undisturbed;
  const lineOf = (isSought: (text: string) => boolean): number => {
    const event = expected.events.find((e) => isSought(JSON.stringify(e)));
    assert.ok(event);
    return event.n;
  };
  before(async () => void (expected = await undisturbed(sessions)));

  it('is undone, and the other fix stays, in code and in state', () => {
    const { ledger, work, stopped } = fold(expected.events);
    const fixes = (lineage: string): string[] | undefined => ledger.fixes[lineage]?.map((f) => `${f.outcome}: ${f.why}`);
    assert.deepEqual(fixes('cli/world'), ['kept: nothing that was green broke']);
    assert.deepEqual(fixes('cli/house'), ['undone: fix of cli/house broke cli/world', 'kept: nothing that was green broke']);
    assert.equal(work.results['cli/world']?.verdict, 'green');
    assert.deepEqual(
      ledger.undone.map((u) => u.broke),
      [['cli/world']],
    );
    assert.equal(stopped?.stop, 'delivered');
  });

  const kills: [moment: string, when: When, isSought: (text: string) => boolean][] = [
    ['after the decision, before the tree is undone', 'after', (t) => t.includes('"step.begun"') && t.includes('"name":"undo"')],
    ['when the tree is undone, before that is recorded', 'before', (t) => t.includes('"step.ended"') && t.includes('/undo:')],
    ['when half of the fact is written', 'torn', (t) => t.includes('"fact":"tree.undone"')],
  ];
  for (const [moment, when, isSought] of kills)
    it(`is undone, and the other fix stays, with a kill -9 ${moment}`, async () => {
      await killAndResume([{ n: lineOf(isSought), when }], expected);
    });
});
