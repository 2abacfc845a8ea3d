/** A check counts only when it was seen red for its stated reason (I8, design §6). */
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

/** A sprint with this history of the check `value/total`, at the code number of its last commit. */
function history(runs: Run[], commits: Settled[] = [modified], proofs: Proof[] = []): State {
  return changed(p.awaiting().state, (s) => {
    s.ledger.runs = { 'value/total': structuredClone(runs) };
    s.ledger.proofs = structuredClone(proofs);
    s.work.tree = { code: commits.at(-1)?.code ?? 0, change: null, commits: structuredClone(commits) };
  });
}

const unseen = { trusted: false, why: 'it has not been seen red for its stated reason yet' };
const seen = (n: number) => ({
  trusted: true,
  by: 'red run',
  why: `attempt ${n} failed for its stated reason before it was ever green`,
});
const reverted = { trusted: true, by: 'revert', why: 'it fails without the work' };

describe('trust', () => {
  const histories: [string, State, object][] = [
    ['not with no run at all', history([]), unseen],
    ['not with a green run alone', history([green()]), unseen],
    ['by a red run before the first green', history([red(), green()]), seen(1)],
    ['by a red run that was never followed by a green', history([red()]), seen(1)],
    ['by the first honest one of several red runs', history([red({ exit: 127 }), red({ n: 2 }), green({ n: 3 })]), seen(2)],
    ['not by a red run after the first green: that is a regression', history([green({ n: 1 }), red({ n: 2 })]), unseen],
    ['by a red run after a green on a tree that was not kept', history([green({ n: 1, code: null }), red({ n: 2, code: 0 })]), seen(2)],
    ['not by a red run on a tree that was not kept', history([red({ code: null }), green()]), unseen],
    ['not by a red run in the clean checkout', history([red({ where: 'clean' })]), unseen],
    ['not by the run without the work, but by the proof that names it', history([red({ where: 'revert', code: null })]), unseen],
    ['not when the covering commit created a file that the red run did not have', history([red(), green()], [added]), unseen],
    [
      'by a red run on the tree that had that file already',
      history([red({ code: 1 }), green({ code: 2 })], [added, { ...modified, code: 2 }]),
      seen(1),
    ],
    ['not when a later covering commit creates a file', history([red(), green()], [modified, { ...added, code: 2 }]), unseen],
    ['not when other work created a file before its first green', history([red(), green()], [{ ...added, author: other }]), unseen],
    [
      'though other work creates a file after its first green',
      history([red(), green()], [modified, { ...added, code: 2, author: other }]),
      seen(1),
    ],
    ['not when a fix for its lineage created the file', history([red(), green()], [{ ...added, author: p.byFix }]), unseen],
    ['by taking the work out', history([green()], [added], [proof()]), reverted],
    ['by a red run rather than by a proof, where there are both', history([red(), green()], [modified], [proof()]), seen(1)],
    [
      'by the newest proof: a later one that is not red takes it away',
      history([green()], [added], [proof(), proof({ outcome: 'not-red', why: 'it stays green' })]),
      { trusted: false, why: 'it stays green' },
    ],
    [
      'by a mutant, where taking the work out said nothing',
      history([green()], [added], [proof({ outcome: 'not-red', why: 'it stays green' }), proof({ kind: 'mutants', why: 'a line' })]),
      { trusted: true, by: 'mutant', why: 'a line' },
    ],
    [
      'not where both fail, and each says why',
      history(
        [green()],
        [added],
        [proof({ outcome: 'not-red', why: 'it stays green' }), proof({ kind: 'mutants', outcome: 'not-red', why: 'no line' })],
      ),
      { trusted: false, why: 'it stays green; no line' },
    ],
    ['not by a control alone', history([green()], [added], [proof({ kind: 'control' })]), unseen],
    ['by a red run that a control lets stand', history([red(), green()], [modified], [proof({ kind: 'control' })]), seen(1)],
    [
      'not by a red run where the control refused it',
      history([red(), green()], [modified], [proof({ kind: 'control', outcome: 'not-red', why: 'only text' })]),
      { trusted: false, why: 'only text' },
    ],
    [
      'not by a proof where the control refused it',
      history([green()], [added], [proof({ kind: 'control', outcome: 'not-red', why: 'only text' }), proof()]),
      { trusted: false, why: 'only text' },
    ],
    [
      'not when there is no work that could be taken out',
      history([green()], [], [proof({ outcome: 'impossible', why: 'no commit' })]),
      { trusted: false, why: 'no commit' },
    ],
    ['not by the proof of another lineage', history([green()], [added], [proof({ lineage: 'value/other' })]), unseen],
    [
      'not by the red run of an earlier script: a rewritten one must earn it again',
      history([red({ script: refOf('old') }), green()]),
      unseen,
    ],
    ['not by the proof of an earlier script', history([green()], [added], [proof({ script: refOf('old') })]), unseen],
    [
      'by its own red run after the green of an earlier script',
      history([green({ n: 1, code: 0, script: refOf('old') }), red({ n: 2 })]),
      seen(2),
    ],
  ];
  for (const [how, state, trust] of histories)
    it(`is earned ${how}`, () => {
      assert.deepEqual(trustOf(state, p.verification()), trust);
    });

  it('is never earned by a criterion', () => {
    const why = 'a criterion is judged by an evaluation, not run';
    assert.deepEqual(trustOf(history([red()]), p.criterion({ lineage: 'value/total' })), { trusted: false, why });
  });
});

