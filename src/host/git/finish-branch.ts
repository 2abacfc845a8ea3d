/**
 * The git part of *Finish* (I10): merges the sprint's branch into the person's, keeps it, or throws it away.
 *
 * A merge is made in a scratch checkout of the branch that the sprint started from. If that branch has new commits, every
 * verification runs there. Only then the person's files and index are updated (`follow.ts`), and the branch last, by
 * compare-and-swap. So every refusal comes before the first write. If their checkout is on another branch, only the target
 * branch moves. `finish.json` records the intent, so that a second call completes it after a crash.
 *
 * After `merge` the sprint's branch is deleted, because the target has all its commits. After `squash` it stays, because nothing
 * else has them.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError, Refusal } from '../../engine/ground/errors.ts';
import { listPaths } from '../../engine/ground/text.ts';
import type { ChangedFile } from '../../engine/work/tree.ts';
import type { FinishWay } from '../../engine/work/finished.ts';
import { refuseExecutableConfig } from './executable-config.ts';
import { follow, obstacles, refusal } from './follow.ts';
import { GitFailed, type Git } from './git.ts';
import { heldElsewhere } from './held-branch.ts';
import { mergeOnto, findTarget, type Target } from './merge.ts';
import { removeFolder } from './remove-folder.ts';
import type { Checkout, SprintRepo } from './repo.ts';
import { looksSecret } from '../../engine/ground/secret-names.ts';
import { changesIn, stageAll, stagedChanges } from './staging.ts';
import { commitOf, entryOf, removeWorktree } from './worktree.ts';
import { readJson } from '../../engine/ground/loose.ts';

export interface BranchPreview {
  commits: { commit: string; subject: string }[];
  /** The files that the sprint changed since its base. */
  files: ChangedFile[];
  /** Branch to merge into; null if the sprint started from no branch. */
  target: string | null;
  /** Whether that branch has commits that the sprint does not have. */
  moved: boolean;
  /** An earlier finish that was interrupted when its commit was on the target: whatever is chosen now completes that. */
  made: Intent['how'] | null;
  /** Why a merge would be refused now, each a sentence. Red verifications are known only when the merge is made. */
  problems: string[];
}
export interface FinishOptions {
  /** Branch that was checked out when the sprint opened. */
  target: string | null;
  /** Subject and text of the commit. */
  message: string;
  /** Whether every verification is known to be green on the sprint's last commit. */
  isVerified: boolean;
  /** Runs every verification on the merged tree; called only where that is not known of this tree. @returns the red ones, described. */
  verify(checkout: Checkout): Promise<string[]>;
  /** Called before the first write that lasts: from there on all of it is done. @throws Interruption when it was stopped before. */
  begin?: () => void;
  /** Whether the person confirmed that the work may be thrown away; `drop` needs it. */
  confirmed?: boolean;
  /** Where Loop left the branch, if its tip is no commit of Loop's: what is on top is the person's, and no `drop` loses it. */
  leftAt?: string | undefined;
}
export interface FinishResult {
  how: FinishWay;
  /** The commit that is now on the target. */
  commit?: string;
}

/** Writes nothing that the person sees. It opens the worktree and stages what is in it, so the caller holds the sprint's lock. */
export async function previewFinish(repo: SprintRepo, target: string | null): Promise<BranchPreview> {
  const tip = await repo.tip();
  // A crash came between the end of a finish and its record, so all that is left is to record it.
  if (tip === undefined) return { commits: [], files: [], target, moved: false, made: null, problems: [] };
  const { made, earlier } = await earlierFinish(repo, tip);
  if (made) {
    const { target: onto, how } = made;
    return { commits: [], files: [], target: onto, moved: false, made: how, problems: await unsettledProblems(repo) };
  }
  const [log, files] = await Promise.all([commitsOf(repo, tip), filesOf(repo, tip)]);
  const preview = {
    commits: log,
    files,
    target,
    moved: false,
    made: null,
    problems: [...(await unsettledProblems(repo)), ...(await secretProblems(repo, tip))],
  };
  const destination = await findTarget(repo, target);
  if ('problem' in destination) return { ...preview, problems: [...preview.problems, destination.problem] };
  const merged = await mergeOnto(repo, { target: destination, tip, message: 'Preview', squash: false }, () => Promise.resolve([]));
  const again = earlier?.from === destination.tip;
  const to = again ? earlier.to : 'commit' in merged ? merged.commit : undefined;
  const blocked = to !== undefined && destination.here ? await hindrances(repo.personal, { from: destination.tip, to }, again) : [];
  const problems = [...preview.problems, ...('problem' in merged ? [merged.problem] : []), ...blocked];
  return { ...preview, moved: await hasMoved(repo, destination, tip), problems };
}

