/**
 * Failures that systems of this kind are documented to have had. The table lists them all, each with the file of the test that
 * has its name. The tests here run whole simulated sprints, in which the oracle verifies every decision as well.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { fixReport, decoy, reportOf, scriptIn } from './models/builders.ts';
import { lensesPass } from '../support/greeter.ts';
import { found, verificationInput, evaluationInput, vrcInput } from './models/honest.ts';
import { benchmark } from './goals.ts';
import { featuresIn, taskFeatures, type Call, type Program, type Programs, type Turn } from './models/turn.ts';
import { strategyInput } from './models/steering.ts';
import { calm } from './calm.ts';
import type { Scenario } from './scenario.ts';
import { simulate, type Outcome } from './sprint.ts';

async function play(twist: Programs, change: Partial<Scenario> = {}): Promise<Outcome> {
  const outcome = await simulate({ ...calm, ...change }, twist);
  assert.deepEqual(outcome.violations, []);
  return outcome;
}
const times = ({ trace }: Outcome, row: string): number => trace.filter((step) => step === row || step.startsWith(`${row} `)).length;

const answerWith =
  (...calls: Call[]): Program =>
  () =>
    calls;
const claimDone: Program = (turn) => [['report_task_complete', reportOf(turn)]];
/** Writes the words of the work as a comment, a different one each time. */
const writeWords = (turn: Turn): Call => {
  const [feature] = taskFeatures(turn).concat(featuresIn(turn, scriptIn(turn.prompt)));
  assert.ok(feature);
  return ['write_file', { path: feature.path, content: `${decoy(turn, [feature])}# ${turn.request.purpose}\n` }];
};
const critical = (what: string) => ({
  severity: 'critical',
  description: what,
  user_impact: 'all',
  suggested_fix: what,
  evidence: 'seen',
});

/** Changes of strategy. */
const changes = [{ fix: 'rewrite' }, { order: 'risk' }, { effort: 'raised' }, { research: 'early' }] as const;

const here = 'test/simulation/documented-failures.test.ts';
const oscillations = 'test/engine/oscillations.test.ts';

/** The name of a failure is a part of its test's title. */
const documented: [failure: string, file: string][] = [
  ['quality-task cascade', here],
  ['FIX/SERVICE_FIX oscillation', oscillations],
  ['research flag reset loop', oscillations],
  ['course-correction churn', oscillations],
  ['monitor raised caps', here],
  ['VRC gap tasks conflict', here],
  ['preloop 150–200k tokens', oscillations],
  ['exit gate 6×', oscillations],
  ['global timeout', 'test/models/anthropic.test.ts'],
  ['4 concurrent loops', 'test/host/lock.test.ts'],
  ['70 VRCs in 63 iterations', here],
  ['task reopened 5×', here],
  ['QC before any task', here],
  ['placeholder CMS scored 100 %', here],
  ['55 iterations under rate limit', here],
  ['environment={} skipped browser eval', 'test/engine/critical-eval.test.ts'],
  ['.sh on Windows', 'test/host/sandbox/interpreter.test.ts'],
  ['input() EOF', 'test/cli/run.test.ts'],
  ['counter reset per epic', here],
  ['evaluator never ships', here],
  ['evaluator rubber-stamps', here],
  ['old code after stash', 'test/host/git/repo.test.ts'],
  ['same sprint regressed', here],
];

