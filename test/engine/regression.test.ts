/** What runs on a change, and in which time: what was not reached is not run, never green, and no entry in any history. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { othersThan, regressionOf } from '../../src/engine/judge/regression.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import { settle } from '../../src/engine/actions/settle.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import type { Run, Script } from '../../src/engine/work/verification.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { world } from '../support/fakes.ts';
import { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

/** How the n-th run ends, beside others or alone. */
type Beside = (n: number, isBeside: boolean) => Partial<Finished>;

const named = (id: string): Script => p.verification({ id, lineage: `line of ${id}` });

describe('what runs besides on a changed tree', () => {
  it('is all that did not run on it yet, but what takes long while another task is next once the change is kept', () => {
    const ran = (id: string, duration: number): Fact => ({
      fact: 'verification.ran',
      run: p.run({ verification: id, lineage: `line of ${id}`, verdict: 'red', duration }),
    });
    const written = ['soon', 'slow'].map((id): Fact => ({ fact: 'verification.written', verification: named(id) }));
    const other = p.task({ id: 'T0', prdSection: ['2'] });
    const { state } = p
      .planned()
      .act('plan-health', { fact: 'task.added', task: other }, { fact: 'task.moved', id: 'T0', before: 'T1' })
      .act('write-verifications', ...written)
      .act('run-verifications', ran('soon', 1000), ran('slow', 20_000));
    assert.deepEqual(
      othersThan({ probes: [], runs: [] }, state).verifications.map(({ id }) => id),
      ['soon'],
    );
    assert.equal(statusOf({ ...state, work: { ...state.work, tree: { ...state.work.tree, code: 1 } } }, named('slow')), 'awaiting');
    const reported = { ...state.work.tasks, T0: { ...other, status: 'reported' as const } };
    assert.deepEqual(
      othersThan({ probes: [], runs: [] }, { ...state, work: { ...state.work, tasks: reported } }).verifications.map(({ id }) => id),
      ['soon', 'slow'],
    );
  });
});

describe('settling within a time budget', () => {
  /** Each verification takes 60 s of the clock, one at a time; `a` covers the fix, the others were green before. */
  async function settled(regressionTimeout: number, { parallel = 1, beside }: { parallel?: number; beside?: Beside } = {}) {
    const story = new Story({ regressionTimeout, verificationParallelism: parallel });
    const written = ['b', 'c', 'a'].map((id): Fact => ({ fact: 'verification.written', verification: named(id) }));
    p.built(p.planned(story).act('write-verifications', ...written));
    const { step } = story.state.work.tree.change ?? p.change();
    const green = ['b', 'c'].map((id): Fact => ({
      fact: 'verification.ran',
      run: p.run({ verification: id, lineage: `line of ${id}`, code: 1, duration: 1000 }),
    }));
    story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...green, {
      fact: 'verification.ran',
      run: p.run({ verification: 'a', lineage: 'line of a', code: 1, verdict: 'red' }),
    });
    // A change that was taken back had broken b: but for the fix of a, it would go first.
    story.act('settle', {
      fact: 'verification.ran',
      run: p.run({ verification: 'b', lineage: 'line of b', n: 2, code: null, verdict: 'red', duration: 5000 }),
    });
    story.begin('fix', 'a');
    const by = { kind: 'fix' as const, lineage: 'line of a', verification: 'a', also: [] };
    const report = {
      lineage: 'line of a',
      verification: 'a',
      signature: '',
      fixApplied: 'x',
      filesChanged: [],
      reasoning: '',
      answer: { kind: 'fixed' as const },
      also: [],
    };
    const at = story.state.open?.id ?? '';
    story.end({ fact: 'fix.reported', step: at, report }, { fact: 'tree.changed', change: p.change({ n: 2, author: by, step: at }) });
    const w = await staged(world(), story.begin('settle', '2'));
    w.repo.base = 'c1';
    let [begun, running] = [0, 0];
    w.runner.decide = async () => {
      w.clock.time += 60_000;
      if (!beside) return {};
      const n = (begun += 1);
      running += 1;
      await new Promise((resolve) => setImmediate(resolve));
      const end = beside(n, running > 1);
      running -= 1;
      return end;
    };
    const facts = await settle.run('2', play(w).context);
    const ids = facts.flatMap((f) => (f.fact === 'verification.ran' ? [[f.run.verification, f.run.code]] : []));
    return { facts, ids, story, notes: w.progress.flatMap((item) => (item.kind === 'note' ? [item.text] : [])) };
  }

  it('runs all where there is time', async () => {
    const { ids, notes } = await settled(180);
    assert.deepEqual(ids, [
      ['b', 2],
      ['c', 2],
      ['a', 2],
    ]);
    assert.deepEqual(notes, []);
  });

  it('runs what the change concerns first, and what was not reached is neither green nor a run', async () => {
    const { facts, ids, story, notes } = await settled(61);
    assert.deepEqual(ids, [
      ['b', 2],
      ['a', 2],
    ]);
    assert.deepEqual(notes, ['not run within 61 s: c']);
    const { state } = story.end(...facts);
    assert.equal(state.work.tree.code, 2);
    assert.equal(state.work.results['c']?.code, 1, 'its result is of the older code');
    assert.equal(state.ledger.runs['line of c']?.length, 1);
  });

  it('runs nothing else once its time is over', async () => {
    assert.deepEqual((await settled(120)).ids, [
      ['b', 2],
      ['a', 2],
    ]);
  });

  it('takes a change back for what should be green and is red by itself, beside others and then alone', async () => {
    const verdicts = async (beside: Beside): Promise<string[]> =>
      (await settled(600, { parallel: 3, beside })).facts.map((f) =>
        f.fact === 'verification.ran' ? `${f.run.verification} ${f.run.verdict}` : f.fact,
      );
    const red = { exit: 1, output: 'wrong total' };
    // The first run of each of three is red.
    const repeated = await verdicts((n, isBeside) => (n <= 3 || isBeside ? red : {}));
    assert.deepEqual(repeated.toSorted(), ['a flaky', 'b flaky', 'c flaky', 'tree.settled']);
    assert.ok((await verdicts(() => red)).includes('tree.undone'));
  });

  it('looks again where the machine struck the run that was to tell a flake', async () => {
    const verdicts = async (last: Partial<Finished>): Promise<string[]> => {
      const ends: Partial<Finished>[] = [{}, {}, { exit: 1, output: 'wrong total' }, { exit: null, stopped: 'signal' }];
      const { facts } = await settled(600, { parallel: 3, beside: (n) => ends[n - 1] ?? last });
      return facts.map((f) => (f.fact === 'verification.ran' ? `${f.run.verdict} ${f.run.looks ?? 0}` : f.fact));
    };
    assert.deepEqual((await verdicts({})).toSorted(), ['flaky 1', 'green 0', 'green 0', 'tree.settled']);
    assert.ok((await verdicts({ exit: 1, output: 'wrong total' })).includes('tree.undone'));
  });

  it('lets what has begun go on to its end, so that one verification at least is run', async () => {
    assert.deepEqual((await settled(1)).ids, [['a', 2]]);
  });
});

