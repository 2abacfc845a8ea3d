/** What a skip costs is said before it is given, whichever way it was asked for (I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSkipAskedTwice } from '../../../src/engine/render/answer-words.ts';
import { skipDetail, sureDetail, consequenceWords } from '../../../src/views/model/answer-choices.ts';
import { sprintView, type HumanActionView } from '../../../src/views/model/sprint-view.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { HumanAction } from '../../../src/engine/work/human-action.ts';
import * as p from '../../engine/support/parts.ts';

/** As it is shown while T1 is open. */
function shown(humanAction: HumanAction): HumanActionView {
  const opened: Fact = { fact: 'human-action.asked', humanAction };
  const [view] = sprintView(p.awaiting().act('course-correct', opened).state, 0).humanActions;
  assert.ok(view);
  return view;
}

const drops = 'What waits for it will be dropped: T1.';
const stays = 'It stays as it is, and the report says so.';
const cases: [what: string, asked: HumanAction, told: RegExp, skip: string, twice: boolean][] = [
  ['a deed that a task waits for', p.humanAction({ task: 'T1' }), /looks itself/, drops, true],
  ['a deed that nothing waits for any more', p.humanAction({ task: 'T9' }), /looks itself/, stays, true],
  ['a question whether a task is dropped', p.asked([], { task: 'T1' }), /are told of it/, drops, true],
  ['a question how the sprint goes on', p.asked(), /are told of it/, stays, false],
  ['a question about failures', p.asked(['value/total']), /two more tries/, stays, false],
];

describe('the answers to a human action', () => {
  for (const [what, asked, told, skip, twice] of cases)
    it(`tell of ${what}`, () => {
      const humanAction = shown(asked);
      assert.match(consequenceWords(humanAction), told);
      assert.deepEqual([skipDetail(humanAction), sureDetail(humanAction)], [skip, `${skip} This cannot be taken back.`]);
      assert.equal(isSkipAskedTwice(humanAction), twice);
    });
});
