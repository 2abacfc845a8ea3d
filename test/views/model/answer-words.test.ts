/** What a skip costs is said before it is given, whichever way it was asked for (I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSkipAskedTwice } from '../../../src/engine/render/answer-words.ts';
import { skipDetail, sureDetail, toldWords } from '../../../src/views/model/answer-words.ts';
import { sprintView, type PauseView } from '../../../src/views/model/sprint-view.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import * as p from '../../engine/support/parts.ts';

/** As it is shown while T1 is open. */
function shown(over: Parameters<typeof p.pause>[0]): PauseView {
  const opened: Fact = { fact: 'pause.opened', pause: p.pause({ paths: [], ...over }) };
  const [view] = sprintView(p.awaiting().act('course-correct', opened).state, 0).pauses;
  assert.ok(view);
  return view;
}

const drops = 'What waits for it will be dropped: T1.';
const stays = 'It stays as it is, and the report says so.';
const cases: [what: string, over: Parameters<typeof p.pause>[0], told: RegExp, skip: string, twice: boolean][] = [
  ['a deed that a task waits for', { task: 'T1' }, /looks itself/, drops, true],
  ['a deed that nothing waits for any more', { task: 'T9' }, /looks itself/, stays, true],
  ['a question whether a task is dropped', { task: 'T1', lineages: [] }, /are told of it/, drops, true],
  ['a question how the sprint goes on', { task: '', lineages: [] }, /are told of it/, stays, false],
  ['a question about failures', { task: '', lineages: ['value/total'] }, /two more tries/, stays, false],
];

describe('the answers to a human action', () => {
  for (const [what, over, told, skip, twice] of cases)
    it(`tell of ${what}`, () => {
      const pause = shown(over);
      assert.match(toldWords(pause), told);
      assert.deepEqual([skipDetail(pause), sureDetail(pause)], [skip, `${skip} This cannot be taken back.`]);
      assert.equal(isSkipAskedTwice(pause), twice);
    });
});
