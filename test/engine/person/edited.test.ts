/** When the person edits the file of a verification, Loop reports it once and records the text (I10). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderHistory } from '../../../src/engine/render/history.ts';
import { runVerifications } from '../../../src/engine/run/batch.ts';
import { setEditsAside } from '../../../src/engine/person/edits.ts';
import { world } from '../../support/fakes.ts';
import { historyView } from '../../../src/views/model/history-view.ts';
import { refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play } from '../support/play.ts';

describe('an edited verification', () => {
  it('is recorded once, between two decisions, as a fact with its text, and is shown in the history', async () => {
    const w = world();
    await w.payloads.put('script of value/total');
    const kept = '.loop/verifications/value/total.edited-1.sh';
    w.verifications.edited.set('value/total', 'exit 0');
    w.journal.events.push(...p.awaiting().begin('run-verifications').events);
    const { context, kernel } = play(w);
    const batch = { verifications: [p.verification()], at: 'worktree', where: 'tree', code: 0 } as const;
    await setEditsAside(context, true);
    const [run] = await runVerifications(context, batch);
    await setEditsAside(context, true);
    const recorded = w.journal.events.filter((e) => e.type === 'person.said');
    const fact = { fact: 'verification.edited', id: 'value/total', lineage: 'value/total', kept, text: refOf('exit 0'), atWork: true };
    assert.deepEqual(
      recorded.map((e) => e.facts),
      [[fact]],
    );
    assert.equal(await w.payloads.get(fact.text), 'exit 0', 'its text is stored as a payload');
    assert.ok(run);
    await kernel.append({ type: 'step.ended', id: context.open.id, outcome: 'done', facts: [{ fact: 'verification.ran', run }] });
    assert.match(
      renderHistory(kernel.state, p.verification()),
      /^### Attempt 1.*\n\n.*\nwrong total\n\nThe file of the verification was edited, while agents were at work; .*edited-1\.sh, and did not run\. .*\n\n### Attempt 2: green/,
    );
    const view = await historyView(kernel.state, 'value/total', () => Promise.resolve(''));
    assert.deepEqual(
      view?.story.map((item) => (item.type === 'edit' ? item.kept : item.type)),
      ['attempt', kept, 'attempt'],
    );
  });
});
