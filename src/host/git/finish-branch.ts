/**
 * *Finish* (design §8.4, I10): what the sprint made goes to the person's branch, or stays on its own, or is thrown away.
 *
 * A merge is made in a scratch checkout on the tip of the branch that the sprint started from. If that branch moved on,
 * every check runs there. Only then are the person's files and index brought along (`follow.ts`), and the branch last,
 * by compare-and-swap: each refusal comes before the first write. If their checkout is on something else, the branch
 * alone is moved. `finish.json` says what was about to happen, so that a second call completes it after a crash.
 *
 * After `merge` the sprint's branch goes, since all its commits are on the target; after `squash` it stays, as the only
 * record of them.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../engine/ground/errors.ts';
import type { Change } from '../../engine/ports.ts';
import { refuseExecutableConfig } from './executable-config.ts';
import { follow, obstacles } from './follow.ts';
import type { Git } from './git.ts';
import { mergeOnto, problemsWithTarget, type Target } from './merge.ts';
import { removeFolder } from './remove-folder.ts';
import type { Checkout, SprintRepo } from './repo.ts';
import { changesIn, stageAll, stagedChanges } from './staging.ts';
import { commitOf, entryOf, removeWorktree } from './worktree.ts';

export type FinishHow = 'merge' | 'squash' | 'keep' | 'drop';
export interface FinishPreview {
  commits: { commit: string; subject: string }[];
  /** What the sprint changed since its base. */
  files: Change[];
  /** Branch that a merge goes to; null if the sprint started from no branch. */
  target: string | null;
  /** That branch has commits that the sprint does not know. */
  moved: boolean;
  /** Why a merge would be refused now, each a sentence; red checks show only when it is done. */
  problems: string[];
}
export interface FinishOptions {
  /** Branch that was checked out when the sprint opened. */
  target: string | null;
  /** Subject and text of the commit. */
  message: string;
  /** Runs every check on the merged tree, only if the branch moved on. Those that are red: by id, and why where that is not plain. */
  verify(checkout: Checkout): Promise<string[]>;
  /** The person said that the sprint's work may be thrown away; needed by `drop`. */
  confirmed?: boolean;
}
export interface Finished {
  how: FinishHow;
  /** The commit that is now on the target. */
  commit?: string;
}

/** Changes nothing but unreachable objects. */
export async function previewFinish(repo: SprintRepo, target: string | null): Promise<FinishPreview> {
  const tip = await tipOf(repo);
  const [log, files] = await Promise.all([commitsOf(repo, tip), filesOf(repo, tip)]);
  const preview = { commits: log, files, target, moved: false, problems: await problemsWithin(repo) };
  const found = await problemsWithTarget(repo, target);
  if ('problem' in found) return { ...preview, problems: [...preview.problems, found.problem] };
  const merged = await mergeOnto(repo, { target: found, tip, message: 'Preview', squash: false }, () => Promise.resolve([]));
  const blocked = 'commit' in merged && found.here ? await obstacles(repo.personal, found.tip, merged.commit) : [];
  const conflicts = 'conflicts' in merged ? [conflictsSaid(found, merged.conflicts)] : [];
  const problems = [...preview.problems, ...conflicts, ...(blocked.length > 0 ? [obstaclesSaid(blocked)] : [])];
  return { ...preview, moved: await hasMoved(repo, found, tip), problems };
}

/**
 * @throws InputError, having changed nothing: a conflict, a red check, a file in the way, a target that cannot be moved,
 * work that is not settled, or a `drop` without `confirmed`. Interruption in the middle: what was begun is done by the next call.
 */
export async function finish(repo: SprintRepo, how: FinishHow, options: FinishOptions): Promise<Finished> {
  await refuseExecutableConfig(repo.personal);
  if (how === 'keep' || how === 'drop') return leave(repo, how, options);
  const earlier = await resumed(repo);
  if (earlier) return conclude(repo, earlier);
  return conclude(repo, await merge(repo, how, await tipOf(repo), options));
}

async function conclude(repo: SprintRepo, intent: Intent): Promise<Finished> {
  await clear(repo, intent.how === 'merge' ? 'delete-branch' : 'keep-branch');
  return { how: intent.how, commit: intent.to };
}

/** What was decided and is being done, on disk before the first write to the person's checkout. */
const intentSchema = z.object({ how: z.enum(['merge', 'squash']), target: z.string(), from: z.string(), to: z.string() });
type Intent = z.infer<typeof intentSchema>;

async function merge(repo: SprintRepo, how: Intent['how'], tip: string, options: FinishOptions): Promise<Intent> {
  refuse(await problemsWithin(repo), 'Resume the sprint so that it is settled.');
  const found = await problemsWithTarget(repo, options.target);
  if ('problem' in found) throw new InputError(found.problem, 'Or choose "keep": the branch stays and you merge it yourself.');
  const moved = await hasMoved(repo, found, tip);
  const verify = (checkout: Checkout) => (moved ? options.verify(checkout) : Promise.resolve([]));
  const merged = await mergeOnto(repo, { target: found, tip, message: options.message, squash: how === 'squash' }, verify);
  if ('conflicts' in merged)
    throw new InputError(conflictsSaid(found, merged.conflicts), `Choose "keep" and merge "${repo.worktree.branch}" yourself.`);
  if (merged.red.length > 0)
    throw new InputError(
      `"${found.branch}" moved on, and together with it these verifications fail: ${merged.red.join(', ')}.`,
      'Choose "keep" and merge the branch yourself, or start a sprint that mends it.',
    );
  const intent = { how, target: found.branch, from: found.tip, to: merged.commit };
  await apply(repo, found.here, intent, false);
  return intent;
}

