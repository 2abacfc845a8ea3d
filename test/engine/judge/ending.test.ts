/** Endings are honest (I7): from one fully delivered state, each single thing that is wrong is a reason against it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { coverage, ending, finalOf, hasProof, isCounted } from '../../../src/engine/judge/ending.ts';
import type { State, Stop } from '../../../src/engine/state/state.ts';
import type { Pause } from '../../../src/engine/work/pause.ts';
import { changed, deepFreeze, refOf, Story, type Loose } from '../support/events.ts';
import * as p from '../support/parts.ts';

const whole = deepFreeze(p.delivered().state);
const no1 = (why: string): string => `Requirement 1 (Totals) is not proven: ${why}.`;
const noV1 = 'Requirement V1 (The greeting is kind) is not proven: no evaluation of the final tree judged "the tone is kind".';
const judged = (how: string): string =>
  `Requirement V1 (The greeting is kind) is not proven: "the tone is kind" was judged ${how}.`;
const unseen = (id: string): string => `These did not run in a clean checkout of the final tree as they are now: ${id}.`;
const gap = { id: 'g', description: 'no total', severity: 'critical' as const, suggestedTask: '' };
const finding = { severity: 'blocking' as const, description: 'it crashes', userImpact: 'x', suggestedFix: '', evidence: 'x' };

type Broken = [what: string, change: (s: Loose<State>) => void, stop: Stop, reasons: string[]];

const broken: Broken[] = [
  ['no requirement was read', (s) => { s.work.requirements = []; }, 'partial', ['No requirement was read.']],
  ['there is no settled plan', (s) => { s.work.gates = ['inputs', 'discovery']; }, 'partial', ['The work was never qualified: there is no settled plan.']],
  ['there are no checks at all', (s) => { s.work.checks = {}; s.work.results = {}; }, 'failed', [no1('no verification covers it'), 'Requirement V1 (The greeting is kind) is not proven: no verification covers it.']],
  ['its only check was retired', (s) => { s.work.retired = ['value/total']; }, 'partial', [no1('no verification covers it')]],
  ['its check never ran', (s) => { s.work.results = {}; }, 'partial', [no1('value/total never ran'), 'Verification value/total is not green.']],
  ['its check was green on an older tree only', (s) => { result(s).code = 0; }, 'partial', [no1('value/total was not run on the final tree')]],
  ['its check is red', (s) => { result(s).verdict = 'red'; }, 'partial', [no1('value/total is red'), 'Verification value/total is not green.']],
  ['its check is flaky', (s) => { result(s).verdict = 'flaky'; }, 'partial', [no1('value/total is flaky'), 'Verification value/total is not green.']],
  ['its check was never seen red', (s) => { s.ledger.proofs = []; }, 'partial', [no1('value/total is green but not trusted: it has not been seen red for its stated reason yet')]],
  ['its check stayed green without the work', (s) => { for (const proof of s.ledger.proofs) Object.assign(proof, { outcome: 'not-red', why: 'it does not look at it' }); }, 'partial', [no1('value/total is green but not trusted: it does not look at it')]],
  ['its check was rewritten since', (s) => { check(s).script = refOf('another script'); }, 'partial', [no1('value/total is green but not trusted: it has not been seen red for its stated reason yet'), unseen('value/total')]],
  ['its check was not green in the clean checkout', (s) => { cleanRun(s).verdict = 'flaky'; }, 'partial', [no1('value/total was not green in a clean checkout'), 'In a clean checkout these were flaky: value/total.']],
  ['its check was red in the clean checkout', (s) => { cleanRun(s).verdict = 'red'; }, 'partial', [no1('value/total was not green in a clean checkout'), 'In a clean checkout these failed: value/total.']],
  ['another check is red in the clean checkout', (s) => { other(s, 'red'); }, 'partial', ['In a clean checkout these failed: value/other.']],
  ['the clean checkout was of an older tree', (s) => { clean(s).code = 0; cleanRun(s).code = 0; }, 'partial', [no1('value/total is green and trusted, but did not run in a clean checkout yet'), 'The final tree was not checked in a clean checkout.']],
  ['a check that covers nothing more is red', (s) => { s.work.checks['value/more'] = p.check({ id: 'value/more', lineage: 'value/more' }); s.work.results['value/more'] = { code: 1, verdict: 'red', signature: 'x' }; }, 'partial', ['Verification value/more is not green.', unseen('value/more')]],
  ['a task is pending', (s) => { task(s).status = 'pending'; }, 'partial', ['Task T1 is not settled: Print the total of an order.']],
  ['a task was reported and not settled', (s) => { Object.assign(task(s), { status: 'reported', setback: 'it broke x' }); }, 'partial', ['Task T1 is not settled: it broke x.']],
  ['a task was dropped without consent', (s) => { task(s).status = 'descoped'; }, 'partial', ["Task T1 was dropped without the person's consent."]],
  ['a task was dropped and only another was consented to', (s) => { task(s).status = 'descoped'; s.ledger.pauses['H1'] = p.pause({ status: 'skipped', task: 'T2' }); }, 'partial', ["Task T1 was dropped without the person's consent."]],
  ['a change is open', (s) => { s.work.tree.change = p.change(); }, 'partial', ['A change of the tree was not settled.']],
  ['the final tree was not assessed', (s) => { s.ledger.assessments.vrcs = []; }, 'partial', ['The final tree was not assessed against the Vision.']],
  ['the assessment was of an older tree', (s) => { vrc(s).code = 0; }, 'partial', ['The final tree was not assessed against the Vision.']],
  ['the assessment was the one on schedule', (s) => { vrc(s).scope = 'full'; }, 'partial', ['The final tree was not assessed against the Vision.']],
  ['the assessment is a fallback', (s) => { vrc(s).fallback = true; }, 'partial', ['The final tree was not assessed against the Vision.']],
  ['the assessment does not recommend it', (s) => { Object.assign(vrc(s), { recommendation: 'CONTINUE', summary: 'Not yet.' }); }, 'partial', ['The final assessment does not recommend shipping: Not yet.']],
  ['the assessment names a critical gap', (s) => { vrc(s).gaps = [gap, { ...gap, severity: 'polish' }]; }, 'partial', ['Gap g: no total.']],
  ['nobody used the final tree', (s) => { s.ledger.assessments.evaluations = []; }, 'partial', [noV1, 'The final tree was not used as its user would.']],
  ['the evaluation was of an older tree', (s) => { evaluation(s).code = 0; }, 'partial', [noV1, 'The final tree was not used as its user would.']],
  ['the evaluation is a fallback', (s) => { evaluation(s).fallback = true; }, 'partial', [noV1, 'The final tree was not used as its user would.']],
  ['the evaluation has a blocking finding', (s) => { evaluation(s).findings = [finding, { ...finding, severity: 'degraded' }]; }, 'partial', ['Finding: it crashes.']],
  ['a criterion is not met', (s) => { criterion(s).met = false; }, 'partial', [judged('not met: I read the greeting: it is kind')]],
  ['a criterion is met without evidence', (s) => { criterion(s).evidence = ' '; }, 'partial', [judged('met without evidence')]],
  ['a criterion was not judged', (s) => { evaluation(s).criteria = []; }, 'partial', [noV1]],
]; // prettier-ignore

const must = <T>(value: T | undefined): T => {
  assert.ok(value !== undefined);
  return value;
};
const result = (s: Loose<State>) => must(s.work.results['value/total']);
const check = (s: Loose<State>) => must(s.work.checks['value/total']);
const task = (s: Loose<State>) => must(s.work.tasks['T1']);
const clean = (s: Loose<State>) => must(s.ledger.assessments.cleanRuns[0]);
const cleanRun = (s: Loose<State>) => must(s.ledger.runs['value/total']?.find((r) => r.where === 'clean'));
const vrc = (s: Loose<State>) => must(s.ledger.assessments.vrcs[0]);
const evaluation = (s: Loose<State>) => must(s.ledger.assessments.evaluations[0]);
const criterion = (s: Loose<State>) => must(evaluation(s).criteria[0]);

/** A second verification, green in the worktree. */
function other(s: Loose<State>, verdict: 'green' | 'red'): void {
  const id = 'value/other';
  s.work.checks[id] = p.check({ id, lineage: id });
  s.work.results[id] = { code: 1, verdict: 'green', signature: '' };
  s.ledger.runs[id] = [p.run({ check: id, lineage: id, where: 'clean', code: 1, verdict })];
}

