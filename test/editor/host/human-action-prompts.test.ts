/** A question's notification in the real editor: its answer goes to the sprint that asked. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { HumanActionPrompts } from '../../../src/extension/editor/human-action-prompts.ts';

const question = { id: 'H1', kind: 'deed', action: 'Plug it in', instructions: '', missing: '', status: 'open', points: [], tasks: [] };
const shown = (dir: string) => ({ dir, running: true, view: { humanActions: [question], current: null, elsewhere: null } });

describe('the notification of a question', () => {
  it('answers the sprint that asked, and none that was chosen meanwhile', async () => {
    assert.deepEqual(await answersAfter((store) => store.shown), ['H1 done']);
    assert.deepEqual(await answersAfter((store) => (store.shown = shown('/work/other'))), []);
  });
});

/** @param meanwhile happens between the question and the click on its first answer. @returns what was answered. */
async function answersAfter(meanwhile: (store: { shown: unknown }) => unknown): Promise<string[]> {
  const answered: string[] = [];
  const changed = new vscode.EventEmitter<void>();
  const store = {
    shown: shown('/work/sprint') as unknown,
    queue: null,
    resumable: false,
    onDidChange: changed.event,
    answer: (id: string, answer: string) => Promise.resolve(void answered.push(`${id} ${answer}`)),
  };
  const { showWarningMessage } = vscode.window;
  const replaced = vscode.window as unknown as Record<string, unknown>;
  replaced['showWarningMessage'] = (_text: string, first: string) => {
    meanwhile(store);
    return Promise.resolve(first);
  };
  const works: Promise<void>[] = [];
  const prompts = new HumanActionPrompts(store as never, (work) => {
    works.push(work());
    return Promise.resolve();
  });
  const following = prompts.follow();
  try {
    changed.fire();
    await Promise.all(works);
    return answered;
  } finally {
    following.dispose();
    replaced['showWarningMessage'] = showWarningMessage;
  }
}