describe('an honest red', () => {
  const runs: [string, Partial<Run>, boolean][] = [
    ['exit status 1 with its RED text', {}, true],
    ['exit status 3 with its RED text', { exit: 3, kind: 'unknown' }, true],
    ['a crash of the deliverable with its RED text', { kind: 'runtime_error' }, true],
    ['no RED text', { redSeen: false }, false],
    ['exit status 126', { exit: 126, kind: 'tooling_error' }, false],
    ['exit status 127', { exit: 127 }, false],
    ['exit status 0', { exit: 0 }, false],
    ['a timeout', { timedOut: true, exit: null, kind: 'timeout' }, false],
    ['a timeout that exited', { timedOut: true }, false],
    ['being killed', { exit: null }, false],
    ['a module that is not found', { kind: 'tooling_error' }, false],
    ['a refused connection', { kind: 'service_down' }, false],
    ['a flaky run', { verdict: 'flaky' }, false],
    ['a green run', { verdict: 'green', exit: 0 }, false],
  ];
  for (const [what, over, honest] of runs)
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
  const covers: [string[], string[], string[]][] = [
    [['1'], ['T1', 'T3'], ['c1', 'c3']],
    [['2'], ['T2', 'T3'], ['c2', 'c3']],
    [
      ['1', '2'],
      ['T1', 'T2', 'T3'],
      ['c1', 'c2', 'c3'],
    ],
    [['V1'], ['T1', 'T2', 'T3'], ['c1', 'c2', 'c3']],
  ];
  for (const [prd, tasks, commits] of covers)
    it(`is ${tasks.join(', ')} for ${prd.join(', ')}, with the commits of these and of its own fixes`, () => {
      const verification = p.verification({ prd });
      assert.deepEqual(
        coveredTasks(state.work, verification).map((t) => t.id),
        tasks,
      );
      assert.deepEqual(
        coveringCommits(state, verification).map((c) => c.commit),
        commits,
      );
    });
});

describe('whoever turned a verification green', () => {
  const by = (task: string) => ({ kind: 'task' as const, task });
  const commits = [1, 2, 3, 4].map((code) => p.settled({ code, commit: `c${code}`, author: by(code === 4 ? 'T1' : 'T2') }));
  const turned = (runs: Run[]) => coveringCommits(withTwo(history(runs, commits)), p.verification()).map((c) => c.commit);

  it('is covered by it beside the tasks that it names', () => {
    assert.deepEqual(turned([red({ code: 1 }), red({ n: 2, code: 2 }), green({ n: 3, code: 3 })]), ['c3', 'c4']);
  });
  it('is every commit since it was last seen red', () => {
    assert.deepEqual(turned([red({ code: 1 }), green({ n: 3, code: 3 })]), ['c2', 'c3', 'c4']);
  });
  it('is nobody where it was never red for its reason before, nor later than the first green', () => {
    assert.deepEqual(turned([red({ code: 1, redSeen: false }), green({ n: 2, code: 2 })]), ['c4']);
    assert.deepEqual(turned([green({ n: 1, code: 1 }), red({ n: 2, code: 2 }), green({ n: 3, code: 3 })]), ['c4']);
  });
});

/** The check's own task is `T1`; `T2` serves something else. */
function withTwo(state: State): State {
  return changed(state, (s) => void (s.work.tasks = { T1: p.task(), T2: p.task({ id: 'T2', prdSection: ['2'] }) }));
}

