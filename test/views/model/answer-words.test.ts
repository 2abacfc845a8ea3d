/** The person reads what a skip costs before it counts, at every place where they can skip (I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSkipAskedTwice } from '../../../src/engine/render/answer-words.ts';
import { skipDetail, sureDetail, consequenceWords } from '../../../src/views/model/answer-choices.ts';
import { sprintView, type HumanActionView } from '../../../src/views/model/sprint-view.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { HumanAction } from '../../../src/engine/work/human-action.ts';
import * as p from '../../engine/support/parts.ts';

/** The view of the human action while T1 is open. */
function viewOf(humanAction: HumanAction): HumanActionView {
  const asked: Fact = { fact: 'human-action.asked', humanAction };
  const [view] = sprintView(p.awaiting().act('course-correct', asked).state, 0).humanActions;
  assert.ok(view);
  return view;
}

const dropsT1 = 'What waits for it will be dropped: T1.';
const nothingChanges = 'It stays as it is, and the report says so.';
const cases: { what: string; humanAction: HumanAction; consequence: RegExp; skip: string; isAskedTwice: boolean }[] = [
  {
    what: 'a deed that a task waits for',
    humanAction: p.humanAction({ task: 'T1' }),
    consequence: /checks by itself/,
    skip: dropsT1,
    isAskedTwice: true,
  },
  {
    what: 'a deed that nothing waits for any more',
    humanAction: p.humanAction({ task: 'T9' }),
    consequence: /checks by itself/,
    skip: nothingChanges,
    isAskedTwice: true,
  },
  {
    what: 'a question about whether a task is dropped',
    humanAction: p.asked([], { task: 'T1' }),
    consequence: /later agents read it/,
    skip: dropsT1,
    isAskedTwice: true,
  },
  {
    what: 'a question about how the sprint goes on',
    humanAction: p.asked(),
    consequence: /later agents read it/,
    skip: nothingChanges,
    isAskedTwice: false,
  },
  {
    what: 'a question about failures',
    humanAction: p.asked(['value/total']),
    consequence: /two more tries/,
    skip: nothingChanges,
    isAskedTwice: false,
  },
];

describe('the answers to a human action', () => {
  for (const { what, humanAction, consequence, skip, isAskedTwice } of cases)
    it(`name the consequences for ${what}`, () => {
      const view = viewOf(humanAction);
      assert.match(consequenceWords(view), consequence);
      assert.deepEqual([skipDetail(view), sureDetail(view)], [skip, `${skip} This cannot be taken back.`]);
      assert.equal(isSkipAskedTwice(view), isAskedTwice);
    });
});
