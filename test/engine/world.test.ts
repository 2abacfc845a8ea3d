/** A failure is the work's only in the world it was taken in: what is stale runs again before anybody is called (issue 13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { environment } from '../../src/engine/actions/environment.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { research } from '../../src/engine/actions/research.ts';
import { runVerificationsAction } from '../../src/engine/actions/run-verifications.ts';
import { serviceFix } from '../../src/engine/actions/service-fix.ts';
import { table } from '../../src/engine/actions/table.ts';
import { decide } from '../../src/engine/core/decide.ts';
import { metrics } from '../../src/engine/core/metrics.ts';
import { failedFixes } from '../../src/engine/judge/failed-fixes.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import { renderHistory } from '../../src/engine/render/history.ts';
import { reportFix } from '../../src/engine/tools/report-fix.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import type { FixReport } from '../../src/engine/work/fix.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { deedOf } from '../../src/engine/work/human-action.ts';
import { world } from '../support/fakes.ts';
import { nameOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const v = p.verification();

function ran(story: Story, over: Parameters<typeof p.run>[0] = {}): Fact {
  const n = (story.state.ledger.runs[v.lineage]?.length ?? 0) + 1;
  return { fact: 'verification.ran', run: p.run({ n, code: 1, verdict: 'red', world: story.state.ledger.world, ...over }) };
}

/** The task is built, and its verification is red in the present world. */
function broken(): Story {
  const story = p.built();
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ran(story));
}

const due = (story: Story): string[] => {
  const { action, target } = decide(story.state, table);
  return [action, target].filter(Boolean);
};

const said: Omit<FixReport, 'answer'> = {
  lineage: v.lineage,
  verification: v.id,
  also: [],
  signature: 'test_failure-1',
  fixApplied: 'nothing',
  filesChanged: [],
  reasoning: 'the module is installed now',
};
const fixed = { ...said, answer: { kind: 'fixed' as const } };
const fault = { ...said, answer: { kind: 'environment' as const, missing: 'abacus is not installed', command: 'command -v abacus' } };

/** A fixer's session that ends with this report and no change. */
function answered(story: Story, report: FixReport): Story {
  const [one] = fix.due(story.state);
  assert.ok(one, 'a fix is due');
  story.begin('fix', one.target, one.burns.map(nameOf));
  const step = story.state.open?.id ?? '';
  const idle: Fact[] = report.answer.kind === 'fixed' ? [{ fact: 'fix.idle', step }] : [];
  return story.end({ fact: 'fix.reported', step, report }, ...idle);
}

