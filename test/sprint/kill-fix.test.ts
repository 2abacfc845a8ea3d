/** I2, I10: a fix that breaks what another fix mended is taken back exactly, whatever dies in the middle. */
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

/** Fix A (of honest) mends cli/world; fix B of cli/house breaks it again, then mends its own alone. */
const sessions = withSessions(
  build(
    'T3',
    { bash: { command: 'cat house.txt' } },
    { write_file: { path: 'greet.sh', content: program('cat house.txt; echo .', 'world') } },
  ),
  house(1, 'World'),
  house(2, 'world'),
);

describe('fix B that breaks test A', () => {
  let expected: Undisturbed;
  const line = (find: (text: string) => boolean): number => {
    const found = expected.events.find((event) => find(JSON.stringify(event)));
    assert.ok(found);
    return found.n;
  };
  before(async () => void (expected = await undisturbed(sessions)));

  it('is undone, and A’s fix stays, in code and in state', () => {
    const { ledger, work, stopped } = fold(expected.events);
    const told = (lineage: string): string[] | undefined => ledger.fixes[lineage]?.map((f) => `${f.outcome}: ${f.why}`);
    assert.deepEqual(told('cli/world'), ['kept: nothing that was green broke']);
    assert.deepEqual(told('cli/house'), ['undone: fix of cli/house broke cli/world', 'kept: nothing that was green broke']);
    assert.equal(work.results['cli/world']?.verdict, 'green');
    assert.deepEqual(
      ledger.undone.map((u) => u.broke),
      [['cli/world']],
    );
    assert.equal(stopped?.stop, 'delivered');
  });

  const kills: [string, When, (text: string) => boolean][] = [
    ['when it was decided, before the tree goes back', 'after', (t) => t.includes('"step.begun"') && t.includes('"name":"undo"')],
    ['when the tree is back, before that is written', 'before', (t) => t.includes('"step.ended"') && t.includes('/undo:')],
    ['when half of the fact is written', 'torn', (t) => t.includes('"fact":"tree.undone"')],
  ];
  for (const [moment, when, find] of kills)
    it(`is undone, and A’s fix stays, after a kill -9 ${moment}`, async () => {
      await killAndResume(line(find), when, expected);
    });
});
