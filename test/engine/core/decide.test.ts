/** Deciding is pure and total (I3): the first row of the table that is due and has fuel. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Row, decide } from '../../../src/engine/core/decide.ts';
import { actions, table } from '../../../src/engine/actions/table.ts';
import { Bug } from '../../../src/engine/ground/errors.ts';
import { actionIds } from '../../../src/engine/state/events.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { changed, deepFreeze, Story, tankOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

function row(id: Row['id'], ...targets: string[]): Row {
  const due = () => targets.map((target) => ({ target, burns: [tank('execute', target)], why: `${id} is due` }));
  return { id, asksModel: false, afterQualifying: false, due };
}
const last: Row = {
  id: 'close',
  asksModel: false,
  afterQualifying: false,
  due: () => [{ target: '', burns: [], why: 'nothing else is due' }],
};

const decided = (state: State) => {
  const { action, target } = decide(deepFreeze(state), table);
  return target ? `${action} ${target}` : action;
};

/** Its task is settled as code 1, and its verification is red there. */
const red = (over: Partial<Run> = {}): Story =>
  p
    .built()
    .act(
      'settle',
      { fact: 'tree.settled', settled: p.settled() },
      { fact: 'verification.ran', run: p.run({ n: 2, code: 1, verdict: 'red', ...over }) },
    );

describe('decide', () => {
  it('takes the first due target of the first due row, and says what was due behind it', () => {
    const { state } = new Story();
    assert.deepEqual(decide(state, [row('settle'), row('fix', 'b', 'a'), row('execute', 'c', 'c'), last]), {
      action: 'fix',
      target: 'b',
      why: 'fix is due',
      burns: [tank('sprint'), tank('execute', 'b')],
      behind: ['fix a', 'execute c', 'close'],
    });
  });

  it('passes over what has no fuel left, in its own tank or in any of several', () => {
    const { state } = new Story().begin('execute', 'b', ['execute/b', 'execute/b', 'execute/b']).end();
    const rows = [row('fix', 'b'), row('execute', 'a'), last];
    assert.deepEqual(decide(state, rows), {
      action: 'execute',
      target: 'a',
      why: 'execute is due',
      burns: [tank('sprint'), tank('execute', 'a')],
      behind: ['close'],
    });
  });

  it('closes, and overdraws, when the sprint tank is empty', () => {
    const { state } = new Story({ maxLoopIterations: 1 }).act('inputs');
    const closing = { action: 'close', target: '', why: 'nothing else is due', burns: [tank('sprint')], behind: [] };
    assert.deepEqual(decide(state, [row('fix', 'b'), last]), closing);
    assert.deepEqual(decide(state, table), closing);
  });

  it('passes over rows that ask a model once the budget is reached', () => {
    const { state } = new Story().act('plan', { fact: 'budget.reached', what: 'money', why: 'no money' });
    const model = { ...row('fix', 'b'), asksModel: true };
    assert.equal(decide(state, [model, row('execute', 'a'), last]).action, 'execute');
  });

  it('passes over rows that come after qualifying until all gates are passed, and while a change is open', () => {
    const gated = [{ ...row('fix', 'b'), afterQualifying: true }, row('execute', 'a'), last];
    const action = ({ state }: Story): string => decide(state, gated).action;
    const plan = new Story().act('inputs', p.gate('inputs'), p.gate('discovery'), p.gate('plan'));
    assert.deepEqual([action(new Story()), action(plan), action(p.planned())], ['execute', 'execute', 'fix']);
    assert.deepEqual([action(p.built()), action(p.green())], ['execute', 'fix']);
  });

  it('names at most twelve things that were due behind', () => {
    const many = Array.from({ length: 30 }, (_, i) => `T${i}`);
    assert.deepEqual(
      decide(new Story().state, [row('execute', ...many), last]).behind,
      many.slice(1, 13).map((t) => `execute ${t}`),
    );
  });

  it('is a bug when no row is due at all', () => {
    assert.throws(() => decide(new Story().state, [row('fix')]), Bug);
  });
});

