/** Endings are honest (I7): starting from a delivered state, every single defect is a reason against delivery. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { coverage, ending, finalOf, hasTrustedGreen, isCounted, whyNotBegun } from '../../../src/engine/judge/ending.ts';
import type { State, Stop } from '../../../src/engine/state/state.ts';
import type { HumanAction } from '../../../src/engine/work/human-action.ts';
import { changed, deepFreeze, refOf, Story, type Loose } from '../support/events.ts';
import { proofTank } from '../../../src/engine/judge/trust.ts';
import { burn } from '../../../src/engine/state/fuel.ts';
import * as p from '../support/parts.ts';

const whole = deepFreeze(p.delivered().state);
const no1 = (why: string): string => `Requirement 1 (Totals) is not proven: ${why}.`;
const noV1 = 'Requirement V1 (The greeting is kind) is not proven: no evaluation of the final tree judged "the tone is kind".';
const judged = (how: string): string => `Requirement V1 (The greeting is kind) is not proven: "the tone is kind" was judged ${how}.`;
const unseen = (id: string): string => `These did not run in a clean checkout of the final tree as they are now: ${id}.`;
const gap = { id: 'g', description: 'no total', severity: 'critical' as const, suggestedTask: '' };
const finding = { severity: 'blocking' as const, description: 'it crashes', userImpact: 'x', suggestedFix: '', evidence: 'x' };

const defects: { what: string; change: (s: Loose<State>) => void; stop: Stop; reasons: string[] }[] = [
  {
    what: 'no requirement was read',
    change: (s) => void (s.work.requirements = []),
    stop: 'partial',
    reasons: ['No requirement was read.'],
  },
  {
    what: 'there is no settled plan',
    change: (s) => void (s.work.gates = ['inputs', 'discovery']),
    stop: 'partial',
    reasons: ['The work was never qualified: there is no settled plan.'],
  },
  {
    what: 'there are no verifications at all',
    change: (s) => {
      s.work.verifications = {};
      s.work.results = {};
    },
    stop: 'failed',
    reasons: [no1('no verification covers it'), 'Requirement V1 (The greeting is kind) is not proven: no verification covers it.'],
  },
  {
    what: 'its only verification was retired',
    change: (s) => void (s.work.retired = ['value/total']),
    stop: 'partial',
    reasons: [no1('no verification covers it')],
  },
  {
    what: 'its verification never ran',
    change: (s) => void (s.work.results = {}),
    stop: 'partial',
    reasons: [no1('value/total never ran'), 'Verification value/total is not green.'],
  },
  {
    what: 'its verification was green only on an older tree',
    change: (s) => void (result(s).code = 0),
    stop: 'partial',
    reasons: [no1('value/total was not run on the final tree')],
  },
  {
    what: 'its verification is red',
    change: (s) => void (result(s).verdict = 'red'),
    stop: 'partial',
    reasons: [no1('value/total is red'), 'Verification value/total is not green.'],
  },
  {
    what: 'its verification is flaky',
    change: (s) => void (result(s).verdict = 'flaky'),
    stop: 'partial',
    reasons: [no1('value/total is flaky'), 'Verification value/total is not green.'],
  },
  {
    what: 'its verification was never red',
    change: (s) => void (s.ledger.proofs = []),
    stop: 'partial',
    reasons: [no1('value/total is green but not trusted: no run of it that counts was red for its stated reason yet')],
  },
  {
    what: 'its verification stayed green without the work',
    change: (s) => {
      for (const proof of s.ledger.proofs) Object.assign(proof, { outcome: 'not-red', why: 'it does not look at it' });
    },
    stop: 'partial',
    reasons: [no1('value/total is green but not trusted: it does not look at it')],
  },
  {
    what: 'its verification was rewritten since',
    change: (s) => void (verification(s).script = refOf('another script')),
    stop: 'partial',
    reasons: [
      no1('value/total is green but not trusted: no run of it that counts was red for its stated reason yet'),
      unseen('value/total'),
    ],
  },
  {
    what: 'its verification was not green in the clean checkout',
    change: (s) => void (cleanRun(s).verdict = 'flaky'),
    stop: 'partial',
    reasons: [no1('value/total was not green in a clean checkout'), 'In a clean checkout these were flaky: value/total.'],
  },
  {
    what: 'its verification was red in the clean checkout',
    change: (s) => void (cleanRun(s).verdict = 'red'),
    stop: 'partial',
    reasons: [no1('value/total was not green in a clean checkout'), 'In a clean checkout these failed: value/total.'],
  },
  {
    what: 'another verification is red in the clean checkout',
    change: (s) => addOther(s, 'red'),
    stop: 'partial',
    reasons: ['In a clean checkout these failed: value/other.'],
  },
  {
    what: 'the machine kept every control from a result',
    change: (s) => {
      s.ledger.proofs = s.ledger.proofs.filter(({ kind }) => kind !== 'control');
      burn(s.ledger, [proofTank(p.verification(), 'control')]);
    },
    stop: 'partial',
    reasons: [no1('value/total is green and was red, but its control has no result: the machine')],
  },
  {
    what: 'the clean checkout was of an older tree',
    change: (s) => {
      clean(s).code = 0;
      cleanRun(s).code = 0;
    },
    stop: 'partial',
    reasons: [
      no1('value/total is green and trusted, but did not run in a clean checkout yet'),
      'The final tree was not checked in a clean checkout.',
    ],
  },
  {
    what: 'an additional verification of the requirement is red',
    change: (s) => {
      s.work.verifications['value/more'] = p.verification({ id: 'value/more', lineage: 'value/more' });
      s.work.results['value/more'] = { code: 1, verdict: 'red', signature: 'x', n: 1 };
    },
    stop: 'partial',
    reasons: ['Verification value/more is not green.', unseen('value/more')],
  },
  {
    what: 'a task is pending',
    change: (s) => void (task(s).status = 'pending'),
    stop: 'partial',
    reasons: ['Task T1 is not settled: Print the total of an order.'],
  },
  {
    what: 'a task was reported but not settled',
    change: (s) => void Object.assign(task(s), { status: 'reported', setback: 'it broke x' }),
    stop: 'partial',
    reasons: ['Task T1 is not settled: it broke x.'],
  },
  {
    what: 'a task was dropped without consent',
    change: (s) => void (task(s).status = 'descoped'),
    stop: 'partial',
    reasons: ["Task T1 was dropped without the person's consent."],
  },
  {
    what: 'a task was dropped, and the person consented only to dropping another',
    change: (s) => {
      task(s).status = 'descoped';
      s.ledger.humanActions['H1'] = p.humanAction({ status: 'skipped', task: 'T2' });
    },
    stop: 'partial',
    reasons: ["Task T1 was dropped without the person's consent."],
  },
  {
    what: 'a change is open',
    change: (s) => void (s.work.tree.change = p.change()),
    stop: 'partial',
    reasons: ['A change of the tree was not settled.'],
  },
  {
    what: 'the final tree was not assessed',
    change: (s) => void (s.ledger.assessments.vrcs = []),
    stop: 'partial',
    reasons: ['The final tree was not assessed against the Vision.'],
  },
  {
    what: 'the assessment was of an older tree',
    change: (s) => void (vrc(s).code = 0),
    stop: 'partial',
    reasons: ['The final tree was not assessed against the Vision.'],
  },
  {
    what: 'the assessment was a scheduled one',
    change: (s) => void (vrc(s).scope = 'full'),
    stop: 'partial',
    reasons: ['The final tree was not assessed against the Vision.'],
  },
  {
    what: 'the assessment is a fallback',
    change: (s) => void (vrc(s).fallback = true),
    stop: 'partial',
    reasons: ['The final tree was not assessed against the Vision.'],
  },
  {
    what: 'the assessment does not recommend it',
    change: (s) => void Object.assign(vrc(s), { recommendation: 'CONTINUE', summary: 'Not yet.' }),
    stop: 'partial',
    reasons: ['The final assessment does not recommend shipping: Not yet.'],
  },
  {
    what: 'the assessment names a critical gap',
    change: (s) => void (vrc(s).gaps = [gap, { ...gap, severity: 'polish' }]),
    stop: 'partial',
    reasons: ['Gap g: no total.'],
  },
  {
    what: 'the final tree was not evaluated',
    change: (s) => void (s.ledger.assessments.evaluations = []),
    stop: 'partial',
    reasons: [noV1, 'The final tree was not used as its user would.'],
  },
  {
    what: 'the evaluation was of an older tree',
    change: (s) => void (evaluation(s).code = 0),
    stop: 'partial',
    reasons: [noV1, 'The final tree was not used as its user would.'],
  },
  {
    what: 'the evaluation is a fallback',
    change: (s) => void (evaluation(s).fallback = true),
    stop: 'partial',
    reasons: [noV1, 'The final tree was not used as its user would.'],
  },
  {
    what: 'the evaluation has a blocking finding',
    change: (s) => void (evaluation(s).findings = [finding, { ...finding, severity: 'degraded' }]),
    stop: 'partial',
    reasons: ['Finding: it crashes.'],
  },
  {
    what: 'a criterion is not met',
    change: (s) => void (criterion(s).met = false),
    stop: 'partial',
    reasons: [judged('not met: I read the greeting: it is kind')],
  },
  {
    what: 'a criterion is met without evidence',
    change: (s) => void (criterion(s).evidence = ' '),
    stop: 'partial',
    reasons: [judged('met without evidence')],
  },
  { what: 'a criterion was not judged', change: (s) => void (evaluation(s).criteria = []), stop: 'partial', reasons: [noV1] },
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

/** Adds a second verification that is green in the worktree. */
function addOther(s: Loose<State>, verdict: 'green' | 'red'): void {
  const id = 'value/other';
  s.work.verifications[id] = p.verification({ id, lineage: id });
  s.work.results[id] = { code: 1, verdict: 'green', signature: '', n: 1 };
  s.ledger.runs[id] = [p.run({ verification: id, lineage: id, where: 'clean', code: 1, verdict })];
}

