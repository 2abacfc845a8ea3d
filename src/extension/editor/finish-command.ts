/** *Finish*: shows a preview, then merges, squashes, keeps or drops the sprint's branch. Nothing else changes the checkout (I10). */
import * as vscode from 'vscode';
import { namedButton } from '../../views/model/review.ts';
import { plain } from '../../views/model/display-text.ts';
import { EngineFailure, type EngineClient } from './engine-client.ts';
import type { FinishView } from '../protocol.ts';
import type { FinishWay } from '../../engine/work/finished.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { reviewWhole } from './review-command.ts';
import type { SprintStore } from './sprint-store.ts';
import { plural, t } from '../../views/words.ts';

/** @throws EngineFailure when Loop refuses; then nothing is changed. */
export async function finishSprint(store: SprintStore, engine: EngineClient): Promise<void> {
  const { shown } = store;
  if (!shown?.view) return tell(t('Loop: there is no sprint here to finish.'));
  const { dir, view, running } = shown;
  if (running) return tell(t('Loop: this sprint is running. Stop it first, or wait until it ends.'));
  // An old notification may still show its button.
  if (view.finished !== null) return tell(t('Loop: this sprint is finished already.'));
  await finish(engine, { what: 'Sprint', dir, name: view.name, branch: view.branch }, () => store.show(dir));
}

function tell(text: string): void {
  void vscode.window.showInformationMessage(text);
}

/** The same for a session of a pipeline. @throws EngineFailure when Loop refuses; then nothing is changed. */
export async function finishPipeline(pipelines: PipelineStore, engine: EngineClient, dir: string): Promise<void> {
  const run = pipelines.finishable.find((one) => one.dir === dir);
  // An old notification may still show its button.
  if (!run) return tell(t('Loop: this pipeline runs, or is finished already.'));
  const { session, branch } = run.view;
  await finish(engine, { what: 'Pipeline', dir, name: session, branch }, () => pipelines.show(dir));
}

interface Finishing {
  what: 'Sprint' | 'Pipeline';
  dir: string;
  name: string;
  branch: string;
}

async function finish(engine: EngineClient, one: Finishing, show: () => Promise<void>): Promise<void> {
  const { what, dir } = one;
  const review = (): Promise<void> => reviewWhole(dir, what === 'Sprint' ? t('Sprint {0}', one.name) : t('Pipeline {0}', one.name), engine);
  const preview = await engine.request('finish-preview', { sprintDir: dir });
  const how = preview.made ? await confirmRest(preview.made, preview, one) : await pickHow(preview, one);
  if (how === 'review') return review();
  if (!how) return;
  const answer = preview.made ? 'go' : await confirm(how, preview, one);
  if (answer === 'review') return review();
  if (answer !== 'go') return;
  if (how === 'pull-request') return requestPull(engine, dir, show);
  const { summary } = await carryOut(engine, { sprintDir: dir, how });
  await show();
  await vscode.window.showInformationMessage(`Loop: ${plain(summary, 300)}`);
}

/** The branch is kept first; where the request fails, the person reads how to open it. */
async function requestPull(engine: EngineClient, sprintDir: string, show: () => Promise<void>): Promise<void> {
  const { summary, done } = await carryOut(engine, { sprintDir, how: 'keep' });
  await show();
  if (!done) return void vscode.window.showInformationMessage(`Loop: ${plain(summary, 300)}`);
  const address = await stoppable(engine, sprintDir, t('Loop: opening the pull request'), () =>
    engine.request('pull-request', { sprintDir }),
  );
  if (address === null) return void vscode.window.showInformationMessage(t('Loop: cancelled. The branch is kept, without a pull request.'));
  const open = t('Open');
  const chosen = await vscode.window.showInformationMessage(`Loop: ${plain(summary, 300)} ${plain(address, 200)}`, open);
  if (chosen === open && /^https?:/.test(address)) await vscode.env.openExternal(vscode.Uri.parse(address));
}

/** @returns what to tell the person. */
async function carryOut(
  engine: EngineClient,
  { sprintDir, how }: { sprintDir: string; how: FinishWay },
): Promise<{ summary: string; done: boolean }> {
  const finished = await stoppable(engine, sprintDir, `Loop: ${progressWords[how]}`, () => engine.request('finish', { sprintDir, how }));
  return finished === null ? { summary: t('cancelled. Nothing was changed.'), done: false } : { ...finished, done: true };
}

/** The notification has a button to cancel, which has an effect until the first write or the push. @returns null where it was used. */
async function stoppable<T>(engine: EngineClient, sprintDir: string, title: string, request: () => Promise<T>): Promise<T | null> {
  const progress = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  try {
    return await vscode.window.withProgress(progress, (_, token) => {
      // Where this fails, what it would stop fails for the same reason, and the person reads that one.
      token.onCancellationRequested(() => engine.request('stop', { sprintDir }).catch(() => undefined));
      return request();
    });
  } catch (error) {
    const isCancelled = error instanceof EngineFailure && error.failure.kind === 'interruption' && error.failure.reason === 'cancelled';
    if (!isCancelled) throw error;
    return null;
  }
}

type Way = FinishWay | 'review' | 'pull-request';

const progressWords: Record<FinishWay, string> = {
  merge: t('merging the branch'),
  squash: t('squashing the branch into one commit'),
  keep: t('keeping the branch'),
  drop: t('dropping the branch'),
};

