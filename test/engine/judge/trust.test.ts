/** A verification counts only after it was red for its stated reason (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { State } from '../../../src/engine/state/state.ts';
import {
  coveringCommits,
  isBroken,
  isHonestRed,
  isShown,
  mayBeProven,
  runsOf,
  trustOf,
  wasGreen,
} from '../../../src/engine/judge/trust.ts';
import { coveredTasks, liveVerifications } from '../../../src/engine/state/covers.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { isExpectedRed } from '../../../src/engine/judge/unsettled.ts';
import type { Run, Proof } from '../../../src/engine/work/verification.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import type { Settled } from '../../../src/engine/work/tree.ts';
import { changed, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

const modified = p.settled({ files: [{ path: 'total.sh', kind: 'modified' }] });
const added = p.settled();
const other = { kind: 'task' as const, task: 'T2' };
const red = (over: Partial<Run> = {}): Run => p.run({ verdict: 'red', ...over });
const green = (over: Partial<Run> = {}): Run => p.run({ n: 2, code: 1, ...over });
const proof = (over: Partial<Proof> = {}): Proof => ({
  lineage: 'value/total',
  script: p.verification().script,
  kind: 'revert',
  code: 1,
  outcome: 'red',
  why: 'it fails without the work',
  ...over,
});

/** A sprint with this history of `value/total`, at the code number of its last commit. */
function history(runs: Run[], commits: Settled[] = [modified], proofs: Proof[] = []): State {
  return changed(p.awaiting().state, (s) => {
    s.ledger.runs = { 'value/total': structuredClone(runs) };
    s.ledger.proofs = structuredClone(proofs);
    s.work.tree = { code: commits.at(-1)?.code ?? 0, change: null, commits: structuredClone(commits) };
  });
}

const neverRed = { trusted: false, why: 'no run of it that counts was red for its stated reason yet' };
const byRun = (n: number) => ({
  trusted: true,
  by: 'red run',
  why: `attempt ${n} failed for its stated reason before it was ever green`,
});
const reverted = { trusted: true, by: 'revert', why: 'it fails without the work' };

