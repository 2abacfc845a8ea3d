/** The state is a pure fold of the journal (I1, I3). Undoing is tested in `undo.test.ts`. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Bug } from '../../../src/engine/ground/errors.ts';
import type { Event } from '../../../src/engine/state/events.ts';
import { tankKinds } from '../../../src/engine/state/tanks.ts';
import { advance, fold, goesOn } from '../../../src/engine/core/fold.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { changed, openedEvent, refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const pick = (state: State) => {
  const { work, ledger, open, stopped, n } = structuredClone(state);
  return { work, ledger, open, stopped, n };
};

describe('fold', () => {
  it('forgets the result of a verification that was rewritten with another text', () => {
    const written = (script: string): Fact => ({ fact: 'verification.written', verification: p.verification({ script }) });
    assert.equal(p.green().state.work.results['value/total']?.verdict, 'green');
    assert.equal(
      p.green().act('write-verifications', written(p.verification().script)).state.work.results['value/total']?.verdict,
      'green',
    );
    assert.equal(p.green().act('write-verifications', written(refOf('other'))).state.work.results['value/total'], undefined);
  });

  it('opens with an empty state', () => {
    const event = openedEvent({ budgetUsd: 7, budgetTokens: 9000 });
    const work = {
      requirements: [],
      constraints: [],
      context: null,
      services: [],
      gates: [],
      tasks: {},
      verifications: {},
      retired: [],
      helpers: {},
      deferred: [],
      descoped: [],
      results: {},
      causes: null,
      tree: { code: 0, change: null, commits: [] },
    };
    const noSpend = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, usd: 0, calls: 0 };
    const ledger = {
      world: 0,
      sizes: event.sizes,
      burned: Object.fromEntries(tankKinds.map((kind) => [kind, {}])),
      budget: { usd: 7, tokens: 9000, hours: 24 },
      ran: { ms: 0, until: event.at },
      budgetReached: null,
      decisions: [],
      resumes: 0,
      minted: 0,
      changes: 0,
      measures: [],
      faults: [],
      leftOut: {},
      hidden: { scripts: [], runs: [], told: [] },
      milestones: [],
      installsMade: [],
      lastMilestone: 0,
      advice: [],
      revisions: [],
      documentReviews: [],
      notes: [],
      spend: noSpend,
      spendByRole: {},
      runs: {},
      proofs: [],
      offers: [],
      suites: { tried: [], retired: [], anew: {} },
      amendments: [],
      scripts: {},
      edits: {},
      fixes: {},
      briefs: [],
      probes: {},
      started: {},
      undone: [],
      words: [],
      pauseAsked: false,
      skipped: [],
      retries: {},
      humanActions: {},
      installs: {},
      network: { refused: {}, reached: {}, withheld: {} },
      planDecisions: [],
      planReviews: [],
      corrections: [],
      reviewed: [],
      strategies: [],
      finished: null,
      assessments: { vrcs: [], evaluations: [], cleanRuns: [] },
    };
    const state = { opened: event, config: event.config, work, restore: work, ledger, open: null, stopped: null, n: 1 };
    assert.deepEqual(fold([event]), state);
  });

  it('refuses a journal that is empty, does not start with the opening event, or opens twice', () => {
    const resume: Event = { n: 2, owner: 1, at: 2, type: 'step.begun', step: { id: 's1', kind: 'resume' }, burns: [tank('sprint')] };
    assert.throws(() => fold([]), Bug);
    assert.throws(() => fold([resume]), Bug);
    assert.throws(() => fold([openedEvent(), { ...openedEvent(), n: 2 }]), Bug);
  });

  it('gives the same state again, and the same as folding any prefix and advancing from there', () => {
    const asked = p.humanAction();
    const { events } = p
      .delivered()
      .act('plan', { fact: 'human-action.asked', humanAction: asked })
      .said({ fact: 'human-action.answered', id: 'H1', answer: 'done' })
      .act('wait', { fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' })
      .begin('close')
      .end();
    const whole = fold(events);
    assert.deepEqual(fold(events), whole);
    for (let cut = 1; cut < events.length; cut += 1) {
      const state = fold(events.slice(0, cut));
      for (const event of events.slice(cut)) advance(state, event);
      assert.deepEqual(state, whole, `cut after ${cut}`);
    }
  });

  it('keeps the begins and ends of steps as parts of the open action', () => {
    const story = p.planned().begin('execute', 'T1');
    const id = story.state.open?.id ?? '';
    const ask = { id: `${id}/a1`, kind: 'ask' as const, request: refOf('q'), role: 'builder', purpose: 'execute/T1#1', turn: 1 };
    story.add({ type: 'step.begun', step: ask, burns: [tank('turns', id)] });
    story.add({ type: 'step.ended', id: ask.id, outcome: 'done', result: refOf('a'), facts: [] });
    story.add({ type: 'step.ended', id: `${ask.id}/c1`, outcome: 'refused', why: 'no', facts: [] });
    const [, , answered, ended] = story.events.slice(-4);
    assert.deepEqual(
      story.state.open?.parts,
      new Map([
        [ask.id, { begun: ask, ended: answered }],
        [`${ask.id}/c1`, { begun: null, ended }],
      ]),
    );
    assert.equal(story.state.ledger.burned.turns[id], 1);
    story.end();
    assert.equal(story.state.open, null);
    assert.equal(story.state.ledger.decisions.at(-1)?.outcome, 'done');
  });
});

describe('a settled change', () => {
  it('completes the reported task, increases the code number and counts once as a milestone', () => {
    const story = p.proven();
    const { work, ledger } = story.state;
    const [commit] = work.tree.commits;
    assert.deepEqual(work.tree, { code: 1, change: null, commits: [{ ...p.settled(), step: commit?.step }] });
    assert.equal(work.tasks['T1']?.status, 'done');
    assert.deepEqual(work.results, { 'value/total': { code: 1, verdict: 'green', signature: '', n: 2 } });
    const milestones = ['gate inputs', 'gate discovery', 'gate plan', 'gate prepare', 'task T1', 'verification value/total'];
    assert.deepEqual(ledger.milestones, milestones);
    story.act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 4, code: 1 }) }, p.gate('plan'));
    assert.deepEqual(story.state.ledger.milestones, milestones);
  });

  it('does not complete a task that was not reported', () => {
    const story = p.awaiting().act('execute', { fact: 'tree.changed', change: p.change() });
    story.act('settle', { fact: 'tree.settled', settled: p.settled() });
    assert.equal(story.state.work.tasks['T1']?.status, 'pending');
  });

  it('completes the record of its fix once, however often the fixer reported', () => {
    const fix = {
      lineage: 'value/total',
      verification: 'value/total',
      signature: 'x',
      fixApplied: 'a',
      filesChanged: [],
      reasoning: 'r',
      also: [],
      answer: { kind: 'fixed' as const },
    };
    const { author, files, patch } = p.change({ author: p.byFix });
    const story = p
      .proven()
      .act(
        'fix',
        { fact: 'fix.reported', step: 's20', report: fix },
        { fact: 'fix.reported', step: 's20', report: { ...fix, fixApplied: 'b' } },
      );
    story.act('settle', { fact: 'tree.settled', settled: p.settled({ code: 2, author, step: 's20' }) });
    const record = { ...fix, fixApplied: 'b', step: 's20', after: 3, outcome: 'kept', why: 'nothing that was green broke', files, patch };
    assert.deepEqual(story.state.ledger.fixes, { 'value/total': [record] });
  });
});

describe('results', () => {
  it('count only for the kept tree: not from a run without a code number, and not with the work reverted', () => {
    const story = p.proven();
    const { results } = story.state.work;
    const { milestones } = story.state.ledger;
    story.act(
      'run-verifications',
      { fact: 'verification.ran', run: p.run({ n: 4, code: null, verdict: 'red' }) },
      { fact: 'verification.ran', run: p.run({ n: 5, code: 1, where: 'revert', verdict: 'red' }) },
    );
    assert.deepEqual(story.state.work.results, results);
    assert.deepEqual(story.state.ledger.milestones, milestones);
    assert.equal(story.state.ledger.runs['value/total']?.length, 5);
  });

  it('give no milestone for a green run on a change that was not kept', () => {
    const story = p.awaiting().act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 2, code: null }) });
    assert.ok(!story.state.ledger.milestones.includes('verification value/total'));
  });

  it('count again when a retired verification is rewritten', () => {
    const story = p.awaiting().act('write-verifications', { fact: 'verification.retired', id: 'value/total', why: 'replaced' });
    assert.deepEqual(story.state.work.retired, ['value/total']);
    story.act('write-verifications', { fact: 'verification.written', verification: p.verification() });
    assert.deepEqual(story.state.work.retired, []);
  });
});

describe('an answer of the person', () => {
  const skipped: Fact[] = [
    { fact: 'human-action.answered', id: 'H1', answer: 'skip' },
    { fact: 'human-action.skipped', id: 'H1' },
  ];

  it('drops the task of a skipped human action, and nothing else', () => {
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    story.said({ fact: 'human-action.answered', id: 'H1', answer: 'skip' });
    const skip = { shown: true, answer: 'skip' as const, answers: 1 };
    assert.deepEqual(story.state.work.tasks, { T1: p.task() }, 'the skip is not carried out yet');
    assert.deepEqual(story.state.ledger.humanActions, { H1: p.humanAction({ ...skip, status: 'answered' }) });
    story.said({ fact: 'human-action.skipped', id: 'H1' });
    const why = 'the person skipped the action it waits for';
    assert.deepEqual(story.state.work.tasks, { T1: { ...p.task(), status: 'descoped', dropped: why } });
    assert.deepEqual(story.state.ledger.humanActions, { H1: p.humanAction({ ...skip, status: 'skipped' }) });
  });

  it('does not change a completed task when its human action is skipped', () => {
    const story = p.proven().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    story.said(...skipped);
    assert.equal(story.state.work.tasks['T1']?.status, 'done');
    assert.equal(story.state.ledger.humanActions['H1']?.status, 'skipped');
  });

  it('drops every open task whose requirements all wait for the skipped human action', () => {
    const others = [p.task({ id: 'T2', prdSection: ['1', '2'] }), p.task({ id: 'T3', prdSection: ['2'] })];
    const story = p.awaiting().act('plan', ...others.map((task): Fact => ({ fact: 'task.added', task })));
    story.act('prepare', { fact: 'human-action.asked', humanAction: p.humanAction({ task: '', requirements: ['1'] }) });
    story.said(...skipped);
    const statuses = Object.values(story.state.work.tasks).map(({ id, status }) => [id, status]);
    assert.deepEqual(statuses, [
      ['T1', 'descoped'],
      ['T2', 'descoped'],
      ['T3', 'pending'],
    ]);
  });

  it('is needed for a file that was already there, until they do not attend or the file is missing', () => {
    const held = p.humanAction({ shown: true, held: true });
    const story = () =>
      p
        .awaiting()
        .act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() })
        .said({ fact: 'human-action.shown', id: 'H1', held: true });
    assert.deepEqual(story().state.ledger.humanActions['H1'], held);
    const free = { ...held, held: false };
    const unattended = story().act('wait', { fact: 'human-action.unattended', id: 'H1' });
    assert.deepEqual(unattended.state.ledger.humanActions['H1'], { ...free, unattended: true });
    const missing = story().act('wait', { fact: 'human-action.verified', id: 'H1', fulfilled: false, missing: 'key' });
    assert.deepEqual(missing.state.ledger.humanActions['H1'], { ...free, missing: 'key' });
  });

  it('is included in a worktree that is prepared afterwards', () => {
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    story.act('wait', { fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' });
    const done = p.humanAction({ shown: true, status: 'fulfilled' });
    assert.deepEqual(story.state.ledger.humanActions['H1'], done);
    story.act('prepare', p.gate('prepare'));
    assert.deepEqual(story.state.ledger.humanActions['H1'], { ...done, prepared: true });
  });

  it('of "done" is verified and can be repeated; a fulfilled human action stays fulfilled', () => {
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    const snapshots: unknown[] = [];
    const record = (): unknown => snapshots.push(structuredClone(story.state.ledger.humanActions['H1']));
    story.said({ fact: 'human-action.answered', id: 'H1', answer: 'done' });
    record();
    story.act('wait', { fact: 'human-action.verified', id: 'H1', fulfilled: false, missing: 'prices.csv' });
    record();
    story.said({ fact: 'human-action.answered', id: 'H1', answer: 'done' });
    record();
    story.act('wait', { fact: 'human-action.verified', id: 'H1', fulfilled: true, missing: '' });
    story.said(...skipped);
    record();
    const answered = { shown: true, answer: 'done' as const };
    assert.deepEqual(snapshots, [
      p.humanAction({ ...answered, answers: 1, status: 'answered' }),
      p.humanAction({ ...answered, answers: 1, missing: 'prices.csv' }),
      p.humanAction({ ...answered, answers: 2, status: 'answered', missing: 'prices.csv' }),
      p.humanAction({ ...answered, answers: 2, status: 'fulfilled' }),
    ]);
  });
});

describe('resume', () => {
  const stops = {
    delivered: false,
    partial: false,
    failed: false,
    waiting: true,
    'out-of-budget': true,
  } as const;
  for (const [stop, clears] of Object.entries(stops))
    it(`${clears ? 'continues after' : 'does not change'} the stop "${stop}", and is counted`, () => {
      const { state } = p.planned().act('wait', { fact: 'human-action.unattended', id: 'H1' });
      const stopped = { stop: stop as keyof typeof stops, reasons: ['why'] };
      const copy = changed(state, (s) => void (s.stopped = stopped));
      advance(copy, {
        n: state.n + 1,
        owner: 2,
        at: 5,
        type: 'step.begun',
        step: { id: 's9', kind: 'resume' },
        burns: [tank('sprint')],
      });
      const ran = { ...state.ledger.ran, until: 5 };
      const ledger = { ...state.ledger, ran, resumes: 1, burned: { ...state.ledger.burned, sprint: { '': 6 } } };
      assert.deepEqual(pick(copy), pick({ ...state, ledger, stopped: clears ? null : stopped, n: state.n + 1 }));
    });
});

describe('closing', () => {
  it('stops with the ending of the state, only after close is done', () => {
    const story = p.delivered().begin('close');
    assert.equal(story.state.stopped, null);
    story.end();
    assert.deepEqual(story.state.stopped, { stop: 'delivered', reasons: [] });
  });

  it('does not stop when the close was interrupted', () => {
    const story = p.delivered().begin('close');
    story.add({ type: 'step.ended', id: story.state.open?.id ?? '', outcome: 'interrupted', facts: [] });
    assert.equal(story.state.stopped, null);
  });
});

describe('a sprint', () => {
  it('goes on unless it was finished or has ended', () => {
    const states = {
      open: p.planned(),
      waiting: p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() }).act('close'),
      delivered: p.delivered().act('close'),
    };
    assert.deepEqual(
      Object.entries(states).map(([name, { state }]) => [name, goesOn(state)]),
      [
        ['open', true],
        ['waiting', true],
        ['delivered', false],
      ],
    );
    const finished = { how: 'keep' as const, commit: 'c1' };
    const { state } = states.waiting.said({ fact: 'sprint.finished', finished });
    assert.deepEqual([goesOn(state), state.ledger.finished], [false, finished]);
  });
});

describe('spend', () => {
  const spent = (role: string, usd: number): Fact => ({
    fact: 'model.spent',
    role,
    model: 'm',
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    usd,
  });

  it('is one ledger for all roles, and the person can only raise the budget', () => {
    const story = new Story({ budgetUsd: 5, budgetTokens: 100 });
    story.act('plan', spent('reasoner', 0.5), spent('builder', 0.25), { fact: 'budget.reached', what: 'money', why: 'no money' });
    const all = { input: 2, output: 4, cacheRead: 6, cacheWrite: 8, usd: 0.75, calls: 2 };
    const half = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, calls: 1 };
    const { ledger } = story.state;
    assert.deepEqual(ledger.spend, all);
    assert.deepEqual(ledger.spendByRole, { reasoner: { ...half, usd: 0.5 }, builder: { ...half, usd: 0.25 } });
    assert.equal(ledger.budgetReached, 'no money');
    story.said({ fact: 'budget.raised', usd: 6, tokens: 50, hours: 2 });
    assert.deepEqual(ledger.budget, { usd: 6, tokens: 100, hours: 24 });
    assert.equal(ledger.budgetReached, null);
  });
});
