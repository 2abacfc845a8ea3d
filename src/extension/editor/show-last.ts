/** Which sprint is shown when the workspace opens, when its folders change, and when one begins elsewhere. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ContextKeys } from './contexts.ts';
import { byLastWork, isInWorkspace, type KnownFolders } from './sprint-folders.ts';
import type { SprintStore } from './sprint-store.ts';

interface Showing {
  store: SprintStore;
  folders: KnownFolders;
  keys: Pick<ContextKeys, 'set'>;
}

/**
 * Shows the sprint whose journal was written last, of those that can be read; one of this workspace that is shown already stays.
 * @param tell gets why one cannot be read.
 */
export async function showLast({ store, folders, keys }: Showing, tell: (error: unknown) => void): Promise<void> {
  try {
    const found = await folders.find();
    if (store.shown && !isInWorkspace(store.shown.dir)) store.hide();
    for (const { dir } of await byLastWork(found)) {
      if (store.shown) return;
      await store.show(dir).catch(tell);
    }
  } finally {
    keys.set('ready', true);
  }
}

/** Milliseconds: a journal is made before its first line is written. */
const settleMs = 500;

/** Where none is shown, the first one that another process begins, as in a terminal, is. */
export function followBegun({ store, folders }: Pick<Showing, 'store' | 'folders'>): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/.loop/journal.jsonl', false, false, true);
  let timer: NodeJS.Timeout | undefined;
  const look = ({ fsPath }: vscode.Uri): void => {
    const dir = path.resolve(fsPath, '..', '..');
    if (store.shown || !folders.knows(dir)) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!store.shown) void store.show(dir).catch(() => undefined);
    }, settleMs);
  };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(look), watcher.onDidChange(look), { dispose: () => clearTimeout(timer) });
}
