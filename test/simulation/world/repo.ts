/** Worktree, commits, supplied inputs and scratch checkouts in memory. Each effect may be the last one of the process. */
import { createHash } from 'node:crypto';
import { InputError, RefusedChange } from '../../../src/engine/ground/errors.ts';
import { globMatcher } from '../../../src/engine/ground/glob.ts';
import type { BaseTests, Found, GrepQuery, Replacement, Repo, ScratchSpec, Tree, WriteFiles } from '../../../src/engine/ports.ts';
import type { ChangedFile } from '../../../src/engine/work/tree.ts';
import type { Place } from '../../../src/engine/work/job.ts';
import type { Fate } from './fate.ts';
import { changesOf, reverted } from './patch.ts';
import type { Files } from './work.ts';

interface Commit {
  id: string;
  step: string;
  before: Files;
  after: Files;
}

export interface Checkout {
  files: Record<string, string>;
  /** The manifest whose dependencies are installed; empty where none is. */
  installed: string;
}

/** The step of a commit that no step made. */
const foreignStep = 'of somebody else';

export const baseCommit = 'ba5e'.repeat(10);

export class SimulatedRepo implements Repo, Tree {
  readonly worktree: Checkout;
  readonly commits: Commit[] = [];
  /** Files in the person's own checkout. */
  readonly personal: Record<string, string> = {};
  /** Supplied files: present in every checkout, never committed. */
  readonly inputs: Record<string, string> = {};
  /** The tree of the last commit. Closing files, below the sprint's folder, are no work. */
  private head: Files;
  private readonly scratches = new Map<string, Checkout>();
  /** Trees by their patch against the last commit. */
  private readonly treesByPatch = new Map<string, Files>();
  private scratchCount = 0;
  private readonly base: Files;
  /** The tree when changes were read last. */
  private changed: Files;

  constructor(
    files: Files,
    private readonly fate: Fate,
  ) {
    this.base = { ...files };
    this.changed = this.base;
    this.worktree = { files: { ...files }, installed: '' };
    this.head = { ...files };
  }

  /** The files of a checkout, including supplied inputs. */
  filesAt(place: Place): Record<string, string> {
    return { ...this.inputs, ...this.checkout(place).files };
  }

  checkout(place: Place): Checkout {
    if (place === 'worktree') return this.worktree;
    const checkout = this.scratches.get(place.scratch);
    if (!checkout) throw new Error(`there is no checkout ${place.scratch}`);
    return checkout;
  }

  /** The tree of the last commit. */
  get committed(): Files {
    return this.head;
  }

  read(path: string): Promise<string | undefined> {
    if (path.split('/').includes('.git')) return Promise.reject(new InputError(`${path} is git's own.`, 'Leave it.'));
    return Promise.resolve(this.filesAt('worktree')[path]);
  }

