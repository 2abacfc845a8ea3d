/** The report tools are pure. For each tool: what it accepts and everything that it refuses (I13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fix } from '../../../src/engine/actions/fix.ts';
import { writeVerifications } from '../../../src/engine/actions/write-verifications.ts';
import { dueOf } from '../../../src/engine/core/decide.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { toolsNamed } from '../../../src/engine/tools/registry.ts';
import { ToolError, type Reply } from '../../../src/engine/tools/tool.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { changed, deepFreeze, refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

interface At {
  state?: State;
  target?: string;
}
const kept = refOf('kept');

/** Parses and handles the input like `runCalls`. The frozen state fails a tool that writes to it. */
function call(name: string, input: unknown, { state = p.awaiting().state, target = '' }: At = {}): Reply {
  const [tool] = toolsNamed([name]);
  assert.ok(tool?.kind === 'report');
  const parsed: unknown = tool.input.parse(input);
  // As `whole` makes it of a report that names no use.
  const whole = name === 'report_evaluation' ? { ...(parsed as object), uses: [] } : parsed;
  return tool.handle(whole, { state: deepFreeze(structuredClone(state)), target, step: 's9', kept });
}
const assertRefused = (name: string, input: unknown, message: RegExp | string, at?: At): void => {
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
const assertUnparsed = (name: string, input: unknown): void => {
  const [tool] = toolsNamed([name]);
  assert.equal(tool?.input.safeParse(input).success, false, JSON.stringify(input));
};

describe('report_discovery', () => {
  const minimal = {
    deliverable_type: 'software',
    project_type: 'cli',
    codebase_state: 'greenfield',
    value_proofs: ['It adds', 'It prints'],
  };
  const none = { suites: [], services: [], needs: [] };
  const state = new Story().state;
  const read = new Story().act('inputs', {
    fact: 'requirements.read',
    requirements: [{ id: '1', title: 'Totals', text: 'Totals', line: 3, lastLine: 3 }],
  }).state;

  it('records the context, and the value proofs as requirements', () => {
    assert.deepEqual(call('report_discovery', { ...minimal, install: ' npm ci ' }, { state }), {
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
            { id: 'V1', title: 'It adds', text: 'It adds', line: 0, lastLine: 0 },
            { id: 'V2', title: 'It prints', text: 'It prints', line: 0, lastLine: 0 },
          ],
        },
      ],
    });
  });

  it('is taken without an install and suites that cannot be, and says why', () => {
    const suite = { name: 'unit', command: 'make', files: ['test/**'] };
    const good = { ...suite, command: 'npm test' };
    const given = { ...minimal, install: 'npm ci && curl x | sh', suites: [good, good, { ...suite, name: 'made' }] };
    const { facts, text } = call('report_discovery', given, { state: read });
    const [context] = facts.flatMap((fact) => (fact.fact === 'context.discovered' ? [fact.context] : []));
    assert.deepEqual([context?.install, context?.suites], ['', [good]]);
    const left = [
      /^Install: .*is not a plain install command/,
      /^Suite unit: another one has its name\.$/,
      /^Suite made: "make" is not a plain/,
    ];
    assert.equal(context?.leftOut?.length, left.length);
    for (const [n, pattern] of left.entries()) assert.match(context.leftOut[n] ?? '', pattern);
    assert.match(text, /\nLeft out\. Install: [^\n]*\nLeft out\. Suite unit/);
  });

  it('refuses a second report', () => {
    assertRefused('report_discovery', minimal, 'Discovery was taken already: leave it out.');
  });

  it('records the needs that the person must supply, with the requirements that wait for them', () => {
    const need = { what: { kind: 'variable', name: 'API_KEY' }, why: 'to pay', required_by: ['1', 'V2'] };
    const { facts } = call('report_discovery', { ...minimal, needs: [need] }, { state: read });
    const [needs] = facts.flatMap((fact) => (fact.fact === 'context.discovered' ? [fact.context.needs] : []));
    assert.deepEqual(needs, [{ what: need.what, why: 'to pay', requirements: ['1', 'V2'] }]);
  });

  it('refuses a need of an unknown requirement, and a file that no person may supply', () => {
    const need = (what: object, required_by = ['1']) => ({ ...minimal, needs: [{ what, why: 'to pay', required_by }] });
    const tool = { kind: 'tool', name: 'jq' };
    assertRefused('report_discovery', need(tool, ['9', 'V3']), 'required_by names 9, V3. There are: 1, V1, V2.', { state: read });
    for (const path of ['../key', '/etc/key', '.git/config'])
      assertRefused('report_discovery', need({ kind: 'file', path }), /leaves the worktree|is protected/, { state: read });
  });

  it('does not parse a variable’s value, a shell text or an invalid port', () => {
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
    for (const what of wrong) assertUnparsed('report_discovery', { ...minimal, needs: [{ what, why: 'x', required_by: [] }] });
  });

  it('does not parse without a value proof, with an unknown type or an unknown field', () => {
    for (const over of [{ value_proofs: [] }, { value_proofs: [''] }, { deliverable_type: 'song' }, { project_type: '' }, { mood: 'good' }])
      assertUnparsed('report_discovery', { ...minimal, ...over });
  });
});

