/** A fixer doubts the verification (I8): QC is asked, with fuel of the lineage that never refills (I4), and its answer holds. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { renderHistory } from '../../../src/engine/render/history.ts';
import { openDoubt } from '../../../src/engine/diagnose/doubt.ts';
import { canBurn, tank } from '../../../src/engine/state/fuel.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { changed, refOf, type Story } from '../support/events.ts';
import { calls, says, world } from '../../support/fakes.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

const answer = { kind: 'doubt' as const, evidence: 'the PRD says 5, the script 6', script: p.verification().script };
const report = {
  ...p.byFix,
  signature: 'test_failure-1',
  fixApplied: 'nothing',
  filesChanged: [],
  reasoning: 'it is the script',
  answer,
};
const doubted = (story: Story = p.awaiting()): Story => story.act('fix', { fact: 'fix.reported', step: 's12', report });
const upheld: Fact = {
  fact: 'verification.upheld',
  lineage: 'value/total',
  script: p.verification().script,
  why: 'requirement 1 says 6',
};
const due = ({ state }: Story) => actions['write-verifications'].due(state);

describe('a verification in doubt', () => {
  it('makes write-verifications due, with fuel of its lineage', () => {
    const why = 'value/total may be wrong';
    assert.deepEqual(due(doubted()), [{ target: 'value/total', burns: [tank('rewrite', 'value/total')], why }]);
    assert.deepEqual(due(p.awaiting()), []);
  });

  it('is not in doubt any more after QC answered or rewrote it, also under a new name', () => {
    assert.deepEqual(due(doubted().act('write-verifications', upheld)), []);
    const script = refOf('new');
    assert.deepEqual(
      due(doubted().act('write-verifications', { fact: 'verification.written', verification: p.verification({ script }) })),
      [],
    );
    const renamed: Fact = { fact: 'verification.written', verification: p.verification({ id: 'value/sum', script }) };
    assert.deepEqual(due(doubted().act('write-verifications', renamed, { fact: 'verification.retired', id: 'value/total', why: 'x' })), []);
  });

  it('stays in doubt when the answer is about another script', () => {
    const other: Fact = { fact: 'verification.upheld', lineage: 'value/total', script: refOf('other'), why: 'x' };
    const story = doubted().act('write-verifications', other);
    assert.equal(openDoubt(story.state, p.verification())?.step, 's12');
  });

  it('keeps the doubt and the answer after an undo, and shows them to the next fixer', () => {
    const change = p.change({ n: 1, author: p.byFix, step: 's12' });
    const why = 'it says that the verification is wrong: the PRD says 5, the script 6';
    const story = doubted().act('fix', { fact: 'tree.changed', change });
    story.act('settle', { fact: 'tree.undone', change, why, broke: [] });
    assert.equal(due(story).length, 1);
    story.act('write-verifications', upheld);
    const history = renderHistory(story.state, p.verification());
    assert.ok(history.includes(`Outcome: undone, ${why}; QC answers that it is right: requirement 1 says 6`), history);
  });

  it('shows in its history where it was rewritten', () => {
    const script = refOf('new');
    const story = doubted().act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 2, script, verdict: 'red' }) });
    const history = renderHistory(story.state, p.verification({ script }));
    assert.match(history, /^### Attempt 1: red, exit status 1\n/);
    assert.match(history, /### Attempt 2: red, exit status 1 \(the verification was written again\)/);
  });

  it('leaves another round of writing verifications due too', () => {
    const state = changed(
      doubted().state,
      (s) => void s.work.requirements.push({ id: '2', title: 'Tax', text: 'Tax', line: 9, lastLine: 9 }),
    );
    assert.deepEqual(
      actions['write-verifications'].due(state).map(({ target }) => target),
      ['plan', 'value/total'],
    );
  });
});

describe('a suite in doubt', () => {
  const suite = p.suite();
  const script = refOf('suite without b');
  const rewritten: Fact = { fact: 'verification.written', verification: p.suite({ script, without: ['test/b.sh'] }) };
  const suiteUpheld: Fact = {
    fact: 'verification.upheld',
    lineage: suite.lineage,
    script: suite.script,
    why: 'no requirement asks for cents',
  };

  /** A fixer doubts the suite, QC answers, and then work of T3 that broke it is undone. */
  function answered(...answers: Fact[]): Story {
    const story = p.planned().act('characterise', { fact: 'verification.written', verification: suite });
    const claim = { lineage: suite.lineage, verification: suite.id, answer: { ...answer, script: suite.script } };
    story.act('fix', { fact: 'fix.reported', step: 's12', report: { ...report, ...claim } });
    story.begin('write-verifications', suite.id, ['rewrite/suite/unit']).end(...answers);
    assert.deepEqual(
      due(story).filter((d) => d.target === suite.id),
      [],
    );
    const change = p.change({ author: { kind: 'task', task: 'T3' } });
    return story.act('settle', { fact: 'tree.undone', change, why: 'it broke suite/unit', broke: [suite.id] });
  }

  for (const [how, fact] of [
    ['that it is right', suiteUpheld],
    ['with a new text', rewritten],
  ] as const)
    it(`that QC answered ${how} is shown to QC once more, for the undone work`, () => {
      const story = answered(fact);
      const why = 'T3 broke suite/unit, and was taken back';
      assert.deepEqual(
        due(story).filter((d) => d.target === suite.id),
        [{ target: suite.id, burns: [tank('rewrite', suite.lineage)], why }],
      );
      story.begin('write-verifications', suite.id, ['rewrite/suite/unit']).end();
      assert.deepEqual(
        due(story).filter((d) => d.target === suite.id),
        [],
      );
    });
});

