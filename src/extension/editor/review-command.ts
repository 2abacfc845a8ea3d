/** *Review the Change*: the sprint's whole branch, or what was built for one task, in the editor's view of changes; at any time. */
import * as vscode from 'vscode';
import { plain } from '../../views/model/display-text.ts';
import { joinedSides, partsOf, requirementPartsOf, type ReviewPart } from '../../views/model/review.ts';
import { openChange, openSides } from './documents.ts';
import type { EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';
import { plural, t } from '../../views/words.ts';

export async function reviewChange({ shown }: SprintStore, engine: EngineClient): Promise<void> {
  if (!shown?.view) return;
  const { dir, view } = shown;
  const whole = { label: t('$(diff-multiple) The whole change'), description: plain(view.branch, 80), part: null };
  const items = [
    { label: t('By task'), kind: vscode.QuickPickItemKind.Separator, part: null },
    ...partsOf(view).map((part) => itemOf('$(git-commit)', part)),
    { label: t('By requirement'), kind: vscode.QuickPickItemKind.Separator, part: null },
    ...requirementPartsOf(view).map((part) => itemOf('$(checklist)', part)),
  ];
  const chosen =
    view.changes.length === 0
      ? whole
      : await vscode.window.showQuickPick<Item>([whole, ...items], {
          title: t('Loop: Review the Change'),
          placeHolder: t('The whole of it, or what was built for one task or requirement'),
          matchOnDescription: true,
        });
  if (!chosen) return;
  const { part } = chosen;
  const [first, ...more] = part?.patches ?? [];
  if (part && first !== undefined && more.length === 0) await openChange(engine, { sprintDir: dir, ref: first, title: part.title });
  else if (part) await openPatches(engine, dir, part);
  else await reviewWhole(dir, t('Sprint {0}', view.name), engine);
}

/** What several changes did to a file is shown at once. */
async function openPatches(engine: EngineClient, sprintDir: string, { title, patches }: ReviewPart): Promise<void> {
  const sides = await Promise.all(patches.map((ref) => engine.request('change-sides', { sprintDir, ref })));
  await openSides(sprintDir, plain(title, 80), joinedSides(sides.flatMap((files) => files ?? [])));
}

/** *Open Worktree*: the tree that the agents work in, in a window of its own; reading it disturbs nobody. */
export async function openWorktree({ shown }: SprintStore, engine: EngineClient): Promise<void> {
  if (!shown?.view) return;
  const folder = await engine.request('tree', { sprintDir: shown.dir });
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
}

interface Item extends vscode.QuickPickItem {
  part: ReviewPart | null;
}

function itemOf(icon: string, part: ReviewPart): Item {
  return { label: `${icon} ${plain(part.title, 80)}`, description: plural(part.files, '{0} file', '{0} files'), part };
}

/** @param title of the view. */
export async function reviewWhole(sprintDir: string, title: string, engine: EngineClient): Promise<void> {
  const change = await engine.request('branch-sides', { sprintDir });
  if (!change) {
    void vscode.window.showInformationMessage(t('Loop: no file was changed, or the branch is gone.'));
    return;
  }
  await openSides(sprintDir, plain(title, 80), change.files);
  const { others } = change;
  if (others.length > 0)
    void vscode.window.showInformationMessage(t('Loop: not shown, because they are no texts: {0}.', plain(others.join(', '), 300)));
}
