/**
 * The engine's `Repo` (I10): one sprint's branch and worktree, its commits, exact undo, supplied inputs and scratch
 * checkouts. All of it is in one folder below the user's state folder:
 *
 *     worktree/<repository's name>/   inputs/   inputs.json   excludes   scratch/   finish.json
 */
import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { Bug, RefusedChange } from '../../engine/ground/errors.ts';
import type { BaseTests, Changes, Repo, ScratchSpec, WriteFiles } from '../../engine/ports.ts';
import type { Place } from '../../engine/work/job.ts';
import { filesAt, presentAt, putTests } from './base-tests.ts';
import { keptFolder } from '../sandbox/kept-packages.ts';
import { diskSettings } from './disk-settings.ts';
import { writeExcludes } from './excludes.ts';
import { refuseExecutableConfig } from './executable-config.ts';
import type { CallGit } from './call.ts';
import { openGit, type Git, type GitAt } from './git.ts';
import { Inputs } from './supplied-inputs.ts';
import { removeInside, writeInside } from './inside.ts';
import { leaveOutSecrets } from './left-out.ts';
import { documentsOf, lfsConfig, putBack } from './own-documents.ts';
import type { Repository } from './inspect.ts';
import { age, removeLeftovers, revertHunks, withScratch, type Scratches } from './scratch.ts';
import { identity } from './identity.ts';
import { indexSum } from './index-sum.ts';
import { headOf, looseCommit } from './loose-ref.ts';
import {
  commitStaged,
  nestedRepositories,
  stageAll,
  stagedChange,
  stagedPatch,
  stagePaths,
  unstage,
  untrackedAttributes,
  withTrailers,
  type StagedChange,
} from './staging.ts';
import { looksSecret } from '../../engine/ground/secret-names.ts';
import { removeFolder } from './remove-folder.ts';
import { statusOf, touches } from './status.ts';
import { trackedPaths } from './tracked-paths.ts';
import { commitOf, ensureWorktree, entryOf, removeWorktree, type WorktreeSpec } from './worktree.ts';

export interface SprintRepoOptions {
  repository: Pick<Repository, 'root' | 'gitDir' | 'gitCommonDir' | 'sprint'>;
  /** Folder of this sprint in the user's state folder, outside the repository. Created, readable only by the user. */
  state: string;
  /** The sprint's own branch. */
  branch: string;
  /** Commit that the branch starts from. */
  base: string;
  /** Names of the documents that the sprint was opened with. */
  documents?: readonly string[];
  /** Paths that they give for comparison; those that the base has are nobody's to change. */
  given?: readonly string[];
  signal?: AbortSignal | undefined;
  /** Calls git. Default: in this process. */
  callGit?: CallGit | undefined;
}

/** @throws InputError if the repository's configuration names programs that git would run. */
export async function openSprintRepo(options: SprintRepoOptions): Promise<SprintRepo> {
  await mkdir(options.state, { recursive: true, mode: 0o700 });
  const { root, sprint } = options.repository;
  const documents = await documentsOf(root, sprint, options.documents ?? []);
  const { gitDir } = options.repository;
  const personal = openGit({ folder: root, gitDir, signal: options.signal, call: options.callGit });
  const given = await presentAt(personal, options.base, options.given ?? []);
  const repo = new SprintRepo({ ...options, state: await realpath(options.state) }, [...new Set([...documents, ...given])]);
  await refuseExecutableConfig(repo.personal);
  return repo;
}

/** Each call gives a new scratch checkout of the same tree. */
export type Checkout = <T>(use: (at: Place) => Promise<T>) => Promise<T>;

/** What staging found. */
interface Staged {
  /** Nothing differs from the last commit, and nothing did. */
  isEmpty: boolean;
  /** Folders with a repository of their own, which cannot be staged. */
  nested: string[];
  putBack: string[];
  leftOut: string[];
}

