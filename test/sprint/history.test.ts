/** What a real sprint keeps of a failure: the same story on disk and in the editor, with changes that can still be shown (I9). */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { changeSides, sideText } from '../../src/host/git/change-sides.ts';
import { openPayloads } from '../../src/host/payloads.ts';
import { historyView, type HistoryView } from '../../src/views/model/history-view.ts';
import { withSessions, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const fixer = (attempt: number, change: Record<string, unknown>, fixApplied: string): Session => ({
  role: 'fixer',
  purpose: `fix/cli/world#${attempt}`,
  turns: [{ calls: [change, { report_fix: { fix_applied: fixApplied, files_changed: ['greet.sh'], reasoning: 'the PRD says world' } }] }],
});
const breaksNames = fixer(1, { write_file: { path: 'greet.sh', content: 'echo "Hello, world!"\n' } }, 'always world');
const lowerCase = fixer(2, { edit_file: { path: 'greet.sh', old_string: 'World', new_string: 'world' } }, 'lower case');

describe('the history of a failure', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('holds an undone and a kept fix, and shows both changes after branch and worktree are gone', async () => {
    const sessions = withSessions(breaksNames, lowerCase);
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const payloads = openPayloads(join(at.sprintDir, '.loop'));
    const view = await historyView(state, 'cli/world', (ref) => payloads.get(ref));
    assert.ok(view);
    const fixes = view.story.filter((item) => item.type === 'fix');
    assert.deepEqual(
      fixes.map(({ words, why, said: { applied } }) => [words, why, applied]),
      [
        ['Fix: undone', 'fix of cli/world broke cli/name', 'always world'],
        ['Fix: kept', 'nothing that was green broke', 'lower case'],
      ],
    );
    assert.ok(fixes.every(({ at: time }) => time !== null && time > state.opened.at));

    const file = await readFile(join(at.sprintDir, '.loop', 'failures', 'cli', 'world', 'history.md'), 'utf8');
    for (const part of [
      'Status: passed',
      `Trusted: ${view.trust.why}`,
      '#### Fix: always world',
      'Outcome: undone, fix of cli/world broke cli/name',
      'Outcome: kept, nothing that was green broke',
    ])
      assert.ok(file.includes(part), `${part}: ${file}`);
    assert.match(file, /Outcome: kept[^]*### Attempt \d+: green/, 'it goes on after the last red run');

    await finishSprint(at.sprintDir, 'drop');
    const [undone, kept] = await Promise.all(fixes.map((fix) => sides(at, fix)));
    assert.deepEqual(undone?.after, 'echo "Hello, world!"\n');
    assert.deepEqual([undone?.before, kept?.before?.replace('World', 'world')], [kept?.before, kept?.after]);
    assert.throws(() => at.git('rev-parse', '--verify', '-q', state.opened.branch));
  });
});

async function sides({ sprintDir }: Ground, fix: Extract<HistoryView['story'][number], { type: 'fix' }>) {
  const patch = fix.diff && (await changeSides(sprintDir, fix.diff.text));
  const [file] = patch ?? [];
  assert.ok(file?.before && file.after);
  return { before: await sideText(sprintDir, file.before), after: await sideText(sprintDir, file.after) };
}
