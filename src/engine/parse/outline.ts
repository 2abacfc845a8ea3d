/** The sections of a document: which heading stands above what, and what the headings say about it. */
import { boldLevel, type Block } from './blocks.ts';
import { kindOfHeading, markedKind, type Kind } from './section-kinds.ts';

export interface Placed extends Block {
  index: number;
  /** The index behind the last block that belongs to it: for a heading its section, for an item what is indented below it. */
  end: number;
  /** By its own mark, its heading's words, or what stands above; undefined where nothing tells. */
  of: Kind | undefined;
  /** What its own words or mark say. */
  own: Kind | undefined;
  /** Below an item, and not beside it. */
  isNested: boolean;
}

export function outlineOf(blocks: readonly Block[]): Placed[] {
  const ends = endsOf(blocks);
  const title = titleOf(blocks);
  const above: Placed[] = [];
  return blocks.map((block, index) => {
    while (above.length > 0 && (above.at(-1)?.end ?? 0) <= index) above.pop();
    const { kind, words } = markedKind(block.words);
    const own =
      kind ??
      (block.kind !== 'heading' && contents.test(words) ? 'background' : undefined) ??
      (block.kind === 'heading' && block !== title ? kindOfHeading(words) : undefined);
    const parent = above.at(-1);
    const of = own === 'subject' ? (parent?.of ?? own) : (own ?? parent?.of);
    // A number in what explains or limits is no id of a requirement.
    const label = isElsewhere(of) ? undefined : block.label;
    const placed = { ...block, label, words, index, end: ends[index] ?? index + 1, of, own, isNested: parent?.kind === 'item' };
    if (placed.end > index + 1) above.push(placed);
    return placed;
  });
}

/** A link to a section, and nothing else: a line of a table of contents. */
const contents = /^\[[^\]]*\]\(#[^)]*\)$/;

/** Where nothing is a requirement. */
export function isElsewhere(of: Kind | undefined): boolean {
  return of === 'background' || of === 'constraint' || of === 'stack';
}

/** The one heading of the first level above all others names the document. */
function titleOf(blocks: readonly Block[]): Block | undefined {
  const headings = blocks.filter(({ kind }) => kind === 'heading');
  const isTitle = headings.length > 1 && headings[0]?.level === 1 && headings.every(({ level }, index) => index === 0 || level > 1);
  return isTitle && headings[0]?.label === undefined ? headings[0] : undefined;
}

/** Linear: each block is put on the stack and taken from it once. */
function endsOf(blocks: readonly Block[]): number[] {
  const ends = blocks.map(() => blocks.length);
  const open: number[] = [];
  for (const [index, block] of blocks.entries()) {
    while (open.length > 0) {
      const last = open.at(-1) ?? 0;
      const before = blocks[last];
      if (before && holds(before, block)) break;
      ends[last] = index;
      open.pop();
    }
    open.push(index);
  }
  return ends;
}

function holds(above: Block, block: Block): boolean {
  if (above.kind === 'heading')
    return block.kind !== 'heading' || block.level > above.level || (above.level < boldLevel && block.level === boldLevel);
  return above.kind === 'item' && block.kind !== 'heading' && block.indent > above.indent;
}