export class SprintRepo implements Repo {
  /** Git in the person's checkout. */
  readonly personal: Git;
  readonly inputs: Inputs;
  readonly worktree: WorktreeSpec;
  readonly scratches: Scratches;
  private readonly disk: string[];
  private worktreeGit: Git | undefined;
  /** What was staged last, and the state of the index in which it was. */
  private last: { sum: string; change: StagedChange } | undefined;
  /** Asked once: each further process costs more than all else that the engine does for a commit. */
  private author: string[] | undefined;
  private writing: Promise<unknown> = Promise.resolve();

  /** @param ownDocuments paths that are nobody's to change. */
  constructor(
    readonly options: SprintRepoOptions,
    readonly ownDocuments: readonly string[] = [],
  ) {
    const { repository, state, branch, base } = options;
    const { root, gitDir, gitCommonDir } = repository;
    const excludes = join(state, 'excludes');
    this.disk = diskSettings(state);
    this.personal = openGit({ folder: root, gitDir, signal: options.signal, call: options.callGit });
    this.inputs = new Inputs(state, root);
    this.worktree = { path: join(state, 'worktree', basename(root)), gitCommonDir, branch, base };
    this.scratches = {
      folder: join(state, 'scratch'),
      name: basename(root),
      gitCommonDir,
      excludes,
      open: (at) => this.open(at),
    };
  }

  /** Git on the sprint's own disk. */
  private open(at: GitAt): Git {
    const { signal, callGit } = this.options;
    return openGit({ ...at, config: this.disk, signal, call: callGit });
  }

  /** Folder of the sprint's worktree. */
  get path(): string {
    return this.worktree.path;
  }
  /** Folder of the sprint's package cache. */
  get packages(): string {
    return join(this.options.state, 'packages');
  }

  /** Folder for what verifications write. It lies on the worktree's disk. */
  get views(): string {
    return join(this.options.state, 'views');
  }
  /** The sandbox mounts it read-only: git in a worktree or scratch checkout reads it and must not write it. */
  get gitCommonDir(): string {
    return this.worktree.gitCommonDir;
  }
  folderOf(place: Place): string {
    return place === 'worktree' ? this.path : place.scratch;
  }
  /** Git in the worktree. @throws Bug before `openWorktree`. */
  get git(): Git {
    if (!this.worktreeGit) throw new Bug('the worktree is not open');
    return this.worktreeGit;
  }

  async openWorktree(): Promise<void> {
    const excludes = join(this.options.state, 'excludes');
    await writeExcludes(excludes, this.personal);
    const gitDir = await ensureWorktree(this.open(this.personal.at), this.worktree);
    this.worktreeGit = this.open({ folder: this.path, gitDir, excludes });
    await this.inputs.putInto(this.path);
    for (const folder of [this.scratches.folder, this.views]) await removeLeftovers(folder);
  }

  /** Removes what is only for a sprint that goes on, besides its worktree: scratch checkouts and copies of what was supplied. */
  async removeState(): Promise<void> {
    const { state } = this.options;
    for (const name of ['scratch', 'inputs', 'inputs.json', 'excludes']) await removeFolder(join(state, name));
  }

  /** Paths of the worktree, if there is one, that are in no commit. Repairs nothing, so the person may have rebased its branch. */
  async uncommitted(): Promise<string[]> {
    const gitDir = await entryOf(this.worktree);
    if (gitDir === undefined || !existsSync(this.path)) return [];
    const git = this.open({ folder: this.path, gitDir, excludes: this.scratches.excludes });
    return (await statusOf(git, await this.inputs.paths())).changed;
  }

  /** Keeps the branch. */
  async removeWorktree(): Promise<void> {
    await removeWorktree(this.worktree);
    for (const folder of [this.packages, keptFolder(this.path)]) await removeFolder(folder);
  }

  missingInputs(paths: string[]): Promise<string[]> {
    return this.inputs.missing(paths);
  }

  async copyInputs(paths: string[]): Promise<string[]> {
    const missing = await this.inputs.take(paths);
    await this.inputs.putInto(this.path);
    return missing;
  }

  async tip(): Promise<string | undefined> {
    const ref = `refs/heads/${this.options.branch}`;
    return looseCommit(this.gitCommonDir, ref) ?? commitOf(this.personal, ref);
  }

