/** What those who judge found and no verification sees goes to QC, and what proofs left open goes to those who judge. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { execute } from '../../src/engine/actions/execute.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { tasksFor } from '../../src/engine/actions/gap-tasks.ts';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { isShown } from '../../src/engine/judge/trust.ts';
import { unseenFindings } from '../../src/engine/judge/unseen.ts';
import { leftOpenText } from '../../src/engine/render/left-open.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { coveredTasks } from '../../src/engine/state/covers.ts';
import type { State } from '../../src/engine/state/state.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import { assessmentFacts } from '../../src/engine/work/assessment.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { says, world } from '../support/fakes.ts';
import { changed, refOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

function reported(name: 'report_vrc' | 'report_evaluation', unseen: string[], story: Story, severity = 'degraded'): Fact[] {
  const [tool] = toolsNamed([name]);
  assert.ok(tool?.kind === 'report');
  const gap = { id: 'g1', description: 'a total of four is wrong', severity, unseen_by: unseen };
  const finding = {
    severity,
    description: 'a total of four is wrong',
    user_impact: 'wrong bill',
    suggested_fix: 'add them',
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
  return tool.handle(
    { ...(call as object), uses: [] },
    { state: story.state, target: name === 'report_vrc' ? 'vrc' : 'evaluation', step: 's9', kept: refOf('kept') },
  ).facts;
}
const wanted = ({ state }: Story): string[] => writeVerifications.due(state).map(({ why }) => why);
const why = 'nothing that can be trusted, and sees enough, verifies 1';

describe('a finding that no verification sees', () => {
  for (const name of ['report_vrc', 'report_evaluation'] as const)
    it(`of ${name} makes QC write one for the requirement, until one was written`, () => {
      const story = p.proven();
      assert.deepEqual(wanted(story), []);
      story.act('final', ...reported(name, ['value/total'], story));
      assert.deepEqual(unseenFindings(story.state), [{ requirements: ['1'], what: 'a total of four is wrong', by: ['value/total'] }]);
      assert.deepEqual(wanted(story), [why]);
      const again = p.verification({ script: refOf('written again') });
      const beside = p.verification({ id: 'value/four', lineage: 'value/four', script: refOf('four') });
      for (const verification of [again, beside]) {
        const written = changed(story.state, (state) => void (state.work.verifications[verification.id] = verification));
        assert.deepEqual(unseenFindings(written), []);
      }
      const known = story.state.work.verifications['value/total']?.script ?? '';
      const helped = p.verification({ script: refOf('with another helper'), uses: ['a.sh'], sameCode: [known] });
      const rewritten = changed(story.state, (state) => void (state.work.verifications[helped.id] = helped));
      assert.equal(unseenFindings(rewritten).length, 1, 'another helper says nothing about the finding');
    });

  it('makes QC write nothing for polish; where an older version opened the sprint it does', () => {
    const story = p.proven();
    story.act('final', ...reported('report_evaluation', ['value/total'], story, 'polish'));
    assert.deepEqual(wanted(story), []);
    const older = { ...story.state, opened: { ...story.state.opened, rules: 2 } };
    assert.deepEqual(unseenFindings(older).length, 1);
  });

  it('is told to QC with what was found', async () => {
    const story = p.proven();
    story.act('final', ...reported('report_vrc', ['value/total'], story)).begin('write-verifications', 'settled', ['generate/settled']);
    const w = await staged(world({ answers: [says('I look.')] }), story);
    await writeVerifications.run('settled', play(w).context).catch(() => undefined);
    assert.match(JSON.stringify(w.model.asked[0]), /- 1, not seen by value\/total: a total of four is wrong/);
  });

  it('brings QC the text of what did not see it, without its helpers, and of nothing that is right', async () => {
    const text = '#!/bin/sh\n# --- helper sum.sh ---\nsum\n# --- end of helper sum.sh ---\nsh total.sh 4\n';
    const story = p.proven();
    const told = async (): Promise<string> => {
      const w = await staged(world({ answers: [says('I look.')] }), story.begin('write-verifications', 'settled', ['generate/settled']));
      w.payloads.texts.set(p.verification().script, text);
      await writeVerifications.run('settled', play(w).context).catch(() => undefined);
      story.end();
      return JSON.stringify(w.model.asked[0]);
    };
    assert.doesNotMatch(await told(), /sh total\.sh 4/);
    story.act('final', ...reported('report_vrc', ['value/total'], story));
    assert.match(await told(), /written again:\\n\\nvalue\/total:\\n\\n```\\n#!\/bin\/sh\\nsh total\.sh 4\\n/);
  });

  it('is told to the fixer of the verification that was written for it, with what was proposed, and to no other', async () => {
    const four = p.verification({ id: 'value/four', lineage: 'value/four', script: refOf('four') });
    const told = async (target: string): Promise<string> => {
      const story = p.proven();
      story.act('final', ...reported('report_evaluation', ['value/total'], story));
      story.act('write-verifications', { fact: 'verification.written', verification: four });
      story.act('execute', { fact: 'task.reported', id: 'T1', report: { ...p.report, notes: 'Whole cents\nonly.' } });
      const red = { verification: four.id, lineage: four.lineage, script: four.script, code: 1, verdict: 'red' as const };
      const shown = { summary: 'test failure, exit status 1\nwrong total', excerpt: 'wrong total\nexpected 4' };
      story.act('run-verifications', { fact: 'verification.ran', run: p.run({ ...red, ...shown }) });
      story.act('plan', { fact: 'task.added', task: p.task({ id: 'T2', prdSection: ['V1'], description: 'Thank the clerk' }) });
      story.begin('fix', target, [`lineage/${target}`]);
      const w = await staged(world({ answers: [says('I look.')] }), story);
      await w.payloads.put('four');
      await fix.run(target, play(w).context).catch(() => undefined);
      return JSON.stringify(w.model.asked[0]);
    };
    const own = await told('value/four');
    assert.match(
      own,
      /#### Found in use: a total of four is wrong\\n\\nFor its user: wrong bill\\n\\nProposed: add them\\n\\nSeen: ran it/,
    );
    assert.match(own, /- T1: [^\\]*\\n {2}- Noted by its builder: Whole cents only\.\\n/);
    assert.match(own, /Tasks that are not built yet:\\n\\n- T2 \(V1\): Thank the clerk\\n/);
    assert.match(own, /Nothing was tried yet\. Never green\./, 'a run alone is no attempt to mend it');
    assert.equal(own.split('wrong total').length, 2, 'a line of the output stands once');
    assert.doesNotMatch(await told('value/total'), /Found in use/);
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

describe('a finding that no verification sees, and that has to be mended', () => {
  const four = p.verification({ id: 'value/four', lineage: 'value/four', script: refOf('four') });
  const written: Fact = { fact: 'verification.written', verification: four };
  const ran = (over: Partial<Run>): Fact => ({
    fact: 'verification.ran',
    run: p.run({ verification: four.id, lineage: four.lineage, script: four.script, code: 1, ...over }),
  });
  const seen = (story: Story): Story => story.act('write-verifications', written).act('run-verifications', ran({ verdict: 'red' }));
  const fixed = ({ state }: Story): string[] => fix.due(state).map(({ target }) => target);
  const ready = ({ state }: Story): string[] => execute.due(state).map(({ target }) => target);
  const isDone = ({ state }: Story): boolean => state.work.tasks['G1'] !== undefined && isShown(state, state.work.tasks['G1']);

  for (const [name, source] of [
    ['report_vrc', 'vrc'],
    ['report_evaluation', 'evaluation'],
  ] as const) {
    const found = (): Story => {
      const story = p.proven();
      story.act('final', ...reported(name, ['value/total'], story, 'critical'));
      const { vrcs, evaluations } = story.state.ledger.assessments;
      return story.act('final', ...tasksFor(story.state, source, source === 'vrc' ? vrcs.at(-1) : evaluations.at(-1)));
    };

    it(`of ${name} is one thing: what is written for it waits for its task, and calls no fixer`, () => {
      const story = found();
      assert.deepEqual(wanted(story), [why]);
      seen(story);
      assert.deepEqual([fixed(story), ready(story), wanted(story)], [[], ['G1'], []]);
    });

    it(`of ${name} calls a fixer where its task left it red`, () => {
      const story = seen(found());
      story.begin('execute', 'G1', ['execute/G1']);
      const step = story.state.open?.id ?? '';
      const author = { kind: 'task' as const, task: 'G1' };
      story.end({ fact: 'task.reported', id: 'G1', report: p.report }, { fact: 'tree.changed', change: p.change({ step, author }) });
      const settled = p.settled({ code: 2, commit: 'c2', step, author, files: [{ path: 'total.sh', kind: 'modified' }] });
      story.act('settle', { fact: 'tree.settled', settled }, ran({ n: 2, code: 2, verdict: 'red' }));
      assert.deepEqual([fixed(story), ready(story)], [['value/four'], []]);
    });
  }

  it('leaves alone what did not see it: neither its coverage nor its proof waits for the task', () => {
    const story = p.proven();
    story.act('final', ...reported('report_evaluation', ['value/total'], story, 'critical'));
    story.act('final', ...tasksFor(story.state, 'evaluation', story.state.ledger.assessments.evaluations.at(-1)));
    const { work } = story.state;
    assert.deepEqual(work.tasks['G1']?.prdSection, ['1']);
    assert.deepEqual(
      coveredTasks(work, p.verification()).map(({ id }) => id),
      ['T1'],
    );
    assert.deepEqual(
      coveredTasks(work, four).map(({ id }) => id),
      ['T1', 'G1'],
    );
  });

  it('is shown done by what was written for it and other work turned green, never by what did not see it', () => {
    const story = p.proven();
    story.act('final', ...reported('report_evaluation', ['value/total'], story, 'critical'));
    story.act('final', ...tasksFor(story.state, 'evaluation', story.state.ledger.assessments.evaluations.at(-1)));
    assert.equal(isDone(story), false);
    seen(story);
    assert.equal(isDone(story), false);
    const settled = p.settled({ code: 2, commit: 'c2', files: [{ path: 'total.sh', kind: 'modified' }] });
    story.act('settle', { fact: 'tree.settled', settled }, ran({ n: 2, code: 2 }));
    assert.equal(isDone(story), true);
    const both = { ...p.task({ source: 'evaluation', prdSection: ['1', 'V1'] }), unseen: story.state.work.tasks['G1']?.unseen };
    assert.equal(isShown(story.state, both), true, 'one for any of the requirements is enough');
  });

  it('goes on by its old rule where an older version made the task: both are due', () => {
    const story = p.proven();
    story.act('final', ...reported('report_evaluation', ['value/total'], story, 'critical'));
    story.act('final', { fact: 'task.added', task: p.task({ id: 'G1', source: 'evaluation', prdSection: [] }) });
    seen(story);
    assert.deepEqual([fixed(story), ready(story)], [['value/four'], ['G1']]);
  });
});

describe('what proofs left open', () => {
  /** @param more lines in which faults are seen besides. */
  const measured = (outcome: 'seen' | 'unseen', more: number[] = []): Fact => ({
    fact: 'verification.measured',
    measure: {
      lineage: 'value/total',
      script: p.verification().script,
      code: 1,
      trials: [1, 2, 3, ...more].map((line) => ({
        path: 'total.sh',
        line,
        operator: 'arithmetic changed',
        was: `x=${line}`,
        now: 'x=9',
        outcome: more.includes(line) ? 'seen' : outcome,
      })),
      reached: {},
      limits: [],
    },
  });

  it('is which faults are not seen, what was assumed, and which values stand in the code', () => {
    const { state } = p.proven().act('measure', measured('unseen'));
    const asked = changed(state, (s) => {
      Object.assign(s.work.context ?? {}, { unresolvedQuestions: ['Which currency? Taken: EUR.'] });
      s.ledger.humanActions['H1'] = p.humanAction({ status: 'skipped', action: 'Send last year’s bills' });
      const [task] = Object.values(s.work.tasks);
      if (task?.report) Object.assign(task.report, { notes: 'Empty\nlines do not count.' });
    });
    const text = leftOpenText(asked, [{ path: 'total.sh', from: 3, to: 5, values: ['7', 'Ada'], kind: 'table' }]);
    assert.match(text, /^What no verification of these requirements sees, or why nobody can tell:\n- 1: "x=9" for "x=1" in total\.sh:1\n/);
    assert.match(
      text,
      /- Which currency\? Taken: EUR\.\n- the person did not do or say: Send last[^]*\nBuilders say, and nobody has checked it:\n- of T1: Empty lines do not count\.\n/,
    );
    assert.match(text, /- total\.sh:3-5: "7", "Ada", beside each other, as in a table or a chain of conditions$/);
  });

  it('leaves out what lies in a line in which a verification of another requirement sees a fault', () => {
    const other = (requirement: string, besides?: number[]): State => {
      const more = p.verification({ id: 'value/other', lineage: 'value/other', prd: [requirement] });
      const [seen] = [measured('seen')];
      assert.ok(seen?.fact === 'verification.measured');
      const measure = { ...seen.measure, lineage: 'value/other', trials: seen.measure.trials.slice(0, 1) };
      const { state } = p
        .proven()
        .act('write-verifications', { fact: 'verification.written', verification: more })
        .act('measure', measured('unseen', besides), { fact: 'verification.measured', measure });
      return state;
    };
    const left = leftOpenText(other('9'), []);
    assert.match(left, /nobody can tell:\n- 1: "x=9" for "x=2" in total\.sh:2\n- 1: "x=9" for "x=3" in total\.sh:3\n\n/);
    assert.match(leftOpenText(other('1'), []), /nobody can tell:\n- 1: "x=9" for "x=1" in total\.sh:1\n/);
    const inReport = (state: State): number | undefined =>
      /\n## What the proofs do not see\n\n.*\n\n(- [^]*?)\n\n## /.exec(renderReport(state))?.[1]?.split('\n').length;
    const [fair, alone] = [[11, 12, 13, 14, 15], p.proven()];
    assert.deepEqual([inReport(alone.act('measure', measured('unseen', fair)).state), inReport(other('9', fair))], [3, 2]);
    assert.equal(inReport(other('9')), 3, 'of a weak one all are told');
  });

  it('is also another reason for which a proof is no stronger, beside the fault that it does not see', () => {
    const found = measured('seen', [11, 12, 13, 14, 15, 16, 17, 18]);
    assert.ok(found.fact === 'verification.measured');
    const [first, ...others] = found.measure.trials;
    assert.ok(first);
    const measure = {
      ...found.measure,
      trials: [{ ...first, outcome: 'unseen' as const }, ...others],
      limits: ['it asks for known values'],
    };
    const { state } = p.proven().act('measure', { fact: 'verification.measured', measure });
    assert.match(leftOpenText(state, []), /nobody can tell:\n- 1: it asks for known values\n- 1: "x=9" for "x=1" in total\.sh:1\n\n/);
  });

  it('is nothing where all is seen and nothing was assumed', () => {
    const { state } = p.proven().act('measure', measured('seen'));
    assert.equal(leftOpenText(state, []).match(/- none known/g)?.length, 4);
  });
});
