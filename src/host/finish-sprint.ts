/**
 * *Finish* (design §8.4): what the sprint made goes into the person's branch, or stays, or is thrown away; the one time
 * that Loop writes to their repository, on their word, and only if nothing of theirs is in the way.
 */
import type { Place } from '../engine/ports.ts';
import { InputError } from '../engine/errors.ts';
import type { State } from '../engine/state.ts';
import type { Finished } from '../engine/work/finish.ts';
import { liveChecks } from '../engine/verify/trust.ts';
import { systemClock } from './clock.ts';
import { finish, previewFinish as preview, type FinishHow, type FinishPreview } from './git/finish.ts';
import { inspectRepository } from './git/inspect.ts';
import type { SprintRepo } from './git/repo.ts';
import { openJournal } from './journal.ts';
import { acquireLock, type Lock } from './lock.ts';
import { openLoopFolder } from './loop-folder.ts';
import { openPayloads } from './payloads.ts';
import { journalPath, readSprint } from './sprint.ts';
import { createSprintRunner, openRepo } from './world.ts';

export type { FinishHow, FinishPreview } from './git/finish.ts';

const installTimeout = 600;

/** What a merge would bring, and why it would be refused now. @throws InputError when there is nothing to finish. */
export async function previewFinish(sprintDir: string): Promise<FinishPreview> {
  const { state, repo } = await openFinish(sprintDir);
  return preview(repo, state.opened.base.branch);
}

/**
 * @param how `drop` is the person's word that the work may be thrown away; callers ask first.
 * @throws InputError when it is refused: nothing was changed then.
 */
export async function finishSprint(sprintDir: string, how: FinishHow): Promise<{ summary: string }> {
  const lock = await acquireLock(sprintDir);
  try {
    const { state, repo } = await openFinish(sprintDir);
    const merges = how === 'merge' || how === 'squash';
    if (merges && !state.stopped) {
      throw new InputError(`Sprint ${state.opened.sprint} is not over yet.`, 'Resume it, or finish it with keep or drop.');
    }
    const target = state.opened.base.branch;
    const verify = (place: Place): Promise<string[]> => redChecks({ sprintDir, state, repo }, place);
    if (!(await repo.tip())) return await recordGone(sprintDir, lock, { state, repo, how });
    const { commit } = await finish(repo, how, { target, message: messageOf(state), verify, confirmed: how === 'drop' });
    await record(sprintDir, lock, { how, commit: commit ?? '' });
    return { summary: summaryOf(state, how, commit) };
  } finally {
    await lock.release();
  }
}

/** A finish that a crash kept from being recorded: its branch is gone, and where its work is tells what was done. */
async function recordGone(
  sprintDir: string,
  lock: Lock,
  { state, repo, how }: { state: State; repo: SprintRepo; how: FinishHow },
) {
  const last = state.work.tree.commits.at(-1)?.commit ?? '';
  const target = `refs/heads/${state.opened.base.branch ?? ''}`;
  const merged = last !== '' && (await repo.personal.test(['merge-base', '--is-ancestor', last, target]));
  if (!merged && how !== 'drop') {
    throw new InputError(
      `The sprint's branch ${state.opened.branch} is gone, and its work is not on ${target}.`,
      'Bring the branch back, or finish with drop.',
    );
  }
  await record(sprintDir, lock, { how: merged ? 'merge' : 'drop', commit: merged ? last : '' });
  return { summary: merged ? `It was merged into ${state.opened.base.branch ?? ''} before.` : `Its branch was gone already.` };
}

/** The journal tells that it was finished, and how: its last line. */
async function record(sprintDir: string, lock: Lock, finished: Finished): Promise<void> {
  const journal = await openJournal(journalPath(sprintDir), { held: () => lock.held() });
  const { owner, events } = journal;
  const fact = { fact: 'sprint.finished' as const, finished };
  try {
    await journal.append({ type: 'person.said', n: events.length + 1, owner, at: systemClock.now(), facts: [fact] });
  } finally {
    await journal.close();
  }
}

async function openFinish(sprintDir: string): Promise<{ state: State; repo: SprintRepo }> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, 'Start one first.');
  if (state.ledger.finished)
    throw new InputError(
      `Sprint ${state.opened.sprint} was finished already.`,
      'Start a new one; this one stays in .loop/archive.',
    );
  const repository = await inspectRepository(sprintDir);
  return { state, repo: await openRepo(repository, state) };
}

interface Finishing {
  sprintDir: string;
  state: State;
  repo: SprintRepo;
}

/** Every check on the merged tree, prepared like the worktree: green on the sprint's tree says nothing about another. */
async function redChecks({ sprintDir, state, repo }: Finishing, at: Place): Promise<string[]> {
  const payloads = openPayloads(await openLoopFolder(sprintDir));
  const runner = createSprintRunner(repo, { sprintDir, network: state.config.network });
  const { signal } = new AbortController();
  const install = state.work.context?.install ?? '';
  if (install !== '') {
    await runner.run(
      { run: { command: install }, at, timeout: installTimeout, network: state.config.network !== 'none' },
      signal,
    );
  }
  const red: string[] = [];
  for (const check of liveChecks(state.work).filter((c) => c.kind === 'command')) {
    const run = { script: await payloads.get(check.script), ext: check.ext, name: check.id.replace('/', '-') };
    const done = await runner.run({ run, at, timeout: check.timeout, network: state.config.network === 'all' }, signal);
    if (done.exit !== 0 || done.timedOut) red.push(check.id);
  }
  return red;
}

function messageOf({ opened, stopped }: State): string {
  return `Sprint ${opened.sprint}: ${stopped?.stop ?? 'unfinished'}\n\nMade by Loop on ${opened.branch}.`;
}

function summaryOf({ opened }: State, how: FinishHow, commit: string | undefined): string {
  const target = opened.base.branch ?? 'your branch';
  switch (how) {
    case 'merge':
      return `Merged into ${target} as ${commit?.slice(0, 10) ?? 'it was'}; the sprint's branch and worktree are gone.`;
    case 'squash':
      return `Squashed into ${target} as ${commit?.slice(0, 10) ?? 'it was'}; ${opened.branch} stays.`;
    case 'keep':
      return `Kept ${opened.branch}; its worktree is gone.`;
    case 'drop':
      return `Dropped ${opened.branch} and its worktree.`;
  }
}
