/** Tells once when most of the budget is used, and asks for a higher one where a sprint goes on with it. */
import * as vscode from 'vscode';
import { budgetShare, raisedBudget, warningShare } from '../../views/model/budget.ts';
import { countWords, plain, usdWords } from '../../views/model/display-text.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import { t } from '../../views/words.ts';
import type { SprintStore } from './sprint-store.ts';

/** Once for each budget of a sprint: a raised one is told about again. */
export function warnOfBudget(store: SprintStore): vscode.Disposable {
  const told = new Set<string>();
  return store.onDidChange(() => {
    const { shown } = store;
    if (!shown?.running || !shown.view) return;
    const { name, spend } = shown.view;
    const key = `${shown.dir} ${spend.budgetUsd} ${spend.budgetTokens}`;
    if (budgetShare(spend) < warningShare || told.has(key)) return;
    told.add(key);
    const [usd, tokens] = [usdWords(spend.usd), countWords(spend.tokens)];
    const most = t('{0} and {1} tokens', usdWords(spend.budgetUsd), countWords(spend.budgetTokens));
    const text = t(
      'Loop: {0} has used {1} and {2} tokens of at most {3}. It stops there, and you can raise it then.',
      plain(name, 80),
      usd,
      tokens,
      most,
    );
    void vscode.window.showWarningMessage(text);
  });
}

/** @returns undefined where the person left. */
export async function askBudget(spend: SprintView['spend']): Promise<{ budgetUsd: number; budgetTokens: number } | undefined> {
  const ways = [
    { label: t('Half as much again'), factor: 1.5 },
    { label: t('Twice as much'), factor: 2 },
    { label: t('Four times as much'), factor: 4 },
  ];
  const items = ways.map(({ label, factor }) => {
    const budget = raisedBudget(spend, factor);
    return {
      label,
      description: t('at most {0} and {1} tokens in all', usdWords(budget.budgetUsd), countWords(budget.budgetTokens)),
      budget,
    };
  });
  const title = t('Loop: Raise and Resume');
  const placeHolder = t('How much may it spend in all? {0} and {1} tokens are spent.', usdWords(spend.usd), countWords(spend.tokens));
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.budget;
}