describe('the table', () => {
  it('has a row for each action, in the order of their ids, and ends with close', () => {
    assert.deepEqual(
      table.map((r) => r.id),
      [...actionIds],
    );
    assert.deepEqual(Object.keys(actions), [...actionIds]);
    assert.equal(table.at(-1)?.id, 'close');
  });

  const states: [string, Story, string][] = [
    ['nothing is read', new Story(), 'inputs'],
    ['the inputs are read', new Story().act('inputs', p.gate('inputs')), 'discovery'],
    ['discovery is done', new Story().act('inputs', p.gate('inputs'), p.gate('discovery')), 'plan'],
    ['the plan is settled', new Story().act('inputs', p.gate('inputs'), p.gate('discovery'), p.gate('plan')), 'prepare'],
    ['it is qualified', p.planned(), 'write-verifications plan'],
    [
      'verifications are written',
      p
        .planned()
        .act(
          'write-verifications',
          { fact: 'verification.written', verification: p.verification() },
          { fact: 'verification.written', verification: p.criterion() },
        ),
      'run-verifications',
    ],
    ['all verifications await their work', p.awaiting(), 'execute T1'],
    ['a change is open', p.built(), 'settle 1'],
    ['a verification is red and its task is settled', red(), 'fix value/total'],
    ['a verification is green and was not seen red on this surface', p.green(), 'prove'],
    ['all is proven', p.proven(), 'final clean-run'],
    ['all is delivered', p.delivered(), 'close'],
  ];
  for (const [when, story, action] of states)
    it(`says ${action} when ${when}, twice, and leaves the state alone`, () => {
      const state = deepFreeze(structuredClone(story.state));
      const first = decide(state, table);
      assert.deepEqual(decide(state, table), first);
      assert.equal(first.target ? `${first.action} ${first.target}` : first.action, action);
    });

  it('knows nothing but settling and closing while a change is open', () => {
    const { state } = p.built().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    assert.deepEqual(decide(state, table).behind, ['close']);
    const tired = changed(state, (c) => void (c.ledger.burned.settle['1'] = 2));
    assert.equal(decided(tired), 'close');
  });

  it('knows nothing that asks a model once the budget is reached, wherever the sprint stands', () => {
    const asking = table.filter((r) => r.asksModel).map((r) => r.id);
    assert.deepEqual(asking, [
      'discovery',
      'plan',
      'service-fix',
      'strategy',
      'course-correct',
      'write-verifications',
      'triage',
      'fix',
      'research',
      'plan-health',
      'vrc',
      'critical-eval',
      'execute',
      'final',
    ]);
    for (const [, story] of states) {
      const state = structuredClone(story.state);
      state.ledger.budgetReached = 'no money';
      const { action, behind } = decide(state, table);
      assert.deepEqual(
        [action, ...behind.map((b) => b.split(' ')[0])].filter((id) => asking.some((a) => a === id)),
        [],
      );
    }
  });

  const exhausted: [string, Story, string, string][] = [
    ['a gate after three tries', new Story(), 'gate/inputs', 'close'],
    ['generation after two rounds', p.planned(), 'generate/plan', 'execute T1'],
    ['a task after its attempts', p.awaiting(), 'execute/T1', 'course-correct'],
    ['fixes of a lineage', red(), 'lineage/value/total', 'research value/total'],
    ['fixes of one signature', red(), 'signature/value/total/test_failure-1', 'research value/total'],
    ['a part of the final look', p.proven(), 'final/clean-run', 'close'],
  ];
  for (const [what, story, name, action] of exhausted)
    it(`goes on without ${what}`, () => {
      const copy = changed(story.state, (c) => {
        const { kind, key } = tankOf(name);
        c.ledger.burned[kind][key] = 99;
      });
      assert.equal(decided(copy), action);
    });

  it('lets another signature of the same lineage be fixed', () => {
    const { state } = red({ signature: 'test_failure-2' });
    const copy = changed(state, (c) => void (c.ledger.burned.signature['value/total/test_failure-1'] = 99));
    assert.equal(decided(copy), 'fix value/total');
  });

  it('waits for a person last, not where nobody can be asked, and builds what does not wait meanwhile', () => {
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    assert.equal(decided(structuredClone(story.state)), 'wait H1');
    const two = p
      .awaiting()
      .act('plan', { fact: 'task.added', task: p.task({ id: 'T2' }) }, { fact: 'human-action.asked', humanAction: p.humanAction() });
    const { action, target, behind } = decide(two.state, table);
    assert.deepEqual([action, target, behind], ['execute', 'T2', ['wait H1', 'close']]);
    story.act('wait', { fact: 'human-action.unattended', id: 'H1' });
    assert.equal(decided(structuredClone(story.state)), 'close');
    assert.equal(decided(story.resume().state), 'wait H1');
  });
});