describe('what a change is not about', () => {
  /** `value/total` covers it; `other` and `e2e` wait for a task that is not built, `smoke` was broken on the code before where that is said. */
  async function settled({ verdicts = {}, brokenBefore = false }: { verdicts?: Record<string, number>; brokenBefore?: boolean } = {}) {
    const others = ['other', 'e2e', 'smoke'].map((id): Fact => ({
      fact: 'verification.written',
      verification: { ...named(id), prd: ['2'], tier: id },
    }));
    const second: Fact = { fact: 'task.added', task: p.task({ id: 'T2', prdSection: ['2'] }) };
    const story = p.awaiting(
      p
        .planned()
        .act('plan', second)
        .act('write-verifications', ...others),
    );
    const ran = (over: Partial<Run>): Fact => ({
      fact: 'verification.ran',
      run: p.run({ verification: 'smoke', lineage: 'line of smoke', ...over }),
    });
    if (brokenBefore) story.act('run-verifications', ran({}), ran({ n: 2, verdict: 'red' }));
    p.built(story).begin('settle', '1');
    const w = await staged(world(), story);
    w.runner.decide = (_at, { run }) => ({ exit: 'name' in run ? (verdicts[run.name] ?? 0) : 0 });
    const facts = await settle.run('1', play(w).context);
    return facts.flatMap((f) => (f.fact === 'verification.ran' ? [`${f.run.verification} ${f.run.verdict} ${f.run.code}`] : []));
  }

  it('runs on it too, so that nothing is left to run on the new code', async () => {
    assert.deepEqual(await settled({ verdicts: { other: 1, smoke: 1 } }), [
      'value/total green 1',
      'other red 1',
      'e2e green 1',
      'smoke red 1',
    ]);
  });

  it('takes nothing back where it was red on the tree without the change', async () => {
    assert.deepEqual(await settled({ verdicts: { smoke: 1 }, brokenBefore: true }), ['smoke red 1', 'value/total green 1']);
  });

  it('is left to the row that minds the gates, where one may be closed', async () => {
    assert.deepEqual(await settled({ brokenBefore: true }), ['smoke green 1', 'value/total green 1']);
  });
});

describe('a red on a change', () => {
  const red = p.run({ verification: 'a', lineage: 'line of a', code: null, verdict: 'red' });
  /** T1 was kept, then another change without a result of `a` where that is said. @param later verdicts of further runs of `a`. */
  function broke(kept: number, ...later: Run['verdict'][]): string[] {
    const story = p.built(p.planned().act('write-verifications', { fact: 'verification.written', verification: named('a') }));
    const { step } = story.state.work.tree.change ?? p.change();
    story.act(
      'settle',
      { fact: 'tree.settled', settled: p.settled({ step }) },
      ...(['green', ...later] as const).map((verdict, i): Fact => {
        return { fact: 'verification.ran', run: p.run({ verification: 'a', lineage: 'line of a', code: 1, n: i + 1, verdict }) };
      }),
    );
    for (let code = 2; code <= kept; code += 1)
      story.act('settle', { fact: 'tree.settled', settled: p.settled({ step: `s${code}`, code }) });
    return regressionOf(p.change(), { probes: [], runs: [red] }, story.state).broke;
  }

  it('is its fault where it was green on the tree without it, and not where it had no result there', () => {
    assert.deepEqual([broke(1), broke(2)], [['a'], []]);
  });

  it('is not where it was flaky without it and is not green since', () => {
    assert.deepEqual([broke(1, 'flaky'), broke(1, 'flaky', 'green')], [[], ['a']]);
  });
});
