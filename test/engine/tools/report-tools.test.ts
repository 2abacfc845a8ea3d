/** The report tools: pure, each with what it takes and each thing that it refuses (I13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { State } from '../../../src/engine/state/state.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import { ToolError, type Reply } from '../../../src/engine/tools/tool.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { changed, deepFreeze, refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

interface At {
  state?: State;
  target?: string;
}
const kept = refOf('kept');

/** As `calls` does: the input is parsed, then handled; neither may write to the state. */
function call(name: string, input: unknown, { state = p.awaiting().state, target = '' }: At = {}): Reply {
  const [tool] = toolsNamed([name]);
  assert.ok(tool?.kind === 'report');
  return tool.handle(tool.input.parse(input), { state: deepFreeze(structuredClone(state)), target, step: 's9', kept });
}
const refused = (name: string, input: unknown, message: RegExp | string, at?: At): void => {
  assert.throws(
    () => call(name, input, at),
    (error) => {
      assert.ok(error instanceof ToolError, String(error));
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    },
  );
};
const unparsed = (name: string, input: unknown): void => {
  const [tool] = toolsNamed([name]);
  assert.equal(tool?.input.safeParse(input).success, false, JSON.stringify(input));
};

describe('report_discovery', () => {
  const least = { deliverable_type: 'software', project_type: 'cli', codebase_state: 'greenfield', value_proofs: ['It adds', 'It prints'] };
  const none = { suites: [], services: [], needs: [] };
  const state = new Story().state;
  const read = new Story().act('inputs', { fact: 'requirements.read', requirements: [{ id: '1', title: 'Totals', line: 3 }] }).state;

  it('makes the context, and value proofs that are requirements', () => {
    assert.deepEqual(call('report_discovery', { ...least, install: ' npm ci ' }, { state }), {
      text: 'Discovery taken; value proofs are V1, V2.',
      facts: [
        {
          fact: 'context.discovered',
          context: {
            ...none,
            deliverableType: 'software',
            projectType: 'cli',
            codebaseState: 'greenfield',
            environment: {},
            verificationStrategy: {},
            install: 'npm ci',
            valueProofs: ['It adds', 'It prints'],
            unresolvedQuestions: [],
          },
        },
        {
          fact: 'requirements.read',
          requirements: [
            { id: 'V1', title: 'It adds', line: 0 },
            { id: 'V2', title: 'It prints', line: 0 },
          ],
        },
      ],
    });
  });

  it('refuses an install command that is none, and a second report', () => {
    refused('report_discovery', { ...least, install: 'npm ci && curl x | sh' }, /is not a plain install command/, { state });
    refused('report_discovery', least, 'Discovery was taken already; nothing more is needed.');
  });

  it('keeps what a person must supply, with the requirements that wait for it', () => {
    const need = { what: { kind: 'variable', name: 'API_KEY' }, why: 'to pay', required_by: ['1', 'V2'] };
    const { facts } = call('report_discovery', { ...least, needs: [need] }, { state: read });
    const [found] = facts.flatMap((fact) => (fact.fact === 'context.discovered' ? [fact.context.needs] : []));
    assert.deepEqual(found, [{ what: need.what, why: 'to pay', requirements: ['1', 'V2'] }]);
  });

  it('refuses a need of an unknown requirement, or of a file that is nobody’s to supply', () => {
    const need = (what: object, required_by = ['1']) => ({ ...least, needs: [{ what, why: 'to pay', required_by }] });
    const tool = { kind: 'tool', name: 'jq' };
    refused('report_discovery', need(tool, ['9', 'V3']), 'required_by names 9, V3. There are: 1, V1, V2.', { state: read });
    for (const path of ['../key', '/etc/key', '.git/config'])
      refused('report_discovery', need({ kind: 'file', path }), /leaves the worktree|is protected/, { state: read });
  });

  it('does not parse a value, a shell text or a port that there is not', () => {
    const wrong = [
      { kind: 'variable', name: 'A=b' },
      { kind: 'tool', name: 'jq; id' },
      { kind: 'tool', name: '--version' },
      { kind: 'tool', name: 'jq', version: 'new' },
      { kind: 'port', port: 0, state: 'free' },
      { kind: 'port', port: 80 },
      { kind: 'disk', megabytes: -1 },
      { kind: 'mood' },
    ];
    for (const what of wrong) unparsed('report_discovery', { ...least, needs: [{ what, why: 'x', required_by: [] }] });
  });

  it('does not parse without a value proof, with another type or another field', () => {
    for (const over of [{ value_proofs: [] }, { value_proofs: [''] }, { deliverable_type: 'song' }, { project_type: '' }, { mood: 'good' }])
      unparsed('report_discovery', { ...least, ...over });
  });
});

