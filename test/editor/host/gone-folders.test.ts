/** What is shown of a folder that is deleted or renamed as a whole, of which the editor names only the uppermost. */
import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { PipelineStore } from '../../../src/extension/editor/pipeline-store.ts';
import { KnownFolders } from '../../../src/extension/editor/sprint-folders.ts';
import { SprintStore } from '../../../src/extension/editor/sprint-store.ts';

const view = { finished: null, ending: null, elsewhere: null };

describe('a folder that is gone', () => {
  let parent: string;
  let dir: string;
  let made: vscode.Disposable[];
  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root !== undefined);
    made = [];
    // A name of its own, since the editor takes a folder that is made anew at once for the same.
    parent = path.join(root, `gone-${Date.now()}`);
    dir = path.join(parent, '.loop', 'pipelines', 'evening');
    const seen = new Promise<void>((resolve) => {
      const watcher = vscode.workspace.createFileSystemWatcher('**', false, true, true);
      made.push(
        watcher,
        watcher.onDidCreate(({ fsPath }) => void (fsPath.startsWith(parent) && resolve())),
      );
    });
    mkdirSync(path.join(dir, '.loop'), { recursive: true });
    writeFileSync(path.join(dir, '.loop', 'journal.jsonl'), '');
    writeFileSync(path.join(parent, 'PRD.md'), '');
    await seen;
  });
  afterEach(() => {
    for (const one of made) one.dispose();
    for (const folder of [parent, `${parent}-elsewhere`]) rmSync(folder, { recursive: true, force: true });
  });
  const read = (): Promise<unknown> => Promise.resolve(existsSync(dir) ? view : null);

  it('has no sprint that is shown', async () => {
    const store = new SprintStore(() => ({ request: read }) as never);
    made.push(store);
    await store.show(dir);
    renameSync(parent, `${parent}-elsewhere`);
    await until(() => store.shown === null);
  });

  it('has no run of a pipeline that is shown', async () => {
    const runs = { root: parent, runs: [{ dir, view }], unread: [] };
    const request = (kind: string): Promise<unknown> => (kind === 'pipeline-runs' ? Promise.resolve(runs) : read());
    const pipelines = new PipelineStore(() => ({ request }) as never);
    made.push(pipelines);
    await pipelines.load();
    // The uppermost: of folders in it that were only just made the editor may not know yet.
    rmSync(parent, { recursive: true });
    await until(() => !pipelines.knows(dir));
  });

  it('is none in which a sprint can start', async () => {
    const told: unknown[] = [];
    const folders = new KnownFolders({ set: (name, value) => told.push([name, value]) });
    made.push(folders.follow());
    assert.ok((await folders.find()).some((one) => one.dir === parent));
    assert.deepEqual(told.at(-1), ['hasFolders', true]);
    rmSync(parent, { recursive: true });
    await until(() => told.length > 1);
    assert.deepEqual(told.at(-1), ['hasFolders', false]);
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds() && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(holds(), 'it is still there');
}
