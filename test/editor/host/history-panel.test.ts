/** A failure history's panel in the real editor: it says why there is nothing to show. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { EngineFailure } from '../../../src/extension/editor/engine-client.ts';
import { HistoryPanels } from '../../../src/extension/editor/history-panel.ts';
import { whileReplaced } from './replaced.ts';

describe('the panel of a failure history', () => {
  it('tells a verification that is not there from a history that cannot be read', async () => {
    assert.equal(await whyOf(() => Promise.resolve(null)), 'The sprint has no such verification now.');
    const newer = new EngineFailure({ kind: 'input', message: 'The journal is of a newer Loop.', next: 'Update Loop.' });
    assert.equal(await whyOf(() => Promise.reject(newer)), 'The journal is of a newer Loop. Update Loop.');
    assert.equal(await whyOf(() => Promise.reject(new Error('no space'))), 'Something in Loop failed: no space');
  });

  it('is one, also where the editor gives one back that was open before a reload', async () => {
    const [first, restored] = [fakePanel(), fakePanel()];
    const created: unknown[] = [];
    const createWebviewPanel = (): unknown => (created.push(first.panel), first.panel);
    const panels = panelsOf(() => Promise.resolve(null));
    await whileReplaced(vscode.window, { createWebviewPanel }, async () => {
      panels.show(state);
      await panels.deserializeWebviewPanel(restored.panel, state);
      panels.show(state);
    });
    assert.deepEqual([created.length, first.done, restored.done], [1, ['reveal', 'reveal'], ['dispose']]);
    assert.deepEqual(panels.active, state);
  });

  it('shows the last state, also where the answer about the one before comes later', async () => {
    assert.deepEqual(await shownAfter([1, 0]), ['Something in Loop failed: state 1']);
  });

  it('reads anew where its own sprint changes, and no other', async () => {
    const changed = new vscode.EventEmitter<string>();
    let reads = 0;
    const panels = panelsOf(() => Promise.resolve(((reads += 1), null)), changed.event);
    await panels.deserializeWebviewPanel(fakePanel().panel, state);
    changed.fire('/other');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(reads, 0);
    changed.fire(state.sprintDir);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(reads, 1);
  });
});

const state = { sprintDir: '/work', verification: 'cli/name' };

/** What the page is told of answers that come in this order. */
async function shownAfter(order: readonly number[]): Promise<string[]> {
  const answers: ((why: Error) => void)[] = [];
  const { panel, received } = fakePanel();
  const told: string[] = [];
  Object.assign(panel.webview, { postMessage: ({ why }: { why: string }) => void told.push(why) });
  await panelsOf(() => new Promise((_, answer) => void answers.push(answer))).deserializeWebviewPanel(panel, state);
  for (const _ of order) received.fire({ type: 'ready' });
  for (const n of order) answers[n]?.(new Error(`state ${n}`));
  await new Promise(setImmediate);
  return told;
}

function panelsOf(
  history: () => Promise<null>,
  onDidChange: vscode.Event<string> = new vscode.EventEmitter<string>().event,
): HistoryPanels {
  return new HistoryPanels('loop.failureHistory', vscode.Uri.file('/'), { history, isKnown: () => true, onDidChange } as never);
}

/** @returns what was done with it, too. */
function fakePanel(): {
  panel: vscode.WebviewPanel;
  received: vscode.EventEmitter<unknown>;
  posted: Promise<{ why: string }>;
  done: string[];
} {
  const [received, disposed] = [new vscode.EventEmitter<unknown>(), new vscode.EventEmitter<void>()];
  const done: string[] = [];
  let post: (message: { why: string }) => void;
  const posted = new Promise<{ why: string }>((resolve) => (post = resolve));
  const webview = {
    onDidReceiveMessage: received.event,
    asWebviewUri: (uri: vscode.Uri) => uri,
    postMessage: (message: { why: string }) => post(message),
  };
  const panel = {
    webview,
    visible: true,
    active: true,
    onDidDispose: disposed.event,
    reveal: () => done.push('reveal'),
    dispose: () => (done.push('dispose'), disposed.fire()),
  };
  return { panel: panel as never, received, posted, done };
}

/** What the page is told that asks for its content. */
async function whyOf(history: () => Promise<null>): Promise<string> {
  const { panel, received, posted } = fakePanel();
  await panelsOf(history).deserializeWebviewPanel(panel, state);
  received.fire({ type: 'ready' });
  return (await posted).why;
}