describe('report_plan_review', () => {
  const lenses = ['craap', 'clarity', 'validate', 'connect', 'break', 'prune', 'tidy', 'blockers', 'vrc'];
  const finding = (lens: string, task_id = 'T1') => ({ lens, task_id, wrong: 'It is two pieces of work.', change: 'Divide it.' });
  const review = (...findings: ReturnType<typeof finding>[]) => {
    const approves = lenses.filter((one) => !findings.some(({ lens }) => lens === one));
    return { approves, findings, value_score: 0.8 };
  };
  /** A review in which the session did this before it reports. */
  const after = (...facts: Fact[]): State => {
    const story = p.planned().begin('review-plan', '', ['lenses']);
    return story.add({ type: 'step.ended', id: `${story.state.open?.id}/a0/c1`, outcome: 'done', facts }).state;
  };
  const modified: Fact = { fact: 'task.modified', id: 'T1', change: { acceptance: 'It prints 5.' } };

  it('records that every lens approves', () => {
    const facts = [{ fact: 'plan.judged', review: { findings: [], value: 0.8 } }];
    assert.deepEqual(call('report_plan_review', review(), { state: after() }), { text: 'The plan is approved.', facts });
  });

  for (const lens of lenses)
    it(`records what ${lens} finds, and whether the engine saw it mended`, () => {
      const found = { lens, task: 'T1', wrong: 'It is two pieces of work.', change: 'Divide it.' };
      const taken = (mended: boolean): Fact[] => [
        { fact: 'plan.judged', review: { findings: [{ ...found, mended }], value: 0.8 } } as Fact,
      ];
      const open = call('report_plan_review', review(finding(lens)), { state: after() });
      assert.deepEqual(open, { text: 'Review taken: 0 mended, 1 not.', facts: taken(false) });
      const mended = call('report_plan_review', review(finding(lens)), { state: after(modified) });
      assert.deepEqual(mended, { text: 'Review taken: 1 mended, 0 not.', facts: taken(true) });
    });

  it('counts as mended what was added, removed, asked of a person or withdrawn', () => {
    const other = p.task({ id: 'T2' });
    const changes: [Fact[], string][] = [
      [[{ fact: 'task.added', task: other }], 'T2'],
      [[{ fact: 'task.removed', id: 'T1' }], 'T1'],
      [[{ fact: 'human-action.asked', humanAction: p.humanAction() }], 'T1'],
      [
        [
          { fact: 'human-action.asked', humanAction: p.humanAction() },
          { fact: 'human-action.not-needed', id: 'H1', why: 'x' },
        ],
        'T1',
      ],
    ];
    for (const [facts, id] of changes) {
      const { text } = call('report_plan_review', review(finding('connect', id)), { state: after(...facts) });
      assert.equal(text, 'Review taken: 1 mended, 0 not.');
    }
  });

  it('refuses a finding of an unknown task, and names those that there are', () => {
    const message = 'There is no task T9. Name one of T1 in task_id.';
    assertRefused('report_plan_review', review(finding('break', 'T9')), message, { state: after() });
  });

  it('refuses a plan that is not complete', () => {
    const state = changed(after(), (s) => void (s.work.gates = ['inputs', 'discovery']));
    assertRefused('report_plan_review', review(), 'There is no complete plan to review. Finish it with report_plan_complete.', { state });
  });

  it('refuses a lens without a verdict, and one with two', () => {
    const silent = { ...review(), approves: lenses.filter((one) => one !== 'tidy' && one !== 'vrc') };
    const message = 'No verdict of tidy, vrc. Name each lens in approves, or give its findings.';
    assertRefused('report_plan_review', silent, message, { state: after() });
    const both = { ...review(finding('prune')), approves: lenses };
    const twice = 'prune cannot approve and have findings. Take it out of approves.';
    assertRefused('report_plan_review', both, twice, { state: after() });
  });

  it('in a closer look needs the verdict of its own lenses, and takes no other', () => {
    const [state, target] = [after(), 'clarity, break'];
    const own = { approves: ['clarity', 'break'], findings: [], value_score: 0.8 };
    const { facts } = call('report_plan_review', own, { state, target });
    assert.deepEqual(facts, [{ fact: 'plan.judged', review: { findings: [], value: 0.8, lenses: target } }]);
    assertRefused('report_plan_review', { ...own, approves: ['break'] }, /^No verdict of clarity\./, { state, target });
    const other = { ...own, findings: [finding('prune')] };
    const message = 'This look is through clarity, break alone. Take out what you found by prune.';
    assertRefused('report_plan_review', other, message, { state, target });
  });

  it('refuses approval of a task that the session changed', () => {
    const message = 'You changed T1. Say in findings what was wrong with it, and by which lens.';
    assertRefused('report_plan_review', review(), message, { state: after(modified) });
  });

  it('does not parse an unknown lens, more than twenty findings, long texts or a value above one', () => {
    const many = Array.from({ length: 21 }, () => finding('break'));
    const wrong = [
      { ...review(), approves: ['beauty'] },
      review(...many),
      review({ ...finding('break'), wrong: 'x'.repeat(301) }),
      review({ ...finding('break'), change: ' ' }),
      { ...review(), value_score: 1.1 },
      { ...review(), verdict: 'good' },
    ];
    for (const one of wrong) assertUnparsed('report_plan_review', one);
    assert.equal(call('report_plan_review', review(...many.slice(1)), { state: after() }).facts.length, 1);
  });
});

