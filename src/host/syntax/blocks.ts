/**
 * A grammar that stumbles takes all that follows for one error, so a single line that it does not know hides the rest of a file. Each
 * block of the file read by itself loses itself at most. A block begins at the margin, behind an empty line.
 */
import type { SourceNode, SourceTree } from '../../engine/prove/source-tree.ts';

export interface Block {
  text: string;
  /** Where it begins in the file. */
  from: number;
}

export function blocksOf(text: string): Block[] {
  const starts = [0, ...[...text.matchAll(beginning)].map(({ index }) => index)];
  return starts.map((from, i) => ({ from, text: text.slice(from, starts[i + 1]) }));
}

/** No sign or word that ends something which began before. */
const beginning = /(?<=^[ \t]*\r?\n)(?![\s)\]}]|(?:fi|done|esac|else|elif|then|do|in|end|except|finally|catch)\b)/gm;

/** The tree of a file whose blocks were read. @param trees in their order, each with its block. */
export function joined(length: number, trees: readonly { block: Block; tree: SourceTree }[]): SourceTree {
  const type = trees.map(({ tree }) => tree.nodes[0]?.type).find((one) => one !== 'ERROR') ?? 'ERROR';
  const nodes: SourceNode[] = [{ type, named: true, field: undefined, from: 0, to: length, parent: -1 }];
  for (const { block, tree } of trees) {
    // The root of a block is that of the file; where it is an error, it stays as one.
    const roots = tree.nodes[0]?.type === 'ERROR' ? 0 : 1;
    const offset = nodes.length - roots;
    for (const node of tree.nodes.slice(roots))
      nodes.push({
        ...node,
        from: node.from + block.from,
        to: node.to + block.from,
        parent: node.parent < roots ? 0 : node.parent + offset,
      });
  }
  return { nodes, errors: trees.reduce((sum, { tree }) => sum + tree.errors, 0) };
}

/** Characters that stand in an error. */
export function unread({ nodes }: SourceTree): number {
  let [sum, end] = [0, 0];
  for (const { type, from, to } of nodes)
    if (type === 'ERROR' && to > end) {
      sum += to - Math.max(from, end);
      end = to;
    }
  return sum;
}
