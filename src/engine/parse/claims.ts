/** Decides which blocks of a document are requirements and which constraints. What it does not claim explains. */
import { idsOf } from './requirement-ids.ts';
import { demands, isOptional, kindOfHeading, limits, namesGoals, staysAsItIs } from './section-kinds.ts';
import { isElsewhere, type Placed } from './outline.ts';
import { tellingMore } from './repeated-ids.ts';

export interface Claim {
  /** `more` says more of the requirement with its id, which stands above. */
  kind: 'requirement' | 'constraint' | 'more';
  block: Placed;
  /** The id that stands in the text. */
  id: string | undefined;
  /** The index behind the last block that belongs to it. */
  end: number;
}

export interface Claims {
  claims: Claim[];
  /** Everything that has an id in the text, also sections. */
  ids: { id: string; line: number }[];
}

export function claimsOf(blocks: readonly Placed[]): Claims {
  const ids = idsOf(blocks);
  const more = tellingMore(blocks, ids);
  const leaves = leavesOf(blocks, new Map([...ids].filter(([block]) => !more.has(block))));
  const second = blocks.filter(({ kind }) => kind === 'heading')[1]?.index ?? blocks.length;
  const ground = { ids, leaves, more, prose: onlyProse(blocks), next: nextHeadings(blocks), second };
  // A number that stands alone, without a mark, is no sign that the author numbers what must be true.
  const hasIds = leaves.size > 1 || [...leaves].some(({ label }) => label?.bare === undefined);
  const found = walk(blocks, { ...ground, mode: hasIds ? 'ids' : 'words' });
  const isEmpty = !found.some(({ kind }) => kind === 'requirement');
  const claims = isEmpty ? walk(blocks, { ...ground, mode: 'lists' }) : found;
  return { claims, ids: [...ids].flatMap(([block, id]) => (more.has(block) ? [] : [{ id, line: block.line }])) };
}

/** What has an id and is no section: no id below it goes on with its own, and it does not only name a list. */
function leavesOf(blocks: readonly Placed[], ids: ReadonlyMap<Placed, string>): Set<Placed> {
  const parents = new Set([...ids.values()].flatMap((id) => prefixesOf(id)));
  const codes = [...ids.keys()].some(({ label }) => label?.kind === 'code');
  const leaves = [...ids].flatMap(([block, id]) => {
    if (parents.has(id)) return [];
    if (block.kind !== 'heading') return [block];
    const below = blocks.slice(block.index + 1, block.end);
    const isChapter =
      codes && block.label?.kind === 'number' && !/^(?:req|anf)/i.test(block.words) && below.every((b) => b.label?.kind !== 'number');
    const holdsIds = below.some((b) => ids.has(b) && (b.label?.kind === 'code' || b.kind === 'row'));
    const isList = kindOfHeading(block.words) === 'requirement' && below.some(({ kind }) => kind !== 'paragraph' && kind !== 'heading');
    return isChapter || holdsIds || isList || namesGoals(block.words) ? [] : [block];
  });
  return new Set(leaves);
}

/** `2` and `2.1` for `2.1.3`. */
function prefixesOf(id: string): string[] {
  const parts = id.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}

interface Ground {
  ids: ReadonlyMap<Placed, string>;
  leaves: ReadonlySet<Placed>;
  /** Blocks that say more of a requirement above them. */
  more: ReadonlySet<Placed>;
  /** Paragraphs that stand where a list of requirements could. */
  prose: ReadonlySet<Placed>;
  /** By the index of a block, that of the heading behind it; found once, since each line may ask. */
  next: readonly number[];
  /** The index of the second heading. */
  second: number;
  /** What else is a requirement: below headings that say so; sentences that demand; or each list, where nothing else is there. */
  mode: 'ids' | 'words' | 'lists';
}

function walk(blocks: readonly Placed[], ground: Ground): Claim[] {
  const claims: Claim[] = [];
  for (let index = 0; index < blocks.length;) {
    const block = blocks[index];
    if (!block) break;
    const claim = claimed(block, blocks, ground);
    if (claim) claims.push(claim);
    const isTaken = block.kind === 'item' && !isElsewhere(block.of) && !claim && !ground.ids.has(block);
    index = claim?.end ?? (isTaken ? untilId(blocks, block, ground, block.end) : index + 1);
  }
  return claims;
}

