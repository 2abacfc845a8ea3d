/**
 * Folders of the host that runs may write. Each run gets an empty one. One that a run left untouched is used again, because a
 * file system slows down when it creates many. None outlives the last run.
 */
import { lstatSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../git/remove-folder.ts';

interface Folder {
  path: string;
  /** The ctime of the part that runs write, in nanoseconds. Nobody can set a ctime. */
  changed: bigint;
}

export class SpareFolders {
  private readonly create: () => string;
  private readonly part: string;
  private readonly spare: Folder[] = [];
  private users = 0;

  /** @param part of a folder that runs write, by its relative path. */
  constructor(create: () => string, part = '') {
    this.create = create;
    this.part = part;
  }

  /** Gives `use` a folder, and removes what was written into it afterwards. */
  async lend<T>(use: (path: string) => Promise<T>): Promise<T> {
    this.users += 1;
    const folder = (await this.takeSpare()) ?? this.createOne();
    try {
      return await use(folder.path);
    } finally {
      this.users -= 1;
      if (this.isUntouched(folder)) this.spare.push(folder);
      else await remove(folder);
      if (this.users === 0) for (const left of this.spare.splice(0)) await remove(left);
    }
  }

  private async takeSpare(): Promise<Folder | undefined> {
    for (let folder = this.spare.pop(); folder; folder = this.spare.pop()) {
      if (this.isUntouched(folder)) return folder;
      await remove(folder);
    }
    return undefined;
  }

  private createOne(): Folder {
    const path = this.create();
    return { path, changed: this.changedAt(path) ?? 0n };
  }

  private isUntouched({ path, changed }: Folder): boolean {
    return this.changedAt(path) === changed;
  }

  /** Undefined where it is gone: a cleaner of temporary files may have removed it. */
  private changedAt(path: string): bigint | undefined {
    return lstatSync(join(path, this.part), { bigint: true, throwIfNoEntry: false })?.ctimeNs;
  }
}

/** A process that is slow to die may still write there. That must not cost the run its result. */
async function remove({ path }: Folder): Promise<void> {
  try {
    rmdirSync(path);
  } catch {
    await removeFolder(path).catch(() => undefined);
  }
}
