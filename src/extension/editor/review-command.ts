/** *Review the Change*: the sprint's whole branch, or what was built for one task, in the editor's view of changes; at any time. */
import * as vscode from 'vscode';
import { plain } from '../../views/model/display-text.ts';
import { partsOf } from '../../views/model/review.ts';
import { openChange, openSides } from './documents.ts';
import type { EngineClient } from './engine-client.ts';
import type { SprintStore } from './sprint-store.ts';
import { plural, t } from '../../views/words.ts';

export async function reviewChange({ shown }: SprintStore, engine: EngineClient): Promise<void> {
  if (!shown?.view) return;
  const { dir, view } = shown;
  const whole = { label: t('$(diff-multiple) The whole change'), description: plain(view.branch, 80), part: null };
  const parts = partsOf(view).map((part) => ({
    label: `$(git-commit) ${plain(part.title, 80)}`,
    description: plural(part.files, '{0} file', '{0} files'),
    part,
  }));
  const chosen =
    parts.length === 0
      ? whole
      : await vscode.window.showQuickPick([whole, ...parts], {
          title: t('Loop: Review the Change'),
          placeHolder: t('The whole of it, or what was built for one task'),
          matchOnDescription: true,
        });
  if (!chosen) return;
  if (chosen.part) await openChange(engine, { sprintDir: dir, ref: chosen.part.patch, title: chosen.part.title });
  else await reviewWhole(dir, t('Sprint {0}', view.name), engine);
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
