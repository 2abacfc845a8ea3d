/** Sets the context keys of `when` clauses from the store; sends the editor only keys that changed. */
import * as vscode from 'vscode';
import { needsPerson } from '../../views/model/headline.ts';
import { contexts, type ContextName } from './names.ts';
import type { PipelineStore } from './pipeline-store.ts';
import type { SprintStore } from './sprint-store.ts';

export class ContextKeys {
  /** The last value of each key, as JSON. */
  private readonly sent = new Map<ContextName, string>();

  /** Sends them at once: the editor still has those of an extension host that has ended, as where another folder comes first. */
  follow(store: SprintStore): vscode.Disposable {
    this.update(store);
    return store.onDidChange(() => this.update(store));
  }

  /** As `follow`. */
  followPipelines(pipelines: PipelineStore): vscode.Disposable {
    const update = (): void => this.set('pipelineRunning', pipelines.running.length > 0);
    update();
    return pipelines.onDidChange(update);
  }

  set(name: ContextName, value: boolean | string[]): void {
    const text = JSON.stringify(value);
    if (this.sent.get(name) === text) return;
    this.sent.set(name, text);
    void vscode.commands.executeCommand('setContext', contexts[name], value);
  }

  private update(store: SprintStore): void {
    const { shown, resumable } = store;
    const view = shown?.view ?? null;
    const verifications = (view?.categories ?? []).flatMap((category) => category.verifications);
    const values: Partial<Record<ContextName, boolean | string[]>> = {
      hasSprint: view !== null,
      running: shown?.running === true,
      elsewhere: view !== null && view.elsewhere !== null,
      resumable,
      finishable: view?.finished === null && view.elsewhere === null && shown?.running === false,
      needsPerson: view !== null && needsPerson(view),
      planWaits:
        view !== null && needsPerson(view) && view.humanActions.some(({ kind, status }) => kind === 'approval' && status === 'open'),
      hasVerifications: verifications.length > 0,
      editable: verifications.filter(({ mayEdit }) => mayEdit).map(({ id }) => id),
    };
    for (const [name, value] of Object.entries(values)) this.set(name as ContextName, value);
  }
}
