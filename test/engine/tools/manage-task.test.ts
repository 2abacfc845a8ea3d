/** Every change of the plan passes the guardrails (spec/1 §15, Layer 1), one rule each. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import type { State } from '../../../src/engine/state/state.ts';
import { objection } from '../../../src/engine/tools/guardrails.ts';
import { manageTask } from '../../../src/engine/tools/manage-task.ts';
import { ToolError, type Reply } from '../../../src/engine/tools/tool.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import { changed, deepFreeze, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

/** Planning: the gate is not passed; T2 comes after T1. */
const planning = changed(p.planned().state, (s) => {
  s.work.gates = ['inputs', 'discovery'];
  s.work.tasks = { T1: p.task(), T2: p.task({ id: 'T2', description: 'Say thanks', dependencies: ['T1'] }) };
});
const settled = changed(planning, (s) => {
  s.work.gates = ['inputs', 'discovery', 'plan'];
});
/** T2 alone serves V1. */
const divided = changed(settled, (s) => {
  s.work.tasks = { T1: p.task({ prdSection: ['1'] }), T2: p.task({ id: 'T2', description: 'Say thanks', prdSection: ['V1'] }) };
});
const dropped = changed(divided, (s) => {
  s.work.tasks['T3'] = p.task({ id: 'T3', status: 'descoped', prdSection: ['V1'] });
});

function call(input: object, state: State = planning): Reply {
  assert.ok(manageTask.kind === 'report');
  return manageTask.handle(manageTask.input.parse(input), {
    state: deepFreeze(structuredClone(state)),
    target: '',
    step: 's9',
    kept: refOf(''),
  });
}
const refused = (input: object, message: string, state?: State): void => {
  assert.throws(
    () => call(input, state),
    (error) => {
      assert.ok(error instanceof ToolError, String(error));
      assert.equal(error.message, message);
      return true;
    },
  );
};
const added = {
  action: 'add',
  task_id: 'T3',
  description: 'Round to cents',
  value: 'No odd pennies',
  prd_section: ['§1', 'v1'],
  acceptance: 'total 1.005 prints 1.01',
};