/** Files and index first, the branch last: a crash in between leaves staged changes, never a branch without its files. */
async function apply(repo: SprintRepo, here: boolean, intent: Intent, again: boolean): Promise<void> {
  const git = repo.personal;
  if (here) {
    const blocked = await obstacles(git, intent.from, intent.to, again);
    if (blocked.length > 0) throw new InputError(obstaclesSaid(blocked), 'Commit, stash or move them away, then finish again.');
  }
  await writeFile(intentFile(repo), JSON.stringify(intent));
  if (here) await follow(git, intent.from, intent.to, again);
  await git.run(['update-ref', '-m', 'loop: finish', `refs/heads/${intent.target}`, intent.to, intent.from]);
}

/** Completes what a crash cut. @returns undefined if there is nothing to complete. */
async function resumed(repo: SprintRepo): Promise<Intent | undefined> {
  const intent = await pending(repo);
  if (!intent || (await isOnTarget(repo, intent))) return intent;
  const found = await problemsWithTarget(repo, intent.target);
  if ('problem' in found || found.tip !== intent.from) {
    await rm(intentFile(repo), { force: true });
    return undefined;
  }
  await apply(repo, found.here, intent, true);
  return intent;
}

/** What an earlier call was about to do, if its commit still exists. */
async function pending(repo: SprintRepo): Promise<Intent | undefined> {
  const text = await readFile(intentFile(repo), 'utf8').catch(() => 'null');
  const intent = intentSchema.safeParse(JSON.parse(text)).data;
  return intent && (await commitOf(repo.personal, intent.to)) !== undefined ? intent : undefined;
}

async function isOnTarget(repo: SprintRepo, intent: Intent): Promise<boolean> {
  const now = await commitOf(repo.personal, `refs/heads/${intent.target}`);
  return now !== undefined && repo.personal.test(['merge-base', '--is-ancestor', intent.to, now]);
}

/** Without a merge. */
async function leave(repo: SprintRepo, how: 'keep' | 'drop', options: FinishOptions): Promise<Finished> {
  const cut = await pending(repo);
  if (cut && !(await isOnTarget(repo, cut)))
    throw new InputError(`An earlier ${cut.how} into "${cut.target}" was cut short.`, `Choose "${cut.how}" to complete it.`);
  if (how === 'drop' && options.confirmed !== true)
    throw new InputError(
      `Dropping removes the branch "${repo.worktree.branch}" with all its commits, and the worktree.`,
      'Confirm it, or choose "keep".',
    );
  if (how === 'keep') {
    await tipOf(repo);
    refuse(await problemsWithin(repo), 'Resume the sprint so that it is settled, or choose "drop".');
  }
  await clear(repo, how === 'keep' ? 'keep-branch' : 'delete-branch');
  return { how };
}

/** Worktree, scratch checkouts, inputs and perhaps the branch go; the intent last, so that this too can be repeated. */
async function clear(repo: SprintRepo, branch: 'delete-branch' | 'keep-branch'): Promise<void> {
  const { state } = repo.options;
  await removeWorktree(repo.worktree);
  for (const name of ['worktree', 'scratch', 'inputs']) await removeFolder(join(state, name));
  if (branch === 'delete-branch') await repo.personal.run(['update-ref', '-d', `refs/heads/${repo.worktree.branch}`]);
  for (const name of ['inputs.json', 'excludes', 'finish.json']) await rm(join(state, name), { force: true });
}

async function tipOf(repo: SprintRepo): Promise<string> {
  const tip = await commitOf(repo.personal, `refs/heads/${repo.worktree.branch}`);
  if (tip !== undefined) return tip;
  throw new InputError(`There is no branch "${repo.worktree.branch}": the sprint was finished already.`, 'Start a new sprint.');
}

/** Changes in the worktree that no commit holds would be lost with it. */
async function problemsWithin(repo: SprintRepo): Promise<string[]> {
  if ((await entryOf(repo.worktree)) === undefined) return [];
  await repo.openWorktree();
  const nested = await stageAll(repo.git, await repo.inputs.paths());
  const paths = [...(await stagedChanges(repo.git)).map((change) => change.path), ...nested];
  return paths.length === 0 ? [] : [`The sprint has changes that are not settled yet: ${some(paths)}.`];
}

async function hasMoved(repo: SprintRepo, target: Target, tip: string): Promise<boolean> {
  return !(await repo.personal.test(['merge-base', '--is-ancestor', target.tip, tip]));
}

async function commitsOf(repo: SprintRepo, tip: string): Promise<FinishPreview['commits']> {
  const log = await repo.personal.list(['log', '-z', '--format=%H %s', `${repo.worktree.base}..${tip}`, '--']);
  return log.map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

async function filesOf(repo: SprintRepo, tip: string): Promise<Change[]> {
  return changesIn(await treeDiff(repo.personal, repo.worktree.base, tip));
}
function treeDiff(git: Git, from: string, to: string): Promise<string[]> {
  return git.list(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to, '--']);
}

function refuse(problems: string[], next: string): void {
  if (problems.length > 0) throw new InputError(problems.join(' '), next);
}
function intentFile(repo: SprintRepo): string {
  return join(repo.options.state, 'finish.json');
}
function conflictsSaid(target: Target, files: string[]): string {
  return `The sprint and "${target.branch}" changed the same lines in ${some(files)}.`;
}
function obstaclesSaid(paths: string[]): string {
  return `Files in your checkout are in the way of the merge: ${some(paths)}.`;
}
function some(paths: string[]): string {
  return paths.length <= 10 ? paths.join(', ') : `${paths.slice(0, 10).join(', ')} and ${paths.length - 10} more`;
}