  async findCommit(step: string): Promise<string | undefined> {
    const format = '--format=%H %(trailers:key=Loop-Step,valueonly,separator=%x00)';
    const lines = await this.personal.run([
      'log',
      '--no-show-signature',
      format,
      `${this.options.base}..refs/heads/${this.options.branch}`,
      '--',
    ]);
    const found = lines.split('\n').find((line) =>
      line
        .slice(line.indexOf(' ') + 1)
        .split('\0')
        .includes(step),
    );
    return found?.slice(0, found.indexOf(' '));
  }

  /** @throws RefusedChange when the commit would contain a nested repository or a key; the tree stays as it is. */
  async commit(message: string, trailers: Record<string, string>): Promise<string> {
    const { nested } = await this.stage();
    if (nested.length > 0) {
      await unstage(this.git);
      throw new RefusedChange(nested.map((path) => `${path} contains a repository of its own (${path}/.git)`));
    }
    return this.commitStaged(withTrailers(message, trailers));
  }

  private async commitStaged(message: string): Promise<string> {
    await commitStaged(this.git, await this.stagedChange(), message, (this.author ??= await identity(this.git)));
    return headOf(this.git, this.gitCommonDir);
  }

  /** What is staged beyond the last commit. Git is asked only where the index or the commit is another one than last time. */
  async stagedChange(): Promise<StagedChange> {
    const sum = await indexSum(this.git, this.gitCommonDir);
    if (sum === undefined || sum !== this.last?.sum) {
      const change = await stagedChange(this.git);
      this.last = sum === undefined ? undefined : { sum, change };
      return change;
    }
    return this.last.change;
  }

  /** Stages what differs from the last commit. What is nobody's to change is put back before, and new files that look secret removed. */
  async stage(): Promise<Staged> {
    const supplied = await this.inputs.paths();
    const status = await statusOf(this.git, supplied);
    const nested = await nestedRepositories(this.git, status.untracked);
    if (status.changed.length === 0 && !touches(status, this.ownDocuments))
      return { isEmpty: nested.length === 0, nested, putBack: [], leftOut: [] };
    const back = touches(status, this.ownDocuments) ? await putBack(this.git, this.ownDocuments, supplied) : [];
    const leftOut = status.added.some(looksSecret) ? await leaveOutSecrets(this.git, supplied) : [];
    const isStaged = status.isStaged && back.length === 0 && leftOut.length === 0;
    if (!isStaged) await stageAll(this.git, supplied, nested);
    return { isEmpty: false, nested, putBack: back, leftOut };
  }

  async undo(): Promise<void> {
    for (const folder of await nestedRepositories(this.git)) await removeInside(this.path, `${folder}/.git`);
    // A reset would fetch from the host that a change named.
    await removeInside(this.path, lfsConfig);
    // First, because a reset deletes all staged files, also a cache that the change's own `.gitignore` had allowed.
    await unstage(this.git);
    const tracked = await trackedPaths(this.git);
    for (const path of await untrackedAttributes(this.git, tracked)) await removeInside(this.path, path);
    await this.git.run(['reset', '-q', '--hard', 'HEAD']);
    await this.removeUntrackedRules(tracked);
    await this.git.run(['clean', '-ffdq', '--', ':(top)']);
    await this.inputs.putInto(this.path);
  }

  /** Goes by git's objects where they are still there, because a patch is text and cannot hold every byte. */
  async restore({ patch, tree }: Pick<Changes, 'patch' | 'tree'>): Promise<void> {
    const isStaged = (await stagedPatch(this.git)) === patch;
    const kept = isStaged ? await this.stagedTree() : await this.present(tree);
    await this.undo();
    if (kept !== undefined) await this.git.run(['read-tree', '--reset', '-u', kept]);
    else if (patch !== '') await this.git.run(['apply', '--whitespace=nowarn', '-'], { input: patch });
    await this.inputs.putInto(this.path);
  }

  /** The person's own git removes objects that nothing names, after two weeks. */
  private async present(tree: string | undefined): Promise<string | undefined> {
    return tree !== undefined && (await this.git.test(['cat-file', '-e', tree])) ? tree : undefined;
  }