describe('withdraw_human_action', () => {
  const asking = (over: Parameters<typeof p.humanAction>[0] = {}): State =>
    p.planned().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction(over) }).state;
  const why = 'The sample has the same prices.';

  it('takes back what was asked for a task', () => {
    assert.deepEqual(call('withdraw_human_action', { blocked_task_id: 'T1', why }, { state: asking() }), {
      text: 'Withdrawn: H1. The task waits for nobody.',
      facts: [{ fact: 'human-action.not-needed', id: 'H1', why }],
    });
  });

  it('refuses where nothing is asked, where it is over, and where the person saw it already', () => {
    const message = 'Nothing is asked of a person for T2. Tasks that wait: T1.';
    assertRefused('withdraw_human_action', { blocked_task_id: 'T2', why }, message, { state: asking() });
    for (const over of [{ status: 'fulfilled' as const }, { shown: true }])
      assertRefused('withdraw_human_action', { blocked_task_id: 'T1', why }, /Tasks that wait: none\.$/, { state: asking(over) });
    assertUnparsed('withdraw_human_action', { blocked_task_id: 'T1', why: ' ' });
  });
});

describe('report_plan_complete', () => {
  const having = (...tasks: Parameters<typeof p.task>[0][]): At => ({
    state: changed(p.planned().state, (s) => {
      s.work.gates = ['inputs', 'discovery'];
      s.work.tasks = Object.fromEntries(tasks.map((over) => [over?.id ?? 'T1', structuredClone(p.task(over))]));
    }),
  });
  const taken = { text: 'Plan taken.', facts: [{ fact: 'gate.passed', gate: 'plan' }] };

  it('passes the gate when every requirement and every value proof is served', () => {
    assert.deepEqual(call('report_plan_complete', { summary: 'One task.' }, having({ prdSection: ['1', 'V1'] })), taken);
  });

  it('tells what the plan decides that the documents leave open', () => {
    const decided = ['A price without cents is printed with two zeros.'];
    const facts = [{ fact: 'gate.passed', gate: 'plan', decided }];
    const ready = having({ prdSection: ['1', 'V1'] });
    assert.deepEqual(call('report_plan_complete', { summary: 'One task.', decided }, ready), { text: 'Plan taken.', facts });
    const long = { summary: 'One task.', decided: ['x'.repeat(301)] };
    assertUnparsed('report_plan_complete', long);
  });

  it('asks for no value proof in a sprint that began before plans were reviewed', () => {
    const { state } = having({});
    assert.ok(state);
    const old = changed(state, (s) => void delete s.ledger.sizes.lenses);
    assert.deepEqual(call('report_plan_complete', { summary: 'One task.' }, { state: old }), taken);
  });

  it('refuses a plan without tasks, and one that does not serve a requirement or a value proof', () => {
    assertRefused('report_plan_complete', { summary: 'x' }, 'The plan has no tasks. Add them with manage_task.', having());
    const partly = 'No task serves 1. Add or extend tasks.';
    assertRefused('report_plan_complete', { summary: 'x' }, partly, having({ prdSection: ['V1'] }));
    const without = 'No task serves V1. Add or extend tasks.';
    assertRefused('report_plan_complete', { summary: 'x' }, without, having({}));
  });

  it('refuses a plan that is complete already, as in a review of it', () => {
    const again = 'The plan is complete already. Say what you found in it with report_plan_review.';
    assertRefused('report_plan_complete', { summary: 'x' }, again, { state: p.planned().state });
  });

  it('does not parse without a summary', () => {
    assertUnparsed('report_plan_complete', { summary: '' });
  });
});