describe('ending', () => {
  it('is delivered when nothing is wrong', () => {
    assert.deepEqual(ending(whole), { stop: 'delivered', reasons: [] });
  });

  for (const [what, change, stop, reasons] of broken)
    it(`is ${stop} when ${what}`, () => {
      assert.deepEqual(ending(changed(whole, change)), { stop, reasons });
    });

  it('is failed when nothing is proven: an untrusted green, a stale one and an unmet criterion are none', () => {
    const untrusted = changed(whole, (s) => {
      s.ledger.proofs = [];
      criterion(s).met = false;
    });
    const stale = changed(whole, (s) => {
      s.work.tree.code = 2;
    });
    assert.deepEqual([ending(untrusted).stop, ending(stale).stop], ['failed', 'failed']);
    assert.deepEqual([hasProof(whole), hasProof(untrusted), hasProof(stale)], [true, false, false]);
  });

  it('is failed with nothing but an opened run', () => {
    const { stop, reasons } = ending(new Story().state);
    assert.equal(stop, 'failed');
    assert.deepEqual(reasons, [
      'No requirement was read.',
      'The final tree was not checked in a clean checkout.',
      'The final tree was not assessed against the Vision.',
      'The final tree was not used as its user would.',
    ]);
  });

  it('stays delivered with consent to a dropped task whose requirement is covered all the same', () => {
    const dropped = changed(whole, (s) => {
      task(s).status = 'descoped';
      s.ledger.pauses['H1'] = p.pause({ status: 'skipped' });
    });
    assert.deepEqual(ending(dropped), { stop: 'delivered', reasons: [] });
  });

  it('stays delivered when a second check of a requirement is a retired or a covering one', () => {
    const more = changed(whole, (s) => {
      s.work.checks['value/old'] = p.check({ id: 'value/old', lineage: 'value/old' });
      s.work.retired = ['value/old'];
    });
    assert.equal(ending(more).stop, 'delivered');
  });

  it('stays delivered with gaps and findings that need no mending', () => {
    const rough = changed(whole, (s) => {
      vrc(s).gaps = [{ ...gap, severity: 'degraded' }];
      evaluation(s).findings = [{ ...finding, severity: 'polish' }];
    });
    assert.equal(ending(rough).stop, 'delivered');
  });
});