  /** One call at a time, because git locks the index while it writes the tree. */
  stagedTree(): Promise<string> {
    const tree = this.writing.then(async () => (await this.git.run(['write-tree'])).trim());
    this.writing = tree.catch(() => undefined);
    return tree;
  }

  /**
   * An untracked `.gitignore` would hide new files from `clean`, and may hide a further `.gitignore`. One that ignores itself
   * marks a cache and stays, except at the root, where it would hide everything.
   */
  private async removeUntrackedRules(tracked: string[]): Promise<void> {
    if (!tracked.some((path) => path === '.gitignore' || path.startsWith('.gitignore/'))) await removeInside(this.path, '.gitignore');
    for (;;) {
      const rules = await this.git.list(['ls-files', '-z', '-o', '--exclude-standard', '--', ':(top,glob)**/.gitignore']);
      if (rules.length === 0) return;
      await this.git.run(['clean', '-ffdq', '--', ...rules.map((path) => `:(top,literal)${path}`)]);
    }
  }

  async commitFiles(files: Record<string, string>, message: string, trailers: Record<string, string>): Promise<string> {
    const texts = this.belowSprint(files);
    await unstage(this.git);
    await writeTexts(this.path, texts);
    await stagePaths(this.git, Object.keys(texts));
    return this.commitStaged(withTrailers(message, trailers));
  }

  private belowSprint(files: Readonly<Record<string, string>>): Record<string, string> {
    const { sprint } = this.options.repository;
    return Object.fromEntries(Object.entries(files).map(([path, text]) => [posix.join(sprint, path), text]));
  }

  testsAtBase(globs: readonly string[]): Promise<string[]> {
    return filesAt(this.git, this.options.base, globs);
  }

  async textAtBase(path: string): Promise<string> {
    const { base } = this.options;
    const [found] = await presentAt(this.git, base, [path]);
    return found === undefined ? '' : this.git.run(['cat-file', 'blob', `${base}:${found}`]);
  }

  /** Puts the tests of a commit, by default the base, into a checkout of `scratch` or of a merge. */
  async putTests(place: Place, tests: BaseTests, commit = this.options.base): Promise<void> {
    if (place === 'worktree') throw new Bug('the tests of the worktree must not be replaced');
    const folder = place.scratch;
    await this.putTestsInto(this.open({ folder, gitDir: join(folder, '.git') }), tests, commit);
  }

  private async putTestsInto(git: Git, tests: BaseTests, commit: string): Promise<void> {
    await putTests(git, commit, tests);
    if (tests.check) for (const path of this.ownDocuments) await removeInside(git.at.folder, path);
  }

  /** A scratch checkout of any commit, with the supplied inputs. */
  checkout<T>(commit: string, use: (at: Place) => Promise<T>): Promise<T> {
    return withScratch(this.scratches, commit, async (git) => {
      await age(git);
      await this.inputs.putInto(git.at.folder);
      return use({ scratch: git.at.folder });
    });
  }

  async scratch<T>(spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>): Promise<T> {
    const { base } = this.options;
    const last = (await this.git.run(['rev-parse', 'HEAD'])).trim();
    const head = spec.of === 'base' ? base : last;
    const change = spec.of === 'change' ? await this.stagedTree() : undefined;
    return withScratch(this.scratches, head, async (git) => {
      if (change !== undefined) await git.run(['read-tree', '--reset', '-u', change]);
      await revertHunks(git, spec.revert);
      if (spec.keep) await git.run(['checkout', last, '--', ...spec.keep.map((path) => `:(top,literal)${path}`)]);
      if (spec.tests) await this.putTestsInto(git, spec.tests, base);
      await writeTexts(git.at.folder, this.belowSprint(spec.closing ?? {}));
      await age(git);
      await this.inputs.putInto(git.at.folder);
      return use({ scratch: git.at.folder }, (files) => writeTexts(git.at.folder, files));
    });
  }
}

async function writeTexts(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await writeInside(folder, path, Buffer.from(text));
}