describe('report_task_complete', () => {
  const input = { task_id: 'T1' };

  it('records a claim about the task of its session', () => {
    const report = { verified: 'ran it', notes: '' };
    assert.deepEqual(call('report_task_complete', { ...input, value_verified: 'ran it' }, { target: 'T1' }), {
      text: 'Task T1 reported. The engine checks it now.',
      facts: [{ fact: 'task.reported', id: 'T1', report }],
    });
  });

  it('is refused for another task', () => {
    assertRefused('report_task_complete', input, 'This session is about task T2, not T1.', { target: 'T2' });
    assertUnparsed('report_task_complete', {});
  });
});

describe('report_fix', () => {
  const input = { fix_applied: 'added', files_changed: ['total.sh'], reasoning: 'it subtracted' };

  it('records the report with the failure that it is about', () => {
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

  it('says what was changed, but where something else is at fault', () => {
    const nothing = { ...input, fix_applied: ' ' };
    assertRefused('report_fix', nothing, 'Say in fix_applied what you changed.', { target: 'value/total' });
    const wrong = { ...nothing, verification_wrong: { evidence: 'the PRD asks for two decimals' } };
    const [fact] = call('report_fix', wrong, { target: 'value/total' }).facts;
    assert.ok(fact?.fact === 'fix.reported' && fact.report.fixApplied === 'nothing');
  });

  it('is refused for an unknown verification, and not parsed without a reason', () => {
    assertRefused('report_fix', input, 'There is no verification value/none.', { target: 'value/none' });
    assertUnparsed('report_fix', { ...input, reasoning: '' });
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

  it('records the evidence with the script that it is about', () => {
    assert.deepEqual(call('report_fix', input, at), { text: 'Reported. QC looks at value/total now.', facts: [reported] });
    assertUnparsed('report_fix', { ...input, verification_wrong: { evidence: 'wrong' } });
  });

  it('records a doubt about each other verification of the session that it names', () => {
    const story = p.awaiting();
    story.act('plan', { fact: 'verification.written', verification: p.verification({ id: 'value/other', lineage: 'value/other' }) });
    const run = p.run({ verification: 'value/other', lineage: 'value/other', verdict: 'red' });
    story.act('run-verifications', { fact: 'verification.ran', run });
    const state = changed(story.state, (s) => {
      const decision = {
        action: 'fix' as const,
        target: 'value/total',
        why: '',
        behind: [],
        burns: [tank('lineage', 'value/total'), tank('lineage', 'value/other')],
      };
      s.open = { id: 's9', decision, parts: new Map(), ran: 0 };
    });
    const also = { ...input, verification_wrong: { evidence, also: ['value/other'] } };
    const { facts } = call('report_fix', also, { ...at, state });
    const records = facts.map((fact) =>
      fact.fact === 'fix.reported' ? [fact.report.verification, fact.report.lineage, fact.report.also] : [],
    );
    assert.deepEqual(records, [
      ['value/total', 'value/total', ['value/other']],
      ['value/other', 'value/other', []],
    ]);
    assert.equal(call('report_fix', also, { ...at, state: story.state }).facts.length, 2, 'also one that its session is not about');
    const unknown = { ...input, verification_wrong: { evidence, also: ['value/nothing'] } };
    assertRefused(
      'report_fix',
      unknown,
      'verification_wrong.also: value/nothing is no other verification that is red; these are: value/other.',
      {
        ...at,
        state,
      },
    );
  });

  it('is refused after QC upheld this script, and accepted again for another script', () => {
    const why = 'requirement 1 says three decimals';
    const story = p.awaiting().act('fix', reported);
    const upheld = call('uphold_verification', { why }, { ...at, state: story.state });
    assert.deepEqual(upheld, {
      text: 'value/total stays as it is.',
      facts: [{ fact: 'verification.upheld', lineage: 'value/total', script: p.verification().script, why }],
    });
    story.act('write-verifications', ...upheld.facts);
    const message = `QC looked at value/total and answered that it is right: ${why} Mend the deliverable, and report without verification_wrong.`;
    assertRefused('report_fix', input, message, { ...at, state: story.state });
    story.act('write-verifications', { fact: 'verification.written', verification: p.verification({ script: refOf('new') }) });
    assert.equal(call('report_fix', input, { ...at, state: story.state }).facts.length, 1);
  });

  it('is refused when the tank for asking QC is empty, for any script', () => {
    const state = changed(p.awaiting().state, (s) => void (s.ledger.burned.rewrite['value/total'] = 3));
    assertRefused('report_fix', input, /^QC was asked about value\/total as often as it may be\. Mend/, { ...at, state });
  });

  it('asks the person about a text of theirs, once; QC and fixers leave it alone meanwhile', () => {
    const adopted: Fact = { fact: 'verification.adopted', verification: p.verification({ by: 'person' }) };
    const red = (n: number, world: number): Fact => ({ fact: 'verification.ran', run: p.run({ n, code: 1, verdict: 'red', world }) });
    const story = p.green().said(adopted);
    story.act('run-verifications', red(9, story.state.ledger.world));
    assert.equal(dueOf(fix, story.state).length, 1);
    const { text, facts } = call('report_fix', input, { ...at, state: story.state });
    assert.equal(text, 'Reported. The person wrote it, so they are asked.');
    story.act('fix', ...facts);
    const asked = story.state.ledger.humanActions['H1'];
    assert.equal(asked?.action, 'Say whether value/total, which you wrote, is right: it was said to be wrong about 1');
    assert.match(
      asked.instructions,
      /^the PRD asks for two decimals, the script for three\n\nIf so, edit \.loop\/verifications\/value\/total\.sh/,
    );
    assert.deepEqual(
      [fix, writeVerifications].flatMap((row) => dueOf(row, story.state)),
      [],
    );
    assertRefused('report_fix', input, /^The person wrote value\/total, and was told of this\. Mend/, { ...at, state: story.state });
    story.said({ fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' });
    story.act('run-verifications', red(10, story.state.ledger.world));
    assert.equal(dueOf(fix, story.state).length, 1, 'they say that it is right');
  });
});

describe('uphold_verification', () => {
  it('requires a reason and a known verification', () => {
    assertUnparsed('uphold_verification', { why: 'it is right' });
    assertRefused('uphold_verification', { why: 'requirement 1 says three decimals' }, 'There is no verification value/none.', {
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
    it(`has the scope ${scope} for the target ${target}, and the code number`, () => {
      const reply = call('report_vrc', input, { target, state: p.proven().state });
      assert.deepEqual(reply, { text: 'VRC taken.', facts: [{ fact: 'vrc.reported', vrc: { code: 1, scope, ...vrc } }] });
    });

  it('converts the field names of gaps', () => {
    const gap = { id: 'g', description: 'no tax', severity: 'blocking' };
    const { facts } = call('report_vrc', { ...input, gaps: [{ ...gap, suggested_task: 'Add tax' }] }, { target: 'vrc' });
    const gaps = [{ ...gap, suggestedTask: 'Add tax' }];
    assert.deepEqual(facts, [{ fact: 'vrc.reported', vrc: { code: 0, scope: 'final', ...vrc, gaps } }]);
  });

  for (const [verified, blocked, isRefused] of [
    [2, 0, false],
    [1, 1, false],
    [3, 0, true],
    [2, 1, true],
    [0, 3, true],
  ] as const)
    it(`${isRefused ? 'refuses' : 'accepts'} ${verified} verified and ${blocked} blocked of 2`, () => {
      const given = { ...input, deliverables_verified: verified, deliverables_blocked: blocked };
      if (isRefused)
        assertRefused('report_vrc', given, `${verified} verified and ${blocked} blocked are more than the 2 deliverables there are.`);
      else assert.equal(call('report_vrc', given).facts.length, 1);
    });

  it('does not parse an invalid score, number or recommendation', () => {
    for (const over of [
      { value_score: 1.1 },
      { value_score: 80 },
      { deliverables_total: 1.5 },
      { recommendation: 'SHIP' },
      { gaps: ['no tax'] },
      { summary: '' },
    ])
      assertUnparsed('report_vrc', { ...input, ...over });
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
  const { assessment } = p;

  it('accepts two findings with a short summary, and a verdict for each criterion', () => {
    const finding = {
      severity: 'polish',
      description: 'slow',
      userImpact: 'waits',
      suggestedFix: 'cache',
      evidence: 'two seconds',
    };
    const criteria = [{ verification: 'value/tone', met: true, evidence: verdict.evidence }];
    const header = { code: 0, scope: 'final', fallback: false };
    const evaluation = { ...header, findings: [finding, finding], criteria, howToUse: [], summary: short };
    const assessed = { ...p.vrc({ code: 0, valueScore: 1, verified: 0, total: 2, gaps: [] }), summary: short };
    assert.deepEqual(call('report_evaluation', { summary: short, findings: [found, found], criteria: [verdict], assessment }), {
      text: 'Evaluation taken.',
      facts: [
        { fact: 'vrc.reported', vrc: assessed },
        { fact: 'evaluation.reported', evaluation },
      ],
    });
  });

  it('assesses the final tree of a small sprint, unless somebody did', () => {
    const input = { summary: long, criteria: [verdict], assessment };
    const namesFor = (state: State): string[] => call('report_evaluation', input, { state }).facts.map(({ fact }) => fact);
    assert.deepEqual(namesFor(p.proven().state), ['vrc.reported', 'evaluation.reported']);
    assertRefused('report_evaluation', { summary: long, criteria: [verdict] }, /^Assess it as well: give `assessment`/);
    const judged = p.proven().act('final', { fact: 'vrc.reported', vrc: p.vrc() });
    assert.deepEqual(namesFor(judged.state), ['evaluation.reported']);
    const six = changed(p.proven().state, ({ work: { tree } }) => {
      const [commit] = tree.commits;
      assert.ok(commit);
      for (const task of ['T2', 'T3', 'T4', 'T5', 'T6']) tree.commits.push({ ...commit, author: { kind: 'task', task } });
    });
    assert.deepEqual(namesFor(six), ['evaluation.reported']);
  });

  it('refuses verdicts on criteria before the end', () => {
    const [fact] = call('report_evaluation', { summary: long }, { target: 'work' }).facts;
    assert.ok(fact?.fact === 'evaluation.reported' && fact.evaluation.scope === 'work');
    assertRefused('report_evaluation', { summary: long, criteria: [verdict] }, 'There is no criterion value/tone.', { target: 'work' });
  });

  it('accepts fewer findings with a long summary', () => {
    assert.equal(call('report_evaluation', { summary: long, criteria: [verdict], assessment }).facts.length, 2);
    assertRefused('report_evaluation', { summary: short, findings: [found], criteria: [verdict] }, /^Report at least two findings/);
  });

  const criteria: [what: string, verdicts: unknown[], message: string][] = [
    ['a criterion without a verdict', [], 'Judge every criterion, with evidence; missing: value/tone.'],
    ['an unknown criterion', [verdict, { ...verdict, id: 'value/total' }], 'There is no criterion value/total.'],
    ['two verdicts on a criterion', [verdict, { ...verdict, met: false }], 'Judge each criterion once; twice: value/tone.'],
  ];
  for (const [what, verdicts, message] of criteria)
    it(`refuses ${what}`, () => {
      assertRefused('report_evaluation', { summary: long, criteria: verdicts }, message);
    });

  it('does not parse a verdict or a finding without evidence, or a one-word summary', () => {
    assertUnparsed('report_evaluation', { summary: long, criteria: [{ ...verdict, evidence: 'ok' }] });
    assertUnparsed('report_evaluation', { summary: long, findings: [{ ...found, evidence: '' }] });
    assertUnparsed('report_evaluation', { summary: 'fine' });
  });
});
