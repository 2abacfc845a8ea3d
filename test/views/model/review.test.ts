/** What is reviewed before *Finish*, part by part, and the buttons that name what is missing. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { joinedSides, namedButton, partsOf, requirementPartsOf } from '../../../src/views/model/review.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import * as p from '../../engine/support/parts.ts';

describe('the parts of a review', () => {
  it('are the kept changes, with the title of their task', () => {
    const { phases, changes } = sprintView(p.green().state, 0);
    const [part, ...more] = partsOf({ phases, changes });
    assert.deepEqual([part?.title, part?.files, more], ['T1 Print the total of an order', changes[0]?.files.length, []]);
    const fix = partsOf({ phases, changes: [{ code: 2, commit: 'c', title: 'fix of value/total', patch: 'p', files: [] }] });
    assert.deepEqual(fix, [{ title: 'fix of value/total', patches: ['p'], files: 0 }]);
  });
});

describe('the parts of a review by requirement', () => {
  const { phases, requirements, changes } = sprintView(p.green().state, 0);
  const [change] = changes;
  assert.ok(change);

  it('are the changes of the tasks that serve it, in order, with each file once', () => {
    const served = phases.flatMap(({ tasks }) => tasks).find(({ id }) => id === change.title)?.requirements ?? [];
    const again = { ...change, code: change.code + 1, patch: 'second' };
    const parts = requirementPartsOf({ phases, requirements, changes: [change, again] });
    assert.ok(served.length > 0);
    assert.deepEqual(
      parts.map(({ title, patches, files }) => [title.split(' ')[0], patches, files]),
      served.map((id) => [id, [change.patch, 'second'], change.files.length]),
    );
  });

  it('leave out what nothing was built for, and what served none', () => {
    assert.deepEqual(requirementPartsOf({ phases, requirements, changes: [{ ...change, title: 'fix of value/total' }] }), []);
  });
});

describe('the sides of several changes', () => {
  it('show a file once: as it was before the first, and after the last', () => {
    const made = { path: 'a', before: null, after: '1' };
    assert.deepEqual(joinedSides([made, { path: 'b', before: '7', after: '8' }, { path: 'a', before: '1', after: '2' }]), [
      { path: 'a', before: null, after: '2' },
      { path: 'b', before: '7', after: '8' },
    ]);
    assert.deepEqual(joinedSides([made, { path: 'a', before: '1', after: null }]), []);
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
