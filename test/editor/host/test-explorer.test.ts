/** The Test Explorer in a real extension host: the editor's own command runs its tests, and is refused while the sprint runs. */
import * as assert from 'node:assert/strict';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { TestExplorer } from '../../../src/extension/editor/test-explorer.ts';
import { type SprintView, sprintView } from '../../../src/views/model/sprint-view.ts';
import type { TestReport } from '../../../src/views/model/test-report.ts';
import { built, start, stateOf } from '../../views/model/sample.ts';
import { whileReplaced } from './replaced.ts';

const view = sprintView(stateOf(...built), start);
const dir = '/somewhere/notes';
const report: TestReport = {
  outcome: 'failed',
  duration: 5,
  message: 'no note',
  diff: { expected: '1', actual: '0' },
  line: 3,
  cases: [
    { name: 'adds', outcome: 'failed', duration: 2, message: 'no', diff: null, place: { file: 'test/a.js', line: 4 } },
    { name: 'adds', outcome: 'passed', duration: null, message: '', diff: null, place: null },
    { name: 'later', outcome: 'skipped', duration: null, message: '', diff: null, place: null },
  ],
};

describe('the Test Explorer', () => {
  let shown: { dir: string; view: SprintView; running: boolean };
  let requests: { dir: string; only: string[] }[];
  let failures: unknown[];
  let trees: string[];
  let changed: vscode.EventEmitter<void>;
  let subscriptions: vscode.Disposable[];
  let fail: Error | undefined;
  /** Another sprint, which the person chooses while verifications run. */
  let switchesTo: string | undefined;

  beforeEach(() => {
    shown = { dir, view, running: false };
    [requests, failures, trees, subscriptions, fail, switchesTo] = [[], [], [], [], undefined, undefined];
    changed = new vscode.EventEmitter();
    const explorer = new TestExplorer({
      source: {
        get shown() {
          return shown;
        },
        onDidChange: changed.event,
      },
      async verify(at, only) {
        requests.push({ dir: at, only });
        if (fail) throw fail;
        if (switchesTo !== undefined) {
          shown = { ...shown, dir: switchesTo };
          changed.fire();
        }
        for (const verification of only) explorer.begin(at, verification);
        for (const verification of only) explorer.receive(at, { verification, report, output: 'no note\nexpected: 1\nactual: 0\n' });
      },
      stop: async () => undefined,
      tree: async (at) => {
        trees.push(at);
        return '/somewhere/tree';
      },
      tellFailure: (error) => failures.push(error),
    });
    explorer.register({ subscriptions });
  });
  afterEach(() => {
    for (const end of subscriptions) end.dispose();
    changed.dispose();
  });

  const runAll = async (): Promise<void> => void (await vscode.commands.executeCommand('testing.runAll'));

  it('has no tests before the sprint has verifications', async () => {
    shown.view = { ...view, categories: [] };
    changed.fire();
    await runAll();
    assert.deepEqual(requests, []);
  });

  it('runs the tests that the editor asks for', async () => {
    changed.fire();
    await eventually(runAll, () => requests.length > 0);
    assert.deepEqual([requests[0], failures], [{ dir, only: ['value/adds'] }, []]);
  });

  it('looks up the tree of cases once, and runs verifications that have cases', async () => {
    changed.fire();
    await eventually(runAll, () => requests.length > 0);
    await runAll();
    assert.deepEqual([trees, failures, requests.at(-1)], [[dir], [], { dir, only: ['value/adds'] }]);
  });

  it('looks up their tree anew where a finish changes it', async () => {
    changed.fire();
    shown.view = { ...view, finished: 'merge' };
    changed.fire();
    changed.fire();
    assert.deepEqual(trees, [dir, dir]);
  });

  it('leads from a failed case to its line also where the tree is known only later', async () => {
    const made: vscode.TestItem[] = [];
    const failedAt: string[] = [];
    const { createTestController } = vscode.tests;
    const watched = (id: string, label: string): vscode.TestController => {
      const controller = createTestController(id, label);
      const createTestItem: vscode.TestController['createTestItem'] = (...about) => {
        made.push(controller.createTestItem(...about));
        return made.at(-1) as vscode.TestItem;
      };
      const createTestRun: vscode.TestController['createTestRun'] = (...about) => {
        const failed = (_item: vscode.TestItem, { location }: vscode.TestMessage): unknown => failedAt.push(location?.uri.fsPath ?? '');
        return withMember(controller.createTestRun(...about), 'failed', failed);
      };
      return withMember(withMember(controller, 'createTestItem', createTestItem), 'createTestRun', createTestRun);
    };
    const [category] = view.categories;
    const [verification] = category?.verifications ?? [];
    assert.ok(category && verification);
    const failing = { ...verification, kind: 'script', status: 'failed', result: { n: 1, report } } as typeof verification;
    shown.view = { ...view, categories: [{ ...category, verifications: [failing] }] };
    await whileReplaced(vscode.tests, { createTestController: watched }, async () => changed.fire());
    await new Promise((resolve) => setTimeout(resolve));
    const cases = made.filter(({ id, uri }) => id.includes('\n') && uri);
    assert.deepEqual(
      cases.map(({ label, uri, range }) => [label, uri?.fsPath, range?.start.line]),
      [['adds', '/somewhere/tree/test/a.js', 3]],
    );
    assert.ok(failedAt.includes('/somewhere/tree/test/a.js'), 'its failure has no place');
  });

  it('shows no result on another sprint that is shown meanwhile', async () => {
    const { createTestController } = vscode.tests;
    const failed: string[] = [];
    const watched = (id: string, label: string): vscode.TestController => watchedController(createTestController(id, label), failed);
    await whileReplaced(vscode.tests, { createTestController: watched }, async () => changed.fire());
    await eventually(runAll, () => requests.length > 0);
    assert.ok(failed.includes('value/adds'), 'its own result is not shown');
    failed.length = 0;
    switchesTo = '/somewhere/else';
    await runAll();
    assert.deepEqual([requests.at(-1)?.dir, shown.dir, failed], [dir, switchesTo, []]);
  });

  it('reports once what kept them from running', async () => {
    fail = new Error('the sprint runs in another window');
    changed.fire();
    await eventually(runAll, () => requests.length > 0);
    assert.deepEqual(failures.slice(0, 1), [fail]);
  });

  it('refuses while the sprint runs here, and runs when it has stopped', async () => {
    changed.fire();
    await eventually(runAll, () => requests.length > 0);
    const before = requests.length;
    shown.running = true;
    await runAll();
    assert.equal(requests.length, before);
    shown.running = false;
    await runAll();
    assert.equal(requests.length, before + 1);
  });
});

/** @param failed gets the ids of what fails in runs by hand. */
function watchedController(controller: vscode.TestController, failed: string[]): vscode.TestController {
  const createTestRun: vscode.TestController['createTestRun'] = (request, name, persist) => {
    const run = controller.createTestRun(request, name, persist);
    return name === 'By hand' ? withMember(run, 'failed', ({ id }: vscode.TestItem) => failed.push(id)) : run;
  };
  return withMember(controller, 'createTestRun', createTestRun);
}

function withMember<T extends object>(of: T, member: string, value: unknown): T {
  return new Proxy(of, { get: (own, name): unknown => (name === member ? value : Reflect.get(own, name)) });
}

/** Repeats an action until it works, since the editor knows new tests only after a moment. */
async function eventually(act: () => Promise<void>, done: () => boolean): Promise<void> {
  for (const end = Date.now() + 120_000; !done() && Date.now() < end;) {
    await act();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(done(), 'it did not happen in time');
}