describe('ending', () => {
  it('is delivered when nothing is wrong', () => {
    assert.deepEqual(ending(whole), { stop: 'delivered', reasons: [] });
  });

  for (const { what, change, stop, reasons } of defects)
    it(`is ${stop} when ${what}`, () => {
      assert.deepEqual(ending(changed(whole, change)), { stop, reasons });
    });

  it('is failed without a proof: an untrusted green, an outdated green and an unmet criterion prove nothing', () => {
    const untrusted = changed(whole, (s) => {
      s.ledger.proofs = [];
      criterion(s).met = false;
    });
    const stale = changed(whole, (s) => void (s.work.tree.code = 2));
    assert.deepEqual([ending(untrusted).stop, ending(stale).stop], ['failed', 'failed']);
    assert.deepEqual([hasTrustedGreen(whole), hasTrustedGreen(untrusted), hasTrustedGreen(stale)], [true, false, false]);
  });

  it('is failed directly after the opening', () => {
    const { stop, reasons } = ending(new Story().state);
    assert.equal(stop, 'failed');
    assert.deepEqual(reasons, [
      'No requirement was read.',
      'The final tree was not checked in a clean checkout.',
      'The final tree was not assessed against the Vision.',
      'The final tree was not used as its user would.',
    ]);
    assert.deepEqual(whyNotBegun(new Story().state), ['No requirement was read.'], 'the others say nothing more');
    assert.equal(whyNotBegun(p.planned().state), undefined);
  });

  it('stays delivered when the person consented to dropping a task whose requirement is still covered', () => {
    const dropped = changed(whole, (s) => {
      task(s).status = 'descoped';
      s.ledger.humanActions['H1'] = p.humanAction({ status: 'skipped' });
    });
    assert.deepEqual(ending(dropped), { stop: 'delivered', reasons: [] });
  });

  it('stays delivered when a second verification of a requirement is retired', () => {
    const more = changed(whole, (s) => {
      s.work.verifications['value/old'] = p.verification({ id: 'value/old', lineage: 'value/old' });
      s.work.retired = ['value/old'];
    });
    assert.equal(ending(more).stop, 'delivered');
  });

  it('stays delivered with gaps and findings that need no fix', () => {
    const rough = changed(whole, (s) => {
      vrc(s).gaps = [{ ...gap, severity: 'degraded' }];
      evaluation(s).findings = [{ ...finding, severity: 'polish' }];
    });
    assert.equal(ending(rough).stop, 'delivered');
  });
});

