/** Tells once when most of the budget is used, and asks for a higher one where a sprint goes on with it. */
import * as vscode from 'vscode';
import { budgetShare, raisedBudget, warningShare, type RaisedBudget } from '../../views/model/budget.ts';
import { countWords, hoursWords, plain, usdWords } from '../../views/model/display-text.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import { t } from '../../views/words.ts';
import type { SprintStore } from './sprint-store.ts';

/** Once for each budget of a sprint: a raised one is told about again, and that of the next sprint in the same folder. */
export function warnOfBudget(store: SprintStore): vscode.Disposable {
  const told = new Set<string>();
  return store.onDidChange(() => {
    const { shown } = store;
    if (!shown?.running || !shown.view) return;
    const { name, branch, spend } = shown.view;
    const key = `${shown.dir} ${branch} ${spend.budgetUsd} ${spend.budgetTokens} ${spend.maxHours}`;
    if (budgetShare(spend) < warningShare || told.has(key)) return;
    told.add(key);
    const text = t(
      'Loop: {0} has used {1} of at most {2}. It stops there, and you can raise it then.',
      plain(name, 80),
      amounts(spend.usd, spend.tokens, spend.hours),
      amounts(spend.budgetUsd, spend.budgetTokens, spend.maxHours),
    );
    void vscode.window.showWarningMessage(text);
  });
}

/** @returns undefined where the person left. */
export async function askBudget(spend: SprintView['spend']): Promise<RaisedBudget | undefined> {
  const ways = [
    { label: t('Half as much again'), factor: 1.5 },
    { label: t('Twice as much'), factor: 2 },
    { label: t('Four times as much'), factor: 4 },
  ];
  const items = ways.map(({ label, factor }) => {
    const budget = raisedBudget(spend, factor);
    return {
      label,
      description: t('at most {0} in all', amounts(budget.budgetUsd, budget.budgetTokens, budget.maxHours)),
      budget,
    };
  });
  const title = t('Loop: Raise and Resume');
  const placeHolder = t('How much may it use in all? So far: {0}.', amounts(spend.usd, spend.tokens, spend.hours));
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.budget;
}

function amounts(usd: number, tokens: number, hours: number): string {
  return t('{0}, {1} tokens and {2}', usdWords(usd), countWords(tokens), hoursWords(hours));
}
