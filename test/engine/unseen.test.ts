/** What those who judge found and no verification sees goes to QC, and what proofs left open goes to those who judge. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { unseenFindings } from '../../src/engine/judge/unseen.ts';
import { leftOpenText } from '../../src/engine/render/left-open.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import { assessmentFacts } from '../../src/engine/work/assessment.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { says, world } from '../support/fakes.ts';
import { changed, refOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

function reported(name: 'report_vrc' | 'report_evaluation', unseen: string[], story: Story): Fact[] {
  const [tool] = toolsNamed([name]);
  assert.ok(tool?.kind === 'report');
  const gap = { id: 'g1', description: 'a total of four is wrong', severity: 'degraded', unseen_by: unseen };
  const finding = {
    severity: 'degraded',
    description: 'a total of four is wrong',
    user_impact: 'wrong bill',
    evidence: 'ran it',
    unseen_by: unseen,
  };
  const vrc = {
    value_score: 1,
    deliverables_verified: 1,
    deliverables_total: 1,
    recommendation: 'SHIP_READY',
    summary: 'fine',
    gaps: [gap],
  };
  const evaluation = {
    summary: 'I used it for an hour. '.repeat(8),
    findings: [finding],
    criteria: [{ id: 'value/tone', met: true, evidence: 'I read it and it is kind.' }],
    assessment: p.assessment,
  };
  const call = tool.input.parse(name === 'report_vrc' ? vrc : evaluation);
  return tool.handle(call, { state: story.state, target: name === 'report_vrc' ? 'vrc' : 'evaluation', step: 's9', kept: refOf('kept') })
    .facts;
}
const wanted = ({ state }: Story): string[] => writeVerifications.due(state).map(({ why }) => why);
const why = 'nothing that can be trusted, and sees enough, verifies 1';

describe('a finding that no verification sees', () => {
  for (const name of ['report_vrc', 'report_evaluation'] as const)
    it(`of ${name} makes QC write one for the requirement, until one was written`, () => {
      const story = p.proven();
      assert.deepEqual(wanted(story), []);
      story.act('final', ...reported(name, ['value/total'], story));
      assert.deepEqual(unseenFindings(story.state), [{ requirement: '1', what: 'a total of four is wrong', by: ['value/total'] }]);
      assert.deepEqual(wanted(story), [why]);
      const again = p.verification({ script: refOf('written again') });
      const beside = p.verification({ id: 'value/four', lineage: 'value/four', script: refOf('four') });
      for (const verification of [again, beside]) {
        const written = changed(story.state, (state) => void (state.work.verifications[verification.id] = verification));
        assert.deepEqual(unseenFindings(written), []);
      }
    });

  it('is told to QC with what was found', async () => {
    const story = p.proven();
    story.act('final', ...reported('report_vrc', ['value/total'], story)).begin('write-verifications', 'settled', ['generate/settled']);
    const w = await staged(world({ answers: [says('I look.')] }), story);
    await writeVerifications.run('settled', play(w).context).catch(() => undefined);
    assert.match(JSON.stringify(w.model.asked[0]), /- 1, not seen by value\/total: a total of four is wrong/);
  });

  it('names verifications that there are', () => {
    assert.throws(
      () => reported('report_vrc', ['value/none', 'value/tone'], p.proven()),
      new ToolError('unseen_by: there is no verification value/none, value/tone that runs; there are value/total.'),
    );
  });

  it('is one like any other where it names none, as in an older journal', () => {
    const story = p.proven();
    const facts = reported('report_evaluation', [], story);
    assert.ok(!JSON.stringify(facts).includes('unseen'));
    assert.deepEqual(assessmentFacts[1].parse(facts[1]), facts[1]);
    assert.deepEqual(wanted(story.act('final', ...facts)), []);
  });
});

describe('what proofs left open', () => {
  const measured = (outcome: 'seen' | 'unseen'): Fact => ({
    fact: 'verification.measured',
    measure: {
      lineage: 'value/total',
      script: p.verification().script,
      code: 1,
      trials: [1, 2, 3].map((line) => ({ path: 'total.sh', line, operator: 'arithmetic changed', was: `x=${line}`, now: 'x=9', outcome })),
      reached: {},
      limits: [],
    },
  });

  it('is which faults are not seen, what was assumed, and which values stand in the code', () => {
    const { state } = p.proven().act('measure', measured('unseen'));
    const asked = changed(state, (s) => {
      Object.assign(s.work.context ?? {}, { unresolvedQuestions: ['Which currency? Taken: EUR.'] });
      s.ledger.humanActions['H1'] = p.humanAction({ status: 'skipped', action: 'Send last year’s bills' });
    });
    const text = leftOpenText(asked, [{ path: 'total.sh', from: 3, to: 5, values: ['7', 'Ada'], kind: 'table' }]);
    assert.match(text, /- 1 \(Totals\) is weak: it sees 0 of 3 faults.*\n {2}- not seen: "x=9" for "x=1" in total\.sh:1\n/);
    assert.match(text, /- Which currency\? Taken: EUR\.\n- the person did not do or say: Send last year’s bills\n/);
    assert.match(text, /- total\.sh:3-5: "7", "Ada", beside each other, as in a table or a chain of conditions$/);
  });

  it('is nothing where all is seen and nothing was assumed', () => {
    const { state } = p.proven().act('measure', measured('seen'));
    assert.equal(leftOpenText(state, []).match(/- none known/g)?.length, 3);
  });
});
