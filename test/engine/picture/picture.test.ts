/** The picture of a sprint is computed once for each event, and agrees with the judging functions. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { coverage, isCounted } from '../../../src/engine/judge/ending.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { trustOf } from '../../../src/engine/judge/trust.ts';
import { pictureOf, standingOf } from '../../../src/engine/picture/picture.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { changed } from '../support/events.ts';
import * as p from '../support/parts.ts';

describe('the picture of a state', () => {
  it('is computed once for all users, and again after each event', () => {
    const story = p.proven();
    const first = pictureOf(story.state);
    sprintView(story.state, 0);
    renderReport(story.state);
    assert.equal(pictureOf(story.state), first);
    story.act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 9, code: 1, verdict: 'red' }) });
    const second = pictureOf(story.state);
    assert.notEqual(second, first);
    assert.deepEqual([first.live[0]?.status, second.live[0]?.status], ['passed', 'failed']);
  });

  const states: [what: string, state: State][] = [
    ['is planned', p.planned().state],
    ['waits for its work', p.awaiting().state],
    ['is built', p.built().state],
    ['is green', p.green().state],
    ['is proven', p.proven().state],
    ['is delivered', p.delivered().state],
    ['lost a verification', p.proven().act('write-verifications', { fact: 'verification.retired', id: 'value/total', why: 'x' }).state],
    ['ran out of fixes', changed(p.green().state, (s) => void (s.ledger.burned.lineage['value/total'] = 99))],
  ];
  for (const [what, state] of states)
    it(`agrees with the judging functions for a sprint that ${what}`, () => {
      const picture = pictureOf(state);
      for (const { verification, status, trust, isCounted: counts } of picture.verifications)
        assert.deepEqual(
          [status, trust, counts],
          [statusOf(state, verification), trustOf(state, verification), isCounted(state, verification)],
          verification.id,
        );
      const proven = picture.requirements.map(({ requirement, provenBy }) => ({ requirement, provenBy }));
      assert.deepEqual(proven, coverage(state));
    });

  it('contains every verification, and throws for an unknown one', () => {
    const { state } = p.proven();
    assert.equal(standingOf(state, p.verification()).status, 'passed');
    assert.throws(() => standingOf(state, p.verification({ id: 'value/other' })), { message: 'there is no verification value/other' });
  });
});