describe('the table of documented failures', () => {
  for (const [failure, file] of documented)
    it(`has one test for "${failure}" in ${file}`, () => {
      const titles = readFileSync(file, 'utf8').match(/^ +it\('.*$/gm) ?? [];
      assert.equal(titles.filter((title) => title.includes(failure)).length, 1);
    });
});

describe('documented failures', () => {
  it('placeholder CMS scored 100 %: words in place of the work are not delivered, whatever the judges say', async () => {
    const outcome = await play({
      report_task_complete: (turn) => [writeWords(turn), ['report_task_complete', reportOf(turn)]],
      report_fix: (turn) => [writeWords(turn), ['report_fix', fixReport([])]],
      report_verifications_complete: ({ brief }) => [
        ...brief.features.map((f) => verificationInput(f, { k: 0, body: `grep ${f.path} ${f.name} = ${f.value}` })),
        ['report_verifications_complete', { summary: 'All verified.' }],
      ],
      report_vrc: answerWith(['report_vrc', vrcInput(3, [], true)]),
      report_evaluation: answerWith(['report_evaluation', evaluationInput([], [])]),
    });
    assert.notEqual(outcome.stop, 'delivered');
    assert.ok(outcome.reasons.some((reason) => reason.includes('only its text is left')));
  });

  it('task reopened 5×: a task that is only claimed gets three attempts', async () => {
    const outcome = await play({ report_task_complete: claimDone });
    assert.deepEqual([outcome.stop, times(outcome, 'execute T1'), times(outcome, 'settle')], ['failed', 3, 0]);
  });

  it('the same fix again and again: fixes are bounded by lineage, signature and reserve, also when the fixer changes something each time', async () => {
    const outcome = await play({
      report_task_complete: (turn) => [writeWords(turn), ['report_task_complete', reportOf(turn)]],
      report_fix: (turn) => [writeWords(turn), ['report_fix', fixReport([])]],
    });
    assert.notEqual(outcome.stop, 'delivered');
    assert.ok(times(outcome, 'fix') <= 3 * (3 + 2), `${times(outcome, 'fix')} fixes`);
  });

  it('counter reset per epic: renaming a verification at every doubt gives no new attempts', async () => {
    let n = 0;
    const rename: Program = (turn) => {
      const [feature] = featuresIn(turn, scriptIn(turn.prompt));
      assert.ok(feature);
      const [tool, input] = verificationInput(feature, { k: (n += 1), body: `expect ${feature.name} ${feature.value + 1}\n# ${n}` });
      return [[tool, { ...(input as object), replaces: turn.target }]];
    };
    const blaming = { verification_wrong: { evidence: 'It asks for what no document says.' } };
    const outcome = await play(
      {
        report_fix: answerWith(['report_fix', { ...fixReport([]), ...blaming }], ['report_fix', fixReport([])]),
        report_task_complete: (turn) => [writeWords(turn), ['report_task_complete', reportOf(turn)]],
        uphold_verification: rename,
      },
      { requirements: 1, tasks: 1, parts: 1 },
    );
    assert.ok(n > 0 && n <= 3, `${n} renames`);
    assert.ok(times(outcome, 'fix') <= 5 + 2, `${times(outcome, 'fix')} fixes`);
  });

  it('evaluator never ships: endless complaints add at most half as many tasks as were planned, and the sprint ends', async () => {
    let n = 0;
    const complain: Program = () => {
      const findings = Array.from({ length: 9 }, () => critical(`feature_1 lacks ${['red', 'green', 'blue', 'black'][n % 4]}${(n += 1)}`));
      return [['report_evaluation', evaluationInput(findings, [])]];
    };
    const outcome = await play({ report_evaluation: complain });
    assert.equal(outcome.stop, 'partial');
    assert.ok(new Set(outcome.trace.filter((step) => step.startsWith('execute G'))).size <= 2);
  });

  it('evaluator rubber-stamps: an evaluation of few words is refused', async () => {
    const outcome = await play({
      report_evaluation: answerWith(['report_evaluation', { summary: 'It works as it should, I looked at it.' }]),
    });
    assert.equal(outcome.stop, 'partial');
    assert.ok(outcome.reasons.includes('The final tree was not used as its user would.'));
  });

  it('quality-task cascade: findings of severity degraded and polish add no tasks', async () => {
    const mild = ['degraded', 'polish'].map((severity) => ({ ...critical('It could be nicer'), severity }));
    const outcome = await play({ report_evaluation: answerWith(['report_evaluation', evaluationInput(mild, [])]) });
    assert.deepEqual([outcome.stop, times(outcome, 'execute')], ['delivered', 3]);
  });

  it('VRC gap tasks conflict: an assessment on schedule only scores and adds no tasks', async () => {
    const gap = { id: 'g', description: 'feature_1 is dull', severity: 'critical', suggested_task: 'paint feature_1' };
    const twist: Programs = {
      report_vrc: ({ target }) => [['report_vrc', vrcInput(8, target === 'vrc' ? [] : [gap], target === 'vrc')]],
    };
    const outcome = await play(twist, { requirements: 8, tasks: 8, parts: 8, supplied: 1 });
    assert.deepEqual([outcome.stop, times(outcome, 'execute'), times(outcome, 'vrc')], ['delivered', 8, 1]);
  });

  it('70 VRCs in 63 iterations: there is one after six settled changes, and one of the final tree', async () => {
    const outcome = await play({}, { requirements: 9, tasks: 9, parts: 9, supplied: 1 });
    assert.equal(outcome.stop, 'delivered');
    assert.equal(times(outcome, 'vrc'), 1);
    assert.equal(times(outcome, 'final vrc'), 1);
  });

  it('55 iterations under rate limit: waiting burns no decision', async () => {
    // What a review raises is drawn, and each limit draws, too.
    const steady: Programs = {
      report_discovery: (turn) => [...found(turn), ['report_document_review', { vision: lensesPass, verdict: 'APPROVE' }]],
    };
    const [limited, free] = [await play(steady, { limited: 0.3 }), await play(steady)];
    assert.deepEqual([limited.stop, limited.trace], ['delivered', free.trace]);
  });

  it('monitor raised caps: a strategist that changes the strategy gets no additional fix or task attempt', async () => {
    const fails: Programs = {
      report_task_complete: (turn) => [writeWords(turn), ['report_task_complete', reportOf(turn)]],
      report_fix: (turn) => [writeWords(turn), ['report_fix', fixReport([])]],
      report_research: answerWith([
        'report_research',
        { found: false, topic: 'its value', findings: 'No document that I found says it.', sources: [] },
      ]),
    };
    const changeStrategy: Program = (turn) => {
      const allowed = strategyInput({ changes: changes[turn.attempt % changes.length] ?? {} });
      return [
        ['report_strategy', { ...allowed, changes: { fix: 'rewrite', maxFixAttempts: 5 } }],
        ['report_strategy', allowed],
      ];
    };
    const outcome = await play(
      { ...fails, report_strategy: changeStrategy },
      { requirements: 4, tasks: 4, parts: 4, person: 'skipping', config: { maxFixAttempts: 3, maxTaskAttempts: 2 } },
    );
    assert.ok(times(outcome, 'strategy') > 0, 'the monitor called the strategist');
    assert.ok(times(outcome, 'strategy') <= 3);
    for (let n = 1; n <= 4; n += 1) {
      assert.ok(times(outcome, `execute T${n}`) <= 2);
      assert.ok(times(outcome, `fix value/feature_${n}_1`) <= 3);
    }
    assert.equal(Math.max(...[1, 2, 3, 4].map((n) => times(outcome, `fix value/feature_${n}_1`))), 3);
  });

  it('QC before any task: verifications that are red before anything is built start no session, and that red run proves them', async () => {
    const { stop, trace } = await play({}, { requirements: 4, tasks: 4, parts: 4 });
    const before = trace.slice(
      0,
      trace.findIndex((step) => step.startsWith('execute')),
    );
    assert.ok(
      before.some((step) => step.startsWith('write-verifications')),
      'they were written, and ran at once',
    );
    for (const row of ['run-verifications', 'fix', 'triage', 'research', 'course-correct', 'strategy'])
      assert.ok(!before.some((step) => step.split(' ')[0] === row), row);
    assert.equal(stop, 'delivered');
  });

  it('same sprint regressed: the benchmark sprints are delivered within their first number of decisions', async () => {
    for (const seed of [1, 2, 3]) {
      const { stop, decisions, tasks } = await simulate(benchmark(seed, 0));
      assert.deepEqual([stop, tasks], ['delivered', 12]);
      assert.ok(decisions <= 48, `${decisions} decisions`);
    }
  });

  it('exit code 0 without a verification: a sprint without verifications is not delivered', async () => {
    const outcome = await play({
      report_verifications_complete: ({ brief }) => [
        [
          'report_verifications_complete',
          { summary: 'Later.', deferred: [...brief.features.map((f) => f.requirement), 'V1'], why_deferred: 'There is no surface yet.' },
        ],
      ],
    });
    assert.equal(outcome.stop, 'failed');
    assert.ok(outcome.reasons.some((reason) => reason.includes('no verification covers it')));
  });

  it('rollback takes good work with it: a change that breaks something is undone, and earlier work stays', async () => {
    let spoiled = 0;
    const outcome = await play({
      report_task_complete: (turn) => {
        const [feature] = taskFeatures(turn);
        assert.ok(feature);
        const write: Call = ['write_file', { path: feature.path, content: `${feature.name} = ${feature.value}\n` }];
        const spoil: Call = ['write_file', { path: 'src/part_1.py', content: '# gone\n' }];
        const isSpoiling = turn.target === 'T2' && turn.attempt === 1;
        if (isSpoiling) spoiled += 1;
        return [write, ...(isSpoiling ? [spoil] : []), ['report_task_complete', reportOf(turn)]];
      },
    });
    assert.deepEqual([outcome.stop, spoiled, times(outcome, 'execute T1'), times(outcome, 'execute T2')], ['delivered', 1, 1, 2]);
  });
});
