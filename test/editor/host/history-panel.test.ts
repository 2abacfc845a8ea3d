/** A failure history's panel in the real editor: it says why there is nothing to show. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { EngineFailure } from '../../../src/extension/editor/engine-client.ts';
import { HistoryPanels } from '../../../src/extension/editor/history-panel.ts';

describe('the panel of a failure history', () => {
  it('tells a verification that is not there from a history that cannot be read', async () => {
    assert.equal(await whyOf(() => Promise.resolve(null)), 'The sprint has no such verification now.');
    const newer = new EngineFailure({ kind: 'input', message: 'The journal is of a newer Loop.', next: 'Update Loop.' });
    assert.equal(await whyOf(() => Promise.reject(newer)), 'The journal is of a newer Loop. Update Loop.');
    assert.equal(await whyOf(() => Promise.reject(new Error('no space'))), 'Something in Loop failed: no space');
  });
});

/** What the page is told that asks for its content. */
async function whyOf(history: () => Promise<null>): Promise<string> {
  const never = new vscode.EventEmitter<void>();
  const panels = new HistoryPanels('loop.failureHistory', vscode.Uri.file('/'), {
    history,
    isKnown: () => true,
    onDidChange: never.event,
  } as never);
  const received = new vscode.EventEmitter<unknown>();
  const posted = new Promise<{ why: string }>((resolve) => {
    const webview = {
      onDidReceiveMessage: received.event,
      asWebviewUri: (uri: vscode.Uri) => uri,
      postMessage: (message: { why: string }) => resolve(message),
    };
    const panel = { webview, visible: true, active: true, onDidDispose: never.event };
    void panels.deserializeWebviewPanel(panel as never, { sprintDir: '/work', verification: 'cli/name' });
  });
  received.fire({ type: 'ready' });
  return (await posted).why;
}
