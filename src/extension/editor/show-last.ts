/** Which sprint is shown when the workspace opens, and when its folders change. */
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
