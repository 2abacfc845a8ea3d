/** The one tree provider: shows the nodes of a pure model, with stable ids and inert text. */
import * as vscode from 'vscode';
import type { Opens, TreeNode } from '../../views/model/tree-node.ts';

export class NodeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private roots: TreeNode[] = [];
  private readonly parents = new Map<string, TreeNode>();
  private shownJson = '';

  /** @param openCommand runs on a click, with `Opens` as its argument. */
  constructor(private readonly openCommand: string) {}

  /** Replaces the nodes; does nothing when they are equal. */
  show(roots: TreeNode[]): void {
    const shownJson = JSON.stringify(roots);
    if (shownJson === this.shownJson) return;
    this.shownJson = shownJson;
    this.roots = roots;
    this.parents.clear();
    for (const root of roots) this.remember(root);
    this.changed.fire();
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
    if (node.tooltip.length > 0) item.tooltip = tooltipOf(node.tooltip);
    if (node.opens) item.command = this.commandOf(node.opens);
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private commandOf(opens: Opens): vscode.Command {
    return { command: this.openCommand, title: 'Open', arguments: [opens] };
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

/** `appendText` escapes, so text of a model cannot become a link, a picture or a command. */
function tooltipOf(paragraphs: string[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const [index, text] of paragraphs.entries()) {
    if (index > 0) markdown.appendMarkdown('\n\n');
    markdown.appendText(text);
  }
  return markdown;
}
