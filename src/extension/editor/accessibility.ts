/** Help and views for who works by keyboard or screen reader: plain documents, since the editor's own place for them is not open to extensions. */
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';
import { openDocument } from './documents.ts';
import type { HistoryPanels } from './history-panel.ts';
import type { SprintStore } from './sprint-store.ts';

export async function openHelp(): Promise<void> {
  await openDocument({ sprintDir: '', what: 'help', ref: '', title: t('Accessibility help of Loop.md') });
}

/** Opens what the person looks at: a failure history where one is in front, otherwise the trees. @param asked `trees` or `pipelines`, by their key */
export async function showAsText({ shown }: SprintStore, panels: HistoryPanels, asked: unknown): Promise<void> {
  if (asked === 'pipelines') {
    await openDocument({ sprintDir: '', what: 'pipelines', ref: '', title: `${t('Pipelines')}.md` });
    return;
  }
  const front = asked === 'trees' ? undefined : panels.active;
  if (front) {
    const { sprintDir, verification } = front;
    await openDocument({ sprintDir, what: 'history', ref: verification, title: `${t('History: {0}', verification)}.md` });
  } else if (shown?.view) {
    await openDocument({ sprintDir: shown.dir, what: 'trees', ref: '', title: t('Sprint {0}.md', shown.view.name) });
  } else {
    void vscode.window.showInformationMessage(t('Loop: no sprint is shown here yet.'));
  }
}
