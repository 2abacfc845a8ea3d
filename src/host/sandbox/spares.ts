/**
 * Folders of the host that runs may write. Each run gets an empty one. One that a run left untouched is used again, because a
 * file system slows down when it creates many. None outlives the last run.
 */
import { lstatSync, rmdirSync } from 'node:fs';
import { removeFolder } from '../git/remove-folder.ts';

export interface Spare {
  /** The folder. */
  path: string;
  /** The parts of it that a run may write, if not all. */
  written?: readonly string[];
  /** Whether what holds the folder has ended. */
  isOver?(): boolean;
  /** Ends what holds the folder. */
  end?(): Promise<void>;
}

export class Spares<T extends Spare> {
  private readonly create: () => Promise<T>;
  private readonly free: Kept<T>[] = [];
  private users = 0;

  constructor(create: () => Promise<T>) {
    this.create = create;
  }

  /** Gives `use` a folder, and removes what was written into it afterwards. */
  async lend<R>(use: (spare: T) => Promise<R>): Promise<R> {
    this.users += 1;
    let kept: Kept<T> | undefined;
    try {
      kept = (await this.takeFree()) ?? keep(await this.create());
      return await use(kept.spare);
    } finally {
      this.users -= 1;
      if (kept && isUntouched(kept)) this.free.push(kept);
      else if (kept) await remove(kept);
      if (this.users === 0) await Promise.all(this.free.splice(0).map(remove));
    }
  }

  private async takeFree(): Promise<Kept<T> | undefined> {
    for (let kept = this.free.pop(); kept; kept = this.free.pop()) {
      if (isUntouched(kept)) return kept;
      await remove(kept);
    }
    return undefined;
  }
}

interface Kept<T> {
  spare: T;
  /** The ctimes of what runs may write, in nanoseconds. Nobody can set a ctime. */
  changed: string | undefined;
}

function keep<T extends Spare>(spare: T): Kept<T> {
  return { spare, changed: changedAt(spare) };
}

function isUntouched({ spare, changed }: Kept<Spare>): boolean {
  return changed !== undefined && changedAt(spare) === changed && spare.isOver?.() !== true;
}

/** Undefined where it is gone: a cleaner of temporary files may have removed it. */
function changedAt({ path, written = [path] }: Spare): string | undefined {
  const times = written.map((part) => lstatSync(part, { bigint: true, throwIfNoEntry: false })?.ctimeNs);
  return times.includes(undefined) ? undefined : times.join(' ');
}

/** A process that is slow to die may still write there. That must not cost the run its result. */
async function remove({ spare }: Kept<Spare>): Promise<void> {
  const { path } = spare;
  await spare.end?.();
  try {
    rmdirSync(path);
  } catch {
    await removeFolder(path).catch(() => undefined);
  }
}
