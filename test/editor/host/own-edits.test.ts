/** The notification about an edit of a verification: its answer is about the text that it told of. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { OwnEdits } from '../../../src/extension/editor/own-edits.ts';
import { answering } from './answering.ts';

describe('the notification about an edit', () => {
  it('discards the text that it told of, and no newer one', async () => {
    const answers: unknown[] = [];
    const changed = new vscode.EventEmitter<void>();
    const verification = { id: 'value/adds', edit: { text: 'older', kept: 'adds.edited-1.sh', atWork: false } };
    const view = { finished: null, categories: [{ verifications: [verification] }] };
    const store = { shown: { dir: '/work/sprint', view }, onDidChange: changed.event, show: () => Promise.resolve() };
    const request = (kind: string, params: unknown): Promise<unknown> => {
      if (kind === 'edit-offer') return Promise.resolve({ before: '', after: 'newer', kept: '', atWork: false });
      answers.push(params);
      return Promise.resolve({ done: true });
    };
    const restore = answering({ showInformationMessage: () => 'Discard', setStatusBarMessage: () => undefined });
    const works: Promise<void>[] = [];
    const edits = new OwnEdits(
      store as never,
      () => ({ request }) as never,
      (work) => Promise.resolve(void works.push(work())),
    );
    const following = edits.follow();
    try {
      changed.fire();
      await Promise.all(works);
      assert.deepEqual(answers, [{ sprintDir: '/work/sprint', verification: 'value/adds', text: 'older', answer: 'discard' }]);
    } finally {
      following.dispose();
      restore();
    }
  });
});
