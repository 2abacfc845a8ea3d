/** Fuel never refills (I4): in any legal sequence of events it only falls, except when the plan sizes the tanks. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import type { Draft, Tank } from '../../../src/engine/state/events.ts';
import { bound, canBurn, left, mintLeft, plannedSizes, tank } from '../../../src/engine/state/fuel.ts';
import { openingSizes } from '../../../src/engine/state/tanks.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { documentedSizes } from '../../simulation/oracle/books.ts';
import { changed, refOf, Story, tankOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

describe('sizes', () => {
  it('open with 40 decisions and the limits that the oracle of the simulation knows', () => {
    const config = { ...defaults, maxTaskAttempts: 2, maxFixAttempts: 4, maxFixesPerSignature: 1 };
    assert.deepEqual(openingSizes(config), { sprint: 40, mint: 0, ...documentedSizes(config) });
    assert.equal(openingSizes({ ...defaults, maxLoopIterations: 12 }).sprint, 12);
    const looks = (['none', 'standard', 'thorough'] as const).map((qualify) => openingSizes({ ...defaults, qualify }));
    assert.deepEqual(
      looks.map(({ sprint, closer, documents }) => [sprint, closer, documents]),
      [
        [40, 0, 0],
        [42, 1, 3],
        [59, 1, 3],
      ],
    );
  });

  it('are told in docs/termination-tanks.md, which names each tank', () => {
    const told = readFileSync('docs/termination-tanks.md', 'utf8');
    assert.deepEqual(
      Object.keys(openingSizes(defaults)).filter((kind) => !told.includes(`\`${kind}\``)),
      [],
    );
  });

  const plans: { tasks: number; maxLoopIterations: number; sizes: { sprint: number; mint: number; evaluation: number } }[] = [
    { tasks: 0, maxLoopIterations: 500, sizes: { sprint: 40, mint: 0, evaluation: 4 } },
    { tasks: 1, maxLoopIterations: 500, sizes: { sprint: 55, mint: 1, evaluation: 5 } },
    { tasks: 5, maxLoopIterations: 500, sizes: { sprint: 115, mint: 3, evaluation: 5 } },
    { tasks: 33, maxLoopIterations: 500, sizes: { sprint: 500, mint: 17, evaluation: 10 } },
    { tasks: 5, maxLoopIterations: 60, sizes: { sprint: 60, mint: 3, evaluation: 5 } },
  ];
  for (const { tasks, maxLoopIterations, sizes } of plans)
    it(`are ${sizes.sprint} decisions for ${tasks} tasks with a limit of ${maxLoopIterations}`, () => {
      assert.deepEqual(plannedSizes(tasks, { ...defaults, maxLoopIterations }), sizes);
    });

  it('have a bound before the start, from the person’s settings', () => {
    assert.deepEqual(bound(defaults), { decisions: 500, usd: 25, tokens: 20_000_000, hours: 24 });
  });
});

describe('a tank', () => {
  const levels = (...names: string[]): number[] => {
    const { ledger } = new Story().begin('execute', 'T1', ['execute/T1', 'turns/s1', 'calls/s1', 'effects/s1']).state;
    return names.map((name) => left(ledger, tankOf(name)));
  };

  it('has the size of its kind and its own level', () => {
    assert.deepEqual(levels('sprint', 'execute/T1', 'execute/T2'), [39, 2, 3]);
    assert.equal(canBurn(new Story().state.ledger, [tank('sprint'), tank('execute', 'T1')]), true);
  });

  it('for the parts of one action has the same size in every sprint', () => {
    assert.deepEqual(levels('turns/s1', 'calls/s1', 'effects/s1'), [59, 1999, 199]);
    assert.deepEqual(levels('turns/s2', 'calls/s2', 'effects/s2'), [60, 2000, 200]);
  });

  it('is empty when its kind has no size, so nothing can burn it', () => {
    const { ledger } = changed(new Story().state, (s) => void delete s.ledger.sizes.review);
    assert.deepEqual([left(ledger, tank('review')), left(ledger, tank('review', 'x'))], [0, 0]);
    assert.equal(canBurn(ledger, [tank('sprint'), tank('review')]), false);
  });

  it('for minting is used up by tasks that were not in the plan, even if they are removed', () => {
    const story = p.planned();
    assert.equal(mintLeft(story.state.ledger), 1);
    story.act('final', { fact: 'task.added', task: p.task({ id: 'G1', source: 'vrc' }) });
    assert.equal(mintLeft(story.state.ledger), 0);
    story.act('plan', { fact: 'task.removed', id: 'G1' });
    assert.equal(mintLeft(story.state.ledger), 0);
  });
});

const tanks = [
  'sprint',
  'gate/plan',
  'execute/T1',
  'lineage/value/total',
  'run/value/total@0/1',
  'final/vrc',
  'vrc',
  'wait',
  'limits',
  'turns/s1',
  'calls/s1',
  'effects/s1',
].map(tankOf);
const facts = fc.constantFrom<Fact>(
  p.gate('plan'),
  { fact: 'task.added', task: p.task() },
  { fact: 'task.added', task: p.task({ id: 'G1', source: 'evaluation' }) },
  { fact: 'task.removed', id: 'T1' },
  { fact: 'task.reported', id: 'T1', report: p.report },
  { fact: 'task.returned', id: 'T1', why: 'x' },
  { fact: 'verification.written', verification: p.verification() },
  { fact: 'verification.retired', id: 'value/total', why: 'x' },
  { fact: 'verification.ran', run: p.run({ verdict: 'red' }) },
  { fact: 'verification.ran', run: p.run() },
  { fact: 'tree.changed', change: p.change() },
  { fact: 'tree.settled', settled: p.settled() },
  { fact: 'tree.undone', change: p.change(), why: 'x', broke: [] },
  { fact: 'human-action.asked', humanAction: p.humanAction() },
  { fact: 'human-action.answered', id: 'H1', answer: 'skip' },
  { fact: 'budget.raised', usd: 1000, tokens: 1e9, hours: 100 },
  { fact: 'evaluation.reported', evaluation: p.evaluation() },
);
const events = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), burns: fc.subarray(tanks, { minLength: 1 }) }),
  fc.record({ kind: fc.constant('end' as const), facts: fc.array(facts, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('resume' as const) }),
);

function draft(state: State, event: { kind: 'begin'; burns: Tank[] } | { kind: 'end'; facts: Fact[] } | { kind: 'resume' }): Draft {
  const id = `s${state.n}`;
  if (event.kind === 'resume') return { type: 'step.begun', step: { id, kind: 'resume' }, burns: [tank('sprint')] };
  if (event.kind === 'end') return { type: 'step.ended', id: state.open?.id ?? id, outcome: 'done', facts: event.facts };
  const burns = [tank('sprint'), ...event.burns.filter(({ kind }) => kind !== 'sprint')];
  const decision = { action: 'vrc' as const, target: 'x', why: refOf('why'), burns, behind: [] };
  return { type: 'step.begun', step: { id, kind: 'action', decision }, burns };
}

const remaining = ({ ledger }: State): number => tanks.reduce((sum, one) => sum + left(ledger, one), 0) + mintLeft(ledger);

describe('fuel', () => {
  it('never rises, and falls with every decision and every resume', () => {
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

  it('rises only when the finished plan sizes it, to a size that was fixed before', () => {
    const story = new Story();
    const before = remaining(story.state);
    story.add({ type: 'person.said', facts: [{ fact: 'fuel.sized', ...plannedSizes(3, defaults) }] });
    assert.equal(remaining(story.state), before + 45 + 2);
  });
});