/**
 * @throws Refusal, without any change: for a conflict, a red verification, a file in the way, a target that cannot be moved, or
 * unsettled work. InputError for a `drop` without `confirmed`. Interruption in the middle: the next call completes it.
 */
export async function finish(repo: SprintRepo, how: FinishWay, options: FinishOptions): Promise<FinishResult> {
  await refuseExecutableConfig(repo.personal);
  const tip = await repo.tip();
  const { made, earlier } = await earlierFinish(repo, tip);
  const ways = made ? [made.how] : [how, earlier?.how];
  if (ways.some((way) => way === 'merge' || way === 'drop'))
    refuse(await holders(repo), 'Let that checkout go to another branch, then finish again.');
  if (made) {
    refuse(await unsettledProblems(repo), `Resume it so that they are settled, or move them out of ${repo.path}, then finish again.`);
    options.begin?.();
    return cleanUp(repo, made, tip);
  }
  if (how === 'keep' || how === 'drop') return leave(repo, how, { ...options, tip, earlier });
  const completed = earlier && (await complete(repo, earlier, options)) && isWhole(earlier, tip) ? earlier : undefined;
  return cleanUp(repo, completed ?? (await merge(repo, how, existing(repo, tip), options)), tip);
}

async function cleanUp(repo: SprintRepo, intent: Intent, tip: string | undefined): Promise<FinishResult> {
  await removeState(repo, intent.how === 'merge' ? tip : undefined);
  return { how: intent.how, commit: intent.to };
}

/** The decided merge. It is on disk before the first write to the person's checkout. */
const intentSchema = z.object({
  how: z.enum(['merge', 'squash']),
  target: z.string(),
  from: z.string(),
  to: z.string(),
  /** What was merged; absent in what an older version wrote. */
  tip: z.string().optional(),
});
type Intent = z.infer<typeof intentSchema>;

async function merge(repo: SprintRepo, how: Intent['how'], tip: string, options: FinishOptions): Promise<Intent> {
  refuse(await unsettledProblems(repo), 'Resume it so that it is settled.');
  refuse(await secretProblems(repo, tip), 'Choose "keep", and merge the branch yourself without it.');
  const destination = await findTarget(repo, options.target);
  if ('problem' in destination) throw new Refusal(destination.problem, 'Or choose "keep": the branch stays and you merge it yourself.');
  const moved = await hasMoved(repo, destination, tip);
  const verify = (checkout: Checkout) => (moved || !options.isVerified ? options.verify(checkout) : Promise.resolve([]));
  const merged = await mergeOnto(repo, { target: destination, tip, message: options.message, squash: how === 'squash' }, verify);
  if ('problem' in merged) throw new Refusal(merged.problem, `Choose "keep" and merge "${repo.worktree.branch}" yourself.`);
  if (merged.red.length > 0)
    throw new Refusal(
      moved
        ? `"${destination.branch}" moved on, and together with it these verifications fail: ${merged.red.join(', ')}.`
        : `These verifications fail on the sprint's work: ${merged.red.join(', ')}.`,
      'Choose "keep" and merge the branch yourself, or start a sprint that mends it.',
    );
  const intent = { how, target: destination.branch, from: destination.tip, to: merged.commit, tip };
  await apply(repo, intent, { again: false, begin: options.begin });
  return intent;
}

/** Updates files and index first, the branch last: a crash leaves staged changes, never a branch without its files. */
async function apply(repo: SprintRepo, intent: Intent, { again, begin }: { again: boolean; begin: FinishOptions['begin'] }): Promise<void> {
  const git = repo.personal;
  const { target, from, to } = intent;
  // The person may have gone on while verifications ran.
  const now = await findTarget(repo, target);
  if ('problem' in now) throw new Refusal(now.problem, 'Then finish again.');
  if (now.tip !== from) throw movedMeanwhile(target);
  if (now.here) refuse(await hindrances(git, intent, again), 'Commit, stash or move such files away, then finish again.');
  begin?.();
  await writeFile(intentFile(repo), JSON.stringify(intent));
  if (now.here) await update(repo, intent, again);
  try {
    await git.run(['update-ref', '-m', 'loop: finish', `refs/heads/${target}`, to, from]);
  } catch (error) {
    if (now.here) await follow(git, to, from, false);
    await rm(intentFile(repo), { force: true });
    throw (await commitOf(git, `refs/heads/${target}`)) === from ? error : movedMeanwhile(target);
  }
}

