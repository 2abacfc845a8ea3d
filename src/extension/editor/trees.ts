/** The three trees of the Loop container, following the shown sprint; the badge says that a person is needed. */
import * as vscode from 'vscode';
import { verificationNodes } from '../../views/model/verification-nodes.ts';
import { headline, isUnfinished } from '../../views/model/headline.ts';
import { sprintNodes } from '../../views/model/sprint-nodes.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import { taskNodes } from '../../views/model/task-nodes.ts';
import type { TreeNode } from '../../views/model/tree-node.ts';
import { NodeTree } from './node-tree.ts';

/** What the trees show: a view and whether its sprint runs in this window. */
export interface ShownSprint {
  view: SprintView | null;
  running: boolean;
}

export interface TreeSource {
  readonly shown: ShownSprint | null;
  readonly onDidChange: vscode.Event<void>;
}

export function createTrees(
  source: TreeSource,
  ids: { sprint: string; tasks: string; verifications: string },
  openCommand: string,
): vscode.Disposable {
  const trees = { sprint: new NodeTree(openCommand), tasks: new NodeTree(openCommand), verifications: new NodeTree(openCommand) };
  const view = (id: string, tree: NodeTree): vscode.TreeView<TreeNode> =>
    vscode.window.createTreeView(id, { treeDataProvider: tree, showCollapseAll: true });
  const views = {
    sprint: view(ids.sprint, trees.sprint),
    tasks: view(ids.tasks, trees.tasks),
    verifications: view(ids.verifications, trees.verifications),
  };
  const update = (): void => {
    const { shown } = source;
    const sprint = shown?.view;
    const works = shown?.running === true || Boolean(sprint?.elsewhere);
    trees.sprint.show(sprint ? sprintNodes(sprint, works) : []);
    trees.tasks.show(sprint ? taskNodes(sprint, works) : []);
    trees.verifications.show(sprint ? verificationNodes(sprint) : []);
    decorate(views.sprint, shown);
  };
  return vscode.Disposable.from(...Object.values(views), ...Object.values(trees), source.onDidChange(update));
}

function decorate(tree: vscode.TreeView<TreeNode>, shown: ShownSprint | null): void {
  const view = shown?.view ?? null;
  const open = view && isUnfinished(view) ? view.humanActions.filter((p) => p.status === 'open').length : 0;
  tree.badge = open > 0 ? { value: open, tooltip: open === 1 ? 'Loop needs you' : `Loop needs you for ${open} things` } : undefined;
  tree.description = view && shown ? headline(view, shown.running).words : '';
  tree.message = (view && shown && messageOf(view, shown.running)) ?? '';
}

function messageOf(view: SprintView, running: boolean): string | undefined {
  if (view.elsewhere) return 'Another process runs this sprint; what it does is followed here.';
  if (running || !isUnfinished(view)) return undefined;
  if (view.ending === null) return 'This sprint does not run in this window. Resume goes on from its last step.';
  return 'This sprint stopped and can go on: choose Resume.';
}
