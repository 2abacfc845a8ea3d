/** Which sprint is shown where the workspace has several, and one cannot be read. */
import * as assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { followBegun, showLast } from '../../../src/extension/editor/show-last.ts';
import { KnownFolders } from '../../../src/extension/editor/sprint-folders.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary.ts';
import { whileReplaced } from './replaced.ts';

describe('the sprint that is shown when a workspace opens or its folders change', () => {
  let folder: TemporaryFolder;
  let told: string[];
  let keys: Record<string, unknown>;
  beforeEach(async () => {
    folder = await temporaryFolder('last');
    for (const [age, name] of ['newest', 'older', 'oldest'].entries()) {
      const journal = path.join(at(name), '.loop', 'journal.jsonl');
      await mkdir(path.dirname(journal), { recursive: true });
      await writeFile(journal, '');
      await utimes(journal, 1_000 - age, 1_000 - age);
    }
    [told, keys] = [[], {}];
  });
  afterEach(() => folder.remove());
  const keeping = () => {
    const set = (name: string, value: unknown): unknown => (keys[name] = value);
    return { folders: new KnownFolders({ set }), keys: { set } };
  };
  const at = (name: string): string => path.join(folder.path, name);

  const cases: { title: string; shown: string | null; unreadable: string[]; shows: string | null; tells: string[] }[] = [
    { title: 'was worked on last', shown: null, unreadable: [], shows: 'newest', tells: [] },
    { title: 'can be read, where a newer one cannot', shown: null, unreadable: ['newest'], shows: 'older', tells: ['newest'] },
    { title: 'the person chose', shown: 'oldest', unreadable: [], shows: 'oldest', tells: [] },
    { title: 'is still in the workspace', shown: 'gone', unreadable: [], shows: 'newest', tells: [] },
    {
      title: 'is none, where none can be read',
      shown: 'gone',
      unreadable: ['newest', 'older', 'oldest'],
      shows: null,
      tells: ['newest', 'older', 'oldest'],
    },
  ];
  for (const { title, shown, unreadable, shows, tells } of cases)
    it(title, async () => {
      const store = {
        shown: shown === null ? null : { dir: at(shown) },
        hide: () => (store.shown = null),
        show: (dir: string) => {
          if (unreadable.includes(path.basename(dir))) return Promise.reject(new Error(path.basename(dir)));
          store.shown = { dir };
          return Promise.resolve();
        },
      };
      const files = ['newest', 'older', 'oldest'].map((name) => vscode.Uri.file(path.join(at(name), 'VISION.md')));
      const findFiles = (pattern: string): Promise<vscode.Uri[]> => Promise.resolve(pattern.includes('VISION') ? files : []);
      const getWorkspaceFolder = ({ fsPath }: vscode.Uri): object | undefined => (fsPath === at('gone') ? undefined : {});
      await whileReplaced(vscode.workspace, { findFiles, getWorkspaceFolder }, () =>
        showLast({ store: store as never, ...keeping() }, (error) => told.push((error as Error).message)),
      );
      assert.deepEqual([store.shown && path.basename(store.shown.dir), told], [shows, tells]);
      assert.deepEqual(keys, { hasFolders: true, ready: true });
    });

  it('is not looked for any more where the search failed', async () => {
    const findFiles = (): Promise<never> => Promise.reject(new Error('no search'));
    const showing = whileReplaced(vscode.workspace, { findFiles }, () =>
      showLast({ store: { shown: null } as never, ...keeping() }, () => undefined),
    );
    await assert.rejects(showing, /no search/);
    assert.deepEqual(keys, { ready: true });
  });
});

describe('a sprint that another process begins', () => {
  /** @returns what is shown then. */
  const shownAfter = async (shown: object | null, written: readonly string[]): Promise<string[]> => {
    const asked: string[] = [];
    const store = { shown, show: (dir: string) => Promise.resolve(void asked.push(dir)) };
    const folders = new KnownFolders({ set: () => undefined });
    const journal = new vscode.EventEmitter<vscode.Uri>();
    const createFileSystemWatcher = () => ({ onDidCreate: journal.event, onDidChange: journal.event, dispose: () => journal.dispose() });
    const findFiles = (): Promise<vscode.Uri[]> => Promise.resolve([vscode.Uri.file('/work/known/PRD.md')]);
    await whileReplaced(vscode.workspace, { createFileSystemWatcher, findFiles }, async () => {
      await folders.find();
      const following = followBegun({ store: store as never, folders });
      for (const dir of written) journal.fire(vscode.Uri.file(`${dir}/.loop/journal.jsonl`));
      await new Promise((resolve) => setTimeout(resolve, 700));
      following.dispose();
    });
    return asked;
  };

  it('is shown where none is, once its first lines are written', async () => {
    assert.deepEqual(await shownAfter(null, ['/work/known', '/work/known']), ['/work/known']);
  });

  it('does not take the place of the one that is shown', async () => {
    assert.deepEqual(await shownAfter({ dir: '/work/shown' }, ['/work/known']), []);
  });

  it('is not looked for in a session of a pipeline', async () => {
    assert.deepEqual(await shownAfter(null, ['/work/.loop/pipelines/evening']), []);
  });
});
