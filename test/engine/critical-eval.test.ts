/** Evaluation on schedule: when it is due, what is asked for what kind of deliverable, and what becomes of its findings (I4, I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { criticalEval, evaluateEvery } from '../../src/engine/actions/critical-eval.ts';
import { wayOf } from '../../src/engine/work/way.ts';
import { table } from '../../src/engine/actions/table.ts';
import { decide } from '../../src/engine/core/decide.ts';
import { finalOf } from '../../src/engine/judge/ending.ts';
import { Bug } from '../../src/engine/ground/errors.ts';
import { plannedSizes } from '../../src/engine/state/fuel.ts';
import { defaults } from '../../src/engine/ground/config.ts';
import { promptSection } from '../../src/engine/ground/prompts.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Notable } from '../../src/engine/work/tree.ts';
import { noBrowser } from '../support/fake-host.ts';
import { calls, says, world } from '../support/fakes.ts';
import { changed, refOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';
import { tank } from '../../src/engine/state/fuel.ts';

const ids = Array.from({ length: evaluateEvery + 2 }, (_, i) => `T${i + 1}`);

/** Tasks of which the first `settled` are done, each by a change of its own. */
function going(settled: number, total = ids.length): Story {
  const tasks = ids.slice(1, total).map((id): Fact => ({ fact: 'task.added', task: p.task({ id }) }));
  const story = p.awaiting(p.planned().act('plan', ...tasks, { fact: 'fuel.sized', ...plannedSizes(total, defaults) }));
  for (const [index, id] of ids.slice(0, settled).entries()) settle(story, id, index + 1);
  return story;
}

function settle(story: Story, id: string, code: number, notable: Notable[] = [], patch = refOf('patch')): void {
  story.begin('execute', id, [`execute/${id}`]);
  const step = story.state.open?.id ?? '';
  const author = { kind: 'task' as const, task: id };
  story.end({ fact: 'task.reported', id, report: p.report }, { fact: 'tree.changed', change: p.change({ n: code, step, author }) });
  story.act('settle', { fact: 'tree.settled', settled: p.settled({ step, code, author, notable, patch }) });
}

const due = (story: Story): string[] => criticalEval.due(story.state).map((d) => d.why);
const finding = {
  severity: 'critical',
  description: 'it cannot be sent',
  userImpact: 'nobody signs',
  suggestedFix: 'Send it',
  evidence: 'I pressed Sign: nothing',
} as const;
const looked = (code: number, over: object = {}): Fact => ({
  fact: 'evaluation.reported',
  evaluation: p.evaluation({ code, scope: 'work', criteria: [], ...over }),
});

describe('critical-eval', () => {
  it('is due after six settled tasks, and burns a tank that is sized with the plan', () => {
    assert.deepEqual(due(going(evaluateEvery - 1)), []);
    const story = going(evaluateEvery);
    assert.deepEqual(criticalEval.due(story.state), [
      { target: 'work', burns: [tank('evaluation')], why: '6 tasks were settled since it was last used as its user would' },
    ]);
    assert.equal(story.state.ledger.sizes['evaluation'], 4 + Math.ceil(ids.length / 6));
  });

  it('comes before more is built', () => {
    const story = going(evaluateEvery);
    story.act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 2, code: evaluateEvery, verdict: 'red' }) });
    const { action, behind } = decide(story.state, table);
    assert.deepEqual([action, ...behind.slice(0, 2)], ['vrc', 'critical-eval work', 'execute T7']);
  });

  it('is due again only once what it looks at has changed by as many', () => {
    const story = going(evaluateEvery).act('critical-eval', looked(evaluateEvery));
    assert.deepEqual(due(story), []);
    settle(story, ids[evaluateEvery] ?? '', evaluateEvery + 1);
    assert.deepEqual(due(story), []);
  });

  it('counts a task once, however often it was settled, and no fix', () => {
    const story = going(evaluateEvery - 1);
    settle(story, 'T1', evaluateEvery);
    assert.deepEqual(due(story), []);
  });

  it('is not due when the final evaluation is, nor while a change is open', () => {
    assert.deepEqual(due(going(evaluateEvery, evaluateEvery)), []);
    const open = changed(going(evaluateEvery).state, (s) => void (s.work.tree.change = p.change()));
    const { action, behind } = decide(open, table);
    assert.deepEqual([action, behind.includes('critical-eval work')], ['settle', false]);
  });

  it('is not the final evaluation of its tree, and is told of in the report', () => {
    const { state } = going(evaluateEvery).act('critical-eval', looked(evaluateEvery, { findings: [{ ...finding, severity: 'polish' }] }));
    assert.equal(finalOf(state).evaluation, undefined);
    assert.match(
      renderReport(state),
      /- Used as its user would, after 6 changes: I used it\.\n {2}- polish: it cannot be sent \(nobody signs\)/,
    );
  });
});

