/** Which id a requirement has: the one that stands in the text, or one made of its words. */
import { normalizeRequirementId } from '../work/requirement.ts';
import { boldLevel, type Block } from './blocks.ts';
import type { Label } from './labels.ts';

/**
 * The ids that stand in the text. `1.` under heading 2 is 2.1, and a number that has dots already is kept; a number under US-2 is
 * US-2.1. Where plain numbers would be there twice, those below deeper headings get the number of the numbered heading above them.
 */
export function idsOf<B extends Block>(blocks: readonly B[]): Map<B, string> {
  const codes = blocks.some(({ label, level }) => label?.kind === 'code' && level !== 1);
  const near = numberedIn(blocks, codes, false);
  if (!hasTwice(near)) return near;
  const deep = numberedIn(blocks, codes, true);
  return hasTwice(deep) ? near : deep;
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

/** @param deep a number stays with the numbered heading above it, also below a deeper heading without a number. */
function numberedIn<B extends Block>(blocks: readonly B[], codes: boolean, deep: boolean): Map<B, string> {
  const ids = new Map<B, string>();
  let above: Above[] = [];
  let isNear = false;
  let item: { indent: number; id: string } | undefined;
  for (const block of blocks) {
    const { kind, level, label, indent } = block;
    if (kind === 'heading') {
      above = above.filter((heading) => heading.level < level);
      isNear = label !== undefined || (isNear && level === boldLevel);
      item = undefined;
    } else if (item && indent <= item.indent) item = undefined;
    if (!label || (label.kind === 'story' && codes)) continue;
    const over = above.at(-1);
    const section = over && (isNear || deep || over.label.kind !== 'number') ? over : undefined;
    const id = idUnder(block, label, { section, item, codes, inNumbered: above.length > 0 });
    if (id === undefined) continue;
    ids.set(block, id);
    if (kind === 'heading') above.push({ level, label, id });
    else if (label.kind === 'code' && !item) item = { indent, id };
  }
  return ids;
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

function hasTwice(ids: ReadonlyMap<Block, string>): boolean {
  return new Set(ids.values()).size < ids.size;
}
