/** The trees of the Loop container, which show the same sprint; a badge counts the open human actions. */
import * as vscode from 'vscode';
import { headline, isUnfinished } from '../../views/model/headline.ts';
import type { ActivityView } from '../../views/model/activity.ts';
import type { SprintView } from '../../views/model/sprint-view.ts';
import type { TreeNode } from '../../views/model/tree-node.ts';
import { sprintViewId, views } from '../../views/model/views.ts';
import { NodeTree } from './node-tree.ts';
import { t } from '../../views/words.ts';

/** A view, and whether its sprint runs in this window. */
export interface ShownSprint {
  view: SprintView | null;
  running: boolean;
  activity: ActivityView | null;
  broke: string | null;
}

export interface TreeSource {
  readonly shown: ShownSprint | null;
  readonly onDidChange: vscode.Event<void>;
  /** Only what is done now has changed. */
  readonly onDidAct: vscode.Event<void>;
}

export function createTrees(source: TreeSource, openCommand: string): vscode.Disposable {
  const trees = Object.entries(views).map(([id, nodesOf]) => {
    const nodes = new NodeTree(openCommand);
    const tree = vscode.window.createTreeView(id, { treeDataProvider: nodes, showCollapseAll: true });
    return { id, nodesOf, nodes, tree };
  });
  const update = (): void => {
    const { shown } = source;
    const sprint = shown?.view;
    const isRunning = shown?.running === true || Boolean(sprint?.elsewhere);
    for (const { id, nodesOf, nodes, tree } of trees) {
      nodes.show(sprint ? nodesOf(sprint, isRunning, { activity: shown.activity, broke: shown.broke }) : []);
      if (id === sprintViewId) decorate(tree, shown);
    }
  };
  const act = (): void => {
    const { shown } = source;
    for (const { id, nodesOf, nodes } of trees)
      if (id === sprintViewId && shown?.view) nodes.show(nodesOf(shown.view, true, { activity: shown.activity, broke: null }));
  };
  return vscode.Disposable.from(...trees.flatMap(({ nodes, tree }) => [tree, nodes]), source.onDidChange(update), source.onDidAct(act));
}

function decorate(tree: vscode.TreeView<TreeNode>, shown: ShownSprint | null): void {
  const view = shown?.view ?? null;
  const open = view && isUnfinished(view) ? view.humanActions.filter(({ status }) => status === 'open').length : 0;
  tree.badge = open > 0 ? { value: open, tooltip: open === 1 ? t('Loop needs you') : t('Loop needs you for {0} things', open) } : undefined;
  tree.description = view && shown ? headline(view, shown.running).words : '';
  tree.message = (view && shown && messageOf(view, shown.running)) ?? '';
}

function messageOf(view: SprintView, running: boolean): string | undefined {
  if (view.elsewhere) return t('Another process runs this sprint; this view follows it.');
  if (running || !isUnfinished(view)) return undefined;
  if (view.ending === null) return t('This sprint does not run in this window. Resume goes on from its last step.');
  return t('This sprint stopped and can go on: choose Resume.');
}