describe('a task that nothing changed for', () => {
  const commits = [p.settled({ author: { kind: 'task', task: 'T2' }, files: [{ path: 'total.sh', kind: 'modified' }] })];
  const shown = (task: Partial<Task>, runs: Run[], result: object, proofs: Proof[] = []): boolean =>
    isShown(
      changed(history(runs, commits, proofs), (s) => {
        s.work.tasks = { T1: p.task({ status: 'reported' }), T2: p.task({ id: 'T2', status: 'done', prdSection: ['2'] }) };
        s.work.results = { 'value/total': { verdict: 'green', code: 1, ...result } as never };
      }),
      p.task(task),
    );
  const turned = [red({ code: 0 }), green()];

  it('is shown by a verification that other work turned green', () => assert.equal(shown({}, turned, {}), true));
  it('is shown by a verification that is trusted', () => assert.equal(shown({}, [green()], {}, [proof()]), true));
  it('is shown wherever it came from, but from a look that found it missing', () => {
    for (const source of ['plan', 'course_correction', 'final'] as const) assert.equal(shown({ source }, turned, {}), true, source);
  });
  it('is not shown by a verification that was never red', () => assert.equal(shown({}, [green()], {}), false));
  it('is not shown by a verification that is red, or green on other code', () => {
    assert.equal(shown({}, turned, { verdict: 'red' }), false);
    assert.equal(shown({}, turned, { code: 0 }), false);
  });
  it('is not shown where a requirement of it has no verification, or it has no requirement', () => {
    assert.equal(shown({ prdSection: ['1', '2'] }, turned, {}), false);
    assert.equal(shown({ prdSection: [] }, turned, {}), false);
  });
  it('is not shown where it was added because something is missing in spite of the verifications', () => {
    for (const source of ['evaluation', 'vrc'] as const) assert.equal(shown({ source }, turned, {}), false);
  });
});

describe('status', () => {
  const shown: [string, State, string][] = [
    ['never ran', p.planned().state, 'pending'],
    ['is red while its task is open', p.awaiting().state, 'awaiting'],
    ['is green', p.proven().state, 'passed'],
    ['is flaky', p.awaiting().act('run-verifications', { fact: 'verification.ran', run: p.run({ verdict: 'flaky' }) }).state, 'flaky'],
    ['is red again after it was green', regressed(), 'failed'],
    ['is red with its task settled', settledRed(), 'failed'],
    ['was red on an older code number', changed(settledRed(), (s) => void (s.work.tree.code = 2)), 'pending'],
    ['was green on an older code number', changed(p.proven().state, (s) => void (s.work.tree.code = 2)), 'pending'],
    ['was retired', changed(regressed(), (s) => void (s.work.retired = ['value/total'])), 'retired'],
  ];
  for (const [what, state, status] of shown)
    it(`is ${status} for a check that ${what}`, () => {
      assert.equal(statusOf(state, p.verification()), status);
      assert.equal(isBroken(state, p.verification()), status === 'failed');
    });

  const judged: [string, State, string][] = [
    ['nobody judged', p.proven().state, 'pending'],
    ['was met on this tree', p.delivered().state, 'passed'],
    ['was met on an older tree', changed(p.delivered().state, (s) => void (s.work.tree.code = 2)), 'pending'],
    [
      'was not met',
      p.proven().act('final', {
        fact: 'evaluation.reported',
        evaluation: p.evaluation({ criteria: [{ verification: 'value/tone', met: false, evidence: 'x' }] }),
      }).state,
      'failed',
    ],
  ];
  for (const [what, state, status] of judged)
    it(`is ${status} for a criterion that ${what}, and never broken`, () => {
      assert.equal(statusOf(state, p.criterion()), status);
      assert.equal(isBroken(state, p.criterion()), false);
    });

  function settledRed(): State {
    const run = red({ n: 2, code: 1 });
    return p.built().act('settle', { fact: 'tree.settled', settled: p.settled() }, { fact: 'verification.ran', run }).state;
  }
  /** Green once at code 0 with its task still open, and red now. */
  function regressed(): State {
    return p
      .awaiting()
      .act('run-verifications', { fact: 'verification.ran', run: green({ code: 0 }) }, { fact: 'verification.ran', run: red({ n: 3 }) })
      .state;
  }
});

describe('the history of a verification', () => {
  it('is that of its own script, on trees that were kept', () => {
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

  it('leaves retired verifications out', () => {
    const state = changed(p.awaiting().state, (s) => void (s.work.retired = ['value/total']));
    assert.deepEqual(liveVerifications(state.work), [p.criterion()]);
  });

  const provable: [string, State, boolean][] = [
    ['nothing was tried', history([]), true],
    ['it is trusted', history([red()]), true],
    ['the work was taken out and it stayed green', history([green()], [added], [proof({ outcome: 'not-red' })]), false],
    ['only an earlier script was tried', history([green()], [added], [proof({ outcome: 'not-red', script: refOf('old') })]), true],
    ['a failed proof is there beside a red run', history([red()], [modified], [proof({ outcome: 'not-red' })]), true],
  ];
  for (const [when, state, may] of provable)
    it(`says that it ${may ? 'may yet' : 'cannot'} be proven when ${when}`, () => {
      assert.equal(mayBeProven(state, p.verification()), may);
      assert.equal(mayBeProven(state, p.criterion()), true);
    });
});
