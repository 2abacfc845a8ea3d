/** The status-bar items: the state of the sprint in a few words, hidden without one, and pipelines while they run. A click opens what it is about. */
import * as vscode from 'vscode';
import { headline, needsPersonNow, statusWords } from '../../views/model/headline.ts';
import { countWords, plain, usdWords } from '../../views/model/display-text.ts';
import { pipelineStatus } from '../../views/model/pipeline-nodes.ts';
import { pipelinesViewId, sprintViewId } from '../../views/model/views.ts';
import { commands } from './names.ts';
import type { PipelineStore } from './pipeline-store.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

export function createStatusBar(store: SprintStore, pipelines: PipelineStore): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('loop.status', vscode.StatusBarAlignment.Left, 50);
  item.name = 'Loop';
  const running = vscode.window.createStatusBarItem('loop.pipelines', vscode.StatusBarAlignment.Left, 49);
  running.name = t('Loop: pipelines');
  running.command = `${pipelinesViewId}.focus`;
  return vscode.Disposable.from(
    item,
    running,
    pipelines.onDidChange(() => showPipelines(running, pipelines)),
    store.onDidChange(() => update(item, store)),
    store.onDidAct(() => update(item, store)),
  );
}

function showPipelines(item: vscode.StatusBarItem, { running }: PipelineStore): void {
  const words = pipelineStatus(running);
  if (words === '') return item.hide();
  item.text = `$(sync~spin) Loop: ${words}`;
  item.tooltip = t('Pipelines that run in this window');
  item.show();
}

function update(item: vscode.StatusBarItem, { shown, queue }: SprintStore): void {
  if (!shown || (!shown.view && !shown.running)) return item.hide();
  const { view, running, activity } = shown;
  const look = view ? headline(view, running) : { icon: 'sync~spin', words: t('starting') };
  const words = view ? statusWords(view, running, activity) : look.words;
  const place = queue ? t(' · {0} of {1}', queue.at, queue.of) : '';
  item.text = `$(${look.icon}) Loop: ${plain(words, 80)}${place}`;
  // Without the seconds, which a screen reader would read each time.
  item.accessibilityInformation = { label: `Loop: ${look.words}${place}` };
  const needed = view !== null && needsPersonNow(view, running);
  // A notification disappears after some seconds; this colour stays.
  item.backgroundColor = needed ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  item.command = needed ? commands.answer : `${sprintViewId}.focus`;
  item.tooltip = view
    ? plain(
        t(
          'Sprint {0}: {1}. {2}, {3} tokens, {4} decisions left.',
          view.name,
          view.phase,
          usdWords(view.spend.usd),
          countWords(view.spend.tokens),
          view.fuel.left,
        ),
      )
    : t('The sprint is being opened');
  item.show();
}