describe('a stop that resumes', () => {
  const unfinished = (change: (s: Loose<State>) => void): State =>
    changed(whole, (s) => {
      task(s).status = 'pending';
      change(s);
    });
  const why = 'Task T1 is not settled: Print the total of an order.';
  const asked = 'Only a person can do this, and it is still open: Put prices.csv there.';

  for (const status of ['open', 'claimed'] as const)
    it(`is waiting while an action is ${status}`, () => {
      const state = unfinished((s) => {
        s.ledger.pauses['H1'] = p.pause({ status });
      });
      assert.deepEqual(ending(state), { stop: 'waiting', reasons: [why, asked] });
    });

  it('is waiting while an action is open, though nothing else is wrong', () => {
    const state = changed(whole, (s) => {
      s.ledger.pauses['H1'] = p.pause({ task: 'T9' });
    });
    assert.deepEqual(ending(state), { stop: 'waiting', reasons: [asked] });
  });

  const spent = (over: Partial<Pause>): State =>
    unfinished((s) => {
      s.ledger.burned['wait'] = s.ledger.sizes['wait'] ?? 0;
      s.ledger.pauses['H1'] = p.pause({ shown: true, missing: 'There is no prices.csv.', ...over });
    });

  it('is waiting after the last "I have done it" that counts, and names what is missing', () => {
    assert.deepEqual(ending(spent({})), { stop: 'waiting', reasons: [why, `${asked} Still missing: There is no prices.csv.`] });
  });

  const blind: [string, Partial<Pause>][] = [
    ['is asked in words', { lineages: [] }],
    ['was there when they were told', { held: true }],
  ];
  for (const [what, over] of blind)
    it(`is over then for what ${what}: only their word would do`, () => assert.equal(ending(spent(over)).stop, 'partial'));

  it('is over without fuel for another resume', () => {
    const state = changed(spent({}), (s) => {
      s.ledger.burned['sprint'] = s.ledger.sizes['sprint'] ?? 0;
    });
    assert.equal(ending(state).stop, 'partial');
  });

  for (const status of ['fulfilled', 'skipped'] as const)
    it(`is not waiting once it is ${status}`, () => {
      const state = unfinished((s) => {
        s.ledger.pauses['H1'] = p.pause({ status });
      });
      assert.equal(ending(state).stop, 'partial');
    });

  it('is out-of-budget, and says so first', () => {
    const state = unfinished((s) => {
      s.ledger.budgetReached = 'The money is spent.';
    });
    assert.deepEqual(ending(state), { stop: 'out-of-budget', reasons: ['The money is spent.', why] });
  });

  it('waits for the person rather than for money', () => {
    const state = unfinished((s) => {
      s.ledger.budgetReached = 'The money is spent.';
      s.ledger.pauses['H1'] = p.pause();
    });
    assert.equal(ending(state).stop, 'waiting');
  });

  it('is no stop where the last call that fitted the budget delivered', () => {
    const state = changed(whole, (s) => {
      s.ledger.budgetReached = 'The money is spent.';
    });
    assert.equal(ending(state).stop, 'delivered');
  });
});

describe('coverage', () => {
  it('names the check that proves each requirement', () => {
    const [totals, tone] = whole.work.requirements;
    assert.deepEqual(coverage(whole), [
      { requirement: totals, by: p.check() },
      { requirement: tone, by: p.criterion() },
    ]);
  });

  it('counts a green and trusted check before the clean run, but does not call its requirement proven', () => {
    const { state } = p.proven();
    assert.deepEqual([isCounted(state, p.check()), isCounted(state, p.criterion())], [true, false]);
    assert.deepEqual(coverage(state).map(({ by }) => by), [undefined, undefined]); // prettier-ignore
  });

  it('looks at the newest part of each kind, and only on the kept tree', () => {
    const again = changed(whole, (s) => {
      s.ledger.assessments.vrcs.push(p.vrc({ summary: 'again' }), p.vrc({ code: 0 }));
    });
    assert.deepEqual(finalOf(again), {
      clean: { green: ['value/total'], red: [], flaky: [], why: '' },
      vrc: p.vrc({ summary: 'again' }),
      evaluation: p.evaluation(),
    });
  });
});