  replace(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
    const others = Object.entries(this.worktree.files).filter(([one]) => one !== folder && !one.startsWith(`${folder}/`));
    const own = Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text] as const);
    this.worktree.files = Object.fromEntries([...others, ...own]);
    return Promise.resolve();
  }

  write(path: string, text: string): Promise<void> {
    return this.fate.effect(() => void (this.worktree.files[path] = text));
  }

  async edit(path: string, change: (text: string) => Replacement): Promise<boolean> {
    const now = this.filesAt('worktree')[path];
    if (now === undefined) return false;
    const { from, to, text } = change(now);
    await this.write(path, now.slice(0, from) + text + now.slice(to));
    return true;
  }

  glob(_pattern: string, under: string): Promise<string[]> {
    return Promise.resolve(
      Object.keys(this.filesAt('worktree'))
        .filter((path) => path.startsWith(under))
        .sort(),
    );
  }

  grep({ pattern, under, limit }: GrepQuery): Promise<Found> {
    const lines = Object.entries(this.filesAt('worktree'))
      .filter(([path]) => path.startsWith(under))
      .flatMap(([path, text]) => text.split('\n').flatMap((line, i) => (line.includes(pattern) ? [`${path}:${i + 1}:${line}`] : [])));
    return Promise.resolve({ lines: lines.slice(0, limit) });
  }

  async changes(): Promise<{ files: ChangedFile[]; patch: string }> {
    const nested = Object.keys(this.worktree.files).filter((path) => path.includes('/.git/'));
    if (nested.length > 0) throw new RefusedChange([`${nested[0]} belongs to a repository of its own`]);
    const { files } = this.worktree;
    const changes = changesOf(this.head, files);
    this.changed = { ...files };
    this.treesByPatch.set(changes.patch, this.changed);
    return Promise.resolve(changes);
  }

  async openWorktree(): Promise<void> {
    await this.fate.effect(() => this.scratches.clear());
  }

  missingInputs(paths: string[]): Promise<string[]> {
    return Promise.resolve(paths.filter((path) => this.personal[path] === undefined));
  }

  testsAtBase(globs: readonly string[]): Promise<string[]> {
    return Promise.resolve(matching(this.base, globs).sort());
  }

  textAtBase(path: string): Promise<string> {
    return Promise.resolve(this.base[path] ?? '');
  }

  copyInputs(paths: string[]): Promise<string[]> {
    return this.fate.effect(() => {
      for (const path of paths) if (this.personal[path] !== undefined) this.inputs[path] = this.personal[path];
      return paths.filter((path) => this.personal[path] === undefined);
    });
  }

  /** Somebody else's commit is at the tip of the branch, or below what was committed since. */
  get isForeign(): boolean {
    return this.commits.some(({ step }) => step === foreignStep);
  }

  /** Somebody else commits on the branch, in the worktree. */
  moveTip(): void {
    const after = { ...this.head, 'stray.txt': 'not judged by anybody\n' };
    this.commits.push({ id: 'f0e1'.repeat(10), step: foreignStep, before: this.head, after });
    this.head = after;
    this.worktree.files = { ...this.worktree.files, 'stray.txt': 'not judged by anybody\n' };
  }

  putTipBack(): void {
    const commit = this.commits.pop();
    if (commit?.step !== foreignStep) throw new Error('the tip is not the commit of somebody else');
    this.head = commit.before;
    delete this.worktree.files['stray.txt'];
  }

  tip(): Promise<string> {
    return Promise.resolve(this.commits.at(-1)?.id ?? baseCommit);
  }

  findCommit(step: string): Promise<string | undefined> {
    return Promise.resolve(this.commits.find((commit) => commit.step === step)?.id);
  }

  async commit(_message: string, trailers: Record<string, string>): Promise<string> {
    const holds = Object.keys(this.worktree.files).filter((path) => this.worktree.files[path]?.includes('sk-ant-'));
    if (holds.length > 0) throw new RefusedChange([`${holds[0]} holds a key`]);
    return this.record({ ...this.worktree.files }, trailers);
  }

  async undo(): Promise<void> {
    await this.fate.effect(() => void (this.worktree.files = { ...this.head }));
  }

  async restore({ patch }: { patch: string }): Promise<void> {
    const wanted = patch === '' ? this.head : this.treesByPatch.get(patch);
    if (!wanted) throw new Error('an unknown patch cannot be applied');
    await this.fate.effect(() => void (this.worktree.files = { ...wanted }));
  }

  async commitFiles(files: Record<string, string>, _message: string, trailers: Record<string, string>): Promise<string> {
    const below = Object.fromEntries(Object.entries(files).map(([path, text]) => [`sprint/${path}`, text]));
    return this.record({ ...this.head, ...below }, trailers, { ...this.worktree.files, ...below });
  }

  async scratch<T>(
    { revert, of = 'commit', tests, closing = {} }: ScratchSpec,
    use: (at: Place, write: WriteFiles) => Promise<T>,
  ): Promise<T> {
    const name = `scratch${(this.scratchCount += 1)}`;
    const whole = { commit: () => this.without(revert), change: () => ({ ...this.changed }), base: () => ({ ...this.base }) };
    const files: Record<string, string> = whole[of]();
    if (tests) this.putTests(files, tests);
    for (const [path, text] of Object.entries(closing)) files[`sprint/${path}`] = text;
    this.scratches.set(name, { files, installed: '' });
    try {
      return await use({ scratch: name }, (texts) => this.fate.effect(() => void Object.assign(files, texts)));
    } finally {
      this.scratches.delete(name);
    }
  }

  /** The last commit with the hunks of these commits reverted; files that they created stay, with one blank line. */
  private without(revert: readonly string[]): Record<string, string> {
    const files: Record<string, string> = { ...this.head };
    const created = new Set<string>();
    for (const { before, after } of revert.flatMap((id) => this.commits.find((c) => c.id === id) ?? []))
      for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
        if (before[path] === after[path]) continue;
        if (before[path] === undefined) created.add(path);
        files[path] = reverted(files[path] ?? '', before[path] ?? '', after[path] ?? '');
      }
    for (const path of created) if (this.head[path] !== undefined) files[path] = '\n';
    return files;
  }

  /** Replaces tests with those of the base commit. */
  private putTests(files: Record<string, string>, { files: globs, without }: BaseTests): void {
    for (const path of matching(files, globs)) delete files[path];
    for (const path of matching(this.base, globs)) if (!without.includes(path)) files[path] = this.base[path] ?? '';
  }

  private record(after: Files, trailers: Record<string, string>, worktree = after): Promise<string> {
    const step = trailers['Loop-Step'] ?? '';
    const id = createHash('sha1')
      .update(`${this.commits.length}/${step}/${JSON.stringify(after)}`)
      .digest('hex');
    return this.fate.effect(() => {
      this.commits.push({ id, step, before: this.head, after });
      this.head = after;
      this.treesByPatch.clear();
      this.worktree.files = { ...worktree };
      return id;
    });
  }
}

function matching(files: Files, globs: readonly string[]): string[] {
  const matches = globs.map(globMatcher);
  return Object.keys(files).filter((path) => matches.some((match) => match(path)));
}
