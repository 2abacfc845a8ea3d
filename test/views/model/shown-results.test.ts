/** A result stays visible as long as it belongs to the present code, whoever ran it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ShownResults } from '../../../src/views/model/shown-results.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { testCategories, type TestVerification } from '../../../src/views/model/test-items.ts';
import { begun, built, verification, ended, ref, run, settledBy, start, stateOf } from './sample.ts';

const verificationsOf = (...drafts: Parameters<typeof stateOf>): TestVerification[] =>
  testCategories(sprintView(stateOf(...drafts), start)).flatMap(({ verifications }) => verifications);

const passed = verificationsOf(...built);
const moved = [...built, begun('5', 'execute', 'T2'), ended('5', settledBy('T2', 2))];
const pending = verificationsOf(...moved);
const rerun = verificationsOf(
  ...moved,
  begun('6', 'run-verifications'),
  ended('6', { fact: 'verification.ran', run: run(3, { code: 2 }) }),
);

describe('results in the Test Explorer', () => {
  it('are reported once, until there are new ones', () => {
    const results = new ShownResults();
    const report = (verifications: TestVerification[]) => [
      results.outdated(verifications),
      results.news(verifications).map(({ latest }) => latest.report.outcome),
    ];
    assert.deepEqual(
      [report(passed), report(passed), report(pending), report(pending), report(rerun)],
      [
        [[], ['passed']],
        [[], []],
        [['value/adds'], []],
        [[], []],
        [[], ['failed']],
      ],
    );
  });

  it('are reported anew once they are forgotten, but for those of runs by the person', () => {
    const results = new ShownResults();
    const news = (): number => results.news(passed).length;
    assert.deepEqual([news(), news()], [1, 0]);
    results.forget();
    assert.deepEqual([news(), news()], [1, 0]);
    for (const one of passed) results.ran(one);
    results.forget();
    assert.equal(news(), 0);
  });

  it('of a run by the person are outdated by a change of the code or of the sprint, and by nothing else', () => {
    const results = new ShownResults();
    const [one] = pending;
    assert.ok(one);
    results.ran(one);
    assert.deepEqual([results.outdated(pending), results.news(pending)], [[], []]);
    const later = verificationsOf(...moved, begun('7', 'execute', 'T1'), ended('7', settledBy('T1', 3)));
    assert.deepEqual([results.outdated(later), results.outdated(later)], [['value/adds'], []]);
    results.ran(one);
    assert.deepEqual(results.outdated(rerun), [], 'a new run on the same code');
    assert.deepEqual(
      results.outdated(pending.map((other) => ({ ...other, subject: other.subject.replace('loop/notes', 'loop/other') }))),
      ['value/adds'],
      'another sprint',
    );
  });

  it('of a run by the person are outdated by another script on the same code, for example an adopted edit', () => {
    const results = new ShownResults();
    const [one] = pending;
    assert.ok(one);
    results.ran(one);
    const adopted = verificationsOf(...moved, {
      type: 'person.said',
      facts: [{ fact: 'verification.adopted', verification: { ...verification, script: ref('9') } }],
    });
    assert.deepEqual([results.outdated(adopted), results.outdated(adopted)], [['value/adds'], []]);
  });
});
