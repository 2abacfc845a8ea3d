/** What the Explorer marks on files of verifications. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { marksOf } from '../../../src/views/model/marks.ts';
import { sprintView, type VerificationView } from '../../../src/views/model/sprint-view.ts';
import * as p from '../../engine/support/parts.ts';

describe('marks in the Explorer', () => {
  const { categories } = sprintView(p.green().state, 0);
  const [first] = categories.flatMap(({ verifications }) => verifications);
  assert.ok(first);
  const marks = (rest: Partial<VerificationView>) => marksOf({ categories: [{ name: 'cli', verifications: [{ ...first, ...rest }] }] });

  it('are only on what a person looks for', () => {
    for (const status of ['passed', 'pending', 'awaiting', 'retired'] as const) assert.deepEqual(marks({ status, edit: null }), [], status);
  });

  it('say by a letter and by words what is wrong, and that an edit waits', () => {
    const { file } = first;
    assert.deepEqual(marks({ status: 'failed', edit: null }), [{ file, badge: '✗', words: 'failed', colour: 'testing.iconFailed' }]);
    const [edited] = marks({ status: 'passed', edit: { text: 'a', kept: 'b', atWork: false } });
    assert.deepEqual([edited?.badge, edited?.colour], ['E', 'charts.yellow']);
  });
});