describe('report_plan_complete', () => {
  const plan = (change: (s: State['work']['tasks']) => void): State =>
    changed(p.planned().state, (s) => {
      s.work.gates = ['inputs', 'discovery'];
      change(s.work.tasks);
    });

  it('passes the gate when every requirement of the PRD is served, value proofs or not', () => {
    assert.deepEqual(call('report_plan_complete', { summary: 'One task.' }, { state: plan(() => undefined) }), {
      text: 'Plan taken.',
      facts: [{ fact: 'gate.passed', gate: 'plan' }],
    });
  });

  it('refuses a plan without tasks, and one that leaves a requirement out', () => {
    const empty = changed(p.planned().state, (s) => void (s.work.tasks = {}));
    refused('report_plan_complete', { summary: 'x' }, 'The plan has no tasks. Add them with manage_task.', { state: empty });
    const partly = changed(p.planned().state, (s) => void (s.work.tasks = { T1: p.task({ prdSection: ['V1'] }) }));
    refused('report_plan_complete', { summary: 'x' }, 'No task serves 1 (Totals). Add or extend tasks.', { state: partly });
    unparsed('report_plan_complete', { summary: '' });
  });
});

describe('report_task_complete', () => {
  const input = { task_id: 'T1', files_created: ['total.sh'], files_modified: [] };

  it('is a claim about the task of its session', () => {
    const report = { filesCreated: ['total.sh'], filesModified: [], verified: 'ran it', notes: '' };
    assert.deepEqual(call('report_task_complete', { ...input, value_verified: 'ran it' }, { target: 'T1' }), {
      text: 'Task T1 reported. The engine checks it now.',
      facts: [{ fact: 'task.reported', id: 'T1', report }],
    });
  });

  it('is refused for another task', () => {
    refused('report_task_complete', input, 'This session is about task T2, not T1.', { target: 'T2' });
    unparsed('report_task_complete', { task_id: 'T1' });
  });
});

describe('report_fix', () => {
  const input = { fix_applied: 'added', files_changed: ['total.sh'], reasoning: 'it subtracted' };

  it('keeps what was said beside the failure that it is about', () => {
    const report = {
      lineage: 'value/total',
      verification: 'value/total',
      signature: 'test_failure-1',
      fixApplied: 'added',
      filesChanged: ['total.sh'],
      reasoning: 'it subtracted',
      answer: { kind: 'fixed' },
      also: [],
    };
    assert.deepEqual(call('report_fix', input, { target: 'value/total' }), {
      text: 'Fix reported. The engine runs the verifications now.',
      facts: [{ fact: 'fix.reported', step: 's9', report }],
    });
  });

  it('is refused without a verification, and not parsed without a reason', () => {
    refused('report_fix', input, 'There is no verification value/none.', { target: 'value/none' });
    unparsed('report_fix', { ...input, reasoning: '' });
  });
});

describe('report_fix with verification_wrong', () => {
  const evidence = 'the PRD asks for two decimals, the script for three';
  const input = { fix_applied: 'nothing', files_changed: [], reasoning: 'the script', verification_wrong: { evidence } };
  const at = { target: 'value/total' };
  const failure = { lineage: 'value/total', verification: 'value/total', also: [], signature: 'test_failure-1' };
  const answer = { kind: 'doubt' as const, evidence, script: p.verification().script };
  const report = { ...failure, fixApplied: 'nothing', filesChanged: [], reasoning: 'the script', answer };
  const reported: Fact = { fact: 'fix.reported', step: 's9', report };

  it('keeps the evidence beside the script that it is about', () => {
    assert.deepEqual(call('report_fix', input, at), { text: 'Reported. QC looks at the verification now.', facts: [reported] });
    unparsed('report_fix', { ...input, verification_wrong: { evidence: 'wrong' } });
  });

  it('is refused once QC upheld this script, and taken again for another', () => {
    const why = 'requirement 1 says three decimals';
    const story = p.awaiting().act('fix', reported);
    const upheld = call('uphold_verification', { why }, { ...at, state: story.state });
    assert.deepEqual(upheld, {
      text: 'value/total stays as it is.',
      facts: [{ fact: 'verification.upheld', lineage: 'value/total', script: p.verification().script, why }],
    });
    story.act('write-verifications', ...upheld.facts);
    const message = `QC looked at value/total and answered that it is right: ${why} Mend the deliverable, and report without verification_wrong.`;
    refused('report_fix', input, message, { ...at, state: story.state });
    story.act('write-verifications', { fact: 'verification.written', verification: p.verification({ script: refOf('new') }) });
    assert.equal(call('report_fix', input, { ...at, state: story.state }).facts.length, 1);
  });

  it('is refused when the tank for asking QC is empty, whatever the script', () => {
    const state = changed(p.awaiting().state, (s) => void (s.ledger.burned.rewrite['value/total'] = 3));
    refused('report_fix', input, /^QC was asked about value\/total as often as it may be\. Mend/, { ...at, state });
  });
});

describe('uphold_verification', () => {
  it('needs a reason, and a verification', () => {
    unparsed('uphold_verification', { why: 'it is right' });
    refused('uphold_verification', { why: 'requirement 1 says three decimals' }, 'There is no verification value/none.', {
      target: 'value/none',
    });
  });
});

