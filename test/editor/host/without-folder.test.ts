/** The buttons of the walkthrough where no folder is open, or nothing is to be finished: they run commands that are not enabled. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { finishSprint } from '../../../src/extension/editor/finish-command.ts';
import { createAndTell, startSprint } from '../../../src/extension/editor/start-sprint.ts';
import { answering } from './answering.ts';
import { toldBy, whileReplaced } from './replaced.ts';

describe('in an empty window', () => {
  for (const { what, ask } of [
    { what: 'Create Sprint', ask: () => createAndTell({} as never) },
    { what: 'Start Sprint', ask: () => startSprint({ store: { requireIdle: () => undefined }, engine: () => ({}) } as never) },
  ])
    it(`${what} asks for a folder, and opens one`, async () => {
      const told: string[] = [];
      const run: string[] = [];
      const restore = answering({ showInformationMessage: (text: string, button: string) => (told.push(text), button) });
      const executeCommand = (name: string): Promise<void> => Promise.resolve(void run.push(name));
      try {
        await whileReplaced(vscode.commands, { executeCommand }, () => withoutFolder(ask));
      } finally {
        restore();
      }
      assert.deepEqual([told, run], [['Loop: open a folder first.'], ['vscode.openFolder']]);
    });

  it('Finish says that there is nothing to finish, or that it runs', async () => {
    const told = (shown: object | null): Promise<string[]> => toldBy(() => finishSprint({ shown } as never, {} as never));
    assert.deepEqual(await told(null), ['Loop: there is no sprint here to finish.']);
    assert.deepEqual(await told({ view: {}, running: true }), ['Loop: this sprint is running. Stop it first, or wait until it ends.']);
  });
});

async function withoutFolder(work: () => Promise<void>): Promise<void> {
  const before = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
  assert.ok(before);
  Object.defineProperty(vscode.workspace, 'workspaceFolders', { value: undefined, configurable: true });
  try {
    await whileReplaced(vscode.workspace, { findFiles: () => Promise.resolve([]) }, async () => {
      await work();
      await new Promise(setImmediate);
    });
  } finally {
    Object.defineProperty(vscode.workspace, 'workspaceFolders', before);
  }
}
