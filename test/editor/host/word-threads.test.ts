/** A comment to the agents in the real editor: it goes to the sprint of its document, or stays where it was written. */
import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { WordThreads } from '../../../src/extension/editor/word-threads.ts';

const view = { name: 'greeter', words: [], requirements: [{ id: '1.1', title: 'Greets' }], phases: [], categories: [] };
let folder: string;

/** Sends a comment on the first line of PRD.md. @returns what was sent, and the thread. */
async function comment(shown: string, refusal?: Error) {
  const sent: unknown[] = [];
  const engine = {
    request: (_kind: string, { sprintDir, said }: { sprintDir: string; said: { about: string } }) => {
      sent.push([sprintDir, said.about]);
      return refusal ? Promise.reject(refusal) : Promise.resolve('');
    },
  };
  let isThere = true;
  const uri = vscode.Uri.file(path.join(folder, 'PRD.md'));
  const thread = { uri, range: new vscode.Range(0, 0, 0, 0), comments: [], dispose: () => (isThere = false) };
  const threads = new WordThreads({ shown: { dir: shown, view } } as never, () => engine as never);
  const error = await threads.say({ thread: thread as never, text: 'Keep it small.' }).then(
    () => '',
    (reason: Error) => reason.message,
  );
  return { sent, error, isThere, comments: thread.comments };
}

describe('a comment to the agents', () => {
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'loop-words-'));
    writeFileSync(path.join(folder, 'PRD.md'), '1.1 Greets\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is about what stands at its line', async () => {
    const { sent, error, isThere } = await comment(folder);
    assert.deepEqual({ sent, error, isThere }, { sent: [[folder, 'requirement 1.1']], error: '', isThere: false });
  });

  it('is said to no other sprint that is shown meanwhile', async () => {
    const { sent, error, isThere } = await comment('/work/other');
    assert.deepEqual({ sent, isThere }, { sent: [], isThere: true });
    assert.match(error, /no document of the sprint greeter/);
  });

  it('can be sent again where it is refused', async () => {
    const { error, isThere, comments } = await comment(folder, new Error('At most 2,000 characters.'));
    assert.deepEqual({ error, isThere, comments }, { error: 'At most 2,000 characters.', isThere: true, comments: [] });
  });

  it('is shown once for all views of a moment, not again while nothing of it changed, and not in the next sprint', async () => {
    const word = { id: 'W1', about: 'requirement 1.1', words: 'Keep it small.', read: 'read by T1' };
    const labels: string[] = [];
    let ended = 0;
    const thread = {
      set label(words: string) {
        labels.push(words);
      },
      dispose: () => (ended += 1),
    };
    const controller = { createCommentThread: () => thread, dispose: () => undefined };
    const { createCommentController } = vscode.comments;
    const replaced = vscode.comments as unknown as Record<string, unknown>;
    const changed = new vscode.EventEmitter<void>();
    const store = { shown: { dir: folder, view: { ...view, branch: 'loop/first', words: [word] } }, onDidChange: changed.event };
    replaced['createCommentController'] = () => controller;
    const following = new WordThreads(store as never, () => ({}) as never).register();
    try {
      for (let moment = 1; moment <= 2; moment += 1) {
        for (let n = 0; n < 10; n += 1) changed.fire();
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      store.shown = { dir: folder, view: { ...view, branch: 'loop/first', words: [{ ...word, read: 'read by T2' }] } };
      changed.fire();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.deepEqual([labels, ended], [['read by T1', 'read by T2'], 0]);
      // The next sprint in the same folder, which nobody has told anything.
      store.shown = { dir: folder, view: { ...view, branch: 'loop/next', words: [] } };
      changed.fire();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.equal(ended, 1);
    } finally {
      following.dispose();
      replaced['createCommentController'] = createCommentController;
    }
  });
});