/** Why the person's files cannot follow, in a sentence. Of a try to be completed git knows nothing before what it wrote is staged. */
async function hindrances(git: Git, { from, to }: Pick<Intent, 'from' | 'to'>, again: boolean): Promise<string[]> {
  const paths = await obstacles(git, from, to, again);
  if (paths.length > 0) return [`Files in your checkout are in the way of the merge: ${listPaths(paths)}.`];
  const why = again ? undefined : await refusal(git, from, to);
  return why === undefined ? [] : [`Git cannot update your checkout (${why}); "git ls-files -v" marks files that it was told to skip.`];
}

/** @throws Refusal where git failed; the intent stays only where it wrote some of the files. */
async function update(repo: SprintRepo, { how, from, to }: Intent, again: boolean): Promise<void> {
  const git = repo.personal;
  try {
    await follow(git, from, to, again);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const isUntouched = (await obstacles(git, from, to)).length === 0;
    if (isUntouched) await rm(intentFile(repo), { force: true });
    throw new Refusal(
      `Git could not update your checkout (${error.words}).`,
      isUntouched ? 'Mend that, then finish again.' : `Some files were written: mend that, then choose "${how}" to complete it.`,
    );
  }
}

function movedMeanwhile(target: string): Refusal {
  return new Refusal(
    `"${target}" moved on while the merge was made, so nothing was merged.`,
    'Finish again: the merge is made and verified anew.',
  );
}

/** Completes a merge that a crash interrupted before the target had it. @returns whether it did: the target may have moved meanwhile. */
async function complete(repo: SprintRepo, intent: Intent, { begin }: FinishOptions): Promise<boolean> {
  if ((await commitOf(repo.personal, `refs/heads/${intent.target}`)) !== intent.from) {
    await rm(intentFile(repo), { force: true });
    return false;
  }
  await apply(repo, intent, { again: true, begin });
  return true;
}

/**
 * What an interrupted call left. `made`: its commit is on the target, so only the rest is to be removed. `earlier`: the target is still
 * where it was, so it is to be completed. Neither where the target, or the sprint, went on since.
 */
async function earlierFinish(repo: SprintRepo, tip: string | undefined): Promise<{ made?: Intent; earlier?: Intent }> {
  const text = await readFile(intentFile(repo), 'utf8').catch(() => 'null');
  // A process that was ended while it wrote may leave half of it.
  const intent = intentSchema.safeParse(readJson(text)).data;
  const now = intent && (await commitOf(repo.personal, `refs/heads/${intent.target}`));
  if (!intent || now === undefined || (await commitOf(repo.personal, intent.to)) === undefined) return {};
  if (now === intent.from) return { earlier: intent };
  const has = (commit: string): Promise<boolean> => repo.personal.test(['merge-base', '--is-ancestor', commit, now]);
  const isWholeMerge = intent.how !== 'merge' || tip === undefined || (await has(tip));
  return isWhole(intent, tip) && isWholeMerge && (await has(intent.to)) ? { made: intent } : {};
}

/** The sprint did not go on since. */
function isWhole(intent: Intent, tip: string | undefined): boolean {
  return tip === undefined || intent.tip === undefined || intent.tip === tip;
}

interface Leaving extends FinishOptions {
  tip: string | undefined;
  earlier: Intent | undefined;
}