describe('manage_task', () => {
  it('adds a task with what it has, and defaults for the rest', () => {
    const task = p.task({
      id: 'T3',
      description: 'Round to cents',
      value: 'No odd pennies',
      prdSection: ['1', 'V1'],
      acceptance: 'total 1.005 prints 1.01',
      filesExpected: [],
    });
    assert.deepEqual(call(added), { text: 'Task T3 added.', facts: [{ fact: 'task.added', task }] });
    const all = { ...added, dependencies: ['T2'], phase: 'polish', files_expected: ['a'] };
    const whole = { ...task, dependencies: ['T2'], phase: 'polish', filesExpected: ['a'] };
    assert.deepEqual(call(all).facts, [{ fact: 'task.added', task: whole }]);
  });

  it('knows who adds it: after the plan it is no longer of the plan', () => {
    const [fact] = call(added, settled).facts;
    assert.ok(fact?.fact === 'task.added');
    assert.equal(fact.task.source, 'final');
  });

  it('modifies only what is given', () => {
    assert.deepEqual(call({ action: 'modify', task_id: 'T2', value: 'Kindness', dependencies: [] }), {
      text: 'Task T2 modified.',
      facts: [{ fact: 'task.modified', id: 'T2', change: { value: 'Kindness', dependencies: [] } }],
    });
  });

  it('moves a requirement where another task serves it, one that is done too, or the plan is still being made', () => {
    const shared = (status: Task['status']): State =>
      changed(divided, (s) => void (s.work.tasks['T1'] = p.task({ status, prdSection: ['1', 'V1'] })));
    const beingMade = changed(divided, (s) => void (s.work.gates = ['inputs', 'discovery']));
    for (const state of [shared('pending'), shared('done'), beingMade])
      assert.equal(call({ action: 'modify', task_id: 'T2', prd_section: ['1'] }, state).facts.length, 1);
  });

  it('removes a task of a plan that is being made', () => {
    assert.deepEqual(call({ action: 'remove', task_id: 'T2' }), { text: 'Task T2 removed.', facts: [{ fact: 'task.removed', id: 'T2' }] });
  });

  const wrong: [string, object, string, State?][] = [
    ['modify what does not exist', { action: 'modify', task_id: 'T9' }, 'There is no task T9. Existing: T1, T2.'],
    ['modify a method', { action: 'modify', task_id: 'constructor' }, 'There is no task constructor. Existing: T1, T2.'],
    ['modify what is done', { action: 'modify', task_id: 'T1', value: 'x' }, 'Task T1 is done and stays as it is.', p.proven().state],
    ['remove what is reported', { action: 'remove', task_id: 'T1' }, 'Task T1 is reported and stays as it is.', p.built().state],
    ['remove what others need', { action: 'remove', task_id: 'T1' }, 'Tasks T2 depend on T1. Change them first.'],
    [
      'remove from a settled plan',
      { action: 'remove', task_id: 'T2' },
      'A settled plan loses no task. Name in replaced_by those that take its place; a person can descope one.',
      settled,
    ],
    [
      'replace a task by one that does not exist',
      { action: 'remove', task_id: 'T2', replaced_by: ['T9'] },
      'T9 cannot take its place: name open tasks that do not depend on it.',
      settled,
    ],
    [
      'replace a task by itself',
      { action: 'remove', task_id: 'T2', replaced_by: ['T2'] },
      'T2 cannot take its place: name open tasks that do not depend on it.',
      settled,
    ],
    [
      'replace a task by one that waits for it',
      { action: 'remove', task_id: 'T1', replaced_by: ['T2'] },
      'T2 cannot take its place: name open tasks that do not depend on it.',
      settled,
    ],
    [
      'take a requirement from the only task that serves it',
      { action: 'modify', task_id: 'T2', prd_section: ['1'] },
      "Nothing would serve V1. Leave it in prd_section, or add it to another task's first.",
      divided,
    ],
    [
      'leave it to a task that was dropped',
      { action: 'modify', task_id: 'T2', prd_section: ['1'] },
      "Nothing would serve V1. Leave it in prd_section, or add it to another task's first.",
      dropped,
    ],
    [
      'empty what is needed',
      { action: 'modify', task_id: 'T2', value: ' ' },
      'Task T2 lacks value. Every task needs description, value and acceptance.',
    ],
    [
      'make a circle',
      { action: 'modify', task_id: 'T1', dependencies: ['T2'] },
      'The dependencies of task T1 lead back to it. Restructure them.',
    ],
    [
      'make a task wait for itself',
      { action: 'modify', task_id: 'T1', dependencies: ['T1'] },
      'The dependencies of task T1 lead back to it. Restructure them.',
    ],
  ];
  for (const [what, input, message, state] of wrong)
    it(`refuses to ${what}`, () => {
      refused(input, message, state);
    });

  it('parses no other action, id or field', () => {
    for (const over of [
      { action: 'drop' },
      { task_id: '' },
      { task_id: '../T' },
      { task_id: '__proto__' },
      { task_id: 'T'.repeat(40) },
      { status: 'done' },
      { dependencies: 'T1' },
    ])
      assert.equal(manageTask.input.safeParse({ ...added, ...over }).success, false, JSON.stringify(over));
  });
});

const full = changed(planning, (s) => {
  for (let i = 0; i < 33; i += 1) s.work.tasks[`P${i}`] = p.task({ id: `P${i}`, description: `Work ${i}` });
});
const minted = changed(settled, (s) => {
  s.ledger.minted = 1;
});
const russian = changed(planning, (s) => {
  s.work.tasks['T1'] = p.task({ description: 'Добавить команду total в CLI' });
});
const other = (over: Partial<Task> = {}): Task => p.task({ id: 'T3', description: 'Round to cents', ...over });

