/** An undo is exact: tree and `work` go back together, and the ledger keeps what happened (I10). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fact } from '../../src/engine/work/facts.ts';
import * as s from './support/parts.ts';
import { tank } from '../../src/engine/state/fuel.ts';

describe('an undone change', () => {
  const undone: Fact = {
    fact: 'tree.undone',
    change: s.change({ step: 's12' }),
    why: 'it broke value/total',
    broke: ['value/total'],
  };

  it('takes work back exactly, whatever the session did to it', () => {
    const story = s.awaiting();
    const before = structuredClone(story.state.work);
    story
      .begin('execute', 'T1', ['execute/T1'])
      .end(
        { fact: 'task.reported', id: 'T1', report: s.report },
        { fact: 'task.added', task: s.task({ id: 'T2', source: 'final' }) },
        { fact: 'verification.written', verification: s.verification({ id: 'value/other' }) },
        { fact: 'verification.retired', id: 'value/total', why: 'x' },
        { fact: 'verification.deferred', requirements: ['1'], why: 'x' },
        { fact: 'tree.changed', change: s.change({ step: 's12' }) },
      );
    assert.notDeepEqual(story.state.work, before);
    story.act('settle', { fact: 'verification.ran', run: s.run({ n: 2, code: null, verdict: 'red' }) }, undone);
    assert.deepEqual(story.state.work, before);
  });

  it('leaves the ledger as it grew', () => {
    const story = s.built();
    const before = structuredClone(story.state.ledger);
    const failed = s.run({ n: 2, code: null, verdict: 'red' });
    story.begin('settle', '1', ['settle/1']).end({ fact: 'verification.ran', run: failed }, undone);
    const { ledger } = story.state;
    const decision = { action: 'settle', target: '1', why: 'because', burns: [tank('sprint'), tank('settle', '1')], behind: [] };
    assert.deepEqual(ledger, {
      ...before,
      ran: ledger.ran,
      burned: { ...before.burned, sprint: { '': (before.burned.sprint[''] ?? 0) + 1 }, settle: { '1': 1 } },
      decisions: [...before.decisions, { ...ledger.decisions.at(-1), decision, outcome: 'done' }],
      runs: { 'value/total': [...(before.runs['value/total'] ?? []), { ...failed, at: ledger.runs['value/total']?.at(-1)?.at }] },
      undone: [{ change: s.change({ step: 's12' }), why: 'it broke value/total', broke: ['value/total'] }],
    });
    assert.equal(ledger.changes, 1);
  });

  it('goes back to the last clean tree, also over a crash and a resume in between', () => {
    const story = s.awaiting();
    const before = structuredClone(story.state.work);
    story
      .begin('execute', 'T1')
      .resume()
      .end({ fact: 'task.reported', id: 'T1', report: s.report }, { fact: 'tree.changed', change: s.change() });
    story.begin('settle', '1').resume().end(undone, { fact: 'task.returned', id: 'T1', why: 'it broke value/total' });
    const tasks = { T1: { ...s.task(), setback: 'it broke value/total' } };
    assert.deepEqual(story.state.work, { ...before, tasks });
  });

  it('records an unreported fix as undone, with what it changed', () => {
    const story = s.proven().act('fix', { fact: 'tree.changed', change: s.change({ n: 2, author: s.byFix, step: 's20' }) });
    story.act('settle', { fact: 'tree.undone', change: s.change({ n: 2, author: s.byFix, step: 's20' }), why: 'not reported', broke: [] });
    const { files, patch } = s.change();
    const { kind: _, ...by } = s.byFix;
    const record = {
      ...by,
      answer: { kind: 'fixed' },
      signature: '',
      fixApplied: '(not reported)',
      filesChanged: [],
      reasoning: '',
      step: 's20',
      after: 3,
    };
    assert.deepEqual(story.state.ledger.fixes, { 'value/total': [{ ...record, outcome: 'undone', why: 'not reported', files, patch }] });
  });
});
