/**
 * A view of a tree for one run: it shows the tree as it is, and takes what the run writes into a folder of its own, which is
 * removed afterwards (docs/decisions/0026). An overlay makes it, or a copy (`view-ways.ts`).
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, messageOf } from '../../engine/ground/errors.ts';
import type { AbortSignal } from '../../engine/ports.ts';
import type { RunnerOptions } from './options.ts';
import { mountOverlay, type Overlay } from './overlay.ts';
import type { SandboxPrograms } from './programs.ts';
import { Spares } from './spares.ts';
import { findViewWay, suitsOverlay, type ViewWay } from './view-ways.ts';

export interface View {
  /** Folder of the host that takes the writes. */
  path: string;
  /** Words that become the program after them, where an overlay lies over the tree. */
  enter?: string[];
  /** Folder of the host with the copy. */
  copy?: string;
  /** The same of the folder beside the tree, if it has one. */
  beside?: string;
}

interface Shown {
  /** The tree's `.git` is not there: tools such as `go build` fail where they find one that they cannot read. */
  hidesGit: boolean;
  /** A folder beside the tree that is in the view, too. */
  beside?: string | undefined;
}

/** The views of one tree. */
export class Views {
  private readonly folder: string;
  private readonly root: string;
  private readonly programs: SandboxPrograms;
  private readonly by: ViewWay | undefined;
  private readonly shown: Shown;
  private readonly overlays = new Spares(() => this.mount());
  private readonly copies = new Spares(() => Promise.resolve({ path: this.newFolder() }));

  constructor({ views, viewBy }: Pick<RunnerOptions, 'views' | 'viewBy'>, root: string, programs: SandboxPrograms, shown: Shown) {
    this.shown = shown;
    this.folder = views;
    this.root = root;
    this.programs = programs;
    this.by = viewBy;
  }

  /** Gives a view to `use`. @throws InputError where none can be made. */
  async lend<T>(signal: AbortSignal, use: (view: View) => Promise<T>): Promise<T> {
    const way = await this.way();
    const { hidesGit, beside } = this.shown;
    if (way === 'overlay') return this.overlays.lend((overlay) => use(beside === undefined ? overlay : { ...overlay, beside }));
    return this.copies.lend(async ({ path }) => {
      const copyOf = async (from: string, name: string): Promise<string> => {
        const to = join(path, name);
        const problem = await copyTree(this.programs.cp, { from, to, way }, signal);
        if (problem !== undefined && !signal.aborted) throw this.refusal(problem);
        return to;
      };
      const copy = await copyOf(this.root, 'tree');
      if (hidesGit) await rm(join(copy, '.git'), { recursive: true, force: true });
      return use({ path, copy, ...(beside === undefined ? {} : { beside: await copyOf(beside, 'beside') }) });
    });
  }

  private async way(): Promise<ViewWay> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (this.by !== undefined) return this.by;
    const { way } = await findViewWay(this.programs, this.folder);
    return way !== 'overlay' || suitsOverlay(this.root, this.folder) ? way : 'copy';
  }

  private newFolder(): string {
    return mkdtempSync(join(this.folder, 'view-'));
  }

  private async mount(): Promise<Overlay> {
    try {
      const { hidesGit, beside } = this.shown;
      return await mountOverlay(this.programs, this.newFolder(), this.root, { absent: hidesGit ? '.git' : undefined, beside });
    } catch (error) {
      throw this.refusal(messageOf(error));
    }
  }

  private refusal(problem: string): InputError {
    const next = `See that the disk of ${this.folder} has room, and start again.`;
    return new InputError(`No view of ${this.root} could be made for a verification: ${problem}`, next);
  }
}

/** Never makes a hard link to a file of the tree. @returns what went wrong, if anything did. */
function copyTree(
  cp: string,
  { from, to, way }: { from: string; to: string; way: ViewWay },
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = way === 'reflink' ? ['-a', '--reflink=auto'] : ['-a'];
    const stop = (): void => void child.kill('SIGKILL');
    const child = execFile(cp, [...options, '--', from, to], { env: {}, cwd: '/' }, (error, _, stderr) => {
      signal.removeEventListener('abort', stop);
      resolve(error === null ? undefined : (stderr.split('\n')[0] ?? '').trim() || error.message);
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
