/** Which lines patches added, and which part of a line they only changed. */
import type { Range } from './source-tree.ts';

/** A line that patches added. */
interface AddedLine {
  times: number;
  /** Characters at its begin and at its end that a line had which it replaced. */
  before: number;
  behind: number;
}
export type AddedLines = ReadonlyMap<string, AddedLine>;

/** The text of a patch; `replacing`: of one of which only those lines count that replace lines counted before. */
export type Patch = string | { replacing: string };

/** @param patches in the order in which they were made. */
export function addedLines(patches: readonly Patch[]): ReadonlyMap<string, AddedLines> {
  const added = new Map<string, Map<string, AddedLine>>();
  for (const patch of patches)
    for (const { path, removed, lines } of blocksOf(typeof patch === 'string' ? patch : patch.replacing)) {
      const known = added.get(path) ?? new Map<string, AddedLine>();
      if (typeof patch !== 'string' && !removed.some((line) => known.has(line))) continue;
      // What replaces a line of the work is the work's as a whole.
      const replaced = typeof patch === 'string' ? removed.filter((line) => !known.has(line)) : [];
      const old = replaced.length * lines.length > maxPairs ? [] : replaced;
      for (const line of lines) known.set(line, together(known.get(line), { times: 1, ...keptOf(line, old) }));
      added.set(path, known);
    }
  return added;
}

/** Lines that patches took out of each file, and that none of them had added. @param patches in the order in which they were made. */
export function removedLines(patches: readonly string[]): ReadonlyMap<string, string[]> {
  const [removed, added] = [new Map<string, string[]>(), new Set<string>()];
  for (const block of patches.flatMap(blocksOf)) {
    const keyOf = (line: string): string => `${block.path}\n${line}`;
    const older = block.removed.filter((line) => !added.has(keyOf(line)));
    removed.set(block.path, [...(removed.get(block.path) ?? []), ...older]);
    for (const line of block.lines) added.add(keyOf(line));
  }
  return removed;
}

/**
 * Tells whether patches added a line of `text`. A line that occurs more often than they added it may be older than the work,
 * so it does not count.
 * @param lines added lines of this file, with how often each was added.
 */
export function isAdded(text: string, lines: AddedLines): (line: string) => boolean {
  const occurrences = new Map<string, number>();
  for (const line of text.split('\n')) occurrences.set(line, (occurrences.get(line) ?? 0) + 1);
  return (line) => lines.has(line) && (occurrences.get(line) ?? 0) <= (lines.get(line)?.times ?? 0);
}

/** Whether the change of an added line touches this part of it. @param part in characters from the begin of the line. */
export function isTouched(line: string, lines: AddedLines, { from, to }: Range): boolean {
  const { before = 0, behind = 0 } = lines.get(line) ?? {};
  const end = line.length - behind;
  return before === end ? from <= end && before <= to : from < end && before < to;
}

function together(known: AddedLine | undefined, more: AddedLine): AddedLine {
  if (!known) return more;
  const { times, before, behind } = known;
  return { times: times + more.times, before: Math.min(before, more.before), behind: Math.min(behind, more.behind) };
}

/** Above this number of pairs, where a whole file was laid out anew, each line counts as new: which one a line replaced nobody could tell. */
const maxPairs = 200_000;

/** What a line has in common with the most alike of those that it may replace; nothing where that is less than half. */
function keptOf(line: string, removed: readonly string[]): { before: number; behind: number } {
  let best = { before: 0, behind: 0 };
  for (const old of removed) {
    const shorter = Math.min(line.length, old.length);
    let before = 0;
    while (before < shorter && line[before] === old[before]) before += 1;
    let behind = 0;
    while (behind < shorter - before && line.at(-1 - behind) === old.at(-1 - behind)) behind += 1;
    const isAlike = (before + behind) * 2 >= Math.max(line.length, old.length);
    if (isAlike && before + behind > best.before + best.behind) best = { before, behind };
  }
  return best;
}

/** Lines that stand together in a patch. */
interface Block {
  path: string;
  removed: string[];
  lines: string[];
}

function blocksOf(patch: string): Block[] {
  const blocks: Block[] = [];
  let path: string | undefined;
  let inHunk = false;
  let open: Block | undefined;
  for (const line of patch.split('\n')) {
    // Git's `\ No newline at end of file` stands between lines that belong together.
    if (inHunk && line.startsWith('\\')) continue;
    const isChange = inHunk && path !== undefined && (line.startsWith('+') || line.startsWith('-'));
    if (isChange) {
      if (!open) blocks.push((open = { path: path ?? '', removed: [], lines: [] }));
      (line.startsWith('+') ? open.lines : open.removed).push(line.slice(1));
      continue;
    }
    open = undefined;
    if (line.startsWith('diff --git ')) [path, inHunk] = [undefined, false];
    else if (line.startsWith('@@ ')) inHunk = true;
    // Of a file that is gone, only its old name tells which it was.
    else if (!inHunk && /^(--- a|\+\+\+ b)\//.test(line)) path = line.slice('+++ b/'.length).replace(/\t$/, '');
  }
  return blocks;
}
