/** `loop finish`: shows what would happen, asks before it throws work away, and finishes the sprint. */
import { createInterface } from 'node:readline/promises';
import { counted } from '../engine/ground/text.ts';
import { InputError } from '../engine/ground/errors.ts';
import { finishSprint, previewFinish, type FinishPreview } from '../host/finish-sprint.ts';
import { openPullRequest, pullRequestBy } from '../host/pull-request.ts';
import type { Command } from './arguments.ts';
import { plain } from './plain.ts';
import { answerTo } from './terminal-person.ts';
import { exitCodes } from './exit-codes.ts';
import type { Streams } from './run.ts';

/** @returns the exit code: 3 where the preview tells why a merge is refused. @throws Refusal, InputError */
export async function finish(
  { sprintDir, how, yes, pullRequest }: Extract<Command, { name: 'finish' }>,
  { out, err }: Streams,
  signal: AbortSignal,
): Promise<number> {
  const preview = await previewFinish(sprintDir, signal);
  for (const line of describe(preview)) out(`${plain(line)}\n`);
  const merges = how === 'merge' || how === 'squash';
  if (merges && preview.problems.length > 0) {
    for (const problem of [...preview.problems, notFinished]) err(`${plain(problem)}\n`);
    return exitCodes.waiting;
  }
  if (how === 'drop' && !preview.made && !yes && !(await confirmsDrop()))
    throw new InputError('Nothing was dropped.', 'Add --yes to drop the work without being asked.');
  const requests = pullRequest && !preview.made;
  if (requests && !(await pullRequestBy(sprintDir)))
    throw new InputError(
      'No pull request can be opened here. Nothing was finished.',
      'It needs a remote "origin", and gh or glab, logged in.',
    );
  const { summary } = await finishSprint(sprintDir, how, signal);
  out(`${summary}\n`);
  if (requests) out(`${plain(await openPullRequest(sprintDir, signal))}\n`);
  return exitCodes.delivered;
}

const notFinished = 'Nothing was finished. Mend that, then finish again; or finish with keep: the branch stays, and you merge it yourself.';

function describe({ title, commits, files, target, moved, made, red, unproven, descoped, dropped }: FinishPreview): string[] {
  return [
    title,
    made
      ? `The ${made} into ${target ?? 'your branch'} is made; an interruption left the rest of it, which any choice completes.`
      : `${counted(commits.length, 'commit')}, ${counted(files.length, 'file')}, for ${target ?? 'no branch: the sprint started from none'}${moved ? ' (which moved on: every verification runs on the merge)' : ''}`,
    ...commits.map(({ commit, subject }) => `  ${commit.slice(0, 10)} ${subject}`),
    ...files.map(({ kind, path }) => `  ${kind.padEnd(8)} ${path}`),
    ...(red.length > 0 ? [`Failed when they last ran: ${red.join(', ')}`] : []),
    ...(unproven.length > 0 ? [`Not proven: ${unproven.join(', ')}`] : []),
    ...(descoped.length > 0 ? [`Descoped: ${descoped.join(', ')}`] : []),
    ...(dropped.length > 0 ? [`Dropped tasks: ${dropped.join(', ')}`] : []),
  ];
}

async function confirmsDrop(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await answerTo(terminal, 'Throw away the branch with all its work? [y/N] ');
    return answer.trim().toLowerCase() === 'y';
  } finally {
    terminal.close();
  }
}