/** Finishes without a merge. */
async function leave(repo: SprintRepo, how: 'keep' | 'drop', { tip, earlier, ...options }: Leaving): Promise<FinishResult> {
  if (earlier)
    throw new Refusal(`An earlier ${earlier.how} into "${earlier.target}" was interrupted.`, `Choose "${earlier.how}" to complete it.`);
  if (how === 'drop' && options.confirmed !== true)
    throw new InputError(
      `Dropping removes the branch "${repo.worktree.branch}" with all its commits, and the worktree.`,
      'Confirm it, or choose "keep".',
    );
  if (how === 'drop')
    refuse(await othersProblems(repo, options), `Choose "keep", or keep them first: git branch NAME "${repo.worktree.branch}"`);
  if (how === 'keep') {
    existing(repo, tip);
    refuse(await unsettledProblems(repo), 'Resume it so that it is settled, or choose "drop".');
  }
  options.begin?.();
  await removeState(repo, how === 'drop' ? tip : undefined);
  return { how };
}

/**
 * Removes worktree, scratch checkouts and inputs, and the branch where it is still at `tip`; without one it stays. The intent goes
 * last, so that a crash can be repeated.
 */
async function removeState(repo: SprintRepo, tip: string | undefined): Promise<void> {
  const { state } = repo.options;
  await removeWorktree(repo.worktree);
  for (const name of ['worktree', 'scratch', 'inputs']) await removeFolder(join(state, name));
  if (tip !== undefined) await repo.personal.run(['update-ref', '-d', `refs/heads/${repo.worktree.branch}`, tip]);
  for (const name of ['inputs.json', 'excludes', 'finish.json']) await rm(join(state, name), { force: true });
}

/** Deleted under a checkout, the branch would leave it without a commit. */
async function holders(repo: SprintRepo): Promise<string[]> {
  const problem = await heldElsewhere(repo, `refs/heads/${repo.worktree.branch}`, repo.path);
  return problem === undefined ? [] : [problem];
}

/** What the person committed on top, and no other branch or tag has. */
async function othersProblems({ personal, worktree: { branch } }: SprintRepo, { leftAt }: FinishOptions): Promise<string[]> {
  if (leftAt === undefined) return [];
  const others = [leftAt, `--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const args = ['log', '-z', '--ignore-missing', '--format=%h %s', `refs/heads/${branch}`, '--not', ...others, '--'];
  const commits = await personal.list(args);
  return commits.length === 0 ? [] : [`"${branch}" has commits that are not Loop's, and no other branch has them: ${listPaths(commits)}.`];
}

function existing({ worktree: { branch } }: SprintRepo, tip: string | undefined): string {
  if (tip !== undefined) return tip;
  throw new InputError(`There is no branch "${branch}": it was finished already.`, 'Start a new one.');
}

/** Changes in the worktree that are in no commit would be lost with it. */
async function unsettledProblems(repo: SprintRepo): Promise<string[]> {
  if ((await entryOf(repo.worktree)) === undefined) return [];
  await repo.openWorktree();
  const nested = await stageAll(repo.git, await repo.inputs.paths());
  const paths = [...(await stagedChanges(repo.git)).map((change) => change.path), ...nested];
  return paths.length === 0 ? [] : [`The sprint has changes that are not settled yet: ${listPaths(paths)}.`];
}

/** An older version of Loop may have committed one. What only moved, the person committed. */
async function secretProblems({ personal, worktree }: SprintRepo, tip: string): Promise<string[]> {
  const added = await personal.list(['diff-tree', '-r', '-z', '-M100%', '--diff-filter=A', '--name-only', worktree.base, tip, '--']);
  const paths = added.filter(looksSecret);
  return paths.length === 0 ? [] : [`The branch has new files whose names say that they hold a key: ${listPaths(paths)}.`];
}

async function hasMoved(repo: SprintRepo, target: Target, tip: string): Promise<boolean> {
  return !(await repo.personal.test(['merge-base', '--is-ancestor', target.tip, tip]));
}

async function commitsOf(repo: SprintRepo, tip: string): Promise<BranchPreview['commits']> {
  const log = await repo.personal.list(['log', '-z', '--format=%H %s', `${repo.worktree.base}..${tip}`, '--']);
  return log.map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

async function filesOf(repo: SprintRepo, tip: string): Promise<ChangedFile[]> {
  return changesIn(await treeDiff(repo.personal, repo.worktree.base, tip));
}
function treeDiff(git: Git, from: string, to: string): Promise<string[]> {
  return git.list(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to, '--']);
}

function refuse(problems: string[], next: string): void {
  if (problems.length > 0) throw new Refusal(problems.join(' '), next);
}
function intentFile(repo: SprintRepo): string {
  return join(repo.options.state, 'finish.json');
}
