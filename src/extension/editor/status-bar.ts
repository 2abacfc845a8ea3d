/** The status-bar item: the state of the sprint in a few words; a click opens what needs the person. Hidden without a sprint. */
import * as vscode from 'vscode';
import { headline, needsPersonNow, statusWords } from '../../views/model/headline.ts';
import { countWords, plain, usdWords } from '../../views/model/display-text.ts';
import { sprintViewId } from '../../views/model/views.ts';
import { commands } from './names.ts';
import type { SprintStore } from './sprint-store.ts';
import { t } from '../../views/words.ts';

export function createStatusBar(store: SprintStore): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('loop.status', vscode.StatusBarAlignment.Left, 50);
  item.name = 'Loop';
  return vscode.Disposable.from(
    item,
    store.onDidChange(() => update(item, store)),
    store.onDidAct(() => update(item, store)),
  );
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