describe('a guardrail', () => {
  const rules: [string, Task, string | undefined, State?][] = [
    ['lets a whole task pass', other(), undefined],
    [
      'wants all three fields',
      other({ description: '', value: ' ', acceptance: '' }),
      'Task T3 lacks description, value, acceptance. Every task needs description, value and acceptance.',
    ],
    [
      'lets 600 characters and eight files pass',
      other({ description: 'x'.repeat(600), filesExpected: Array(8).fill('f') as string[] }),
      undefined,
    ],
    [
      'finds 601 characters too many',
      other({ description: 'x'.repeat(601), filesExpected: [] }),
      'Task T3 is too big (601 characters, 0 files). Split it: at most 600 characters and 8 files.',
    ],
    [
      'finds nine files too many',
      other({ filesExpected: Array(9).fill('f') as string[] }),
      'Task T3 is too big (14 characters, 9 files). Split it: at most 600 characters and 8 files.',
    ],
    ['wants a requirement', other({ prdSection: [] }), 'Task T3 serves no requirement. Give prd_section some of 1, V1.'],
    ['wants requirements that exist', other({ prdSection: ['1', '7', '8'] }), 'Task T3 names 7, 8 in prd_section; there are 1, V1.'],
    [
      'wants dependencies that exist',
      other({ dependencies: ['T1', 'T9', 'toString'] }),
      'Task T3 depends on T9, toString, which does not exist. Existing: T1, T2.',
    ],
    ['wants an id of its own', other({ id: 'T1' }), 'There is a task T1 already. Modify it or take another id.'],
    [
      'finds a copy',
      other({ description: 'Print THE total, of an order!' }),
      'Task T3 repeats task T1 ("Print the total of an order"). Modify that one, or say how this differs.',
    ],
    ['lets a copy of a settled task pass', other({ description: 'Print the total of an order' }), undefined, p.proven().state],
    [
      'finds a copy in another script',
      other({ description: 'Добавить: команду total в CLI' }),
      'Task T3 repeats task T1 ("Добавить команду total в CLI"). Modify that one, or say how this differs.',
      russian,
    ],
    ['finds no copy where only foreign words agree', other({ description: 'Удалить команду total из CLI' }), undefined, russian],
    ['ends minting', other({ source: 'vrc' }), 'No more tasks can be added to this sprint (1 were). Modify an open one.', minted],
    ['lets a task be minted that is fuelled', other({ source: 'vrc' }), undefined, settled],
    [
      'lets a plan be no larger than its fuel',
      other(),
      "The plan is full: 35 tasks are as many as the sprint's fuel allows. Merge some.",
      full,
    ],
  ];
  for (const [what, task, message, state = planning] of rules)
    it(what, () => {
      assert.equal(objection(deepFreeze(task), deepFreeze(structuredClone(state)), 'add'), message);
    });

  it('looks at the shape alone when a task is changed', () => {
    assert.equal(objection(p.task({ description: 'Say thanks' }), full, 'modify'), undefined);
    assert.match(objection(p.task({ prdSection: ['9'] }), planning, 'modify') ?? '', /names 9/);
  });

  it('leaves no circle, whatever tasks are made to wait for', () => {
    const ids = ['A', 'B', 'C', 'D'];
    const edges = fc.array(fc.tuple(fc.constantFrom(...ids), fc.subarray(ids)), { maxLength: 12 });
    fc.assert(
      fc.property(edges, (changes) => {
        const tasks = Object.fromEntries(ids.map((id) => [id, p.task({ id })]));
        for (const [id, dependencies] of changes) {
          const state = { ...planning, work: { ...planning.work, tasks } };
          const task = p.task({ id, dependencies });
          if (objection(task, state, 'modify') === undefined) tasks[id] = task;
        }
        const left = new Set(ids);
        for (let round = 0; round < ids.length; round += 1)
          for (const id of left) if (!tasks[id]?.dependencies.some((d) => left.has(d))) left.delete(id);
        assert.deepEqual([...left], []);
      }),
    );
  });
});