const deed = deedOf({ id: 'H1', action: 'Start it', instructions: 'Start it.', paths: ['key.txt'] });
const installed = {
  install: { folder: '', manager: 'npm' as const, flags: [] },
  declared: p.run().output,
  exit: 0,
  output: p.run().output,
  excerpt: '',
  duration: 1,
};
const changes: { what: string; facts: Fact[] }[] = [
  { what: 'the person supplied something', facts: [{ fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' }] },
  { what: 'the person granted a variable', facts: [{ fact: 'access.granted', environment: ['KEY'], docker: false }] },
  { what: 'the worktree was prepared again', facts: [p.gate('prepare')] },
  { what: 'Loop started a service', facts: [{ fact: 'service.started', name: 'db', ours: true, why: 'started', beside: [] }] },
  { what: 'dependencies were installed', facts: [{ fact: 'install.ran', installed }] },
];
const same: { what: string; facts: Fact[] }[] = [
  { what: 'a deed is not done', facts: [{ fact: 'human-action.verified', id: 'H1', fulfilled: false, missing: 'key.txt' }] },
  { what: 'a service ran already', facts: [{ fact: 'service.started', name: 'db', ours: false, why: 'it was running', beside: [] }] },
];

describe('a failure', () => {
  for (const { what, facts } of changes)
    it(`runs again, and goes to nobody, after ${what}`, () => {
      const story = broken().act('vrc', { fact: 'human-action.asked', humanAction: deed });
      assert.equal(statusOf(story.state, v), 'failed');
      story.said(...facts);
      assert.equal(statusOf(story.state, v), 'pending');
      assert.deepEqual([fix.due(story.state), research.due(story.state)], [[], []]);
      assert.deepEqual(due(story), ['run-verifications']);
      story.act('run-verifications', ran(story));
      assert.equal(statusOf(story.state, v), 'failed', 'in the new world it counts');
    });

  for (const { what, facts } of same)
    it(`still counts where ${what}`, () => {
      const story = broken().act('vrc', { fact: 'human-action.asked', humanAction: deed });
      assert.equal(statusOf(story.said(...facts).state, v), 'failed');
    });

  it('that is stale stays so when a change is undone: no undo brings an older world back', () => {
    const story = broken();
    story.begin('fix', v.id, ['lineage/value/total']);
    const change = p.change({ n: 2, author: p.byFix, step: story.state.open?.id ?? '' });
    story.end({ fact: 'tree.changed', change });
    story.said({ fact: 'access.granted', environment: ['KEY'], docker: false });
    story.act('settle', { fact: 'tree.undone', change, why: 'it broke something', broke: [] });
    assert.equal(statusOf(story.state, v), 'pending');
  });

  it('of a version that knew no worlds counts as it did', () => {
    const story = broken().act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 3, code: 1, verdict: 'red' }) });
    assert.equal(statusOf(story.said({ fact: 'access.granted', environment: ['KEY'], docker: false }).state, v), 'failed');
  });

  it('of what is not built yet calls nobody, and need not run again', () => {
    const story = p.awaiting();
    story.act('run-verifications', ran(story, { code: 0 })).said({ fact: 'access.granted', environment: ['KEY'], docker: false });
    assert.equal(statusOf(story.state, v), 'awaiting');
    assert.deepEqual(due(story), ['execute', 'T1']);
  });

  it('of a flake runs again too, and what is green stays green', () => {
    const grant: Fact = { fact: 'access.granted', environment: ['KEY'], docker: false };
    const flaky = broken();
    flaky.act('run-verifications', ran(flaky, { verdict: 'flaky' })).said(grant);
    assert.equal(statusOf(flaky.state, v), 'pending');
    const green = broken();
    green.act('run-verifications', ran(green, { verdict: 'green' })).said(grant);
    assert.equal(statusOf(green.state, v), 'passed');
  });

  it('runs at most four times in one world, so that looking ends (I4)', () => {
    const story = broken().said({ fact: 'access.granted', environment: ['KEY'], docker: false });
    let looks = 0;
    for (; looks < 20; looks += 1) {
      const { action, target, burns } = decide(story.state, table);
      if (action !== 'run-verifications') break;
      story.begin(action, target, burns.slice(1).map(nameOf)).end();
    }
    assert.equal(looks, 4);
  });

  it('of a service is probed again after a change of the world, before anybody mends it', () => {
    const service = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 5 };
    const script = p.verification({ requires: ['api'] });
    const story = p.built(p.planned().act('write-verifications', { fact: 'verification.written', verification: script }));
    const { step } = story.state.work.tree.change ?? p.change();
    const down = (code: number): Fact => ({
      fact: 'service.probed',
      probe: {
        name: 'api',
        code,
        world: story.state.ledger.world,
        up: false,
        cause: 'exited',
        why: 'it ended',
        output: p.run().output,
        excerpt: '',
        exit: 1,
        duration: 1,
      },
    });
    story.act('settle', { fact: 'services.read', services: [service] }, { fact: 'tree.settled', settled: p.settled({ step }) }, down(1));
    assert.deepEqual(due(story), ['service-fix', 'api']);
    story.said({ fact: 'access.granted', environment: ['KEY'], docker: false });
    assert.deepEqual(serviceFix.due(story.state), []);
    assert.equal(runVerificationsAction.due(story.state).length, 1);
    story.act('run-verifications', down(1));
    assert.deepEqual(due(story), ['service-fix', 'api']);
  });
});

describe('a fix that changed nothing', () => {
  it('is followed by a new run, and then by a fixer who reads why', () => {
    const story = answered(broken(), fixed);
    assert.deepEqual(fix.due(story.state), []);
    assert.deepEqual(due(story), ['run-verifications']);
    story.act('run-verifications', ran(story));
    assert.deepEqual(due(story), ['fix', v.id]);
    assert.match(renderHistory(story.state, v), /Outcome: changed nothing, because: the module is installed now/);
  });

  it('is no failed fix: it does not count as mended in vain', () => {
    const story = answered(broken(), fixed);
    story.act('run-verifications', ran(story));
    assert.deepEqual(failedFixes(story.state.ledger, v.lineage), []);
    assert.equal(metrics(story.state).churn.count, 0);
  });
});

