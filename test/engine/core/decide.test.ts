/** Deciding is pure and total (I3): it takes the first row of the table that is due and has fuel. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { type Row, decide } from '../../../src/engine/core/decide.ts';
import { pipelineTable } from '../../../src/engine/actions/pipeline/table.ts';
import { table } from '../../../src/engine/actions/table.ts';
import { Bug } from '../../../src/engine/ground/errors.ts';
import { pipelineRowIds, sprintRowIds } from '../../../src/engine/state/rows.ts';
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

const nextAction = (state: State) => {
  const { action, target } = decide(deepFreeze(state), table);
  return target ? `${action} ${target}` : action;
};

/** T1 is settled as code 1, and its verification is red there. */
const red = (over: Partial<Run> = {}): Story =>
  p
    .built()
    .act(
      'settle',
      { fact: 'tree.settled', settled: p.settled() },
      { fact: 'verification.ran', run: p.run({ n: 2, code: 1, verdict: 'red', ...over }) },
    );

describe('decide', () => {
  it('takes the first due target of the first due row, and lists what else was due', () => {
    const { state } = new Story();
    assert.deepEqual(decide(state, [row('settle'), row('fix', 'b', 'a'), row('execute', 'c', 'c'), last]), {
      action: 'fix',
      target: 'b',
      why: 'fix is due',
      burns: [tank('sprint'), tank('execute', 'b')],
      behind: ['fix a', 'execute c', 'close'],
    });
  });

  it('skips a target when one of its tanks is empty', () => {
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

  it('closes when the sprint tank is empty, and overdraws it', () => {
    const { state } = new Story({ maxLoopIterations: 1 }).act('inputs');
    const closing = { action: 'close', target: '', why: 'nothing else is due', burns: [tank('sprint')], behind: [] };
    assert.deepEqual(decide(state, [row('fix', 'b'), last]), closing);
    assert.deepEqual(decide(state, table), closing);
  });

  it('skips rows that ask a model when the budget is reached', () => {
    const { state } = new Story().act('plan', { fact: 'budget.reached', what: 'money', why: 'no money' });
    const model = { ...row('fix', 'b'), asksModel: true };
    assert.equal(decide(state, [model, row('execute', 'a'), last]).action, 'execute');
  });

  it('skips rows that come after qualifying until all gates are passed, and while a change is open', () => {
    const gated = [{ ...row('fix', 'b'), afterQualifying: true }, row('execute', 'a'), last];
    const action = ({ state }: Story): string => decide(state, gated).action;
    const plan = new Story().act('inputs', p.gate('inputs'), p.gate('discovery'), p.gate('plan'));
    assert.deepEqual([action(new Story()), action(plan), action(p.planned())], ['execute', 'execute', 'fix']);
    assert.deepEqual([action(p.built()), action(p.green())], ['execute', 'fix']);
  });

  it('lists at most twelve other due targets', () => {
    const many = Array.from({ length: 30 }, (_, i) => `T${i}`);
    assert.deepEqual(
      decide(new Story().state, [row('execute', ...many), last]).behind,
      many.slice(1, 13).map((t) => `execute ${t}`),
    );
  });

  it('throws a Bug when no row is due', () => {
    assert.throws(() => decide(new Story().state, [row('fix')]), Bug);
  });
});

describe('the table', () => {
  it('has each action under its own id, and closes last', () => {
    const ids = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);
    assert.deepEqual(ids(table), sprintRowIds);
    assert.deepEqual(ids(pipelineTable), pipelineRowIds);
    assert.deepEqual([table.at(-1)?.id, pipelineTable.at(-1)?.id], ['close', 'close']);
  });

  it('is told row by row in docs/algorithm.md and docs/termination-tanks.md', () => {
    for (const doc of ['docs/algorithm.md', 'docs/termination-tanks.md']) {
      const firsts = readFileSync(doc, 'utf8').match(/^\| `[^|]*/gm) ?? [];
      const told = firsts.flatMap((cell) => cell.match(/(?<=`)[\w-]+(?=`)/g) ?? []);
      assert.deepEqual(told.sort(), [...sprintRowIds].sort(), doc);
    }
  });

  const states: { when: string; story: Story; action: string }[] = [
    { when: 'nothing is read', story: new Story(), action: 'inputs' },
    { when: 'the inputs are read', story: new Story().act('inputs', p.gate('inputs')), action: 'discovery' },
    {
      when: 'discovery is done',
      story: new Story().act('inputs', p.gate('inputs'), p.gate('discovery')),
      action: 'review-documents',
    },
    {
      when: 'discovery is done, and nobody is to judge the documents',
      story: new Story({ qualify: 'none' }).act('inputs', p.gate('inputs'), p.gate('discovery')),
      action: 'plan',
    },
    {
      when: 'Vision and PRD are judged',
      story: new Story().act('inputs', p.gate('inputs'), p.gate('discovery')).act('review-documents', p.judged()),
      action: 'plan',
    },
    {
      when: 'Vision and PRD are rejected',
      story: new Story()
        .act('inputs', p.gate('inputs'), p.gate('discovery'))
        .act('review-documents', p.judged({ verdict: 'REJECT', why: 'it cannot be', points: [p.point({ weight: 'HARD' })] })),
      action: 'close',
    },
    {
      when: 'the plan is made',
      story: new Story().act('inputs', p.gate('inputs'), p.gate('discovery'), p.gate('plan')),
      action: 'review-plan',
    },
    {
      when: 'every lens approves of the plan',
      story: new Story().act('inputs', p.gate('inputs'), p.gate('discovery'), p.gate('plan')).act('review-plan', p.approved),
      action: 'prepare',
    },
    { when: 'the sprint is qualified', story: p.planned(), action: 'write-verifications plan' },
    {
      when: 'verifications are written',
      story: p
        .planned()
        .act(
          'write-verifications',
          { fact: 'verification.written', verification: p.verification() },
          { fact: 'verification.written', verification: p.criterion() },
        ),
      action: 'run-verifications',
    },
    { when: 'all verifications await their work', story: p.awaiting(), action: 'execute T1' },
    { when: 'a change is open', story: p.built(), action: 'settle 1' },
    { when: 'a verification is red and its task is settled', story: red(), action: 'fix value/total' },
    { when: 'a verification is green and was not red with the same files before', story: p.green(), action: 'prove' },
    { when: 'all is proven', story: p.proven(), action: 'final clean-run' },
    { when: 'all is delivered', story: p.delivered(), action: 'close' },
  ];
  for (const { when, story, action } of states)
    it(`decides for ${action} when ${when}, always the same, and does not change the state`, () => {
      const state = deepFreeze(structuredClone(story.state));
      const first = decide(state, table);
      assert.deepEqual(decide(state, table), first);
      assert.equal(first.target ? `${first.action} ${first.target}` : first.action, action);
    });

  it('offers only settling and closing while a change is open', () => {
    const { state } = p.built().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    assert.deepEqual(decide(state, table).behind, ['close']);
    const withoutFuel = changed(state, (s) => void (s.ledger.burned.settle['1'] = 2));
    assert.equal(nextAction(withoutFuel), 'close');
  });

  it('offers no row that asks a model when the budget is reached, in every state', () => {
    const asking = table.filter((r) => r.asksModel).map((r) => r.id);
    for (const { story } of states) {
      const state = structuredClone(story.state);
      state.ledger.budgetReached = 'no money';
      const { action, behind } = decide(state, table);
      assert.deepEqual(
        [action, ...behind.map((b) => b.split(' ')[0])].filter((id) => asking.some((a) => a === id)),
        [],
      );
    }
  });

  const exhausted: { what: string; story: Story; tankName: string; action: string }[] = [
    { what: 'a gate', story: new Story(), tankName: 'gate/inputs', action: 'close' },
    { what: 'writing verifications', story: p.planned(), tankName: 'generate/plan', action: 'execute T1' },
    { what: 'a task', story: p.awaiting(), tankName: 'execute/T1', action: 'course-correct' },
    { what: 'fixes of a lineage', story: red(), tankName: 'lineage/value/total', action: 'research value/total' },
    { what: 'fixes of one signature', story: red(), tankName: 'signature/value/total/test_failure-1', action: 'research value/total' },
    { what: 'a part of the final row', story: p.proven(), tankName: 'final/clean-run', action: 'close' },
  ];
  for (const { what, story, tankName, action } of exhausted)
    it(`decides for ${action} when the tank is empty for ${what}`, () => {
      const copy = changed(story.state, (s) => {
        const { kind, key } = tankOf(tankName);
        s.ledger.burned[kind][key] = 99;
      });
      assert.equal(nextAction(copy), action);
    });

  it('still fixes another signature of the same lineage', () => {
    const { state } = red({ signature: 'test_failure-2' });
    const copy = changed(state, (s) => void (s.ledger.burned.signature['value/total/test_failure-1'] = 99));
    assert.equal(nextAction(copy), 'fix value/total');
  });

  it('waits for the person last, after tasks that do not wait, and not when no person is available', () => {
    const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() });
    assert.equal(nextAction(structuredClone(story.state)), 'wait H1');
    const two = p
      .awaiting()
      .act('plan', { fact: 'task.added', task: p.task({ id: 'T2' }) }, { fact: 'human-action.asked', humanAction: p.humanAction() });
    const { action, target, behind } = decide(two.state, table);
    assert.deepEqual([action, target, behind], ['execute', 'T2', ['wait H1', 'close']]);
    story.act('wait', { fact: 'human-action.unattended', id: 'H1' });
    assert.equal(nextAction(structuredClone(story.state)), 'close');
    assert.equal(nextAction(story.resume().state), 'wait H1');
  });
});