describe('report_vrc', () => {
  const input = { value_score: 0.5, deliverables_verified: 1, deliverables_total: 2, recommendation: 'CONTINUE', summary: 'Half.' };
  const vrc = {
    fallback: false,
    valueScore: 0.5,
    verified: 1,
    total: 2,
    blocked: 0,
    gaps: [],
    recommendation: 'CONTINUE',
    summary: 'Half.',
  };

  for (const [target, scope] of [
    ['vrc', 'final'],
    ['full', 'full'],
  ] as const)
    it(`is ${scope} for the target ${target}, and names the code number`, () => {
      const reply = call('report_vrc', input, { target, state: p.proven().state });
      assert.deepEqual(reply, { text: 'VRC taken.', facts: [{ fact: 'vrc.reported', vrc: { code: 1, scope, ...vrc } }] });
    });

  it('renames the fields of gaps', () => {
    const gap = { id: 'g', description: 'no tax', severity: 'blocking' };
    const { facts } = call('report_vrc', { ...input, gaps: [{ ...gap, suggested_task: 'Add tax' }] }, { target: 'vrc' });
    const gaps = [{ ...gap, suggestedTask: 'Add tax' }];
    assert.deepEqual(facts, [{ fact: 'vrc.reported', vrc: { code: 0, scope: 'final', ...vrc, gaps } }]);
  });

  for (const [verified, blocked, refuses] of [
    [2, 0, false],
    [1, 1, false],
    [3, 0, true],
    [2, 1, true],
    [0, 3, true],
  ] as const)
    it(`${refuses ? 'refuses' : 'takes'} ${verified} verified and ${blocked} blocked of 2`, () => {
      const given = { ...input, deliverables_verified: verified, deliverables_blocked: blocked };
      if (refuses) refused('report_vrc', given, `${verified} verified and ${blocked} blocked are more than the 2 deliverables there are.`);
      else assert.equal(call('report_vrc', given).facts.length, 1);
    });

  it('does not parse a score, a figure or a word of its own', () => {
    for (const over of [
      { value_score: 1.1 },
      { value_score: 80 },
      { deliverables_total: 1.5 },
      { recommendation: 'SHIP' },
      { gaps: ['no tax'] },
      { summary: '' },
    ])
      unparsed('report_vrc', { ...input, ...over });
  });
});

describe('report_evaluation', () => {
  const verdict = { id: 'value/tone', met: true, evidence: 'I read the greeting: it is kind.' };
  const found = {
    severity: 'polish',
    description: 'slow',
    user_impact: 'waits',
    suggested_fix: 'cache',
    evidence: 'two seconds',
  };
  const short = 'I used it as the clerk would, and it added up.';
  const long = short.repeat(3);

  it('takes two findings with a short summary, and a verdict for each criterion', () => {
    const finding = {
      severity: 'polish',
      description: 'slow',
      userImpact: 'waits',
      suggestedFix: 'cache',
      evidence: 'two seconds',
    };
    const criteria = [{ verification: 'value/tone', met: true, evidence: verdict.evidence }];
    const looked = { code: 0, scope: 'final', fallback: false };
    const evaluation = { ...looked, findings: [finding, finding], criteria, howToUse: [], summary: short };
    assert.deepEqual(call('report_evaluation', { summary: short, findings: [found, found], criteria: [verdict] }), {
      text: 'Evaluation taken.',
      facts: [{ fact: 'evaluation.reported', evaluation }],
    });
  });

  it('judges no criterion before the end', () => {
    const [fact] = call('report_evaluation', { summary: long }, { target: 'work' }).facts;
    assert.ok(fact?.fact === 'evaluation.reported' && fact.evaluation.scope === 'work');
    refused('report_evaluation', { summary: long, criteria: [verdict] }, 'There is no criterion value/tone.', { target: 'work' });
  });

  it('takes fewer findings with a reason that is long enough', () => {
    assert.equal(call('report_evaluation', { summary: long, criteria: [verdict] }).facts.length, 1);
    refused('report_evaluation', { summary: short, findings: [found], criteria: [verdict] }, /^Report at least two findings/);
  });

  const criteria: [string, unknown[], string][] = [
    ['one that was not judged', [], 'Judge every criterion, with evidence; missing: value/tone.'],
    ['one that does not exist', [verdict, { ...verdict, id: 'value/total' }], 'There is no criterion value/total.'],
    ['one that was judged twice', [verdict, { ...verdict, met: false }], 'Judge each criterion once; twice: value/tone.'],
  ];
  for (const [what, verdicts, message] of criteria)
    it(`refuses ${what}`, () => {
      refused('report_evaluation', { summary: long, criteria: verdicts }, message);
    });

  it('does not parse a verdict or a finding without evidence, nor a word for a summary', () => {
    unparsed('report_evaluation', { summary: long, criteria: [{ ...verdict, evidence: 'ok' }] });
    unparsed('report_evaluation', { summary: long, findings: [{ ...found, evidence: '' }] });
    unparsed('report_evaluation', { summary: 'fine' });
  });
});