describe('an environment that is at fault', () => {
  const at = (story: Story) => ({ state: story.state, target: v.id, step: 's9', kept: '' });
  const call = { fix_applied: 'nothing', files_changed: [], reasoning: 'abacus is missing' };
  const claim = { ...call, environment_at_fault: { missing: 'abacus is not installed', how_to_tell: 'command -v abacus' } };

  it('is an answer of a fixer, and neither a failed fix nor one that changed nothing', () => {
    const { facts } = reportFix.handle(claim, at(broken()));
    assert.deepEqual(
      facts.map((f) => f.fact === 'fix.reported' && f.report.answer),
      [fault.answer],
    );
    const story = answered(broken(), fault);
    assert.deepEqual(failedFixes(story.state.ledger, v.lineage), []);
    assert.doesNotMatch(renderHistory(story.state, v), /changed nothing/);
  });

  it('is looked at by the engine before any other fixer, and at most twice for a lineage', () => {
    const story = answered(broken(), fault);
    assert.deepEqual(due(story), ['environment', v.id]);
    const [one] = environment.due(story.state);
    assert.deepEqual(one?.burns.map(nameOf), ['environment/value/total']);
    story.state.ledger.burned.environment[v.lineage] = 2;
    assert.throws(
      () => reportFix.handle(claim, at(story)),
      (e) => e instanceof ToolError && /as often as it may be/.test(e.message),
    );
  });

  it('is refused together with a doubt', () => {
    const both = { ...claim, verification_wrong: { evidence: 'the PRD says something else' } };
    assert.throws(() => reportFix.handle(both, at(broken())), ToolError);
  });

  /** Runs the row on a world where the fixer's command and the verification end like this. */
  async function looked(command: number, script: number, files: Record<string, string> = {}): Promise<Story> {
    const story = answered(broken(), fault);
    const [one] = environment.due(story.state);
    story.begin('environment', v.id, one?.burns.map(nameOf));
    const w = await staged(world({ files }), story);
    w.runner.decide = (_files, { run }) => ({ exit: 'command' in run ? command : script, output: 'wrong total' });
    const { context, kernel } = play(w);
    const facts = await environment.run(v.id, context);
    await kernel.append({ type: 'step.ended', id: kernel.state.open?.id ?? '', outcome: 'done', facts });
    story.events.splice(0, story.events.length, ...w.journal.events);
    Object.assign(story.state, kernel.state);
    return story;
  }

  it('that a try of the engine mended is the end of it, without the person', async () => {
    const { state } = await looked(0, 0);
    assert.deepEqual([statusOf(state, v), Object.keys(state.ledger.humanActions)], ['passed', []]);
  });

  it('is not mended where the install fails anew: the person is asked for that', async () => {
    const { state } = await looked(1, 1, { 'package.json': '{"dependencies":{"express":"5"}}' });
    assert.deepEqual(
      Object.values(state.ledger.humanActions).map(({ action }) => action),
      ['See that npm can be installed'],
    );
  });

  it('goes to the person with the command that tells, and to no fixer until they did it', async () => {
    const story = await looked(1, 1);
    const { state } = story;
    const asked = state.ledger.humanActions['H1'];
    assert.ok(asked?.kind === 'deed');
    assert.deepEqual(
      [asked.command, asked.lineages, asked.action],
      ['command -v abacus', [v.lineage], 'Mend the environment: abacus is not installed'],
    );
    assert.equal(statusOf(state, v), 'blocked');
    assert.deepEqual([fix.due(state), research.due(state)], [[], []]);
    assert.deepEqual(due(story), ['wait', 'H1']);
    story.said({ fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' });
    assert.deepEqual(runVerificationsAction.due(story.state).length, 1, 'the world changed');
  });

  it('is not brought to the person where the verification passes now, or the command says that nothing is missing', async () => {
    assert.deepEqual((await looked(1, 0)).state.ledger.humanActions, {});
    const { state } = await looked(0, 1);
    assert.deepEqual(state.ledger.humanActions, {});
    assert.equal(statusOf(state, v), 'failed');
  });
});
