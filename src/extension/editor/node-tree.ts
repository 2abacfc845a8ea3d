/** The one tree provider: shows the nodes of a pure model, with stable ids and inert text. */
import * as vscode from 'vscode';
import type { Opens, TreeNode } from '../../views/model/tree-node.ts';
import { updateTree } from '../../views/model/tree-update.ts';
import { t } from '../../views/words.ts';

export class NodeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private roots: TreeNode[] = [];
  private readonly parents = new Map<string, TreeNode>();

  /** @param openCommand runs on a click, with `Opens` as its argument. */
  constructor(private readonly openCommand: string) {}

  /** Replaces the nodes, and draws only rows that differ. */
  show(roots: TreeNode[]): void {
    const { nodes, changed, isOther } = updateTree(this.roots, roots);
    this.roots = nodes;
    this.parents.clear();
    for (const root of nodes) this.remember(root);
    if (isOther) this.changed.fire(undefined);
    else if (changed.length > 0) this.changed.fire(changed);
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return node ? node.children : this.roots;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.parents.get(node.id);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = new vscode.TreeItem(node.label, stateOf(node));
    item.id = node.id;
    item.description = node.description;
    item.contextValue = node.context;
    if (node.icon) item.iconPath = iconOf(node.icon);
    if (node.spoken) item.accessibilityInformation = { label: node.spoken };
    // Plain text: nothing of a model becomes a link, a picture or a command, and no word is broken.
    if (node.tooltip.length > 0) item.tooltip = node.tooltip.join('\n\n');
    if (node.opens) item.command = this.commandOf(node.opens);
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private commandOf(opens: Opens): vscode.Command {
    return { command: this.openCommand, title: t('Open'), arguments: [opens] };
  }

  private remember(node: TreeNode): void {
    for (const child of node.children) {
      this.parents.set(child.id, node);
      this.remember(child);
    }
  }
}

function stateOf({ children, expanded }: TreeNode): vscode.TreeItemCollapsibleState {
  if (children.length === 0) return vscode.TreeItemCollapsibleState.None;
  return expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

function iconOf({ icon, colour }: { icon: string; colour: string | null }): vscode.ThemeIcon {
  return colour === null ? new vscode.ThemeIcon(icon) : new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
}
