/** What is reviewed before *Finish*, part by part, and the buttons that name what is missing. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { namedButton, partsOf } from '../../../src/views/model/review.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import * as p from '../../engine/support/parts.ts';

describe('the parts of a review', () => {
  it('are the kept changes, with the title of their task', () => {
    const { phases, changes } = sprintView(p.green().state, 0);
    const [part, ...more] = partsOf({ phases, changes });
    assert.deepEqual([part?.title, part?.files, more], ['T1 Print the total of an order', changes[0]?.files.length, []]);
    const fix = partsOf({ phases, changes: [{ code: 2, commit: 'c', title: 'fix of value/total', patch: 'p', files: [] }] });
    assert.deepEqual(fix, [{ title: 'fix of value/total', patch: 'p', files: 0 }]);
  });
});

describe('the button of a merge', () => {
  const none = { red: [], unproven: [], dropped: [] };
  const rows = [
    { what: 'is plain where nothing is missing', ends: none, name: 'Merge' },
    { what: 'names what is not proven', ends: { ...none, unproven: ['1.1', '1.2', 'V1'] }, name: 'Merge with 3 Unproven' },
    {
      what: 'names all that is missing',
      ends: { red: ['a'], unproven: ['1'], dropped: ['T1', 'T2'] },
      name: 'Merge with 1 Failed, 1 Unproven, 2 Dropped',
    },
  ];
  for (const { what, ends, name } of rows) it(what, () => assert.equal(namedButton('Merge', ends), name));
});
