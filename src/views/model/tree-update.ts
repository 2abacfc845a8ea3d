/** What of a tree must be drawn again: the editor knows a row by its object, so rows that stay keep theirs. */
import type { TreeNode } from './tree-node.ts';

export interface TreeUpdate {
  /** The new rows; a row that was shown at this place is the same object, with its new content. */
  nodes: TreeNode[];
  /** Rows below which something differs, the highest of each branch. */
  changed: TreeNode[];
  /** The rows at the top are others than before. */
  isOther: boolean;
}

/** @param shown the rows that are shown; those that stay are changed in place. */
export function updateTree(shown: readonly TreeNode[], next: readonly TreeNode[]): TreeUpdate {
  const known = new Map(shown.map((node) => [node.id, node]));
  const changed: TreeNode[] = [];
  const nodes = next.map((node) => {
    const old = known.get(node.id);
    if (!old) return node;
    const below = updateTree(old.children, node.children);
    if (below.isOther || rowOf(old) !== rowOf(node)) changed.push(old);
    else changed.push(...below.changed);
    return Object.assign(old, node, { children: below.nodes });
  });
  const isOther = nodes.length !== shown.length || nodes.some((node, index) => node !== shown[index]);
  return { nodes, changed, isOther };
}

function rowOf(node: TreeNode): string {
  return JSON.stringify({ ...node, children: [] });
}