describe('trust', () => {
  const histories: { how: string; state: State; trust: { trusted: boolean; by?: string; why: string } }[] = [
    { how: 'without a run', state: history([]), trust: neverRed },
    { how: 'by a green run alone', state: history([green()]), trust: neverRed },
    { how: 'by a red run before the first green', state: history([red(), green()]), trust: byRun(1) },
    { how: 'by a red run without a green one after it', state: history([red()]), trust: byRun(1) },
    {
      how: 'by the first honest red run of several',
      state: history([red({ exit: 127 }), red({ n: 2 }), green({ n: 3 })]),
      trust: byRun(2),
    },
    {
      how: 'by a red run after the first green, which is a regression',
      state: history([green({ n: 1 }), red({ n: 2 })]),
      trust: neverRed,
    },
    {
      how: 'by a red run after a green one on an undone change',
      state: history([green({ n: 1, code: null }), red({ n: 2, code: 0 })]),
      trust: byRun(2),
    },
    { how: 'by a red run on an undone change', state: history([red({ code: null }), green()]), trust: neverRed },
    { how: 'by a red run in the clean checkout', state: history([red({ where: 'clean' })]), trust: neverRed },
    {
      how: 'by the run with the work reverted, without its proof',
      state: history([red({ where: 'revert', code: null })]),
      trust: neverRed,
    },
    {
      how: 'when the covering commit created a file that did not exist at the red run',
      state: history([red(), green()], [added]),
      trust: neverRed,
    },
    {
      how: 'by a red run on a tree that had this file already',
      state: history([red({ code: 1 }), green({ code: 2 })], [added, { ...modified, code: 2 }]),
      trust: byRun(1),
    },
    {
      how: 'when a later covering commit creates a file',
      state: history([red(), green()], [modified, { ...added, code: 2 }]),
      trust: neverRed,
    },
    {
      how: 'when other work created a file before the first green',
      state: history([red(), green()], [{ ...added, author: other }]),
      trust: neverRed,
    },
    {
      how: 'when other work creates a file after the first green',
      state: history([red(), green()], [modified, { ...added, code: 2, author: other }]),
      trust: byRun(1),
    },
    {
      how: 'when a fix of its lineage created the file',
      state: history([red(), green()], [{ ...added, author: p.byFix }]),
      trust: neverRed,
    },
    { how: 'by reverting the work', state: history([green()], [added], [proof()]), trust: reverted },
    {
      how: 'by a red run rather than by a proof when there are both',
      state: history([red(), green()], [modified], [proof()]),
      trust: byRun(1),
    },
    {
      how: 'when the newest proof is not red, even if an earlier one was',
      state: history([green()], [added], [proof(), proof({ outcome: 'not-red', why: 'it stays green' })]),
      trust: { trusted: false, why: 'it stays green' },
    },
    {
      how: 'by a mutant, when reverting the work showed nothing',
      state: history([green()], [added], [proof({ outcome: 'not-red', why: 'it stays green' }), proof({ kind: 'mutants', why: 'a line' })]),
      trust: { trusted: true, by: 'mutant', why: 'a line' },
    },
    {
      how: 'when both proofs fail, and both reasons are given',
      state: history(
        [green()],
        [added],
        [proof({ outcome: 'not-red', why: 'it stays green' }), proof({ kind: 'mutants', outcome: 'not-red', why: 'no line' })],
      ),
      trust: { trusted: false, why: 'it stays green; no line' },
    },
    { how: 'by a control alone', state: history([green()], [added], [proof({ kind: 'control' })]), trust: neverRed },
    {
      how: 'by a red run that a control confirms',
      state: history([red(), green()], [modified], [proof({ kind: 'control' })]),
      trust: byRun(1),
    },
    {
      how: 'by a red run that the control refuses',
      state: history([red(), green()], [modified], [proof({ kind: 'control', outcome: 'not-red', why: 'only text' })]),
      trust: { trusted: false, why: 'only text' },
    },
    {
      how: 'by a proof when the control refuses it',
      state: history([green()], [added], [proof({ kind: 'control', outcome: 'not-red', why: 'only text' }), proof()]),
      trust: { trusted: false, why: 'only text' },
    },
    {
      how: 'when there is no work to revert',
      state: history([green()], [], [proof({ outcome: 'impossible', why: 'no commit' })]),
      trust: { trusted: false, why: 'no commit' },
    },
    { how: 'by the proof of another lineage', state: history([green()], [added], [proof({ lineage: 'value/other' })]), trust: neverRed },
    {
      how: 'by the red run of an earlier script, because a rewritten one must earn it again',
      state: history([red({ script: refOf('old') }), green()]),
      trust: neverRed,
    },
    { how: 'by the proof of an earlier script', state: history([green()], [added], [proof({ script: refOf('old') })]), trust: neverRed },
    {
      how: 'by its own red run after the green of an earlier script',
      state: history([green({ n: 1, code: 0, script: refOf('old') }), red({ n: 2 })]),
      trust: byRun(2),
    },
  ];
  for (const { how, state, trust } of histories)
    it(`is ${trust.trusted ? '' : 'not '}earned ${how}`, () => {
      assert.deepEqual(trustOf(state, p.verification()), trust);
    });

  it('is never earned by a criterion', () => {
    const why = 'a criterion is judged by an evaluation, not run';
    assert.deepEqual(trustOf(history([red()]), p.criterion({ lineage: 'value/total' })), { trusted: false, why });
  });
});

