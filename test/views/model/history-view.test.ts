import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { historyView } from '../../../src/views/model/history-view.ts';
import { refsOf } from '../../../src/views/model/history-refs.ts';
import type { Draft } from '../../../src/engine/events.ts';
import { begun, built, check, ended, green, ref, run, stateOf } from './sample.ts';

const texts: Record<string, string> = { [ref('a')]: 'exit 1', [ref('e')]: '-old\n+new', [ref('f')]: '-x' };
const get = async (address: string): Promise<string> => {
  const text = texts[address];
  if (text === undefined) return Promise.reject(new RangeError(address));
  return text;
};

const change = {
  n: 2,
  author: { kind: 'fix' as const, lineage: check.lineage, check: check.id },
  step: 's-fix',
  files: [{ path: 'src/a.ts', kind: 'modified' as const }],
  patch: ref('e'),
};

/** Red again after it was green; a fix is kept, and it is green again. */
const mended: Draft[] = [
  begun('5', 'run-checks'),
  ended('5', { fact: 'check.ran', run: run(3, { code: 1, timedOut: true, exit: null, duration: 30_000, kind: 'timeout' }) }),
  begun('6', 'fix', check.id),
  ended(
    '6',
    {
      fact: 'fix.reported',
      step: 's-fix',
      report: {
        lineage: check.lineage,
        check: check.id,
        signature: 'sig-1',
        fixApplied: 'closed the file',
        filesChanged: ['src/b.ts'],
        reasoning: 'it hung',
      },
    },
    {
      fact: 'tree.settled',
      settled: { code: 2, commit: '2'.repeat(40), author: change.author, step: 's-fix', files: change.files, patch: ref('e') },
    },
    { fact: 'check.ran', run: run(4, { ...green, code: 2 }) },
  ),
];

describe('historyView', () => {
  it('tells the whole story of a failure, in order', async () => {
    const history = await historyView(stateOf(...built, ...mended), check.id, get);
    assert.deepEqual(history?.story, [
      attempt(1, 'red', 'exit 1 after 400 ms', { failure: 'test failure', summary: 'no note', excerpt: 'no note was added' }),
      attempt(2, 'green', 'exit 0 after 400 ms', { summary: 'it passed' }),
      attempt(3, 'red', 'timed out after 30.0 s', { failure: 'timeout', summary: 'no note', excerpt: 'no note was added' }),
      {
        type: 'fix',
        step: 's-fix',
        after: 3,
        fixApplied: 'closed the file',
        reasoning: 'it hung',
        claimed: ['src/b.ts'],
        changed: [{ path: 'src/a.ts', kind: 'modified' }],
        outcome: 'kept',
        outcomeWords: 'kept',
        why: 'nothing that was green broke',
        diff: { text: '-old\n+new', ref: ref('e') },
      },
      attempt(4, 'green', 'exit 0 after 400 ms', { summary: 'it passed' }),
    ]);
    assert.deepEqual([history?.status, history?.statusWords, history?.script.text], ['passed', 'passed', 'exit 1']);
  });

  it('has nothing to say of a verification that does not exist', async () => {
    assert.equal(await historyView(stateOf(...built), 'value/other', get), undefined);
  });

  it('shows the rest when a payload is lost', async () => {
    const state = stateOf(...built, ...mended);
    const history = await historyView(state, check.id, () => Promise.reject(new RangeError('gone')));
    assert.match(history?.script.text ?? '', /missing/);
    assert.equal(history?.story.length, 5);
  });

  it('names those that fail the same way now, and not those that did once', async () => {
    const other = { ...check, id: 'value/lists', lineage: 'value/lists', title: 'lists' };
    const past = { ...check, id: 'value/past', lineage: 'value/past', title: 'past' };
    const state = stateOf(
      ...built,
      begun('5', 'run-checks'),
      ended(
        '5',
        { fact: 'check.written', check: other },
        { fact: 'check.written', check: past },
        { fact: 'check.ran', run: run(1, { check: other.id, lineage: other.lineage }) },
        { fact: 'check.ran', run: run(1, { check: past.id, lineage: past.lineage }) },
        { fact: 'check.ran', run: run(2, { check: past.id, lineage: past.lineage, signature: 'sig-2' }) },
      ),
    );
    assert.deepEqual((await historyView(state, check.id, get))?.siblings, [{ id: 'value/lists', title: 'lists' }]);
  });

  it('shows the changes that were taken back because they broke it', async () => {
    const undone = { ...change, author: { kind: 'task' as const, task: 'T2' }, patch: ref('f') };
    const state = stateOf(
      ...built,
      begun('5', 'execute', 'T2'),
      ended('5', { fact: 'tree.undone', change: undone, why: 'it broke value/adds', broke: [check.id] }),
    );
    const history = await historyView(state, check.id, get);
    assert.deepEqual(history?.undone, [
      { step: 's-fix', author: 'T2', why: 'it broke value/adds', files: change.files, diff: { text: '-x', ref: ref('f') } },
    ]);
  });

  it('offers to open exactly what it shows', async () => {
    const history = await historyView(stateOf(...built, ...mended), check.id, get);
    assert.deepEqual([...refsOf(history!)].sort(), [ref('1'), ref('2'), ref('3'), ref('4'), ref('a'), ref('e')]);
  });
});

function attempt(n: number, verdict: 'red' | 'green', words: string, rest: object): object {
  return {
    type: 'attempt',
    n,
    verdict,
    words,
    failure: null,
    note: '',
    summary: '',
    excerpt: '',
    output: ref(String(n)),
    ...rest,
  };
}
