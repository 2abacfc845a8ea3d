/** Which id a requirement has: the one that stands in the text, or one made of its words. */
import { normalizeRequirementId } from '../work/requirement.ts';
import { boldLevel, type Block } from './blocks.ts';
import type { Label } from './labels.ts';

/**
 * The ids that stand in the text. `1.` under heading 2 is 2.1, and so is one that is indented below item 2; a number that has dots
 * already is kept; a number under US-2 is US-2.1. Where plain numbers would be there twice, those below deeper headings get the
 * number of the numbered heading above them, or else all get the words of their heading: `login.1`.
 */
export function idsOf<B extends Block>(blocks: readonly B[]): Map<B, string> {
  const codes = blocks.some(({ label, level }) => label?.kind === 'code' && level !== 1);
  let best = numberedIn(blocks, codes, 'near');
  for (const by of ['deep', 'named'] as const) {
    if (twiceIn(best) === 0) break;
    const other = numberedIn(blocks, codes, by);
    if (twiceIn(other) < twiceIn(best)) best = other;
  }
  return best;
}

/**
 * Names requirements by their words: `export-writes-semicolons`, then `export-writes-semicolons-2`. An id that was given is taken.
 * @param taken ids that nothing gets.
 */
export function idsOfWords(taken: Set<string>): (title: string) => string {
  /** The next number to try, so that thousands of rows with one title do not each try all numbers before. */
  const next = new Map<string, number>();
  return (title) => {
    const own = wordsOf(title);
    for (let n = next.get(own) ?? 1; ; n += 1) {
      const id = n === 1 ? own : `${own}-${n}`;
      if (taken.has(id)) continue;
      taken.add(id);
      next.set(own, n + 1);
      return id;
    }
  };
}

/** The first long words of a title, which stay when the text around it changes. */
function wordsOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}\p{M}]+(?:[_-][\p{L}\p{N}\p{M}]+)*/gu) ?? [];
  const long = words.filter((word) => word.length > 3);
  const most = Array.from((long.length > 1 ? long : words).slice(0, 4).join('-'))
    .slice(0, 40)
    .join('')
    .replace(/[-_]+$/, '');
  return /^\p{L}/u.test(most) && !/^v\d+$/.test(most) ? normalizeRequirementId(most) : `requirement${most === '' ? '' : `-${most}`}`;
}

interface Above {
  level: number;
  label: Label;
  id: string;
}

/** An item that others may stand below. */
interface Item {
  indent: number;
  kind: Label['kind'];
  id: string;
  hasChildren: boolean;
}

/**
 * @param by what a number gets before it: that of its own heading; `deep`, that of the numbered heading above it, also below a deeper
 * heading without a number; `named`, the words of its heading.
 */
function numberedIn<B extends Block>(blocks: readonly B[], codes: boolean, by: 'near' | 'deep' | 'named'): Map<B, string> {
  const ids = new Map<B, string>();
  const nameOf = idsOfWords(new Set());
  let above: Above[] = [];
  let isNear = false;
  let heading: { words: string; name?: string } | undefined;
  const items: Item[] = [];
  for (const block of blocks) {
    const { kind, level, label, indent, words } = block;
    if (kind === 'heading') {
      above = above.filter((one) => one.level < level);
      isNear = label !== undefined || (isNear && level === boldLevel);
      heading = { words };
      items.length = 0;
    } else while (indent <= (items.at(-1)?.indent ?? -1)) items.pop();
    if (!label || (label.kind === 'story' && codes)) continue;
    const over = above.at(-1);
    const section = over && (isNear || by === 'deep' || over.label.kind !== 'number') ? over : undefined;
    const item = items.find((one) => one.kind === 'code');
    const parent = item ? undefined : parentOf(block, label, items);
    const own = parent ? `${parent.id}.${label.id}` : idUnder(block, label, { section, item, codes, inNumbered: above.length > 0 });
    if (own === undefined) continue;
    if (parent) parent.hasChildren = true;
    const isPlain = kind !== 'heading' && label.kind === 'number' && own === label.id && !own.includes('.');
    if (by === 'named' && isPlain && heading) heading.name ??= nameOf(heading.words);
    const id = isPlain && heading?.name !== undefined ? `${heading.name}.${own}` : own;
    ids.set(block, id);
    if (kind === 'heading') above.push({ level, label, id });
    else if (!item && (kind === 'item' || label.kind === 'code')) items.push({ indent, kind: label.kind, id, hasChildren: false });
  }
  return ids;
}

/** The numbered item that a plain number is indented below, and begins to count or goes on. Others are only laid out unevenly. */
function parentOf({ kind, indent }: Block, { kind: labelKind, id }: Label, items: readonly Item[]): Item | undefined {
  const last = items.at(-1);
  if (kind !== 'item' || labelKind !== 'number' || id.includes('.') || last?.kind !== 'number') return undefined;
  return indent >= last.indent + 2 && (id === '1' || last.hasChildren) ? last : undefined;
}

interface Surroundings {
  section: Above | undefined;
  /** The item with a code that this one stands below. */
  item: { id: string } | undefined;
  codes: boolean;
  inNumbered: boolean;
}

function idUnder({ kind }: Block, { kind: labelKind, id }: Label, { section, item, codes, inNumbered }: Surroundings): string | undefined {
  // Each story counts its own criteria.
  const over = item ?? section;
  if (labelKind === 'code') return over && /^AC[-_]?\d/.test(id) ? `${over.id}.${id}` : id;
  if (kind === 'heading' || id.includes('.')) return id;
  if (item) return undefined;
  // A table with a column of row numbers is text of the numbered heading above it.
  if (kind === 'row') return inNumbered ? undefined : id;
  // Where requirements have codes, a list that is numbered elsewhere tells steps.
  if (codes && !section) return undefined;
  return section ? `${section.id}.${id}` : id;
}

function twiceIn(ids: ReadonlyMap<Block, string>): number {
  return ids.size - new Set(ids.values()).size;
}
