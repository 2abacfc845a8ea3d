/** Nothing refills (I4): along any legal sequence of events, what is left only falls, but for the one sizing by the plan. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import type { Draft, Tank } from '../../../src/engine/state/events.ts';
import { bound, canBurn, left, mintLeft, openingSizes, plannedSizes } from '../../../src/engine/state/fuel.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

describe('sizes', () => {
  it('open with 40 decisions and the limits of the configuration', () => {
    const config = { ...defaults, maxTaskAttempts: 2, maxFixAttempts: 4, maxFixesPerSignature: 1 };
    assert.deepEqual(openingSizes(config), {
      sprint: 40,
      mint: 0,
      settle: 2,
      gate: 3,
      base: 3,
      generate: 2,
      rewrite: 3,
      triage: 1,
      run: 4,
      lineage: 4,
      signature: 1,
      research: 1,
      reserve: 2,
      service: 2,
      reinstall: 1,
      execute: 2,
      strategy: 3,
      correct: 5,
      review: 4,
      proof: 1,
      vrc: 20,
      evaluation: 4,
      final: 3,
      wait: 8,
      limits: 40,
    });
    assert.equal(openingSizes({ ...defaults, maxLoopIterations: 12 }).sprint, 12);
  });

  const plans: [number, number, { sprint: number; mint: number; evaluation: number }][] = [
    [0, 500, { sprint: 40, mint: 0, evaluation: 4 }],
    [1, 500, { sprint: 55, mint: 1, evaluation: 5 }],
    [5, 500, { sprint: 115, mint: 3, evaluation: 5 }],
    [33, 500, { sprint: 500, mint: 17, evaluation: 10 }],
    [5, 60, { sprint: 60, mint: 3, evaluation: 5 }],
  ];
  for (const [tasks, maxLoopIterations, sizes] of plans)
    it(`become ${sizes.sprint} decisions for ${tasks} tasks under a ceiling of ${maxLoopIterations}`, () => {
      assert.deepEqual(plannedSizes(tasks, { ...defaults, maxLoopIterations }), sizes);
    });

  it('are bounded before a start by what the person set', () => {
    assert.deepEqual(bound(defaults), { decisions: 500, usd: 25, tokens: 20_000_000 });
  });
});

describe('a tank', () => {
  it('has the size of its kind, its own level, and none if its kind is unknown', () => {
    const { ledger } = new Story().begin('execute', 'T1', ['execute/T1', 'steps/60/s1']).state;
    const tanks: Tank[] = ['sprint', 'execute/T1', 'execute/T2', 'steps/60/s1', 'steps/25/s2', 'nothing', 'nothing/x'];
    assert.deepEqual(tanks.map((tank) => left(ledger, tank)), [39, 2, 3, 59, 25, 0, 0]); // prettier-ignore
    assert.equal(canBurn(ledger, ['sprint', 'execute/T1']), true);
    assert.equal(canBurn(ledger, ['sprint', 'nothing']), false);
  });

  it('of minting is used by tasks that the plan did not have, for good', () => {
    const story = p.planned();
    assert.equal(mintLeft(story.state.ledger), 1);
    story.act('final', { fact: 'task.added', task: p.task({ id: 'G1', source: 'vrc' }) });
    assert.equal(mintLeft(story.state.ledger), 0);
    story.act('plan', { fact: 'task.removed', id: 'G1' });
    assert.equal(mintLeft(story.state.ledger), 0);
  });
});

const tanks: Tank[] = ['sprint', 'gate/plan', 'execute/T1', 'lineage/value/total', 'run/value/total@0/1', 'final/vrc', 'vrc', 'wait', 'limits', 'steps/60/s1']; // prettier-ignore
const facts = fc.constantFrom<Fact>(
  p.gate('plan'),
  { fact: 'task.added', task: p.task() },
  { fact: 'task.added', task: p.task({ id: 'G1', source: 'evaluation' }) },
  { fact: 'task.removed', id: 'T1' },
  { fact: 'task.reported', id: 'T1', report: p.report },
  { fact: 'task.returned', id: 'T1', why: 'x' },
  { fact: 'check.written', check: p.check() },
  { fact: 'check.retired', id: 'value/total', why: 'x' },
  { fact: 'check.ran', run: p.run({ verdict: 'red' }) },
  { fact: 'check.ran', run: p.run() },
  { fact: 'tree.changed', change: p.change() },
  { fact: 'tree.settled', settled: p.settled() },
  { fact: 'tree.undone', change: p.change(), why: 'x', broke: [] },
  { fact: 'pause.opened', pause: p.pause() },
  { fact: 'pause.answered', id: 'H1', answer: 'skip' },
  { fact: 'budget.raised', usd: 1000, tokens: 1e9 },
  { fact: 'evaluation.reported', evaluation: p.evaluation() },
);
const events = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), burns: fc.subarray(tanks, { minLength: 1 }) }),
  fc.record({ kind: fc.constant('end' as const), facts: fc.array(facts, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('resume' as const) }),
);

function draft(
  state: State,
  event: { kind: 'begin'; burns: Tank[] } | { kind: 'end'; facts: Fact[] } | { kind: 'resume' },
): Draft {
  const id = `s${state.n}`;
  if (event.kind === 'resume') return { type: 'step.begun', step: { id, kind: 'resume' }, burns: ['sprint'] };
  if (event.kind === 'end') return { type: 'step.ended', id: state.open?.id ?? id, outcome: 'done', facts: event.facts };
  const burns = ['sprint', ...event.burns.filter((t) => t !== 'sprint')];
  const decision = { action: 'vrc' as const, target: 'x', why: refOf('why'), burns, behind: [] };
  return { type: 'step.begun', step: { id, kind: 'action', decision }, burns };
}

const remaining = ({ ledger }: State): number => tanks.reduce((sum, tank) => sum + left(ledger, tank), 0) + mintLeft(ledger);

describe('fuel', () => {
  it('never rises, whatever happens, and falls with every decision and every resume', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
        const story = new Story();
        for (const event of sequence) {
          const before = remaining(story.state);
          story.add(draft(story.state, event));
          const after = remaining(story.state);
          if (event.kind === 'end') assert.ok(after <= before, `${after} > ${before}`);
          else assert.ok(after < before, `${event.kind}: ${after} >= ${before}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('rises only by the sizing of the settled plan, and to a figure that was fixed beforehand', () => {
    const story = new Story();
    const before = remaining(story.state);
    story.add({ type: 'person.said', facts: [{ fact: 'fuel.sized', ...plannedSizes(3, defaults) }] });
    assert.equal(remaining(story.state), before + 45 + 2);
  });
});
