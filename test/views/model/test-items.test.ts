import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type CheckView, type SprintView, sprintView } from '../../../src/views/model/sprint-view.ts';
import { selected, testCategories } from '../../../src/views/model/test-items.ts';
import { built, check, start, stateOf } from './sample.ts';

const view = sprintView(stateOf(...built), start);
const [adds] = view.categories.flatMap(({ checks }) => checks);
assert.ok(adds);

function withChecks(...checks: [category: string, Partial<CheckView>][]): SprintView {
  const names = [...new Set(checks.map(([name]) => name))];
  const categories = names.map((name) => ({
    name,
    checks: checks.filter(([of]) => of === name).map(([, change]): CheckView => ({ ...(adds as CheckView), ...change })),
  }));
  return { ...view, categories };
}

describe('testCategories', () => {
  it('renders a sprint, whole', () => {
    assert.deepEqual(testCategories(view), [
      {
        id: 'loop/notes-20261120-100000/value',
        label: 'value',
        checks: [
          {
            id: 'value/adds',
            label: 'adds',
            description: 'adds a note',
            file: 'verifications/value/adds.sh',
            green: true,
            subject: `loop/notes-20261120-100000 1 ${check.script}`,
            latest: {
              key: 'loop/notes-20261120-100000 2 passed',
              report: { outcome: 'passed', duration: 400, message: '', diff: null, line: 1 },
            },
          },
        ],
      },
    ]);
  });

  it('leaves out what cannot be run, and a category of nothing else', () => {
    const mixed = withChecks(
      ['cli', { id: 'cli/old', status: 'retired' }],
      ['cli', { id: 'cli/new' }],
      ['words', { id: 'words/kind', kind: 'criterion' }],
    );
    const left = testCategories(mixed).map(({ label, checks }) => [label, checks.map(({ id }) => id)]);
    assert.deepEqual(left, [['cli', ['cli/new']]]);
  });

  it('has another key for the same run once its status is another', () => {
    const keys = (['failed', 'blocked'] as const).map(
      (status) => testCategories(withChecks(['value', { status }]))[0]?.checks[0]?.latest?.key,
    );
    assert.deepEqual(keys, ['loop/notes-20261120-100000 2 failed', 'loop/notes-20261120-100000 2 blocked']);
  });

  it('keeps titles inert', () => {
    const [category] = testCategories(withChecks(['a$(x)', { id: 'a$(x)/b', title: '[x](command:y)\n$(zap)' }]));
    assert.deepEqual([category?.label, category?.checks[0]?.description], ['a$ (x)', '[x] (command:y) $ (zap)']);
  });
});

describe('selected', () => {
  const categories = testCategories(
    withChecks(
      ['cli', { id: 'cli/a' }],
      ['cli', { id: 'cli/b', status: 'failed' }],
      ['web', { id: 'web/c', status: 'pending' }],
      ['web', { id: 'web/d' }],
    ),
  );
  const web = 'loop/notes-20261120-100000/web';
  const of = (include: string[] | undefined, exclude: string[] = [], failed = false): string[] =>
    selected(categories, { include, exclude, failed });

  it('takes all, one, a category, or some', () => {
    assert.deepEqual(of(undefined), ['cli/a', 'cli/b', 'web/c', 'web/d']);
    assert.deepEqual(of(['cli/b']), ['cli/b']);
    assert.deepEqual(of([web]), ['web/c', 'web/d']);
    assert.deepEqual(of([web, 'cli/a'], ['web/d']), ['cli/a', 'web/c']);
    assert.deepEqual(of(undefined, [web]), ['cli/a', 'cli/b']);
  });

  it('takes only what is not green for "failed"', () => {
    assert.deepEqual(of(undefined, [], true), ['cli/b', 'web/c']);
    assert.deepEqual(of(['cli/a'], [], true), []);
  });
});