describe('an honest red', () => {
  const runs: { what: string; over: Partial<Run>; honest: boolean }[] = [
    { what: 'exit status 1 with its RED text', over: {}, honest: true },
    { what: 'exit status 3 with its RED text', over: { exit: 3, kind: 'unknown' }, honest: true },
    { what: 'a crash of the deliverable with its RED text', over: { kind: 'runtime_error' }, honest: true },
    { what: 'no RED text', over: { redSeen: false }, honest: false },
    { what: 'exit status 126', over: { exit: 126, kind: 'tooling_error' }, honest: false },
    { what: 'exit status 127', over: { exit: 127 }, honest: false },
    { what: 'exit status 0', over: { exit: 0 }, honest: false },
    { what: 'a timeout', over: { timedOut: true, exit: null, kind: 'timeout' }, honest: false },
    { what: 'a timeout that exited', over: { timedOut: true }, honest: false },
    { what: 'a killed run', over: { exit: null }, honest: false },
    { what: 'a module that is not found', over: { kind: 'tooling_error' }, honest: false },
    { what: 'a refused connection', over: { kind: 'service_down' }, honest: false },
    { what: 'a flaky run', over: { verdict: 'flaky' }, honest: false },
    { what: 'a green run', over: { verdict: 'green', exit: 0 }, honest: false },
  ];
  for (const { what, over, honest } of runs)
    it(`is ${honest ? '' : 'not '}${what}`, () => {
      assert.equal(isHonestRed(red(over)), honest);
      const { trusted } = trustOf(history([red(over)]), p.verification());
      assert.equal(trusted, honest);
    });
});

describe('what a verification covers', () => {
  const state = changed(p.awaiting().state, (s) => {
    s.work.tasks = {
      T1: p.task(),
      T2: p.task({ id: 'T2', prdSection: ['2'] }),
      T3: p.task({ id: 'T3', prdSection: ['1', '2'] }),
    };
    const by = (task: string) => ({ kind: 'task' as const, task });
    s.work.tree.commits = [
      p.settled({ code: 1, commit: 'c1', author: by('T1') }),
      p.settled({ code: 2, commit: 'c2', author: by('T2') }),
      p.settled({ code: 3, commit: 'c3', author: p.byFix }),
      p.settled({ code: 4, commit: 'c4', author: { ...p.byFix, lineage: 'value/other' } }),
    ];
  });
  const covers: { prd: string[]; tasks: string[]; commits: string[] }[] = [
    { prd: ['1'], tasks: ['T1', 'T3'], commits: ['c1', 'c3'] },
    { prd: ['2'], tasks: ['T2', 'T3'], commits: ['c2', 'c3'] },
    {
      prd: ['1', '2'],
      tasks: ['T1', 'T2', 'T3'],
      commits: ['c1', 'c2', 'c3'],
    },
    { prd: ['V1'], tasks: ['T1', 'T2', 'T3'], commits: ['c1', 'c2', 'c3'] },
  ];
  for (const { prd, tasks, commits } of covers)
    it(`is ${tasks.join(', ')} for ${prd.join(', ')}, with the commits of these tasks and of its own fixes`, () => {
      const verification = p.verification({ prd });
      assert.deepEqual(
        coveredTasks(state.work, verification).map((t) => t.id),
        tasks,
      );
      assert.deepEqual(
        coveringCommits(state, verification).map(({ commit }) => commit),
        commits,
      );
    });
});

describe('the work that turned a verification green', () => {
  const by = (task: string) => ({ kind: 'task' as const, task });
  const commits = [1, 2, 3, 4].map((code) => p.settled({ code, commit: `c${code}`, author: by(code === 4 ? 'T1' : 'T2') }));
  const covering = (runs: Run[]) => coveringCommits(withTwo(history(runs, commits)), p.verification()).map(({ commit }) => commit);

  it('is covered by it, in addition to the tasks of its requirements', () => {
    assert.deepEqual(covering([red({ code: 1 }), red({ n: 2, code: 2 }), green({ n: 3, code: 3 })]), ['c3', 'c4']);
  });
  it('is every commit since its last red run', () => {
    assert.deepEqual(covering([red({ code: 1 }), green({ n: 3, code: 3 })]), ['c2', 'c3', 'c4']);
  });
  it('is unknown when it was not red for its reason before its first green', () => {
    assert.deepEqual(covering([red({ code: 1, redSeen: false }), green({ n: 2, code: 2 })]), ['c4']);
    assert.deepEqual(covering([green({ n: 1, code: 1 }), red({ n: 2, code: 2 }), green({ n: 3, code: 3 })]), ['c4']);
  });
});

