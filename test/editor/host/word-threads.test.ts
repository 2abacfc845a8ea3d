/** A comment to the agents in the real editor: it goes to the sprint of its document, or stays where it was written. */
import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { WordThreads } from '../../../src/extension/editor/word-threads.ts';
import { whileReplaced } from './replaced.ts';

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
    const shown = { dir: folder, view: { ...view, branch: 'loop/first', words: [word] } };
    const controller = { createCommentThread: () => thread, dispose: () => undefined };
    await whileFollowed(
      { shown },
      () => controller,
      async (store, settled) => {
        for (let moment = 1; moment <= 2; moment += 1) await settled(10);
        store.shown = { ...shown, view: { ...shown.view, words: [{ ...word, read: 'read by T2' }] } };
        await settled();
        assert.deepEqual([labels, ended], [['read by T1', 'read by T2'], 0]);
        // The next sprint in the same folder, which nobody has told anything.
        store.shown = { ...shown, view: { ...shown.view, branch: 'loop/next', words: [] } };
        await settled();
        assert.equal(ended, 1);
      },
    );
  });

  it('stays at what it is about, and goes where that is not there any more, or no sprint is shown', async () => {
    const made: { range: vscode.Range; isThere: boolean; dispose(): void }[] = [];
    const createCommentThread = (_uri: vscode.Uri, range: vscode.Range): object => {
      const thread = { range, isThere: true, dispose: () => (thread.isThere = false) };
      made.push(thread);
      return thread;
    };
    const prd = path.join(folder, 'PRD.md');
    const word = { id: 'W1', about: 'requirement 1.1', words: 'Keep it small.', read: 'read by T1' };
    const shown = { dir: folder, view: { ...view, branch: 'loop/first', words: [word] } };
    const seen = (): unknown[] => made.map(({ range, isThere }) => [range.start.line, isThere]);
    await whileFollowed(
      { shown },
      () => ({ createCommentThread, dispose: () => undefined }),
      async (store, settled) => {
        await settled();
        writeFileSync(prd, '# Title\n\n1.1 Greets\n');
        await settled();
        assert.deepEqual(seen(), [[2, true]]);
        writeFileSync(prd, '# Title\n');
        await settled();
        assert.deepEqual(seen(), [[2, false]]);
        writeFileSync(prd, '1.1 Greets\n');
        await settled();
        assert.deepEqual(seen().at(-1), [0, true]);
        store.shown = null;
        await settled();
        assert.deepEqual(seen().at(-1), [0, false]);
        store.shown = shown;
        await settled();
        assert.deepEqual([made.length, seen().at(-1)], [3, [0, true]]);
      },
    );
  });

  for (const { title, begun } of [
    { title: 'begins', begun: { running: true } },
    { title: 'runs elsewhere', begun: { elsewhere: { process: 7 } } },
  ])
    it(`can be begun in a document that was open before the sprint ${title}`, async () => {
      const asked: number[] = [];
      const document = await vscode.workspace.openTextDocument(path.join(folder, 'PRD.md'));
      await vscode.window.showTextDocument(document);
      const { createCommentController } = vscode.comments;
      const controller = (): object => {
        const real = createCommentController('loop.test', 'Loop');
        return {
          set commentingRangeProvider(provider: vscode.CommentingRangeProvider) {
            const provideCommentingRanges: vscode.CommentingRangeProvider['provideCommentingRanges'] = async (one, token) => {
              const ranges = (await provider.provideCommentingRanges(one, token)) as vscode.Range[];
              if (one === document) asked.push(ranges.length);
              return ranges;
            };
            real.commentingRangeProvider = { provideCommentingRanges };
          },
          dispose: () => real.dispose(),
        };
      };
      const over = { dir: folder, running: false, view: { ...view, branch: 'loop/first', elsewhere: null } };
      await whileFollowed({ shown: over, resumable: false }, controller, async (store, settled) => {
        await settled();
        assert.ok(!asked.includes(1));
        const { running = false, elsewhere = null } = begun as { running?: boolean; elsewhere?: object };
        store.shown = { ...over, running, view: { ...over.view, elsewhere } };
        await settled();
        for (let waited = 0; asked.at(-1) !== 1 && waited < 10_000; waited += 100) await new Promise((resolve) => setTimeout(resolve, 100));
        assert.equal(asked.at(-1), 1);
      });
    });
});

type FollowedStore = { shown: unknown; resumable?: boolean };

/** @param controller in the place of the editor's. @param work gets what tells of a change, and waits until it is followed. */
async function whileFollowed(
  store: FollowedStore,
  controller: () => object,
  work: (store: FollowedStore, settled: (changes?: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const changed = new vscode.EventEmitter<void>();
  const settled = async (changes = 1): Promise<void> => {
    for (let n = 0; n < changes; n += 1) changed.fire();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  };
  Object.assign(store, { onDidChange: changed.event });
  await whileReplaced(vscode.comments, { createCommentController: controller }, async () => {
    const threads = new WordThreads(store as never, () => ({}) as never).register();
    try {
      await work(store, settled);
    } finally {
      threads.dispose();
    }
  });
}
