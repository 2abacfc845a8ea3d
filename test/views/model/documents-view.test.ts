/** What PRD.md shows of a sprint: how each requirement stands, in one line and in all. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { documentsView, type StandingRequirement } from '../../../src/views/model/documents-view.ts';
import { sprintView, type SprintView } from '../../../src/views/model/sprint-view.ts';
import { built, start, stateOf } from './sample.ts';

const view = sprintView(stateOf(...built), start);

describe('documentsView', () => {
  it('tells of a requirement its tasks, its verifications, and how far it is proven', () =>
    assert.deepEqual(documentsView(view), {
      requirements: [
        {
          id: '1.1',
          words: '2 tasks, 1 done · 1 verification, passed · not verified yet',
          details: [
            'Task T1, done: build T1',
            'Task T2, ready: build T2',
            'Verification value/adds, passed: adds a note. Last run: exit status 0 after 400 ms. Not trusted: no run of it that counts was red for its stated reason yet.',
          ],
          verifications: ['value/adds'],
          runnable: ['value/adds'],
        },
      ],
      services: [],
    }));

  it('says of a requirement that the person took out only that', () => {
    const [requirement] = view.requirements;
    assert.ok(requirement);
    const descoped = { ...requirement, descoped: 'descoped by you: it is a second product' };
    assert.deepEqual(documentsView({ ...view, requirements: [descoped] }).requirements, [
      { id: '1.1', words: 'descoped by you: it is a second product', details: [], verifications: [], runnable: [] },
    ]);
  });

  it('counts several verifications', () =>
    assert.match(standing({ id: 'value/adds' }, { id: 'value/sums', status: 'failed' }).words, /2 verifications, 1 passed/));

  it('tells of a requirement that nothing serves yet', () => {
    const { words, details, verifications } = standing({ requirements: ['2.1'] });
    assert.match(words, /^2 tasks, 1 done · no verification · /);
    assert.deepEqual([details.length, verifications], [2, []]);
    assert.match(only({ ...view, phases: [] }).words, /^no task · /);
  });

  it('leaves out a verification that is retired', () => {
    const { words, details, verifications } = standing({ status: 'retired' });
    assert.match(words, / · no verification · /);
    assert.deepEqual([details.length, verifications], [2, []]);
  });

  it('offers to run only what a machine can run', () => {
    const { verifications, runnable } = standing({}, { id: 'V1', kind: 'criterion' });
    assert.deepEqual([verifications, runnable], [['value/adds', 'V1'], ['value/adds']]);
  });

  it('says how strong the proof is in place of the trust, and nothing of either for a criterion', () => {
    const strength: (typeof one)['strength'] = { ...one.strength, words: 'fair: 3 of 4 faults seen' } as (typeof one)['strength'];
    assert.match(standing({ strength }).details.at(-1) ?? '', / Proof fair: 3 of 4 faults seen\.$/);
    assert.doesNotMatch(standing({ kind: 'criterion' }).details.at(-1) ?? '', /[Tt]rusted|Proof/);
  });

  it('cuts what is long, and keeps each detail on one line', () => {
    const title = `a\n${'long '.repeat(1000)}`;
    const [, , detail = ''] = standing({ title }).details;
    assert.ok(detail.length <= 600 && !detail.includes('\n'), detail);
  });
});

const [one] = view.categories.flatMap((category) => category.verifications) as [SprintView['categories'][number]['verifications'][number]];

/** The requirement of the sample with these verifications in place of its own. */
function standing(...changes: Partial<typeof one>[]): StandingRequirement {
  const verifications = changes.map((change) => ({ ...one, ...change }));
  return only({ ...view, categories: [{ name: 'value', verifications }] as SprintView['categories'] });
}

function only(shown: SprintView): StandingRequirement {
  const { requirements } = documentsView(shown);
  assert.equal(requirements.length, 1);
  return requirements[0] as StandingRequirement;
}