/** Nothing is left to choose where an earlier finish was interrupted after its merge. */
async function confirmRest(made: FinishWay, { into }: FinishView, { branch }: Finishing): Promise<FinishWay | undefined> {
  const question = t('{0} is in {1} already. Complete the earlier Finish?', plain(branch, 80), plain(into ?? t('no branch'), 60));
  const detail = t('It was interrupted after its merge. Only the worktree and what belongs to it are left to remove.');
  const go = t('Complete');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) === go ? made : undefined;
}

async function pickHow(preview: FinishView, { what, branch }: Finishing): Promise<Way | undefined> {
  const { into, commits, files, problems, pullRequest } = preview;
  const target = plain(into ?? t('no branch'), 60);
  const [problem] = problems;
  const refused = problem === undefined ? '' : t('Would be refused now: {0}', plain(problem, 160));
  const items: (vscode.QuickPickItem & { how: Way })[] = [
    {
      label: t('Merge'),
      description: t(
        '{0}, {1} into {2}',
        plural(commits.length, '{0} commit', '{0} commits'),
        plural(files.length, '{0} file', '{0} files'),
        target,
      ),
      detail:
        refused ||
        (what === 'Sprint'
          ? t('Keeps the history: one commit for each task and fix. The branch is deleted.')
          : t('Keeps the history: one commit for each iteration that changed something. The branch is deleted.')),
      how: 'merge',
    },
    {
      label: t('Squash'),
      description: t('one commit into {0}', target),
      detail: refused || t('The branch stays and keeps its history.'),
      how: 'squash',
    },
    {
      label: t('Keep'),
      description: plain(branch, 80),
      detail: t('Your checkout and the branch stay as they are; the worktree is deleted.'),
      how: 'keep',
    },
    ...(pullRequest === null || what !== 'Sprint'
      ? []
      : [
          {
            label: t('Pull Request'),
            description: t('{0} into {1}, by {2}', plain(branch, 80), target, pullRequest),
            detail: t('Keeps the branch, pushes it to origin, and opens a request there with what is proven and what is not.'),
            how: 'pull-request' as const,
          },
        ]),
    {
      label: t('Drop'),
      description: plain(branch, 80),
      detail: t('Your checkout stays as it is; branch and worktree are deleted.'),
      how: 'drop',
    },
    {
      label: reviewLabel,
      description: plural(files.length, '{0} file', '{0} files'),
      detail: t('Look through the whole change first. Nothing is decided by that.'),
      how: 'review',
    },
  ];
  const placeHolder = t('What becomes of {0}?', plain(branch, 80));
  return (
    await vscode.window.showQuickPick(items, {
      title: what === 'Sprint' ? t('Loop: Finish Sprint') : t('Loop: Finish Pipeline'),
      placeHolder,
    })
  )?.how;
}

const reviewLabel = t('Review the Change');

type Asked = Exclude<Way, 'keep' | 'review'>;

/** The button of what brings the work to others has the name of what is missing, so that nobody agrees to it unseen. */
async function confirm(how: Asked | 'keep', preview: FinishView, { branch }: Finishing): Promise<'go' | 'review' | undefined> {
  if (how === 'keep') return 'go';
  const label = { merge: t('Merge'), squash: t('Squash'), 'pull-request': t('Pull Request'), drop: t('Drop') }[how];
  const go = how === 'drop' ? label : namedButton(label, preview);
  const commits = plural(preview.commits.length, '{0} commit', '{0} commits');
  const into = plain(preview.into ?? t('no branch'), 60);
  const questions: Record<Asked, string> = {
    merge: t('{0} {1} into {2}?', label, commits, into),
    squash: t('{0} {1} into {2}?', label, commits, into),
    'pull-request': t('Push {0} to origin, and ask for {1} to be merged into {2}?', plain(branch, 80), commits, into),
    drop: t('Drop {0} of {1}?', commits, plain(branch, 80)),
  };
  const detail = detailOf(how, preview, branch);
  const chosen = await vscode.window.showWarningMessage(questions[how], { modal: true, detail }, go, reviewLabel);
  if (chosen === undefined) return undefined;
  return chosen === go ? 'go' : 'review';
}

const maxFiles = 15;

function detailOf(how: Asked, view: FinishView, branch: string): string {
  const { files, moved, red, unproven, descoped, dropped, problems } = view;
  const isPushed = how === 'pull-request';
  const shown = files.slice(0, maxFiles).map((file) => plain(file, 100));
  const more = files.length > maxFiles ? [t('… and {0} more', files.length - maxFiles)] : [];
  const end =
    how === 'drop'
      ? [t('{0} and its worktree are deleted.', plain(branch, 80))]
      : [
          moved && !isPushed ? t('Your branch has new commits: every verification is run on the merged tree first.') : '',
          red.length > 0 ? t('Failed when they last ran: {0}.', plain(red.join(', '), 300)) : '',
          unproven.length > 0 ? t('Not proven: {0}.', plain(unproven.join(', '), 300)) : '',
          descoped.length > 0 ? t('Descoped: {0}.', plain(descoped.join(', '), 300)) : '',
          dropped.length > 0 ? t('Dropped tasks: {0}.', plain(dropped.join(', '), 300)) : '',
          ...problems.map((problem) =>
            isPushed ? t('A merge would be refused now: {0}', plain(problem, 300)) : t('Would be refused now: {0}', plain(problem, 300)),
          ),
          isPushed
            ? t('Loop runs nothing again for it: who merges it decides. Your checkout stays as it is.')
            : t('Loop refuses, and changes nothing, on a conflict, a red verification or a file that would be overwritten.'),
        ];
  return [[...shown, ...more].join('\n'), ...end].filter((part) => part !== '').join('\n\n');
}
