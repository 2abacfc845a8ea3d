/** Every change of the plan must pass the guardrails. Each rule is tested by itself. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import type { State } from '../../../src/engine/state/state.ts';
import { objection } from '../../../src/engine/tools/guardrails.ts';
import { manageTask } from '../../../src/engine/tools/manage-task.ts';
import { specOf, ToolError, type Reply } from '../../../src/engine/tools/tool.ts';
import { titleOf, type Task } from '../../../src/engine/work/task.ts';
import { changed, deepFreeze, refOf } from '../support/events.ts';
import * as p from '../support/parts.ts';

/** The plan's gate is not passed yet, and T2 depends on T1. */
const planning = changed(p.planned().state, (s) => {
  s.work.gates = ['inputs', 'discovery'];
  s.work.tasks = { T1: p.task(), T2: p.task({ id: 'T2', description: 'Say thanks', dependencies: ['T1'] }) };
});
const settled = changed(planning, (s) => {
  s.work.gates = ['inputs', 'discovery', 'plan'];
});
/** Only T2 serves V1. */
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
const assertRefused = (input: object, message: string, state?: State): void => {
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

describe('manage_task in a review of the plan', () => {
  const reviewing = (state: State): State =>
    changed(state, (s) => {
      s.open = { id: 's9', decision: { action: 'review-plan', target: '', why: '', burns: [], behind: [] }, parts: new Map(), ran: 0 };
    });

  it('adds tasks to the plan itself, which mint nothing', () => {
    const [fact] = call(added, reviewing(settled)).facts;
    assert.ok(fact?.fact === 'task.added');
    assert.equal(fact.task.source, 'plan');
  });

  it('removes a task without a replacement where another one serves what it serves', () => {
    assert.deepEqual(call({ action: 'remove', task_id: 'T2' }, reviewing(settled)).facts, [{ fact: 'task.removed', id: 'T2' }]);
  });

  it('leaves no requirement and no value proof unserved', () => {
    const message = "Nothing would serve V1. Add it to another task's prd_section first.";
    assertRefused({ action: 'remove', task_id: 'T2' }, message, reviewing(divided));
    const without = "Nothing would serve V1. Leave it in prd_section, or add it to another task's first.";
    assertRefused({ action: 'modify', task_id: 'T2', prd_section: ['1'] }, without, reviewing(divided));
  });

  it('takes back what a person was asked for with the task that it was for', () => {
    const asked = changed(settled, (s) => void (s.ledger.humanActions['H1'] = p.humanAction({ task: 'T2' })));
    assert.deepEqual(call({ action: 'remove', task_id: 'T2' }, reviewing(asked)).facts, [
      { fact: 'task.removed', id: 'T2' },
      { fact: 'human-action.not-needed', id: 'H1', why: 'task T2 was removed' },
    ]);
  });
});

describe('manage_task', () => {
  it('adds a task with the given fields, and defaults for the rest', () => {
    const task = p.task({
      id: 'T3',
      description: 'Round to cents',
      value: 'No odd pennies',
      prdSection: ['1', 'V1'],
      acceptance: 'total 1.005 prints 1.01',
      filesExpected: [],
    });
    assert.deepEqual(call(added), { text: 'Task T3 added.', facts: [{ fact: 'task.added', task }] });
    const full = { ...added, dependencies: ['T2'], phase: 'polish', files_expected: ['a'] };
    const whole = { ...task, dependencies: ['T2'], phase: 'polish', filesExpected: ['a'] };
    assert.deepEqual(call(full).facts, [{ fact: 'task.added', task: whole }]);
  });

  it('takes back what a person was asked for with the task that others replace: these ask for what they need', () => {
    const asked = changed(settled, (s) => void (s.ledger.humanActions['H1'] = p.humanAction({ task: 'T2' })));
    assert.deepEqual(call({ action: 'remove', task_id: 'T2', replaced_by: ['T1'] }, asked).facts, [
      { fact: 'task.descoped', id: 'T2', why: 'replaced by T1', replacedBy: ['T1'] },
      { fact: 'human-action.not-needed', id: 'H1', why: 'task T2 is replaced by T1' },
    ]);
  });

  it('gives a task another source when it is added after the plan', () => {
    const [fact] = call(added, settled).facts;
    assert.ok(fact?.fact === 'task.added');
    assert.equal(fact.task.source, 'final');
  });

  it('modifies only the given fields', () => {
    assert.deepEqual(call({ action: 'modify', task_id: 'T2', value: 'Kindness', dependencies: [] }), {
      text: 'Task T2 modified.',
      facts: [{ fact: 'task.modified', id: 'T2', change: { value: 'Kindness', dependencies: [] } }],
    });
  });

  it('moves a requirement when another task serves it, also a completed one, or during planning', () => {
    const shared = (status: Task['status']): State =>
      changed(divided, (s) => void (s.work.tasks['T1'] = p.task({ status, prdSection: ['1', 'V1'] })));
    const beingMade = changed(divided, (s) => void (s.work.gates = ['inputs', 'discovery']));
    for (const state of [shared('pending'), shared('done'), beingMade])
      assert.equal(call({ action: 'modify', task_id: 'T2', prd_section: ['1'] }, state).facts.length, 1);
  });

  it('removes a task during planning', () => {
    assert.deepEqual(call({ action: 'remove', task_id: 'T2' }), { text: 'Task T2 removed.', facts: [{ fact: 'task.removed', id: 'T2' }] });
  });

  const wrong: { what: string; input: object; message: string; state?: State }[] = [
    { what: 'modify an unknown task', input: { action: 'modify', task_id: 'T9' }, message: 'There is no task T9. Existing: T1, T2.' },
    {
      what: 'modify a task named like a method',
      input: { action: 'modify', task_id: 'constructor' },
      message: 'There is no task constructor. Existing: T1, T2.',
    },
    {
      what: 'modify a completed task',
      input: { action: 'modify', task_id: 'T1', value: 'x' },
      message: 'Task T1 is done and stays as it is.',
      state: p.proven().state,
    },
    {
      what: 'remove a reported task',
      input: { action: 'remove', task_id: 'T1' },
      message: 'Task T1 is reported and stays as it is.',
      state: p.built().state,
    },
    {
      what: 'remove a task that others depend on',
      input: { action: 'remove', task_id: 'T1' },
      message: 'Tasks T2 depend on T1. Change them first.',
    },
    {
      what: 'remove from a settled plan',
      input: { action: 'remove', task_id: 'T2' },
      message: 'A settled plan loses no task. Name in replaced_by those that take its place; a person can descope one.',
      state: settled,
    },
    {
      what: 'replace a task by an unknown one',
      input: { action: 'remove', task_id: 'T2', replaced_by: ['T9'] },
      message: 'T9 cannot take its place: name open tasks that do not depend on it.',
      state: settled,
    },
    {
      what: 'replace a task by itself',
      input: { action: 'remove', task_id: 'T2', replaced_by: ['T2'] },
      message: 'T2 cannot take its place: name open tasks that do not depend on it.',
      state: settled,
    },
    {
      what: 'replace a task by one that depends on it',
      input: { action: 'remove', task_id: 'T1', replaced_by: ['T2'] },
      message: 'T2 cannot take its place: name open tasks that do not depend on it.',
      state: settled,
    },
    {
      what: 'take a requirement from the only task that serves it',
      input: { action: 'modify', task_id: 'T2', prd_section: ['1'] },
      message: "Nothing would serve V1. Leave it in prd_section, or add it to another task's first.",
      state: divided,
    },
    {
      what: 'leave a requirement to a dropped task',
      input: { action: 'modify', task_id: 'T2', prd_section: ['1'] },
      message: "Nothing would serve V1. Leave it in prd_section, or add it to another task's first.",
      state: dropped,
    },
    {
      what: 'empty a required field',
      input: { action: 'modify', task_id: 'T2', value: ' ' },
      message: 'Task T2 lacks value. Every task needs description, value and acceptance.',
    },
    {
      what: 'make a circle',
      input: { action: 'modify', task_id: 'T1', dependencies: ['T2'] },
      message: 'The dependencies of task T1 lead back to it. Restructure them.',
    },
    {
      what: 'make a task depend on itself',
      input: { action: 'modify', task_id: 'T1', dependencies: ['T1'] },
      message: 'The dependencies of task T1 lead back to it. Restructure them.',
    },
  ];
  for (const { what, input, message, state } of wrong)
    it(`refuses to ${what}`, () => {
      assertRefused(input, message, state);
    });

  it('does not parse another action, id or field', () => {
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
  const rules: { what: string; task: Task; message: string | undefined; state?: State }[] = [
    { what: 'accepts a complete task', task: other(), message: undefined },
    {
      what: 'requires all three fields',
      task: other({ description: '', value: ' ', acceptance: '' }),
      message: 'Task T3 lacks description, value, acceptance. Every task needs description, value and acceptance.',
    },
    {
      what: 'requires a requirement',
      task: other({ prdSection: [] }),
      message: 'Task T3 serves no requirement. Give prd_section some of 1, V1.',
    },
    {
      what: 'refuses unknown requirements',
      task: other({ prdSection: ['1', '7', '8'] }),
      message: 'Task T3 names 7, 8 in prd_section; there are 1, V1.',
    },
    {
      what: 'refuses unknown dependencies',
      task: other({ dependencies: ['T1', 'T9', 'toString'] }),
      message: 'Task T3 depends on T9, toString, which does not exist. Existing: T1, T2.',
    },
    { what: 'refuses an existing id', task: other({ id: 'T1' }), message: 'There is a task T1 already. Modify it or take another id.' },
    {
      what: 'refuses a copy of a task',
      task: other({ description: 'Print THE total, of an order!' }),
      message: 'Task T3 repeats task T1 ("Print the total of an order"). Modify that one, or say how this differs.',
    },
    {
      what: 'accepts a copy of a settled task',
      task: other({ description: 'Print the total of an order' }),
      message: undefined,
      state: p.proven().state,
    },
    {
      what: 'refuses a copy in another writing system',
      task: other({ description: 'Добавить: команду total в CLI' }),
      message: 'Task T3 repeats task T1 ("Добавить команду total в CLI"). Modify that one, or say how this differs.',
      state: russian,
    },
    {
      what: 'accepts a task that shares only some words with another',
      task: other({ description: 'Удалить команду total из CLI' }),
      message: undefined,
      state: russian,
    },
    {
      what: 'refuses a new task when minting is used up',
      task: other({ source: 'vrc' }),
      message: 'No more tasks can be added to this sprint (1 were). Modify an open one.',
      state: minted,
    },
    { what: 'accepts a new task when there is fuel for minting', task: other({ source: 'vrc' }), message: undefined, state: settled },
    {
      what: 'refuses a plan that is larger than its fuel',
      task: other(),
      message: "The plan is full: 35 tasks are as many as the sprint's fuel allows. Merge some.",
      state: full,
    },
  ];
  for (const { what, task, message, state = planning } of rules)
    it(what, () => {
      assert.equal(objection(deepFreeze(task), deepFreeze(structuredClone(state)), 'add'), message);
    });

  it('takes a title for lists, and makes one of the first words where there is none', () => {
    const [fact] = call({ action: 'modify', task_id: 'T2', title: 'Thanks' }).facts;
    assert.deepEqual(fact, { fact: 'task.modified', id: 'T2', change: { title: 'Thanks' } });
    assert.equal(manageTask.input.safeParse({ action: 'modify', task_id: 'T2', title: 'x'.repeat(41) }).success, false);
    const description = 'Read a receipts file and print the report: a CSV reader.';
    assert.equal(titleOf({ title: 'Read receipts', description }), 'Read receipts');
    assert.equal(titleOf({ description }), 'Read a receipts file and print the…');
    assert.equal(titleOf({ title: ' ', description: 'Say\nthanks' }), 'Say thanks');
    assert.ok(titleOf({ description: 'x'.repeat(99) }).length <= 40);
  });

  it('says in its schema how long a task may be, and refuses more with what to do', () => {
    const { properties } = specOf(manageTask).inputSchema as { properties: Record<string, { maxLength?: number; maxItems?: number }> };
    assert.deepEqual([properties['description']?.maxLength, properties['files_expected']?.maxItems], [1000, 8]);
    const given = (description: string, files: number) =>
      manageTask.input.safeParse({ action: 'add', task_id: 'T3', description, files_expected: Array(files).fill('f') });
    assert.equal(given('x'.repeat(1250), 8).success, true, 'a quarter more, since nobody counts while writing');
    assert.match(given('x'.repeat(1251), 8).error?.message ?? '', /at most 1000 characters: say less, or split the task/);
    assert.match(given('x', 9).error?.message ?? '', /at most 8 files: split the task/);
  });

  it('validates only the fields of a modified task', () => {
    assert.equal(objection(p.task({ description: 'Say thanks' }), full, 'modify'), undefined);
    assert.match(objection(p.task({ prdSection: ['9'] }), planning, 'modify') ?? '', /names 9/);
  });

  it('allows no cycle, whatever dependencies are added', () => {
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
