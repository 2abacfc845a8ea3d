/** Files and pages use the same words for the same thing, and show related things together. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderChecklist } from '../../../src/engine/render/checklist.ts';
import { renderIssues } from '../../../src/engine/render/issues.ts';
import { renderReport } from '../../../src/engine/render/report.ts';
import { renderServiceHistory } from '../../../src/engine/render/service-history.ts';
import { uncommittedWords } from '../../../src/engine/render/words.ts';
import type { FixRecord } from '../../../src/engine/work/fix.ts';
import { changed, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

const fixRecord: FixRecord = {
  ...p.byFix,
  answer: { kind: 'fixed' },
  signature: 'x',
  fixApplied: 'looked again',
  filesChanged: [],
  reasoning: 'x',
  step: 's9',
  after: 1,
  outcome: 'no change',
  why: 'no file was changed',
  files: [],
};

describe('a verification', () => {
  it('that waits for its work is described so, in checklist and report', () => {
    const { state } = p.awaiting();
    assert.match(renderChecklist(state), /^ {2}- value\/total: red, its work is not done yet, trusted: attempt 1 failed/m);
    assert.match(renderReport(state), /^ {2}- \[value\/total\].* \(red, its work is not done yet; never green\)$/m);
  });

  it('that did not run is described so, for every kind', () => {
    const { state } = p
      .planned()
      .act(
        'write-verifications',
        { fact: 'verification.written', verification: p.verification() },
        { fact: 'verification.written', verification: p.criterion() },
      );
    assert.match(renderChecklist(state), /- value\/total: no result yet, not trusted/);
    assert.match(renderChecklist(state), /: no result yet, judged by the evaluator$/m);
  });
});

describe('the message about uncommitted files', () => {
  it('gives their number, or says that it is unknown', () => {
    assert.match(uncommittedWords(1), /^1 file of your checkout has changes that are not committed: .* without them\.$/);
    assert.match(uncommittedWords(2), /^2 files of your checkout have changes that are not committed: /);
    assert.match(
      uncommittedWords(undefined),
      /^Git could not tell .* not committed \(git status tells, or says why not\): .* without any of it\.$/,
    );
    assert.equal(uncommittedWords(0), '');
  });
});

describe('the tried fixes', () => {
  it('are listed below their number, with their outcomes', () => {
    const state = changed(p.built().state, (s) => {
      s.work.tree = { ...s.work.tree, change: null };
      Object.assign(s.work.tasks['T1'] ?? {}, { status: 'done' });
      s.work.results = { 'value/total': { code: s.work.tree.code, verdict: 'red', signature: 'x', n: 1 } };
      s.ledger.fixes = { 'value/total': [fixRecord] };
      s.ledger.burned.lineage['value/total'] = 5;
    });
    assert.match(renderIssues(state) ?? '', /fixes tried: 1\n {2}- looked again \(changed nothing, no file was changed\)\n- Never green\./);
  });

  it('of a service are described in the same words', () => {
    const service = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 30 };
    const probe = {
      name: 'api',
      up: false,
      cause: 'exited' as const,
      why: 'it ended',
      exit: 1,
      code: 0,
      duration: 9,
      output: refOf('x'),
      excerpt: 'x',
    };
    const state = changed(p.awaiting().state, (s) => {
      s.work.context = s.work.context && { ...s.work.context, services: [service] };
      s.work.verifications = { 'value/total': p.verification({ requires: ['api'] }) };
      s.ledger.probes = { 'service api': [{ ...probe, code: s.work.tree.code, n: 1 }] };
      s.ledger.fixes = { 'service api': [fixRecord] };
      Object.assign(s.work.tasks['T1'] ?? {}, { status: 'done' });
      s.ledger.burned.service['api'] = 2;
    });
    assert.match(renderIssues(state) ?? '', /fixes tried: 1\n {2}- looked again \(changed nothing, no file was changed\)\n/);
    assert.match(renderServiceHistory(state, 'api'), /\nOutcome: changed nothing, no file was changed$/);
  });
});
