/** The Pipelines tree. Runs are read when the view is first shown, so that activation does not wait for them. */
import * as vscode from 'vscode';
import { pipelineNodes } from '../../views/model/pipeline-nodes.ts';
import { pipelinesViewId } from '../../views/model/views.ts';
import { NodeTree } from './node-tree.ts';
import type { PipelineStore } from './pipeline-store.ts';
import { t } from '../../views/words.ts';

export function createPipelinesTree(
  pipelines: PipelineStore,
  openCommand: string,
  reporting: (work: () => Promise<void>) => Promise<void>,
): vscode.Disposable {
  const nodes = new NodeTree(openCommand);
  const tree = vscode.window.createTreeView(pipelinesViewId, { treeDataProvider: nodes, showCollapseAll: true });
  let isLoaded = false;
  const load = (): void => {
    if (isLoaded || !tree.visible) return;
    isLoaded = true;
    void reporting(() => pipelines.load());
  };
  const update = (): void => {
    nodes.show(pipelineNodes(pipelines.shown));
    const running = pipelines.running.length;
    tree.description = running === 0 ? '' : t('{0} running', running);
  };
  load();
  return vscode.Disposable.from(tree, nodes, tree.onDidChangeVisibility(load), pipelines.onDidChange(update));
}
