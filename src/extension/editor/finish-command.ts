/** *Finish*: what to do with the sprint's branch, previewed; the only way in which the person's checkout is ever changed (I10). */
import * as vscode from 'vscode';
import { counted } from '../../engine/ground/text.ts';
import { plain } from '../../views/model/display-text.ts';
import type { EngineClient } from './engine-client.ts';
import type { FinishHow, FinishView } from '../protocol.ts';
import type { SprintStore } from './sprint-store.ts';

/** @throws EngineFailure when it is refused; nothing is changed then. */
export async function finishSprint(store: SprintStore, engine: EngineClient): Promise<void> {
  const { shown } = store;
  if (!shown?.view || shown.running) return;
  // A button of an old notification may outlive what it offers.
  if (shown.view.finished !== null) {
    void vscode.window.showInformationMessage('Loop: this sprint is finished already.');
    return;
  }
  const sprintDir = shown.dir;
  const { branch } = shown.view;
  const preview = await engine.request('finish-preview', { sprintDir });
  const how = await pickHow(preview, branch);
  if (!how || !(await confirmed(how, preview, branch))) return;
  const where = { location: vscode.ProgressLocation.Notification, title: `Loop: ${working[how]}` };
  const { summary } = await vscode.window.withProgress(where, () => engine.request('finish', { sprintDir, how }));
  await store.show(sprintDir);
  await vscode.window.showInformationMessage(`Loop: ${plain(summary, 300)}`);
}

const working: Record<FinishHow, string> = {
  merge: 'merging the sprint',
  squash: 'squashing the sprint into one commit',
  keep: 'keeping the branch',
  drop: 'dropping the branch',
};

async function pickHow(preview: FinishView, branch: string): Promise<FinishHow | undefined> {
  const { into, commits, files, problems } = preview;
  const target = plain(into ?? 'no branch', 60);
  const [problem] = problems;
  const refused = problem === undefined ? '' : `Would be refused now: ${plain(problem, 160)}`;
  const items: (vscode.QuickPickItem & { how: FinishHow })[] = [
    {
      label: 'Merge',
      description: `${counted(commits.length, 'commit')}, ${counted(files.length, 'file')} into ${target}`,
      detail: refused || 'With the history: one commit for each task and fix. The branch goes.',
      how: 'merge',
    },
    {
      label: 'Squash',
      description: `one commit into ${target}`,
      detail: refused || 'The branch stays, with its history.',
      how: 'squash',
    },
    {
      label: 'Keep',
      description: plain(branch, 80),
      detail: 'Your checkout stays as it is; the branch stays, the worktree goes.',
      how: 'keep',
    },
    {
      label: 'Drop',
      description: plain(branch, 80),
      detail: 'Your checkout stays as it is; branch and worktree go.',
      how: 'drop',
    },
  ];
  const placeHolder = `What becomes of ${plain(branch, 80)}?`;
  return (await vscode.window.showQuickPick(items, { title: 'Loop: Finish Sprint', placeHolder }))?.how;
}

async function confirmed(how: FinishHow, preview: FinishView, branch: string): Promise<boolean> {
  if (how === 'keep') return true;
  const go = { merge: 'Merge', squash: 'Squash', drop: 'Drop' }[how];
  const commits = counted(preview.commits.length, 'commit');
  const question = how === 'drop' ? `Drop ${commits} of this sprint?` : `${go} ${commits} into ${plain(preview.into ?? 'no branch', 60)}?`;
  const detail = detailOf(how, preview, branch);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) === go;
}

const mostFiles = 15;

function detailOf(how: FinishHow, { files, moved, problems }: FinishView, branch: string): string {
  const shown = files.slice(0, mostFiles).map((file) => plain(file, 100));
  const more = files.length > mostFiles ? [`… and ${files.length - mostFiles} more`] : [];
  const end =
    how === 'drop'
      ? [`${plain(branch, 80)} and its worktree are deleted.`]
      : [
          moved ? 'Your branch moved on: every verification is run on the merged tree first.' : '',
          ...problems.map((p) => `Would be refused now: ${plain(p, 300)}`),
          'It is refused, and nothing is changed, on a conflict, a red verification or a file that would be overwritten.',
        ];
  return [[...shown, ...more].join('\n'), ...end].filter((part) => part !== '').join('\n\n');
}
