import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type VerificationView, type SprintView, sprintView } from '../../../src/views/model/sprint-view.ts';
import { caseItemId, selected, testCategories, verificationOfItem } from '../../../src/views/model/test-items.ts';
import { built, verification, start, stateOf } from './sample.ts';

const view = sprintView(stateOf(...built), start);
const [adds] = view.categories.flatMap(({ verifications }) => verifications);
assert.ok(adds);

function withVerifications(...verifications: [category: string, Partial<VerificationView>][]): SprintView {
  const names = [...new Set(verifications.map(([name]) => name))];
  const categories = names.map((name) => ({
    name,
    verifications: verifications
      .filter(([of]) => of === name)
      .map(([, change]): VerificationView => ({ ...(adds as VerificationView), ...change })),
  }));
  return { ...view, categories };
}

describe('an item of a case', () => {
  it('is of its verification, whose history a click on it opens', () => {
    assert.equal(verificationOfItem(caseItemId('value/adds', 0, 'adds\na note')), 'value/adds');
    assert.equal(verificationOfItem('value/adds'), 'value/adds');
  });
});

describe('testCategories', () => {
  it('contains every field of a sprint’s verifications', () => {
    assert.deepEqual(testCategories(view), [
      {
        id: 'loop/notes-20261120-100000/value',
        label: 'value',
        verifications: [
          {
            id: 'value/adds',
            label: 'adds',
            description: 'adds a note',
            file: 'verifications/value/adds.sh',
            green: true,
            subject: `loop/notes-20261120-100000 1 ${verification.script}`,
            latest: {
              key: 'loop/notes-20261120-100000 2 passed',
              report: { outcome: 'passed', duration: 400, message: '', diff: null, line: 1 },
            },
          },
        ],
      },
    ]);
  });

  it('leaves out verifications that cannot run, and categories without others', () => {
    const mixed = withVerifications(
      ['cli', { id: 'cli/old', status: 'retired' }],
      ['cli', { id: 'cli/new' }],
      ['words', { id: 'words/kind', kind: 'criterion' }],
    );
    const left = testCategories(mixed).map(({ label, verifications }) => [label, verifications.map(({ id }) => id)]);
    assert.deepEqual(left, [['cli', ['cli/new']]]);
  });

  it('has a new key for the same run when its status changes', () => {
    const keys = (['failed', 'blocked'] as const).map(
      (status) => testCategories(withVerifications(['value', { status }]))[0]?.verifications[0]?.latest?.key,
    );
    assert.deepEqual(keys, ['loop/notes-20261120-100000 2 failed', 'loop/notes-20261120-100000 2 blocked']);
  });

  it('removes active markup from titles', () => {
    const [category] = testCategories(withVerifications(['a$(x)', { id: 'a$(x)/b', title: '[x](command:y)\n$(zap)' }]));
    assert.deepEqual([category?.label, category?.verifications[0]?.description], ['a$ (x)', '[x] (command:y) $ (zap)']);
  });
});

describe('selected', () => {
  const categories = testCategories(
    withVerifications(
      ['cli', { id: 'cli/a' }],
      ['cli', { id: 'cli/b', status: 'failed' }],
      ['web', { id: 'web/c', status: 'pending' }],
      ['web', { id: 'web/d' }],
    ),
  );
  const web = 'loop/notes-20261120-100000/web';
  const of = (include: string[] | undefined, exclude: string[] = [], failed = false): string[] =>
    selected(categories, { include, exclude, failed });

  it('selects all, one, a category, or some', () => {
    assert.deepEqual(of(undefined), ['cli/a', 'cli/b', 'web/c', 'web/d']);
    assert.deepEqual(of(['cli/b']), ['cli/b']);
    assert.deepEqual(of([web]), ['web/c', 'web/d']);
    assert.deepEqual(of([web, 'cli/a'], ['web/d']), ['cli/a', 'web/c']);
    assert.deepEqual(of(undefined, [web]), ['cli/a', 'cli/b']);
  });

  it('selects only verifications that are not green for "failed"', () => {
    assert.deepEqual(of(undefined, [], true), ['cli/b', 'web/c']);
    assert.deepEqual(of(['cli/a'], [], true), []);
  });
});
