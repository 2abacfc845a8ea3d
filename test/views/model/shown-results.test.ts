/** A result is shown as long as it speaks of the code as it is, whoever ran it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ShownResults } from '../../../src/views/model/shown-results.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { testCategories, type TestCheck } from '../../../src/views/model/test-items.ts';
import { begun, built, check, ended, ref, run, settledBy, start, stateOf } from './sample.ts';

const checksOf = (...drafts: Parameters<typeof stateOf>): TestCheck[] =>
  testCategories(sprintView(stateOf(...drafts), start)).flatMap(({ checks }) => checks);

const passed = checksOf(...built);
const moved = [...built, begun('5', 'execute', 'T2'), ended('5', settledBy('T2', 2))];
const pending = checksOf(...moved);
const rerun = checksOf(...moved, begun('6', 'run-checks'), ended('6', { fact: 'check.ran', run: run(3, { code: 2 }) }));

describe('results in a Test Explorer', () => {
  it('are told once, until there are others', () => {
    const results = new ShownResults();
    const told = (checks: TestCheck[]) => [
      results.outdated(checks),
      results.news(checks).map(({ latest }) => latest.report.outcome),
    ];
    assert.deepEqual([told(passed), told(passed), told(pending), told(pending), told(rerun)], [
      [[], ['passed']],
      [[], []],
      [['value/adds'], []],
      [[], []],
      [[], ['failed']],
    ]); // prettier-ignore
  });

  it('of a person are outdated too by another code, and by nothing else', () => {
    const results = new ShownResults();
    const [one] = pending;
    assert.ok(one);
    results.ran(one);
    assert.deepEqual([results.outdated(pending), results.news(pending)], [[], []]);
    const later = checksOf(...moved, begun('7', 'execute', 'T1'), ended('7', settledBy('T1', 3)));
    assert.deepEqual([results.outdated(later), results.outdated(later)], [['value/adds'], []]);
    results.ran(one);
    assert.deepEqual(results.outdated(rerun), [], 'the same code');
    assert.deepEqual(
      results.outdated(pending.map((other) => ({ ...other, subject: other.subject.replace('loop/notes', 'loop/other') }))),
      ['value/adds'],
      'of another sprint',
    );
  });

  it('of a person are outdated by another script on the same code, as when they adopted an edit', () => {
    const results = new ShownResults();
    const [one] = pending;
    assert.ok(one);
    results.ran(one);
    const adopted = checksOf(...moved, {
      type: 'person.said',
      facts: [{ fact: 'check.adopted', check: { ...check, script: ref('9') } }],
    });
    assert.deepEqual([results.outdated(adopted), results.outdated(adopted)], [['value/adds'], []]);
  });
});
