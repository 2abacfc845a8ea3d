/** A parsed file as plain data. The nodes are flat, in the order of the text, so that no depth of nesting can overflow a stack. */

export interface SourceNode {
  type: string;
  /** A rule of the grammar, and no keyword or sign. */
  named: boolean;
  /** What it is to its parent, where the grammar says so. */
  field: string | undefined;
  from: number;
  to: number;
  /** Index of the parent; -1 for the root. */
  parent: number;
}

export interface SourceTree {
  nodes: readonly SourceNode[];
  /** How often the parser found something else than the grammar allows. */
  errors: number;
}

export interface Range {
  from: number;
  to: number;
}

/** A tree with its text, for looking around in. */
export class Source {
  readonly nodes: readonly SourceNode[];
  private readonly below: number[][];
  private readonly named: (number[] | undefined)[] = [];

  constructor(
    readonly text: string,
    tree: SourceTree,
  ) {
    this.nodes = tree.nodes;
    this.below = tree.nodes.map(() => []);
    for (const [index, { parent }] of tree.nodes.entries()) this.below[parent]?.push(index);
  }

  at(index: number): SourceNode {
    return this.nodes[index] ?? nowhere;
  }

  parentOf(index: number): SourceNode {
    return this.at(this.at(index).parent);
  }

  childrenOf(index: number): readonly number[] {
    return this.below[index] ?? [];
  }

  /** Without signs, keywords and comments. */
  namedOf(index: number): readonly number[] {
    return (this.named[index] ??= this.childrenOf(index).filter((child) => this.at(child).named && !isComment(this.typeOf(child))));
  }

  /** The one before among those of its parent that are named. Fast where there are thousands. */
  beforeOf(index: number): number | undefined {
    return this.beside(index, -1);
  }

  afterOf(index: number): number | undefined {
    return this.beside(index, 1);
  }

  private beside(index: number, step: 1 | -1): number | undefined {
    const all = this.namedOf(this.at(index).parent);
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return all[low] === index ? all[low + step] : undefined;
  }

  fieldOf(index: number, field: string): number | undefined {
    return this.childrenOf(index).find((child) => this.at(child).field === field);
  }

  typeOf(index: number): string {
    return this.at(index).type;
  }

  textOf(index: number): string {
    const { from, to } = this.at(index);
    return this.text.slice(from, to);
  }
}

const nowhere: SourceNode = { type: '', named: false, field: undefined, from: 0, to: 0, parent: -1 };

/** Where the comments are. */
export function commentsOf(tree: SourceTree): Range[] {
  return tree.nodes.filter(({ type, named }) => named && isComment(type)).map(({ from, to }) => ({ from, to }));
}

export function isComment(type: string): boolean {
  return /^(line_|block_|multiline_|html_)?comment$/.test(type);
}

/** The text with each of these ranges, which do not overlap, replaced. */
export function edited(text: string, edits: readonly (Range & { now: string })[]): string {
  let done = '';
  let at = 0;
  for (const { from, to, now } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    done += text.slice(at, from) + now;
    at = to;
  }
  return done + text.slice(at);
}