/** The verification's own task is `T1`; `T2` serves another requirement. */
function withTwo(state: State): State {
  return changed(state, (s) => void (s.work.tasks = { T1: p.task(), T2: p.task({ id: 'T2', prdSection: ['2'] }) }));
}

describe('a task that changed nothing', () => {
  const commits = [p.settled({ author: { kind: 'task', task: 'T2' }, files: [{ path: 'total.sh', kind: 'modified' }] })];
  const shown = (task: Partial<Task>, runs: Run[], result: object, proofs: Proof[] = [], by: 'qc' | 'person' = 'qc'): boolean =>
    isShown(
      changed(history(runs, commits, proofs), (s) => {
        s.work.verifications = { 'value/total': p.verification({ by }) };
        s.work.tasks = { T1: p.task({ status: 'reported' }), T2: p.task({ id: 'T2', status: 'done', prdSection: ['2'] }) };
        s.work.results = { 'value/total': { verdict: 'green', code: 1, ...result } as never };
      }),
      p.task(task),
    );
  const turned = [red({ code: 0 }), green()];

  it('counts as done when other work turned its verification green', () => assert.equal(shown({}, turned, {}), true));
  it('counts as done when its verification is trusted', () => assert.equal(shown({}, [green()], {}, [proof()]), true));
  it('counts as done from any source except an assessment that found it missing', () => {
    for (const source of ['plan', 'course_correction', 'final'] as const) assert.equal(shown({ source }, turned, {}), true, source);
  });
  it('does not count when its verification was never red', () => assert.equal(shown({}, [green()], {}), false));
  it('counts as done when the person rewrote its verification after other work had turned it green', () => {
    const replaced = turned.map((run) => ({ ...run, script: refOf('old') }));
    const rewritten = (by: 'person' | 'qc'): boolean => shown({}, [...replaced, green({ n: 3 })], {}, [], by);
    assert.equal(rewritten('person'), true);
    assert.equal(rewritten('qc'), false);
  });
  it('does not count when its verification is red, or green on other code', () => {
    assert.equal(shown({}, turned, { verdict: 'red' }), false);
    assert.equal(shown({}, turned, { code: 0 }), false);
  });
  it('does not count when one of its requirements has no verification, or it has no requirement', () => {
    assert.equal(shown({ prdSection: ['1', '2'] }, turned, {}), false);
    assert.equal(shown({ prdSection: [] }, turned, {}), false);
  });
  it('does not count when it was added for a gap that the green verifications do not show', () => {
    for (const source of ['evaluation', 'vrc'] as const) assert.equal(shown({ source }, turned, {}), false);
  });
});

