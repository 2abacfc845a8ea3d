/** Tells a number that counts (`2.1 The total is printed`) from one that is a word of its sentence (`404 page`, `1.5 GB of memory`). */
import type { Block } from './blocks.ts';

/**
 * A number without a mark stays where others count on from it, or where it stands alone before a title; it keeps its `bare` only then.
 * Others are words again. Linear.
 */
export function withoutStrayNumbers(blocks: readonly Block[]): Block[] {
  const sections = sectionsOf(blocks);
  const next = nextNumbers(blocks);
  /** The numbers of the last heading and of the last block that have one. */
  const before = { heading: '', any: '' };
  return blocks.map((block, index) => {
    const { label, words, kind } = block;
    if (label?.kind !== 'number') return block;
    const { id, bare } = label;
    if (bare !== undefined && !isCounted(block, id, sections, [before.heading, before.any, next[index] ?? '']))
      return isTitle(id, words) ? block : withoutNumber(block, bare);
    before.any = id;
    if (kind === 'heading') before.heading = id;
    return { ...block, label: { kind: 'number', id } };
  });
}

function withoutNumber(block: Block, bare: string): Block {
  // A line that only its number made an item is a paragraph.
  const kind = block.kind === 'item' && !block.marked ? 'paragraph' : block.kind;
  return { ...block, kind, label: undefined, words: `${bare}${block.words}` };
}

/** @param around the numbers that stand around it. */
function isCounted({ level, words, marked }: Block, id: string, sections: Sections, around: readonly string[]): boolean {
  const isBeside = (): boolean => around.some((other) => `${other}.`.startsWith(`${sectionOf(id)}.`));
  if (id.includes('.')) return !isAmount(words) && ((marked && sections.isUsual) || isBeside());
  if (Number(id) > mostSections) return false;
  const steps = Array.from({ length: gap }, (_, n) => n + 1);
  const beside = sections.plain.get(level);
  return sections.withDots.has(id) || steps.some((step) => beside?.has(Number(id) - step) || beside?.has(Number(id) + step));
}

/** Above it, plain numbers are years and codes. */
const mostSections = 99;
/** Numbers that were taken out leave a gap. */
const gap = 3;

/** A plain number alone is one only where it begins to count. */
function isTitle(id: string, words: string): boolean {
  return (id.includes('.') || id === '1') && !isAmount(words) && !/^\p{Ll}/u.test(words);
}

function isAmount(words: string): boolean {
  return units.has(words.split(/\s/, 1)[0] ?? '');
}

const units = new Set('% ‰ ° °C °F € $ £ × GB MB KB TB GHz MHz Gbit Mbit USD EUR'.split(' '));

interface Sections {
  /** By the level of headings, their plain numbers. */
  plain: ReadonlyMap<number, ReadonlySet<number>>;
  /** `2` where `2.1` is there. */
  withDots: ReadonlySet<string>;
  /** The author numbers items so, without a mark: one counts on from another. */
  isUsual: boolean;
}

function sectionsOf(blocks: readonly Block[]): Sections {
  const plain = new Map<number, Set<number>>();
  const withDots = new Set<string>();
  const items = new Set<string>();
  for (const { label, level, marked } of blocks) {
    if (label?.kind !== 'number') continue;
    const section = sectionOf(label.id);
    if (section === '') plain.set(level, (plain.get(level) ?? new Set()).add(Number(label.id)));
    else withDots.add(section);
    if (marked && section !== '' && label.bare !== undefined) items.add(label.id);
  }
  return { plain, withDots, isUsual: [...items].some((id) => items.has(followerOf(id))) };
}

function followerOf(id: string): string {
  const section = sectionOf(id);
  return `${section}.${Number(id.slice(section.length + 1)) + 1}`;
}

function sectionOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

/** By the index of a block, the number of the next one behind it that has one. */
function nextNumbers(blocks: readonly Block[]): string[] {
  const next: string[] = [];
  for (let index = blocks.length - 1, number = ''; index >= 0; index -= 1) {
    next[index] = number;
    const label = blocks[index]?.label;
    if (label?.kind === 'number') number = label.id;
  }
  return next;
}
