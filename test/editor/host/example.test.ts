/** The example ends in its own history, whatever else the person runs beside it. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { playExample } from '../../../src/extension/editor/example.ts';
import { toldBy, whileReplaced } from './replaced.ts';

describe('the example', () => {
  it('opens its history at its own end, and at no end of another sprint', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder !== undefined);
    const ended = new vscode.EventEmitter<object>();
    const shown: string[] = [];
    const context = { globalState: { get: () => folder, update: () => Promise.resolve() } };
    const panels = { show: ({ sprintDir }: { sprintDir: string }) => shown.push(sprintDir) };
    const store = { onDidEnd: ended.event, run: () => undefined };
    await whileReplaced(vscode.commands, { executeCommand: () => Promise.resolve() }, () =>
      toldBy(() => playExample(context as never, store as never, panels)),
    );
    const dir = path.join(folder, 'sprint');
    ended.fire({ dir, failure: { kind: 'interruption', reason: 'cancelled' } });
    ended.fire({ dir: path.join(folder, 'sprints', 'mine'), ending: { stop: 'delivered' } });
    assert.deepEqual(shown, []);
    ended.fire({ dir, ending: { stop: 'delivered' } });
    ended.fire({ dir, ending: { stop: 'delivered' } });
    assert.deepEqual(shown, [dir]);
  });
});
