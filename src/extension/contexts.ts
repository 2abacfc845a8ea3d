/** Keeps the context keys of `when` clauses in step with the store; tells the editor only what changed. */
import * as vscode from 'vscode';
import { needsPerson } from '../views/model/headline.ts';
import { contexts, type ContextName } from './names.ts';
import type { SprintStore } from './sprint-store.ts';

export class ContextKeys {
  private readonly told = new Map<ContextName, boolean>();

  follow(store: SprintStore): vscode.Disposable {
    return store.onDidChange(() => this.update(store));
  }

  set(name: ContextName, value: boolean): void {
    if (this.told.get(name) === value) return;
    this.told.set(name, value);
    void vscode.commands.executeCommand('setContext', contexts[name], value);
  }

  private update(store: SprintStore): void {
    const { shown, resumable } = store;
    const view = shown?.view ?? null;
    const values: Partial<Record<ContextName, boolean>> = {
      hasSprint: view !== null,
      running: shown?.running === true,
      resumable,
      finishable: view?.finished === null && view.elsewhere === null && shown?.running === false,
      needsPerson: view !== null && needsPerson(view),
      hasChecks: view !== null && view.categories.length > 0,
    };
    for (const [name, value] of Object.entries(values)) this.set(name as ContextName, value);
  }
}