describe('verifications that one fixer doubts for one reason', () => {
  const other = p.verification({ id: 'value/other', lineage: 'value/other', script: refOf('script of value/other') });
  const said = (step: string, lineage: string, script: string): Fact => ({
    fact: 'fix.reported',
    step,
    report: { ...report, lineage, verification: lineage, answer: { ...answer, script } },
  });
  const both = (step = 's12'): Story =>
    p
      .awaiting()
      .act('write-verifications', { fact: 'verification.written', verification: other })
      .act('fix', said('s12', 'value/total', p.verification().script), said(step, 'value/other', other.script));
  const burns = (story: Story): string[][] => due(story).map((one) => one.burns.map(({ key }) => key));

  it('go to QC together, and each burns its own fuel', () => {
    assert.deepEqual(
      due(both()).map(({ target, why }) => [target, why]),
      [['value/total', 'value/total may be wrong, value/other for the same reason']],
    );
    assert.deepEqual(burns(both()), [['value/total', 'value/other']]);
    assert.deepEqual(burns(both('s13')), [['value/total'], ['value/other']], 'two fixers, two reasons');
  });

  it('go alone where another has no fuel, and in a sprint that an older version opened', () => {
    const state = changed(both().state, (s) => void (s.opened.rules = 1));
    assert.equal(actions['write-verifications'].due(state).length, 2);
    const spent = both();
    while (canBurn(spent.state.ledger, [tank('rewrite', 'value/other')]))
      spent.begin('write-verifications', 'value/other', ['rewrite/value/other']).end();
    assert.deepEqual(burns(spent), [['value/total'], ['value/other']]);
  });

  it('are shown in one session, which ends once each has an answer', async () => {
    const uphold = (verification?: string) =>
      calls(['uphold_verification', { why: 'requirement 1 says just that', ...(verification === undefined ? {} : { verification }) }]);
    const asked = async (...answers: ReturnType<typeof says>[]) => {
      const story = both().begin('write-verifications', 'value/total', ['rewrite/value/total', 'rewrite/value/other']);
      const w = await staged(world({ answers }), story);
      await w.payloads.put('script of value/other');
      const { context } = play(w);
      const facts = await actions['write-verifications'].run('value/total', context);
      return { facts, requests: w.model.asked, open: [p.verification(), other].map((one) => openDoubt(context.state, one) !== undefined) };
    };
    const { requests, facts, open } = await asked(uphold(), uphold('value/other'));
    assert.deepEqual([requests.length, facts, open], [2, [], [false, false]]);
    assert.match(JSON.stringify(requests[0]), /The same fixer said it of these as well.*### value\/other.*script of value\/other/);
    const once = await asked(
      calls(
        ...['value/other', 'value/total'].map((verification): [string, object] => [
          'uphold_verification',
          { why: 'requirement 1 says just that', verification },
        ]),
      ),
    );
    assert.deepEqual([once.requests.length, once.open], [1, [false, false]], 'two answers in one reply');
    const half = await asked(uphold(), says('done'), says('done'));
    assert.deepEqual(half.open, [false, true], 'what has no answer stays in doubt');
  });
});

describe('the script that QC writes again for a doubt', () => {
  const text = (n: number): string => `# TEST: totals are right\n# PRD: 1\n# RED: wrong total\n./total.sh ${n}`;
  const write = (n: number) => calls(['write_verification', { path: 'value/total.sh', content: text(n) }]);

  /** @param outputs of the runs of each script that it writes, which are red. */
  const reviewed = async (answers: ReturnType<typeof says>[], outputs: readonly string[]) => {
    const story = doubted().begin('write-verifications', 'value/total', ['rewrite/value/total']);
    const w = await staged(world({ answers }), story);
    const written = new Map<string, string>();
    w.runner.decide = (_, { run }) => {
      const key = JSON.stringify(run);
      if (!written.has(key)) written.set(key, outputs[written.size] ?? '');
      return { exit: 1, output: written.get(key) ?? '' };
    };
    const facts = await actions['write-verifications'].run('value/total', play(w).context);
    return { facts, told: w.model.asked.map(({ messages }) => JSON.stringify(messages.at(-1))), notes: w.progress };
  };

  it('ends the session where it fails for its reason', async () => {
    const { told } = await reviewed([write(1)], ['wrong total: 5']);
    assert.equal(told.length, 1);
  });

  it('is written with others of the same reply, and its writer reads first what was refused of these', async () => {
    const other = (n: number): [string, object] => ['write_verification', { path: 'value/other.sh', content: text(n) }];
    const both = calls(['write_verification', { path: 'value/total.sh', content: text(1) }], other(2));
    const { told } = await reviewed([both, says('done')], ['wrong total: 5', 'wrong total: 5']);
    assert.equal(told.length, 2);
    assert.match(told[1] ?? '', /Verification value\/total written.*This session is about value\/total/);
  });

  it('is mended by who wrote it where it fails for another one', async () => {
    const { told } = await reviewed([write(1), write(2)], ['line 4: syntax error', 'wrong total: 5']);
    assert.equal(told.length, 2);
    assert.match(told[1] ?? '', /red, but not for its reason, so it proves nothing/);
  });

  it('stays as it is where nobody mends it, once its writer has read that', async () => {
    const { told, facts, notes } = await reviewed([write(1), says('The work ends by an error of its own.')], ['Traceback']);
    assert.deepEqual([told.length, facts], [2, []]);
    assert.deepEqual(
      notes.filter(({ kind }) => kind === 'note'),
      [],
      'the session did what it was asked for',
    );
  });
});
