/** State is a pure fold of the journal (I1, I3). An undo is in `undo.test.ts`. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Bug } from '../../../src/engine/ground/errors.ts';
import type { Event } from '../../../src/engine/state/events.ts';
import { advance, fold, goesOn } from '../../../src/engine/core/fold.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { changed, openedEvent, refOf, Story } from '../support/events.ts';
import * as s from '../support/parts.ts';

const pick = (state: State) => {
  const { work, ledger, open, stopped, n } = structuredClone(state);
  return { work, ledger, open, stopped, n };
};

describe('fold', () => {
  it('knows no result of a verification that was written again with another text', () => {
    const written = (script: string): Fact => ({ fact: 'check.written', check: s.check({ script }) });
    assert.equal(s.green().state.work.results['value/total']?.verdict, 'green');
    assert.equal(s.green().act('generate-checks', written(s.check().script)).state.work.results['value/total']?.verdict, 'green');
    assert.equal(s.green().act('generate-checks', written(refOf('other'))).state.work.results['value/total'], undefined);
  });

  it('opens a run with nothing in it', () => {
    const event = openedEvent({ budgetUsd: 7, budgetTokens: 9000 });
    const work = { requirements: [], context: null, gates: [], tasks: {}, checks: {}, retired: [], deferred: [], results: {}, causes: null, tree: { code: 0, change: null, commits: [] } }; // prettier-ignore
    const noSpend = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, usd: 0, calls: 0 };
    assert.deepEqual(fold([event]), {
      opened: event,
      config: event.config,
      work,
      restore: work,
      ledger: {
        sizes: event.sizes,
        burned: {},
        decisions: [],
        resumes: 0,
        minted: 0,
        changes: 0,
        milestones: [],
        runs: {},
        proofs: [],
        fixes: {},
        undone: [],
        pauses: {},
        assessments: { vrcs: [], evaluations: [], cleanRuns: [] },
        spend: noSpend,
        spendByRole: {},
        budget: { usd: 7, tokens: 9000 },
        budgetReached: null,
        finished: null,
      },
      open: null,
      stopped: null,
      n: 1,
    });
  });

  it('refuses a journal that is empty, begins with another event or opens twice', () => {
    const resume: Event = { n: 2, owner: 1, at: 2, type: 'step.begun', step: { id: 's1', kind: 'resume' }, burns: ['sprint'] };
    assert.throws(() => fold([]), Bug);
    assert.throws(() => fold([resume]), Bug);
    assert.throws(() => fold([openedEvent(), { ...openedEvent(), n: 2 }]), Bug);
  });

  it('gives the same state twice, and after every prefix what advancing gives', () => {
    const asked = s.pause();
    const { events } = s
      .delivered()
      .act('plan', { fact: 'pause.opened', pause: asked })
      .said({ fact: 'pause.answered', id: 'H1', answer: 'done' })
      .act('wait', { fact: 'pause.checked', id: 'H1', fulfilled: true, missing: '' })
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

  it('keeps what a step begins and ends as parts of the open action', () => {
    const story = s.planned().begin('execute', 'T1');
    const id = story.state.open?.id ?? '';
    const ask = { id: `${id}/a1`, kind: 'ask' as const, request: refOf('q'), role: 'builder', purpose: 'execute/T1#1', turn: 1 };
    story.add({ type: 'step.begun', step: ask, burns: [`steps/60/${id}`] });
    story.add({ type: 'step.ended', id: ask.id, outcome: 'done', result: refOf('a'), facts: [] });
    story.add({ type: 'step.ended', id: `${ask.id}/c1`, outcome: 'refused', why: 'no', facts: [] });
    const [, , answered, ended] = story.events.slice(-4);
    assert.deepEqual(story.state.open?.parts, new Map([
      [ask.id, { begun: ask, ended: answered }],
      [`${ask.id}/c1`, { begun: null, ended }],
    ])); // prettier-ignore
    assert.equal(story.state.ledger.burned[`steps/60/${id}`], 1);
    story.end();
    assert.equal(story.state.open, null);
    assert.equal(story.state.ledger.decisions.at(-1)?.outcome, 'done');
  });
});

describe('a settled change', () => {
  it('completes the reported task, raises the code number and counts once as a milestone', () => {
    const story = s.proven();
    const { work, ledger } = story.state;
    const [commit] = work.tree.commits;
    assert.deepEqual(work.tree, { code: 1, change: null, commits: [{ ...s.settled(), step: commit?.step }] });
    assert.equal(work.tasks['T1']?.status, 'done');
    assert.deepEqual(work.results, { 'value/total': { code: 1, verdict: 'green', signature: '' } });
    const milestones = ['gate inputs', 'gate discovery', 'gate plan', 'gate prepare', 'task T1', 'check value/total'];
    assert.deepEqual(ledger.milestones, milestones);
    story.act('run-checks', { fact: 'check.ran', run: s.run({ n: 4, code: 1 }) }, s.gate('plan'));
    assert.deepEqual(story.state.ledger.milestones, milestones);
  });

  it('leaves a task that was not reported open', () => {
    const story = s.awaiting().act('execute', { fact: 'tree.changed', change: s.change() });
    story.act('settle', { fact: 'tree.settled', settled: s.settled() });
    assert.equal(story.state.work.tasks['T1']?.status, 'pending');
  });

  it('closes the record of the fix that made it, once, however often the fixer reported', () => {
    const fix = { lineage: 'value/total', check: 'value/total', signature: 'x', fixApplied: 'a', filesChanged: [], reasoning: 'r' };
    const { author, files, patch } = s.change({ author: s.byFix });
    const story = s.proven().act('fix', { fact: 'fix.reported', step: 's20', report: fix }, { fact: 'fix.reported', step: 's20', report: { ...fix, fixApplied: 'b' } });
    story.act('settle', { fact: 'tree.settled', settled: s.settled({ code: 2, author, step: 's20' }) });
    const record = { ...fix, fixApplied: 'b', step: 's20', after: 3, outcome: 'kept', why: 'nothing that was green broke', files, patch };
    assert.deepEqual(story.state.ledger.fixes, { 'value/total': [record] });
  }); // prettier-ignore
});

describe('results', () => {
  it('count for the kept tree alone: neither a run without a code number nor one with the work taken out', () => {
    const story = s.proven();
    const { results } = story.state.work;
    const { milestones } = story.state.ledger;
    story.act(
      'run-checks',
      { fact: 'check.ran', run: s.run({ n: 4, code: null, verdict: 'red' }) },
      { fact: 'check.ran', run: s.run({ n: 5, code: 1, where: 'revert', verdict: 'red' }) },
    );
    assert.deepEqual(story.state.work.results, results);
    assert.deepEqual(story.state.ledger.milestones, milestones);
    assert.equal(story.state.ledger.runs['value/total']?.length, 5);
  });

  it('make no milestone of a green that was not kept', () => {
    const story = s.awaiting().act('run-checks', { fact: 'check.ran', run: s.run({ n: 2, code: null }) });
    assert.ok(!story.state.ledger.milestones.includes('check value/total'));
  });

  it('bring a retired check back to life when it is written again', () => {
    const story = s.awaiting().act('generate-checks', { fact: 'check.retired', id: 'value/total', why: 'replaced' });
    assert.deepEqual(story.state.work.retired, ['value/total']);
    story.act('generate-checks', { fact: 'check.written', check: s.check() });
    assert.deepEqual(story.state.work.retired, []);
  });
});

describe('what a person says', () => {
  it('consents to losing the task when they skip its action, and to nothing else', () => {
    const story = s.awaiting().act('plan', { fact: 'pause.opened', pause: s.pause() });
    story.said({ fact: 'pause.answered', id: 'H1', answer: 'skip' });
    const why = 'the person skipped the action it waits for';
    assert.deepEqual(story.state.work.tasks, { T1: { ...s.task(), status: 'descoped', setback: why } });
    assert.deepEqual(story.state.ledger.pauses, { H1: s.pause({ status: 'skipped', shown: true }) });
  });

  it('leaves a task that is done as it is when its action is skipped', () => {
    const story = s.proven().act('plan', { fact: 'pause.opened', pause: s.pause() });
    story.said({ fact: 'pause.answered', id: 'H1', answer: 'skip' });
    assert.equal(story.state.work.tasks['T1']?.status, 'done');
  });

  it('consents for every open task of the requirements that wait for it', () => {
    const others = [s.task({ id: 'T2', prdSection: ['1', '2'] }), s.task({ id: 'T3', prdSection: ['2'] })];
    const story = s.awaiting().act('plan', ...others.map((task): Fact => ({ fact: 'task.added', task })));
    story.act('prepare', { fact: 'pause.opened', pause: s.pause({ task: '', requirements: ['1'] }) });
    story.said({ fact: 'pause.answered', id: 'H1', answer: 'skip' });
    const statuses = Object.values(story.state.work.tasks).map(({ id, status }) => [id, status]);
    assert.deepEqual(statuses, [['T1', 'descoped'], ['T2', 'descoped'], ['T3', 'pending']]); // prettier-ignore
  });

  it('is needed for what was there when they were told, until they leave it or a look finds it missing', () => {
    const held = s.pause({ shown: true, held: true });
    const story = () => s.awaiting().act('plan', { fact: 'pause.opened', pause: s.pause() }).said({ fact: 'pause.told', id: 'H1', held: true }); // prettier-ignore
    assert.deepEqual(story().state.ledger.pauses['H1'], held);
    const { held: _held, ...free } = held;
    const left = story().act('wait', { fact: 'pause.unattended', id: 'H1' });
    assert.deepEqual(left.state.ledger.pauses['H1'], { ...free, unattended: true });
    const looked = story().act('wait', { fact: 'pause.checked', id: 'H1', fulfilled: false, missing: 'key' });
    assert.deepEqual(looked.state.ledger.pauses['H1'], { ...free, missing: 'key' });
  });

  it('is part of a worktree that is prepared after it', () => {
    const story = s.awaiting().act('plan', { fact: 'pause.opened', pause: s.pause() });
    story.act('wait', { fact: 'pause.checked', id: 'H1', fulfilled: true, missing: '' });
    assert.equal(story.state.ledger.pauses['H1']?.prepared, undefined);
    story.act('prepare', s.gate('prepare'));
    assert.equal(story.state.ledger.pauses['H1']?.prepared, true);
  });

  it('claims, fails the check, claims again, fulfils; a fulfilled action stays so', () => {
    const story = s.awaiting().act('plan', { fact: 'pause.opened', pause: s.pause() });
    const seen: unknown[] = [];
    const look = (): unknown => seen.push(structuredClone(story.state.ledger.pauses['H1']));
    story.said({ fact: 'pause.answered', id: 'H1', answer: 'done' });
    look();
    story.act('wait', { fact: 'pause.checked', id: 'H1', fulfilled: false, missing: 'prices.csv' });
    look();
    story.act('wait', { fact: 'pause.checked', id: 'H1', fulfilled: true, missing: '' });
    story.said({ fact: 'pause.answered', id: 'H1', answer: 'skip' });
    look();
    assert.deepEqual(seen, [
      s.pause({ shown: true, status: 'claimed' }),
      s.pause({ shown: true, missing: 'prices.csv' }),
      s.pause({ shown: true, status: 'fulfilled' }),
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
    cancelled: true,
  } as const;
  for (const [stop, clears] of Object.entries(stops))
    it(`${clears ? 'goes on from' : 'leaves'} ${stop}, and is counted`, () => {
      const { state } = s.planned().act('wait', { fact: 'pause.unattended', id: 'H1' });
      const stopped = { stop: stop as keyof typeof stops, reasons: ['why'] };
      const copy = changed(state, (c) => {
        c.stopped = stopped;
      });
      advance(copy, {
        n: state.n + 1,
        owner: 2,
        at: 5,
        type: 'step.begun',
        step: { id: 's9', kind: 'resume' },
        burns: ['sprint'],
      });
      const ledger = { ...state.ledger, resumes: 1, burned: { ...state.ledger.burned, sprint: 6 } };
      assert.deepEqual(pick(copy), pick({ ...state, ledger, stopped: clears ? null : stopped, n: state.n + 1 }));
    });
});

describe('closing', () => {
  it('stops with the ending that the state has, and only when close is done', () => {
    const story = s.delivered().begin('close');
    assert.equal(story.state.stopped, null);
    story.end();
    assert.deepEqual(story.state.stopped, { stop: 'delivered', reasons: [] });
  });

  it('does not stop when the close was interrupted', () => {
    const story = s.delivered().begin('close');
    story.add({ type: 'step.ended', id: story.state.open?.id ?? '', outcome: 'interrupted', facts: [] });
    assert.equal(story.state.stopped, null);
  });
});

describe('a sprint', () => {
  it('is over once it was finished, and else goes on but after an end', () => {
    const states = { open: s.planned(), waiting: s.awaiting().act('plan', { fact: 'pause.opened', pause: s.pause() }).act('close'), delivered: s.delivered().act('close') };
    assert.deepEqual(Object.entries(states).map(([name, { state }]) => [name, goesOn(state)]), [['open', true], ['waiting', true], ['delivered', false]]);
    const finished = { how: 'keep' as const, commit: 'c1' };
    const { state } = states.waiting.said({ fact: 'sprint.finished', finished });
    assert.deepEqual([goesOn(state), state.ledger.finished], [false, finished]);
  }); // prettier-ignore
});

describe('spend', () => {
  const spent = (role: string, usd: number): Fact => ({ fact: 'model.spent', role, model: 'm', usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, usd }); // prettier-ignore

  it('is one ledger for all roles, and raised by a person only ever upwards', () => {
    const story = new Story({ budgetUsd: 5, budgetTokens: 100 });
    story.act('plan', spent('reasoner', 0.5), spent('builder', 0.25), { fact: 'budget.reached', what: 'money', why: 'no money' });
    const all = { input: 2, output: 4, cacheRead: 6, cacheWrite: 8, usd: 0.75, calls: 2 };
    const half = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, calls: 1 };
    const { ledger } = story.state;
    assert.deepEqual(ledger.spend, all);
    assert.deepEqual(ledger.spendByRole, { reasoner: { ...half, usd: 0.5 }, builder: { ...half, usd: 0.25 } });
    assert.equal(ledger.budgetReached, 'no money');
    story.said({ fact: 'budget.raised', usd: 6, tokens: 50 });
    assert.deepEqual(ledger.budget, { usd: 6, tokens: 100 });
    assert.equal(ledger.budgetReached, null);
  });
});
