/** What the editor holds about runs of pipelines, beside an engine that answers as a test wants. */
import * as assert from 'node:assert/strict';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { ContextKeys } from '../../../src/extension/editor/contexts.ts';
import type { EngineClient } from '../../../src/extension/editor/engine-client.ts';
import { createPipelinesTree } from '../../../src/extension/editor/pipelines-tree.ts';
import { PipelineStore } from '../../../src/extension/editor/pipeline-store.ts';
import { stopPipeline } from '../../../src/extension/editor/run-pipeline.ts';
import { createStatusBar } from '../../../src/extension/editor/status-bar.ts';
import { whileReplaced } from './replaced.ts';

const [here, elsewhere] = ['/one/.loop/pipelines/here', '/one/.loop/pipelines/elsewhere'];
const view = { finished: null, ending: null, elsewhere: null, stages: [] };

describe('the runs of pipelines that the editor shows', () => {
  let root: string | undefined;
  let asked: number;
  let requests: string[];
  /** Whether a run can be read. */
  let isRead: boolean;
  let store: PipelineStore;
  beforeEach(() => {
    root = '/one';
    [asked, requests, isRead] = [0, [], true];
    const runs = [
      { dir: here, view },
      { dir: elsewhere, view: { ...view, elsewhere: { process: 1 } } },
    ];
    const request = (kind: string, { sprintDir }: { sprintDir: string }): Promise<unknown> => {
      if (!isRead) return Promise.reject(new Error('it cannot be read'));
      // A run stays under way.
      if (kind !== 'pipeline-runs') return new Promise(() => void requests.push(`${kind} ${sprintDir}`));
      asked += 1;
      return Promise.resolve(root === undefined ? null : { root, runs, unread: [] });
    };
    store = new PipelineStore(() => ({ request }) as unknown as EngineClient);
  });
  afterEach(() => store.dispose());
  const shown = (): string[] => store.shown.map(({ dir }) => dir);

  it('are under way where another process runs them', async () => {
    await store.load();
    assert.deepEqual(shown(), [here, elsewhere]);
    assert.deepEqual(
      store.underWay.map(({ dir }) => dir),
      [elsewhere],
    );
  });

  it('are begun once, however often the person asks', async () => {
    const begin = (): void => store.run(here, { model: { kind: 'anthropic' }, overrides: {}, baseURL: null });
    await store.load();
    begin();
    assert.throws(begin, /runs in this window already/);
    assert.deepEqual([requests, store.running.map(({ dir }) => dir)], [[`pipeline-run ${here}`], [here]]);
  });

  it('are told of and can be stopped before they are open', async () => {
    const told: unknown[] = [];
    const item = { text: '', tooltip: '', show: () => told.push(item.text), hide: () => told.push('nothing'), dispose: () => undefined };
    const executeCommand = (_set: string, name: string, value: unknown): Promise<void> => Promise.resolve(void told.push([name, value]));
    await whileReplaced(vscode.window, { createStatusBarItem: () => item }, () =>
      whileReplaced(vscode.commands, { executeCommand }, async () => {
        const never = new vscode.EventEmitter<void>();
        const bar = createStatusBar({ shown: null, onDidChange: never.event, onDidAct: never.event } as never, store);
        const keys = new ContextKeys().followPipelines(store);
        store.run(here, { model: { kind: 'anthropic' }, overrides: {}, baseURL: null });
        void stopPipeline({ pipelines: store } as never, undefined);
        await new Promise(setImmediate);
        vscode.Disposable.from(bar, keys, never).dispose();
      }),
    );
    assert.deepEqual(told, [['loop.pipelineRunning', false], '$(sync~spin) Loop: here, starting', ['loop.pipelineRunning', true]]);
    assert.deepEqual(requests, [`pipeline-run ${here}`, `stop ${here}`]);
  });

  it('are all stopped, also one that is not open yet', async () => {
    store.run(here, { model: { kind: 'anthropic' }, overrides: {}, baseURL: null });
    void store.stopAll();
    await new Promise(setImmediate);
    assert.deepEqual(requests, [`pipeline-run ${here}`, `stop ${here}`]);
  });

  it('are looked at after five seconds where they run elsewhere, however much one in this window tells', async () => {
    const polls: (() => void)[] = [];
    let cleared = 0;
    const usual = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
    const setTimeout = (act: () => void, ms: number): unknown => (ms === 5000 ? polls.push(act) : usual.setTimeout(act, ms));
    const clearTimeout = (timer: unknown): void => (typeof timer === 'number' ? void (cleared += 1) : usual.clearTimeout(timer as never));
    await whileReplaced(globalThis, { setTimeout, clearTimeout }, async () => {
      await store.load();
      store.run(here, { model: { kind: 'anthropic' }, overrides: {}, baseURL: null });
      for (let second = 0; second < 4; second += 1) store.receiveActivity(here, { since: 0, elapsed: 0, lines: [] } as never);
      assert.deepEqual([polls.length, cleared], [1, 0]);
      polls.forEach((poll) => poll());
    });
    await new Promise(setImmediate);
    assert.deepEqual(requests.slice(1), [`pipeline-read ${elsewhere}`]);
  });

  it('are looked at again where one that runs elsewhere could not be read once', async () => {
    const polls: (() => void)[] = [];
    const usual = globalThis.setTimeout;
    const setTimeout = (act: () => void, ms: number): unknown => (ms === 5000 ? polls.push(act) : usual(act, ms));
    await whileReplaced(globalThis, { setTimeout }, async () => {
      await store.load();
      isRead = false;
      polls[0]?.();
      await new Promise(setImmediate);
    });
    assert.equal(polls.length, 2);
  });

  it('leave with their folder, but for one that runs in this window', async () => {
    await store.load();
    store.run(here, { model: { kind: 'anthropic' }, overrides: {}, baseURL: null });
    root = undefined;
    await store.foldersChanged();
    assert.deepEqual(shown(), [here]);
  });

  it('are read once where the folders change while they are looked at', async () => {
    const folders = new vscode.EventEmitter<void>();
    const tree = { visible: true, onDidChangeVisibility: new vscode.EventEmitter<void>().event, dispose: () => undefined };
    await whileReplaced(vscode.workspace, { onDidChangeWorkspaceFolders: folders.event }, () =>
      whileReplaced(vscode.window, { createTreeView: () => tree }, async () => {
        const shownTree = createPipelinesTree(store, 'open', (work) => work());
        const load = store.load.bind(store);
        let loads = 0;
        store.load = () => ((loads += 1), load());
        const following = vscode.workspace.onDidChangeWorkspaceFolders(() => void store.foldersChanged());
        folders.fire();
        await new Promise(setImmediate);
        vscode.Disposable.from(shownTree, following, folders).dispose();
        assert.equal(loads, 1);
      }),
    );
  });

  it('are not read for a folder before anybody looked at them', async () => {
    await store.foldersChanged();
    assert.equal(asked, 0);
  });
});
