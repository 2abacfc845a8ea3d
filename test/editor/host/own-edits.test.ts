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

  it('comes for each edit, also for one of the same text: in another file, or once more after it was discarded', async () => {
    const told: string[] = [];
    const changed = new vscode.EventEmitter<void>();
    const edited = (id: string, kept: string): object => ({ id, edit: { text: 'empty', kept, atWork: false } });
    const store = { shown: { dir: '/work/sprint', view: { finished: null, categories: [{ verifications: [] as object[] }] } } };
    const restore = answering({ showInformationMessage: (text: string) => void told.push(text) });
    const edits = new OwnEdits({ ...store, onDidChange: changed.event } as never, undefined as never, (work) => work());
    const following = edits.follow();
    try {
      const [adds, prints] = [edited('value/adds', 'adds.edited-1.sh'), edited('value/prints', 'prints.edited-1.sh')];
      for (const verifications of [[adds], [adds, prints], [prints], [edited('value/adds', 'adds.edited-2.sh'), prints]]) {
        store.shown.view.categories = [{ verifications }];
        changed.fire();
      }
      assert.deepEqual(
        told.map((text) => /kept as (\S+)/.exec(text)?.[1]),
        ['adds.edited-1.sh', 'prints.edited-1.sh', 'adds.edited-2.sh'],
      );
    } finally {
      following.dispose();
      restore();
    }
  });
});