describe('a stop that can be resumed', () => {
  const unfinished = (change: (s: Loose<State>) => void): State =>
    changed(whole, (s) => {
      task(s).status = 'pending';
      change(s);
    });
  const why = 'Task T1 is not settled: Print the total of an order.';
  const asked = 'Only a person can do this, and it is still open: Put prices.csv there.';

  for (const status of ['open', 'answered'] as const)
    it(`is waiting while a human action is ${status}`, () => {
      const state = unfinished((s) => void (s.ledger.humanActions['H1'] = p.humanAction({ status })));
      assert.deepEqual(ending(state), { stop: 'waiting', reasons: [why, asked] });
    });

  it('is waiting while a human action is open, even if everything else is done', () => {
    const state = changed(whole, (s) => void (s.ledger.humanActions['H1'] = p.humanAction({ task: 'T9' })));
    assert.deepEqual(ending(state), { stop: 'waiting', reasons: [asked] });
  });

  const missing = { shown: true, missing: 'There is no prices.csv.' };
  const spent = (humanAction: HumanAction): State =>
    unfinished((s) => {
      s.ledger.burned.wait[''] = s.ledger.sizes['wait'] ?? 0;
      s.ledger.humanActions['H1'] = humanAction;
    });

  it('is waiting when the last accepted "done" was not true, and names what is missing', () => {
    assert.deepEqual(ending(spent(p.humanAction(missing))), {
      stop: 'waiting',
      reasons: [why, `${asked} Still missing: There is no prices.csv.`],
    });
  });

  const onlyByAnswer: { what: string; humanAction: HumanAction }[] = [
    { what: 'is advice', humanAction: { ...p.asked(), ...missing } },
    { what: 'is a hint', humanAction: { ...p.asked(['value/total']), ...missing } },
    { what: 'asks for a file that was already there', humanAction: p.humanAction({ ...missing, held: true }) },
  ];
  for (const { what, humanAction } of onlyByAnswer)
    it(`is not waiting then for a human action that ${what}, because only an answer could fulfil it`, () => {
      assert.equal(ending(spent(humanAction)).stop, 'partial');
    });

  it('is not waiting without fuel for another resume', () => {
    const state = changed(spent(p.humanAction(missing)), (s) => void (s.ledger.burned.sprint[''] = s.ledger.sizes['sprint'] ?? 0));
    assert.equal(ending(state).stop, 'partial');
  });

  for (const status of ['fulfilled', 'skipped'] as const)
    it(`is not waiting when the human action is ${status}`, () => {
      const state = unfinished((s) => void (s.ledger.humanActions['H1'] = p.humanAction({ status })));
      assert.equal(ending(state).stop, 'partial');
    });

  it('is out-of-budget, with the budget as the first reason', () => {
    const state = unfinished((s) => void (s.ledger.budgetReached = 'The money is spent.'));
    assert.deepEqual(ending(state), { stop: 'out-of-budget', reasons: ['The money is spent.', why] });
  });

  it('is waiting rather than out-of-budget when both apply', () => {
    const state = unfinished((s) => {
      s.ledger.budgetReached = 'The money is spent.';
      s.ledger.humanActions['H1'] = p.humanAction();
    });
    assert.equal(ending(state).stop, 'waiting');
  });

  it('is not waiting for a deed that the plan asked for while the sprint is not qualified yet, because nothing waits for it', () => {
    const state = unfinished((s) => {
      s.work.gates = s.work.gates.filter((gate) => gate !== 'prepare');
      s.ledger.budgetReached = 'It ran for 1 hour.';
      s.ledger.humanActions['H1'] = p.humanAction();
    });
    assert.equal(ending(state).stop, 'out-of-budget');
  });

  it('does not apply when the last affordable call delivered', () => {
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

  it('counts a green and trusted verification before the clean run, but its requirement is not proven yet', () => {
    const { state } = p.proven();
    assert.deepEqual([isCounted(state, p.verification()), isCounted(state, p.criterion())], [true, false]);
    assert.deepEqual(
      coverage(state).map(({ provenBy }) => provenBy),
      [undefined, undefined],
    );
  });

  it('uses the newest final part of each kind, and only for the kept tree', () => {
    const assessedAgain = changed(whole, (s) => {
      s.ledger.assessments.vrcs.push(p.vrc({ summary: 'again' }), p.vrc({ code: 0 }));
    });
    assert.deepEqual(finalOf(assessedAgain), {
      clean: { green: ['value/total'], red: [], flaky: [], why: '' },
      vrc: p.vrc({ summary: 'again' }),
      evaluation: p.evaluation(),
    });
  });
});
