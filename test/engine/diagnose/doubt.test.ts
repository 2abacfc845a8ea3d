/** A fixer calls the check wrong (I8): QC is asked, on fuel of the lineage that nothing refills (I4), and what it says stands. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { renderHistory } from '../../../src/engine/render/history.ts';
import { openDoubt } from '../../../src/engine/diagnose/doubt.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { changed, refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const wrong = { evidence: 'the PRD says 5, the script 6', script: p.check().script };
const report = {
  ...p.byFix,
  signature: 'test_failure-1',
  fixApplied: 'nothing',
  filesChanged: [],
  reasoning: 'it is the script',
  wrong,
};
const doubted = (story: Story = p.awaiting()): Story => story.act('fix', { fact: 'fix.reported', step: 's12', report });
const upheld: Fact = { fact: 'check.upheld', lineage: 'value/total', script: p.check().script, why: 'requirement 1 says 6' };
const due = ({ state }: Story) => actions['generate-checks'].due(state);

describe('a check in doubt', () => {
  it('makes generate-checks due for it, on fuel of its lineage', () => {
    const why = 'value/total may be wrong';
    assert.deepEqual(due(doubted()), [{ target: 'value/total', burns: ['rewrite/value/total'], why }]);
    assert.deepEqual(due(p.awaiting()), []);
  });

  it('is in doubt no more once QC answered, or wrote it again, under a new name too', () => {
    assert.deepEqual(due(doubted().act('generate-checks', upheld)), []);
    const script = refOf('new');
    assert.deepEqual(due(doubted().act('generate-checks', { fact: 'check.written', check: p.check({ script }) })), []);
    const renamed: Fact = { fact: 'check.written', check: p.check({ id: 'value/sum', script }) };
    assert.deepEqual(due(doubted().act('generate-checks', renamed, { fact: 'check.retired', id: 'value/total', why: 'x' })), []);
  });

  it('stays in doubt when the answer is about another script', () => {
    const other: Fact = { fact: 'check.upheld', lineage: 'value/total', script: refOf('other'), why: 'x' };
    const story = doubted().act('generate-checks', other);
    assert.equal(openDoubt(story.state, p.check())?.step, 's12');
  });

  it('keeps doubt and answer over an undo, and tells them to the next fixer', () => {
    const change = p.change({ n: 1, author: p.byFix, step: 's12' });
    const why = 'it says that the verification is wrong: the PRD says 5, the script 6';
    const story = doubted().act('fix', { fact: 'tree.changed', change });
    story.act('settle', { fact: 'tree.undone', change, why, broke: [] });
    assert.equal(due(story).length, 1);
    story.act('generate-checks', upheld);
    const told = renderHistory(story.state, p.check());
    assert.ok(told.includes(`Outcome: undone, ${why}; QC answers that it is right: requirement 1 says 6`), told);
  });

  it('shows in its history where it was written again', () => {
    const script = refOf('new');
    const story = doubted().act('run-checks', { fact: 'check.ran', run: p.run({ n: 2, script, verdict: 'red' }) });
    const told = renderHistory(story.state, p.check({ script }));
    assert.match(told, /^### Attempt 1: red, exit status 1\n/);
    assert.match(told, /### Attempt 2: red, exit status 1 \(the verification was written again\)/);
  });

  it('leaves another round of generation due beside it', () => {
    const state = changed(doubted().state, (s) => {
      s.work.requirements.push({ id: '2', title: 'Tax', line: 9 });
    });
    assert.deepEqual(actions['generate-checks'].due(state).map((d) => d.target), ['plan', 'value/total']); // prettier-ignore
  });
});

describe('a suite in doubt', () => {
  const guard = { suite: 'unit', files: ['test/**'], without: [] };
  const suite = p.check({ id: 'suite/unit', lineage: 'suite/unit', category: 'suite', prd: [], red: '', guard });
  const again: Fact = { fact: 'check.written', check: { ...suite, script: refOf('suite without b'), guard: { ...guard, without: ['test/b.sh'] } } }; // prettier-ignore
  const right: Fact = {
    fact: 'check.upheld',
    lineage: suite.lineage,
    script: suite.script,
    why: 'no requirement asks for cents',
  };

  /** A fixer calls it wrong, QC answers, and then it takes back work of T3. */
  function answered(...answer: Fact[]): Story {
    const story = p.planned().act('characterise', { fact: 'check.written', check: suite });
    const claim = { lineage: suite.lineage, check: suite.id, wrong: { ...wrong, script: suite.script } };
    story.act('fix', { fact: 'fix.reported', step: 's12', report: { ...report, ...claim } });
    story.begin('generate-checks', suite.id, ['rewrite/suite/unit']).end(...answer);
    assert.deepEqual(due(story).filter((d) => d.target === suite.id), []); // prettier-ignore
    const change = p.change({ author: { kind: 'task', task: 'T3' } });
    return story.act('settle', { fact: 'tree.undone', change, why: 'it broke suite/unit', broke: [suite.id] });
  }

  for (const [how, answer] of [
    ['that it is right', right],
    ['by another', again],
  ] as const)
    it(`and answered ${how} is shown to QC for the work that it takes back, once`, () => {
      const story = answered(answer);
      const why = 'work of T3 broke suite/unit, and was taken back';
      assert.deepEqual(due(story).filter((d) => d.target === suite.id), [{ target: suite.id, burns: ['rewrite/suite/unit'], why }]); // prettier-ignore
      story.begin('generate-checks', suite.id, ['rewrite/suite/unit']).end();
      assert.deepEqual(due(story).filter((d) => d.target === suite.id), []); // prettier-ignore
    });
});