describe('status', () => {
  const runnable: { what: string; state: State; status: string }[] = [
    { what: 'never ran', state: p.planned().state, status: 'pending' },
    { what: 'is red while its task is open', state: p.awaiting().state, status: 'awaiting' },
    { what: 'is green', state: p.proven().state, status: 'passed' },
    {
      what: 'is flaky',
      state: p.awaiting().act('run-verifications', { fact: 'verification.ran', run: p.run({ verdict: 'flaky' }) }).state,
      status: 'flaky',
    },
    { what: 'is red again after it was green', state: regressed(), status: 'failed' },
    { what: 'is red after its task was settled', state: settledRed(), status: 'failed' },
    { what: 'was red on an older code number', state: changed(settledRed(), (s) => void (s.work.tree.code = 2)), status: 'pending' },
    { what: 'was green on an older code number', state: changed(p.proven().state, (s) => void (s.work.tree.code = 2)), status: 'pending' },
    { what: 'was retired', state: changed(regressed(), (s) => void (s.work.retired = ['value/total'])), status: 'retired' },
  ];
  for (const { what, state, status } of runnable)
    it(`is ${status} for a verification that ${what}`, () => {
      assert.equal(statusOf(state, p.verification()), status);
      assert.equal(isBroken(state, p.verification()), status === 'failed');
    });

  it('is awaiting while work is open that it goes through, too, and then a red is expected', () => {
    const after = p.verification({ after: ['V1'] });
    const waiting = changed(settledRed(), (s) => {
      s.work.verifications = { 'value/total': after };
      s.work.tasks['T2'] = p.task({ id: 'T2', prdSection: ['V1'] });
    });
    assert.deepEqual([statusOf(waiting, after), isExpectedRed(waiting, after)], ['awaiting', true]);
    assert.deepEqual([statusOf(waiting, p.verification()), isExpectedRed(waiting, p.verification())], ['failed', false]);
    const done = changed(waiting, (s) => void (s.work.tasks['T2'] = p.task({ id: 'T2', prdSection: ['V1'], status: 'done' })));
    assert.deepEqual([statusOf(done, after), isExpectedRed(done, after)], ['failed', false]);
  });

  const judged: { what: string; state: State; status: string }[] = [
    { what: 'was not judged', state: p.proven().state, status: 'pending' },
    { what: 'was met on this tree', state: p.delivered().state, status: 'passed' },
    { what: 'was met on an older tree', state: changed(p.delivered().state, (s) => void (s.work.tree.code = 2)), status: 'pending' },
    {
      what: 'was not met',
      state: p.proven().act('final', {
        fact: 'evaluation.reported',
        evaluation: p.evaluation({ criteria: [{ verification: 'value/tone', met: false, evidence: 'x' }] }),
      }).state,
      status: 'failed',
    },
  ];
  for (const { what, state, status } of judged)
    it(`is ${status} for a criterion that ${what}, and a criterion is never broken`, () => {
      assert.equal(statusOf(state, p.criterion()), status);
      assert.equal(isBroken(state, p.criterion()), false);
    });

  function settledRed(): State {
    const run = red({ n: 2, code: 1 });
    return p.built().act('settle', { fact: 'tree.settled', settled: p.settled() }, { fact: 'verification.ran', run }).state;
  }
  /** Green once at code 0 while its task was open, and red now. */
  function regressed(): State {
    return p
      .awaiting()
      .act('run-verifications', { fact: 'verification.ran', run: green({ code: 0 }) }, { fact: 'verification.ran', run: red({ n: 3 }) })
      .state;
  }
});

describe('the history of a verification', () => {
  it('contains only runs of its present script, and green counts only on kept trees', () => {
    const old = green({ n: 1, code: 0, script: refOf('old') });
    const state = history([old, green({ n: 2, code: null }), green({ n: 3, where: 'clean' })]);
    assert.deepEqual(
      runsOf(state, p.verification()).map((r) => r.n),
      [2, 3],
    );
    assert.equal(wasGreen(state, p.verification()), false);
    assert.equal(wasGreen(state, p.verification({ script: refOf('old') })), true);
    assert.equal(wasGreen(state, p.verification({ lineage: 'value/other' })), false);
  });

  it('excludes retired verifications', () => {
    const state = changed(p.awaiting().state, (s) => void (s.work.retired = ['value/total']));
    assert.deepEqual(liveVerifications(state.work), [p.criterion()]);
  });

  const provable: { when: string; state: State; may: boolean }[] = [
    { when: 'nothing was tried', state: history([]), may: true },
    { when: 'it is trusted', state: history([red()]), may: true },
    { when: 'it stayed green with the work reverted', state: history([green()], [added], [proof({ outcome: 'not-red' })]), may: false },
    {
      when: 'only its earlier script was tried',
      state: history([green()], [added], [proof({ outcome: 'not-red', script: refOf('old') })]),
      may: true,
    },
    { when: 'it has a red run besides a failed proof', state: history([red()], [modified], [proof({ outcome: 'not-red' })]), may: true },
  ];
  for (const { when, state, may } of provable)
    it(`shows that it ${may ? 'can still' : 'cannot'} be proven when ${when}`, () => {
      assert.equal(mayBeProven(state, p.verification()), may);
      assert.equal(mayBeProven(state, p.criterion()), true);
    });
});