function claimed(block: Placed, blocks: readonly Placed[], ground: Ground): Claim | undefined {
  const { ids, leaves, more } = ground;
  if (more.has(block)) return { kind: 'more', block, id: ids.get(block), end: untilId(blocks, block, ground, block.end) };
  if (leaves.has(block)) return { kind: 'requirement', block, id: ids.get(block), end: endOfLeaf(block, blocks, ground) };
  if (ids.has(block) || block.of === 'background') return undefined;
  const claim = { block, id: undefined, end: block.kind === 'heading' ? block.end : untilId(blocks, block, ground, block.end) };
  if (block.kind === 'heading') return isWhole(block, blocks, ground) ? { ...claim, kind: 'requirement' } : undefined;
  const leadsTo = /:\W*$/.test(block.words) && ['item', 'row'].includes(blocks[block.end]?.kind ?? '');
  if (block.of === 'constraint' || block.of === 'stack') {
    const says = block.cells.length > 0 ? block.cells.map(([, cell]) => cell).join(' ') : block.words;
    if (block.isNested || (block.kind === 'paragraph' && leadsTo)) return undefined;
    return block.of === 'constraint' || limits(says) ? { ...claim, kind: 'constraint' } : undefined;
  }
  if (isRequirement(block, blocks, ground, leadsTo)) return { ...claim, kind: 'requirement' };
  const says =
    block.kind === 'paragraph' && (block.words.split(sentenceEnd).some(staysAsItIs) || (isLead(block, ground) && limits(block.words)));
  return says ? { ...claim, kind: 'constraint' } : undefined;
}

/** Below the title, before any section: it mostly says of what, and without what, all of it is built. */
function isLead({ index, of }: Placed, { second }: Ground): boolean {
  return of === undefined && index < second;
}

const sentenceEnd = /(?<=[.!?])\s+/;

/** A bare `2.1 …` holds all up to the next heading, and an item of a list what stands as deep below it and says nothing by itself. */
function endOfLeaf(block: Placed, blocks: readonly Placed[], ground: Ground): number {
  const isBare = !block.marked && block.kind !== 'heading' && block.kind !== 'row';
  let end = untilId(blocks, block, ground, isBare ? (ground.next[block.index] ?? block.end) : block.end);
  if (!block.marked || end < block.end) return end;
  for (let next = blocks[end]; next && isTextOf(block, next, blocks, ground); next = blocks[end]) end = next.end;
  return end;
}

function isTextOf(item: Placed, next: Placed, blocks: readonly Placed[], ground: Ground): boolean {
  if (next.kind === 'heading' || next.indent < item.indent || next.own !== undefined || ground.ids.has(next)) return false;
  return untilId(blocks, next, ground, next.end) === next.end && !claimed(next, blocks, ground);
}

function nextHeadings(blocks: readonly Placed[]): number[] {
  const next: number[] = [];
  for (let index = blocks.length - 1, heading = blocks.length; index >= 0; index -= 1) {
    next[index] = heading;
    if (blocks[index]?.kind === 'heading') heading = index;
  }
  return next;
}

/** Nothing holds what has an id of its own, or another word about what it is. */
function untilId(blocks: readonly Placed[], block: Placed, { ids }: Ground, end: number): number {
  for (let index = block.index + 1; index < end; index += 1) {
    const inner = blocks[index];
    if (inner && (ids.has(inner) || (inner.own !== undefined && inner.kind !== 'heading'))) return index;
  }
  return end;
}

/** A heading that is a requirement with all below it. */
function isWhole(block: Placed, blocks: readonly Placed[], { mode }: Ground): boolean {
  if (isElsewhere(block.of)) return false;
  if (/^(?:Requirement|Anforderung|Scenario|Szenario):\s/.test(block.words)) return true;
  if (mode === 'ids' || block.of !== 'requirement' || block.own !== undefined) return false;
  const below = blocks.slice(block.index + 1, block.end);
  return below.length > 0 && below.every(({ kind, words }) => kind === 'paragraph' && !demands(words));
}

const story = /^\W*(?:user story\W+)?(?:as an? |als (?:ein|eine|einer)? ?\p{L}+\W+(?:möchte|will) )/iu;

function isRequirement(block: Placed, blocks: readonly Placed[], { mode, prose }: Ground, leadsTo: boolean): boolean {
  const { kind, of, words, isNested } = block;
  if (block.own === 'requirement' || kind === 'scenario') return true;
  if (isNested || isOptional(words)) return false;
  if (kind === 'item' || kind === 'row') {
    if (of === 'requirement' || (mode === 'lists' && of !== 'subject')) return true;
    return mode === 'words' && (demands(words) || (kind === 'item' && story.test(words)));
  }
  if (mode !== 'words' || leadsTo) return false;
  if (story.test(words)) return !holdsLists(blocks, block);
  return demands(words) || (of === 'requirement' && prose.has(block));
}

/** Whether a list follows in the same section, which then says when the story is done. */
function holdsLists(blocks: readonly Placed[], block: Placed): boolean {
  for (const next of blocks.slice(block.index + 1)) {
    if (next.kind === 'heading' && !/^accept|^akzeptanz|^abnahme/i.test(next.words)) return false;
    if (next.kind === 'item' || next.kind === 'row' || next.kind === 'scenario') return true;
  }
  return false;
}

/** What stands directly below headings that say "Requirements", where no list is. */
function onlyProse(blocks: readonly Placed[]): Set<Placed> {
  const sections = blocks.filter(({ kind, own }) => kind === 'heading' && own === 'requirement');
  const below = sections.map(({ index, end }) => blocks.slice(index + 1, end));
  return new Set(below.filter((section) => section.every(({ kind }) => kind === 'paragraph')).flat());
}
