/**
 * *Finish*: merges the sprint's work into the person's branch, keeps it, or throws it away. Only here Loop writes to their
 * branches, only on their word, and only if it overwrites nothing of theirs (I10).
 */
import { lastCommit, requireOwnTip } from '../engine/branch.ts';
import { InputError, Interruption, Refusal } from '../engine/ground/errors.ts';
import type { State } from '../engine/state/state.ts';
import type { FinishedSprint, FinishWay } from '../engine/work/finished.ts';
import { goesOn } from '../engine/core/fold.ts';
import { coverage } from '../engine/judge/ending.ts';
import { statusOf } from '../engine/judge/status.ts';
import { startedByLoop } from '../engine/services/services.ts';
import { squashMessage } from '../engine/render/squash-message.ts';
import { nounOf } from '../engine/render/words.ts';
import { liveRunnable } from '../engine/state/covers.ts';
import { systemClock } from './clock.ts';
import { createDocker } from './docker.ts';
import { finish, previewFinish as preview, type BranchPreview, type FinishResult } from './git/finish-branch.ts';
import type { Checkout, SprintRepo } from './git/repo.ts';
import { commitOf } from './git/worktree.ts';
import { openJournal } from './journal.ts';
import { acquireLock } from './lock.ts';
import { journalPath } from './sprint.ts';
import { stopUntilBegun } from './stop.ts';
import { openSprint, scratchOf, verifyIn, type Verified, type Verifying } from './verify-sprint.ts';

export interface FinishPreview extends BranchPreview {
  /** What is finished, and how it ended. */
  title: string;
  /** Ids of verifications that failed when they last ran. */
  red: string[];
  /** Ids of requirements that the sprint has not proven. */
  unproven: string[];
  /** Ids of requirements that the person took out of the sprint. */
  descoped: string[];
  /** Ids of tasks that were dropped, and nothing replaces them. */
  dropped: string[];
}

/**
 * Describes what a merge would bring, and why it would be refused now.
 * @throws InputError when there is nothing to finish; Refusal when the sprint is running.
 */
export async function previewFinish(sprintDir: string, signal?: AbortSignal): Promise<FinishPreview> {
  // The preview opens the worktree, which a running sprint or verification works in.
  const lock = await acquireLock(sprintDir);
  try {
    return await previewOf(await openSprint(sprintDir, signal));
  } finally {
    await lock.release();
  }
}

async function previewOf({ state, repo }: Awaited<ReturnType<typeof openSprint>>): Promise<FinishPreview> {
  const red = liveRunnable(state.work).filter((verification) => state.work.results[verification.id]?.verdict === 'red');
  const dropped = Object.values(state.work.tasks).filter(({ status, replacedBy = [] }) => status === 'descoped' && replacedBy.length === 0);
  const branch = await preview(repo, state.opened.base.branch);
  return {
    ...branch,
    title: squashMessage(state).split('\n')[0] ?? '',
    red: red.map(({ id }) => id),
    unproven: unprovenIn(state),
    descoped: descopedIn(state),
    dropped: dropped.map(({ id }) => id),
  };
}

/**
 * @param how `drop` throws the work away, so callers ask the person first.
 * @param signal stops it while nothing that lasts was changed; later it has no effect, and all is done.
 * @throws Refusal; InputError where there is nothing to finish; Interruption when it was stopped. Then nothing was changed.
 */
export async function finishSprint(
  sprintDir: string,
  how: FinishWay,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ summary: string }> {
  const { signal: stopped, begin } = stopUntilBegun(signal);
  const lock = await acquireLock(sprintDir);
  try {
    const { state, repo } = await openSprint(sprintDir, stopped);
    const merges = how === 'merge' || how === 'squash';
    if (merges && !state.stopped) {
      throw new Refusal(`${nounOf(state.opened)} ${state.opened.sprint} is not over yet.`, 'Resume it, or finish it with keep or drop.');
    }
    const target = state.opened.base.branch;
    let flaky: Verified[] = [];
    const verify = async (checkout: Checkout): Promise<string[]> => {
      const notGreen = await verifyMerged({ sprintDir, state, repo, signal: stopped }, checkout);
      flaky = notGreen.filter(({ verdict }) => verdict === 'flaky');
      return notGreen.filter(({ verdict }) => verdict !== 'flaky').map(describe);
    };
    if (!(await repo.tip())) {
      begin();
      return await recordGone(sprintDir, state, repo, how);
    }
    const isOwn = await hasOwnTip(state, repo);
    const done = await finish(repo, how, {
      target,
      message: squashMessage(state),
      isVerified: isOwn && isGreen(state),
      verify,
      begin,
      confirmed: how === 'drop',
      leftAt: isOwn ? undefined : await leftAt(state, repo),
    });
    const left = await stopOwnServices(state, repo);
    await record(sprintDir, { how: done.how, commit: done.commit ?? '' });
    const notes = done.how === 'merge' || done.how === 'squash' ? [...flakyWords(flaky), ...lackWords(state)] : [];
    return { summary: [...insteadWords(how, done.how), summaryOf(state, done), ...notes, ...left].join(' ') };
  } finally {
    await lock.release();
  }
}

/** Whether nobody but Loop moved its branch. */
async function hasOwnTip(state: State, repo: SprintRepo): Promise<boolean> {
  return requireOwnTip(state, repo).then(
    () => true,
    (error: unknown) => {
      if (error instanceof InputError) return false;
      throw error;
    },
  );
}