describe('an evaluation on schedule', () => {
  const report = (...severities: string[]) => ({
    summary: 'I used what is there as the clerk would, from the first screen to the last.',
    findings: severities.map((severity) => ({
      severity,
      description: `it is ${severity}`,
      user_impact: 'nobody signs',
      suggested_fix: '',
      evidence: 'I pressed Sign: nothing',
    })),
  });

  const evaluated = (story: Story, ...answers: ReturnType<typeof says>[]) => evaluatedWith([], story, answers);

  async function evaluatedWith(texts: string[], story: Story, answers: ReturnType<typeof says>[]) {
    const w = await staged(world({ answers }), story.begin('critical-eval', 'work', ['evaluation']));
    for (const text of texts) await w.payloads.put(text);
    let closed = 0;
    Object.assign(w.ports, { browser: { ...noBrowser, close: () => Promise.resolve(void (closed += 1)) } });
    const { context } = play(w);
    const facts = await criticalEval.run('work', context);
    assert.equal(closed, 1, 'the browser ends with the session');
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    const tools = w.model.asked[0]?.tools.map(({ name }) => name) ?? [];
    return { facts, tools, prompt: block?.type === 'text' ? block.text : '' };
  }

  it('is told of changes that decide how tests run', async () => {
    const story = going(evaluateEvery);
    const answer = calls(['report_evaluation', report('degraded', 'polish')]);
    assert.match((await evaluated(story, answer)).prompt, /run on, found by the engine\.[^\n]*\n\nNone\.\n/);
    const other = going(evaluateEvery - 1);
    settle(other, 'T6', 6, [{ path: 'ci/Makefile', kind: 'added', what: 'configuration of a runner' }]);
    assert.match((await evaluated(other, answer)).prompt, /\n- `ci\/Makefile`, configuration of a runner, added by T6 \(/);
  });

  it('is told what the last one found and what changed since, lock files left out', async () => {
    const answer = (): ReturnType<typeof says> => calls(['report_evaluation', report('degraded', 'polish')]);
    const fresh = await evaluated(going(evaluateEvery), answer());
    assert.doesNotMatch(fresh.prompt, /Somebody used the work before|What has changed in the work/);
    const story = going(evaluateEvery - 1).act('critical-eval', looked(evaluateEvery - 1, { findings: [finding] }));
    settle(story, 'T6', evaluateEvery);
    const { prompt } = await evaluated(story, answer());
    assert.match(
      prompt,
      /\n- critical: it cannot be sent\n {2}- for its user: nobody signs\n {2}- proposed: Send it\n {2}- seen: I pressed Sign: nothing\n/,
    );
    assert.match(prompt, /since:\n\nBy T6: total\.sh \(added\)\n\n```\npatch\n```\n/);
    assert.doesNotMatch(prompt, /By T5/);
    const silent = going(evaluateEvery).act('critical-eval', looked(evaluateEvery, { fallback: true }));
    assert.doesNotMatch((await evaluated(silent, answer())).prompt, /Somebody used the work before/, 'nobody looked');
  });

  it('is told no line of a lock file', async () => {
    const diff = (path: string, line: string): string =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
    const story = going(evaluateEvery - 1).act('critical-eval', looked(evaluateEvery - 1));
    const patch = diff('web/package-lock.json', 'integrity') + diff('total.sh', 'echo 4');
    settle(story, 'T6', evaluateEvery, [], refOf(patch));
    const { prompt } = await evaluatedWith([patch], story, [calls(['report_evaluation', report('degraded', 'polish')])]);
    assert.ok(prompt.includes('+echo 4') && !prompt.includes('integrity'), prompt);
  });

  it('makes tasks of what is critical or blocking, as many as may be minted, in a disposable copy', async () => {
    const story = going(evaluateEvery);
    const { facts, prompt } = await evaluated(story, calls(['report_evaluation', report('critical', 'degraded', 'blocking')]));
    assert.deepEqual(
      facts.map((f) => f.fact === 'task.added' && [f.task.id, f.task.source, f.task.description]),
      [
        ['G1', 'evaluation', 'it is critical'],
        ['G2', 'evaluation', 'it is blocking'],
      ],
    );
    assert.match(prompt, /disposable copy of what is built so far/);
    assert.match(prompt, /It is used in a terminal\./);
    assert.match(prompt, /None now; they are judged at the end\./);
    assert.match(prompt, /There is no browser here/);
  });

  it('keeps in that copy what a command wrote until it ends, and says so', async () => {
    const w = await staged(world({ answers: [] }), going(evaluateEvery).begin('critical-eval', 'work', ['evaluation']));
    w.model.answers.push(
      calls(['bash', { command: 'echo 1 > a' }], ['bash', { command: 'cat a' }]),
      calls(['report_evaluation', report('degraded', 'polish')]),
    );
    await criticalEval.run('work', play(w).context);
    const [first, second] = w.runner.jobs.filter(({ run }) => 'command' in run && /\ba$/.test(run.command));
    assert.ok(first && second && first.at !== 'worktree');
    assert.deepEqual(first.at, second.at);
    for (const { readonly, view } of [first, second]) assert.deepEqual([readonly, view], [false, undefined]);
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    assert.match(
      block?.type === 'text' ? block.text : '',
      /What one command writes into it is there for the next one; nothing of it is kept/,
    );
  });

  it('environment={} skipped browser eval: whatever was discovered, the browser is there, and each kind of work has its way', async () => {
    for (const [projectType, way] of [
      ['web_app', /It is used in a browser\./],
      ['memo', /Where it is shown in a browser, look at it there/],
    ] as const) {
      const story = going(evaluateEvery);
      const { context } = story.state.work;
      assert.deepEqual(context?.environment, {});
      story.act('discovery', { fact: 'context.discovered', context: { ...context, projectType } });
      const { prompt, tools } = await evaluated(story, calls(['report_evaluation', report('degraded', 'polish')]));
      assert.match(prompt, way);
      assert.ok(tools.includes('browser'), tools.join());
    }
  });

  it('tells all sessions of a web application, or of what makes HTML, of the command browser, where there is one', async () => {
    const told = async (projectType: string, problem: string | undefined, prd?: string): Promise<boolean> => {
      const story = going(evaluateEvery);
      const { context } = story.state.work;
      assert.ok(context);
      story.act('discovery', { fact: 'context.discovered', context: { ...context, projectType } });
      const w = await staged(
        world({ answers: [calls(['report_evaluation', report('degraded', 'polish')])] }),
        story.begin('critical-eval', 'work', ['evaluation']),
      );
      Object.assign(w.ports, { browser: { ...noBrowser, problem: () => problem } });
      const { context: played } = play(w);
      const inputs = prd === undefined ? played.state.opened.inputs : [{ name: 'PRD.md', ref: await w.payloads.put(prd) }];
      played.state.opened = { ...played.state.opened, inputs };
      await criticalEval.run('work', played);
      return /as the command `browser`/.test(w.model.asked[0]?.context ?? '');
    };
    assert.deepEqual(
      [await told('web_app', undefined), await told('web_app', 'None is installed.'), await told('cli', undefined)],
      [true, false, false],
    );
    assert.deepEqual(
      [await told('cli', undefined, 'It writes one HTML file.'), await told('cli', undefined, 'It writes a file.')],
      [true, false],
    );
  });

  it('makes no more tasks than minting is fuelled for', async () => {
    const story = going(evaluateEvery);
    const spent = Array.from({ length: story.state.ledger.sizes['mint'] ?? 0 }, (_, i): Fact => ({
      fact: 'task.added',
      task: p.task({ id: `X${i}`, source: 'vrc', status: 'done' }),
    }));
    const { facts } = await evaluated(story.act('vrc', ...spent), calls(['report_evaluation', report('critical', 'blocking')]));
    assert.deepEqual(facts, []);
  });

  it('that says nothing is marked, makes no task of an older one, and is not repeated on the same tree', async () => {
    const story = going(evaluateEvery).act('final', looked(evaluateEvery - 1, { findings: [finding] }));
    const { facts } = await evaluated(story, says('All good.'), says('All good.'));
    assert.equal(facts.length, 1);
    const [fact] = facts;
    assert.ok(fact?.fact === 'evaluation.reported' && fact.evaluation.fallback && fact.evaluation.scope === 'work');
    assert.deepEqual(due(story.end(...facts)), []);
  });
});

describe('the way in which a deliverable is used', () => {
  const types: [deliverableType: 'software' | 'document' | 'data' | 'config' | 'hybrid', projectType: string, way: string][] = [
    ['software', 'web_app', 'web_app'],
    ['software', 'Single-page site', 'web_app'],
    ['software', 'cli', 'cli'],
    ['software', 'command-line tool', 'cli'],
    ['software', 'REST API', 'api'],
    ['software', 'library', 'library'],
    ['software', 'npm packages', 'library'],
    ['software', 'game', 'other'],
    ['hybrid', 'web_app', 'web_app'],
    ['document', 'report', 'document'],
    ['document', 'web_page', 'document'],
    ['data', 'pipeline', 'data'],
    ['config', 'migration', 'config'],
  ];
  for (const [deliverableType, projectType, way] of types)
    it(`is ${way} for ${deliverableType} / ${projectType}, and has its own words`, () => {
      assert.equal(wayOf({ deliverableType, projectType }), way);
      assert.ok(promptSection('evaluation-ways', way).length > 100);
    });

  it('is known before anything is discovered', () => {
    assert.equal(wayOf(null), 'other');
    assert.throws(() => promptSection('evaluation-ways', 'toaster'), new Bug('prompts/evaluation-ways.md has no section toaster'));
  });
});
