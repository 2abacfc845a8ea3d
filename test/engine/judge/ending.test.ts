/** Endings are honest (I7): from one fully delivered state, each single thing that is wrong is a reason against it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { coverage, ending, finalOf, hasProof, isCounted } from '../../../src/engine/judge/ending.ts';
import type { State, Stop } from '../../../src/engine/state/state.ts';
import type { HumanAction } from '../../../src/engine/work/human-action.ts';
import { changed, deepFreeze, refOf, Story, type Loose } from '../support/events.ts';
import * as p from '../support/parts.ts';

const whole = deepFreeze(p.delivered().state);
const no1 = (why: string): string => `Requirement 1 (Totals) is not proven: ${why}.`;
const noV1 = 'Requirement V1 (The greeting is kind) is not proven: no evaluation of the final tree judged "the tone is kind".';
const judged = (how: string): string => `Requirement V1 (The greeting is kind) is not proven: "the tone is kind" was judged ${how}.`;
const unseen = (id: string): string => `These did not run in a clean checkout of the final tree as they are now: ${id}.`;
const gap = { id: 'g', description: 'no total', severity: 'critical' as const, suggestedTask: '' };
const finding = { severity: 'blocking' as const, description: 'it crashes', userImpact: 'x', suggestedFix: '', evidence: 'x' };

type Broken = [what: string, change: (s: Loose<State>) => void, stop: Stop, reasons: string[]];

const broken: Broken[] = [
  ['no requirement was read', (s) => void (s.work.requirements = []), 'partial', ['No requirement was read.']],
  [
    'there is no settled plan',
    (s) => void (s.work.gates = ['inputs', 'discovery']),
    'partial',
    ['The work was never qualified: there is no settled plan.'],
  ],
  [
    'there are no verifications at all',
    (s) => {
      s.work.verifications = {};
      s.work.results = {};
    },
    'failed',
    [no1('no verification covers it'), 'Requirement V1 (The greeting is kind) is not proven: no verification covers it.'],
  ],
  ['its only verification was retired', (s) => void (s.work.retired = ['value/total']), 'partial', [no1('no verification covers it')]],
  [
    'its verification never ran',
    (s) => void (s.work.results = {}),
    'partial',
    [no1('value/total never ran'), 'Verification value/total is not green.'],
  ],
  [
    'its verification was green on an older tree only',
    (s) => void (result(s).code = 0),
    'partial',
    [no1('value/total was not run on the final tree')],
  ],
  [
    'its verification is red',
    (s) => void (result(s).verdict = 'red'),
    'partial',
    [no1('value/total is red'), 'Verification value/total is not green.'],
  ],
  [
    'its verification is flaky',
    (s) => void (result(s).verdict = 'flaky'),
    'partial',
    [no1('value/total is flaky'), 'Verification value/total is not green.'],
  ],
  [
    'its verification was never seen red',
    (s) => void (s.ledger.proofs = []),
    'partial',
    [no1('value/total is green but not trusted: it has not been seen red for its stated reason yet')],
  ],
  [
    'its verification stayed green without the work',
    (s) => {
      for (const proof of s.ledger.proofs) Object.assign(proof, { outcome: 'not-red', why: 'it does not look at it' });
    },
    'partial',
    [no1('value/total is green but not trusted: it does not look at it')],
  ],
  [
    'its verification was rewritten since',
    (s) => void (verification(s).script = refOf('another script')),
    'partial',
    [no1('value/total is green but not trusted: it has not been seen red for its stated reason yet'), unseen('value/total')],
  ],
  [
    'its verification was not green in the clean checkout',
    (s) => void (cleanRun(s).verdict = 'flaky'),
    'partial',
    [no1('value/total was not green in a clean checkout'), 'In a clean checkout these were flaky: value/total.'],
  ],
  [
    'its verification was red in the clean checkout',
    (s) => void (cleanRun(s).verdict = 'red'),
    'partial',
    [no1('value/total was not green in a clean checkout'), 'In a clean checkout these failed: value/total.'],
  ],
  [
    'another verification is red in the clean checkout',
    (s) => {
      other(s, 'red');
    },
    'partial',
    ['In a clean checkout these failed: value/other.'],
  ],
  [
    'the clean checkout was of an older tree',
    (s) => {
      clean(s).code = 0;
      cleanRun(s).code = 0;
    },
    'partial',
    [
      no1('value/total is green and trusted, but did not run in a clean checkout yet'),
      'The final tree was not checked in a clean checkout.',
    ],
  ],
  [
    'a verification that covers nothing more is red',
    (s) => {
      s.work.verifications['value/more'] = p.verification({ id: 'value/more', lineage: 'value/more' });
      s.work.results['value/more'] = { code: 1, verdict: 'red', signature: 'x' };
    },
    'partial',
    ['Verification value/more is not green.', unseen('value/more')],
  ],
  ['a task is pending', (s) => void (task(s).status = 'pending'), 'partial', ['Task T1 is not settled: Print the total of an order.']],
  [
    'a task was reported and not settled',
    (s) => {
      Object.assign(task(s), { status: 'reported', setback: 'it broke x' });
    },
    'partial',
    ['Task T1 is not settled: it broke x.'],
  ],
  [
    'a task was dropped without consent',
    (s) => void (task(s).status = 'descoped'),
    'partial',
    ["Task T1 was dropped without the person's consent."],
  ],
  [
    'a task was dropped and only another was consented to',
    (s) => {
      task(s).status = 'descoped';
      s.ledger.humanActions['H1'] = p.humanAction({ status: 'skipped', task: 'T2' });
    },
    'partial',
    ["Task T1 was dropped without the person's consent."],
  ],
  ['a change is open', (s) => void (s.work.tree.change = p.change()), 'partial', ['A change of the tree was not settled.']],
  [
    'the final tree was not assessed',
    (s) => void (s.ledger.assessments.vrcs = []),
    'partial',
    ['The final tree was not assessed against the Vision.'],
  ],
  [
    'the assessment was of an older tree',
    (s) => void (vrc(s).code = 0),
    'partial',
    ['The final tree was not assessed against the Vision.'],
  ],
  [
    'the assessment was the one on schedule',
    (s) => void (vrc(s).scope = 'full'),
    'partial',
    ['The final tree was not assessed against the Vision.'],
  ],
  [
    'the assessment is a fallback',
    (s) => void (vrc(s).fallback = true),
    'partial',
    ['The final tree was not assessed against the Vision.'],
  ],
  [
    'the assessment does not recommend it',
    (s) => {
      Object.assign(vrc(s), { recommendation: 'CONTINUE', summary: 'Not yet.' });
    },
    'partial',
    ['The final assessment does not recommend shipping: Not yet.'],
  ],
  [
    'the assessment names a critical gap',
    (s) => void (vrc(s).gaps = [gap, { ...gap, severity: 'polish' }]),
    'partial',
    ['Gap g: no total.'],
  ],
  [
    'nobody used the final tree',
    (s) => void (s.ledger.assessments.evaluations = []),
    'partial',
    [noV1, 'The final tree was not used as its user would.'],
  ],
  [
    'the evaluation was of an older tree',
    (s) => void (evaluation(s).code = 0),
    'partial',
    [noV1, 'The final tree was not used as its user would.'],
  ],
  [
    'the evaluation is a fallback',
    (s) => void (evaluation(s).fallback = true),
    'partial',
    [noV1, 'The final tree was not used as its user would.'],
  ],
  [
    'the evaluation has a blocking finding',
    (s) => void (evaluation(s).findings = [finding, { ...finding, severity: 'degraded' }]),
    'partial',
    ['Finding: it crashes.'],
  ],
  ['a criterion is not met', (s) => void (criterion(s).met = false), 'partial', [judged('not met: I read the greeting: it is kind')]],
  ['a criterion is met without evidence', (s) => void (criterion(s).evidence = ' '), 'partial', [judged('met without evidence')]],
  ['a criterion was not judged', (s) => void (evaluation(s).criteria = []), 'partial', [noV1]],
];

const must = <T>(value: T | undefined): T => {
  assert.ok(value !== undefined);
  return value;
};
const result = (s: Loose<State>) => must(s.work.results['value/total']);
const verification = (s: Loose<State>) => must(s.work.verifications['value/total']);
const task = (s: Loose<State>) => must(s.work.tasks['T1']);
const clean = (s: Loose<State>) => must(s.ledger.assessments.cleanRuns[0]);
const cleanRun = (s: Loose<State>) => must(s.ledger.runs['value/total']?.find((r) => r.where === 'clean'));
const vrc = (s: Loose<State>) => must(s.ledger.assessments.vrcs[0]);
const evaluation = (s: Loose<State>) => must(s.ledger.assessments.evaluations[0]);
const criterion = (s: Loose<State>) => must(evaluation(s).criteria[0]);

/** A second verification, green in the worktree. */
function other(s: Loose<State>, verdict: 'green' | 'red'): void {
  const id = 'value/other';
  s.work.verifications[id] = p.verification({ id, lineage: id });
  s.work.results[id] = { code: 1, verdict: 'green', signature: '' };
  s.ledger.runs[id] = [p.run({ verification: id, lineage: id, where: 'clean', code: 1, verdict })];
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
    const stale = changed(whole, (s) => void (s.work.tree.code = 2));
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
      s.ledger.humanActions['H1'] = p.humanAction({ status: 'skipped' });
    });
    assert.deepEqual(ending(dropped), { stop: 'delivered', reasons: [] });
  });

  it('stays delivered when a second verification of a requirement is a retired or a covering one', () => {
    const more = changed(whole, (s) => {
      s.work.verifications['value/old'] = p.verification({ id: 'value/old', lineage: 'value/old' });
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

  for (const status of ['open', 'answered'] as const)
    it(`is waiting while an action is ${status}`, () => {
      const state = unfinished((s) => void (s.ledger.humanActions['H1'] = p.humanAction({ status })));
      assert.deepEqual(ending(state), { stop: 'waiting', reasons: [why, asked] });
    });

  it('is waiting while an action is open, though nothing else is wrong', () => {
    const state = changed(whole, (s) => void (s.ledger.humanActions['H1'] = p.humanAction({ task: 'T9' })));
    assert.deepEqual(ending(state), { stop: 'waiting', reasons: [asked] });
  });

  const missing = { shown: true, missing: 'There is no prices.csv.' };
  const spent = (humanAction: HumanAction): State =>
    unfinished((s) => {
      s.ledger.burned.wait[''] = s.ledger.sizes['wait'] ?? 0;
      s.ledger.humanActions['H1'] = humanAction;
    });

  it('is waiting after the last "I have done it" that counts, and names what is missing', () => {
    assert.deepEqual(ending(spent(p.humanAction(missing))), {
      stop: 'waiting',
      reasons: [why, `${asked} Still missing: There is no prices.csv.`],
    });
  });

  const blind: [string, HumanAction][] = [
    ['is asked in words', { ...p.asked(), ...missing }],
    ['is asked in words of failures', { ...p.asked(['value/total']), ...missing }],
    ['was there when they were told', p.humanAction({ ...missing, held: true })],
  ];
  for (const [what, humanAction] of blind)
    it(`is over then for what ${what}: only their word would do`, () => {
      assert.equal(ending(spent(humanAction)).stop, 'partial');
    });

  it('is over without fuel for another resume', () => {
    const state = changed(spent(p.humanAction(missing)), (s) => void (s.ledger.burned.sprint[''] = s.ledger.sizes['sprint'] ?? 0));
    assert.equal(ending(state).stop, 'partial');
  });

  for (const status of ['fulfilled', 'skipped'] as const)
    it(`is not waiting once it is ${status}`, () => {
      const state = unfinished((s) => void (s.ledger.humanActions['H1'] = p.humanAction({ status })));
      assert.equal(ending(state).stop, 'partial');
    });

  it('is out-of-budget, and says so first', () => {
    const state = unfinished((s) => void (s.ledger.budgetReached = 'The money is spent.'));
    assert.deepEqual(ending(state), { stop: 'out-of-budget', reasons: ['The money is spent.', why] });
  });

  it('waits for the person rather than for money', () => {
    const state = unfinished((s) => {
      s.ledger.budgetReached = 'The money is spent.';
      s.ledger.humanActions['H1'] = p.humanAction();
    });
    assert.equal(ending(state).stop, 'waiting');
  });

  it('is no stop where the last call that fitted the budget delivered', () => {
    const state = changed(whole, (s) => void (s.ledger.budgetReached = 'The money is spent.'));
    assert.equal(ending(state).stop, 'delivered');
  });
});

describe('coverage', () => {
  it('names the verification that proves each requirement', () => {
    const [totals, tone] = whole.work.requirements;
    assert.deepEqual(coverage(whole), [
      { requirement: totals, provenBy: p.verification() },
      { requirement: tone, provenBy: p.criterion() },
    ]);
  });

  it('counts a green and trusted verification before the clean run, but does not call its requirement proven', () => {
    const { state } = p.proven();
    assert.deepEqual([isCounted(state, p.verification()), isCounted(state, p.criterion())], [true, false]);
    assert.deepEqual(
      coverage(state).map(({ provenBy }) => provenBy),
      [undefined, undefined],
    );
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