/** Where Loop left the branch. The commit that closes a sprint is in no list. */
async function leftAt(state: State, repo: SprintRepo): Promise<string> {
  return (await repo.findCommit('closing')) ?? lastCommit(state);
}

/** Whether the sprint found every verification green on its branch as it left it; a flake does not refuse a merge. */
function isGreen(state: State): boolean {
  return liveRunnable(state.work).every((verification) => ['passed', 'flaky'].includes(statusOf(state, verification)));
}

function unprovenIn(state: State): string[] {
  return coverage(state)
    .filter(({ provenBy }) => !provenBy)
    .map(({ requirement }) => requirement.id);
}

function descopedIn({ work }: State): string[] {
  return work.descoped.map(({ requirement }) => requirement.id);
}

function lackWords(state: State): string[] {
  const [unproven, descoped] = [unprovenIn(state), descopedIn(state)];
  return [
    ...(unproven.length === 0 ? [] : [`Not proven: ${unproven.join(', ')}.`]),
    ...(descoped.length === 0 ? [] : [`Descoped: ${descoped.join(', ')}.`]),
  ];
}

function insteadWords(chosen: FinishWay, done: FinishWay): string[] {
  return chosen === done ? [] : [`An earlier ${done} was interrupted and is completed now, instead of ${chosen}.`];
}

function flakyWords(flaky: readonly Verified[]): string[] {
  return flaky.length === 0 ? [] : [`On the merge these were red, then green: ${flaky.map(({ id }) => id).join(', ')}.`];
}

/** Records a finish that a crash interrupted. The branch is gone; the place of its last commit shows what was done. */
async function recordGone(sprintDir: string, state: State, repo: SprintRepo, how: FinishWay) {
  const last = state.work.tree.commits.at(-1)?.commit ?? '';
  const target = state.opened.base.branch ?? '';
  const known = await Promise.all([last, `refs/heads/${target}`].map((name) => commitOf(repo.personal, name)));
  const merged = !known.includes(undefined) && (await repo.personal.test(['merge-base', '--is-ancestor', last, `refs/heads/${target}`]));
  if (!merged && how !== 'drop') {
    throw new Refusal(
      `The branch ${state.opened.branch} is gone, and its work is not on ${target || 'any branch of yours'}.`,
      'Bring the branch back, or finish with drop.',
    );
  }
  const left = await stopOwnServices(state, repo);
  await record(sprintDir, { how: merged ? 'merge' : 'drop', commit: merged ? last : '' });
  const what = merged ? `It was merged into ${target} before.` : `Its branch was gone already.`;
  return { summary: [what, ...left].join(' ') };
}

/** Stops what Loop started on the person's machine for a sprint that never closed. @returns sentences about what still runs. */
async function stopOwnServices(state: State, repo: SprintRepo): Promise<string[]> {
  if (!goesOn(state)) return [];
  const docker = createDocker(repo.options.repository.root, [repo.path]);
  const left: string[] = [];
  for (const { name, file, names } of startedByLoop(state)) {
    const why = await docker.stop(file, names);
    if (why !== undefined) left.push(`Its service ${name} still runs (${why}): stop it with docker compose.`);
  }
  return left;
}

/** Appends the journal's last line: that the sprint was finished, and how. */
async function record(sprintDir: string, finished: FinishedSprint): Promise<void> {
  const journal = await openJournal(journalPath(sprintDir));
  const { owner, events } = journal;
  const fact = { fact: 'sprint.finished' as const, finished };
  try {
    await journal.append({ type: 'person.said', n: events.length + 1, owner, at: systemClock.now(), facts: [fact] });
  } finally {
    await journal.close();
  }
}

/**
 * Runs every verification on the merged tree, because green on the sprint's tree does not prove another tree. Test files are
 * those of the target branch.
 * @returns those that are not green. A flake does not refuse a merge, as it does not undo work in a sprint.
 */
async function verifyMerged(about: Omit<Verifying, 'scratch'>, checkout: Checkout): Promise<Verified[]> {
  const { branch } = about.state.opened.base;
  const scratch = scratchOf(about.repo, checkout, branch === null ? undefined : `refs/heads/${branch}`);
  const results = await verifyIn({ ...about, scratch }, liveRunnable(about.state.work));
  // What did not run before the stop is not among the results.
  if (about.signal.aborted) throw new Interruption('cancelled', 'Stopped before anything was changed.');
  return results.filter(({ verdict }) => verdict !== 'green');
}

function describe({ id, verdict, summary }: Verified): string {
  return verdict === 'none' ? `${id} (no result: ${summary})` : id;
}

function summaryOf({ opened }: State, { how, commit }: FinishResult): string {
  const target = opened.base.branch ?? 'your branch';
  switch (how) {
    case 'merge':
      return `Merged into ${target} as ${commit?.slice(0, 10) ?? 'it was'}; its branch and worktree are gone.`;
    case 'squash':
      return `Squashed into ${target} as ${commit?.slice(0, 10) ?? 'it was'}; ${opened.branch} stays.`;
    case 'keep':
      return `Kept ${opened.branch}; its worktree is gone.`;
    case 'drop':
      return `Dropped ${opened.branch} and its worktree.`;
  }
}
