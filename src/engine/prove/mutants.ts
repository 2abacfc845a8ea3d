/**
 * Mutants: the work with one fault in it. Only code that the covering commits added, or that replaced it later, is changed. Tests in
 * the work are left alone: a verification that only notices their failure has not verified the work. Deterministic (I3).
 */
import type { Site } from './look.ts';
import type { Operator } from '../work/verification.ts';
import { isAdded, isTouched, type AddedLines } from './added-lines.ts';
import { lineAt, lineStarts } from '../ground/line-starts.ts';

/** Most mutants that prove one verification (I4); one that it sees is enough. */
export const mutantsPerVerification = 8;
/** Most faults that measure how much one verification sees. */
export const faultsPerVerification = 12;
/** Most faults in further values of the work, for a proof that would be strong. */
export const valuesPerVerification = 12;
/** Most faults that are near to right, where several places are a requirement's own. */
export const nearPerVerification = 8;

export interface Mutant {
  path: string;
  /** 1-based. */
  line: number;
  /** From 0: the column that a run must reach for the fault to matter, mostly where the change begins. */
  column: number;
  /** What was done, in words. */
  operator: Operator;
  /** The line before and after the change. */
  was: string;
  now: string;
  /** The whole file with the fault. */
  text: string;
  /** Only of one that is near to right: where its place begins in the file. */
  place?: number;
  /** It stands outside of the functions of a file that has some: it runs when the file is loaded, whatever is asked of it. */
  atLoad?: true;
  /** Of a fault in a text of several words: its pieces (`wording.ts`). */
  wording?: readonly string[];
  /** It stands in a declaration of types: what compiles against it says so by a compiler's words. */
  declared?: true;
}

/** A place in one file of the work. */
export interface Candidate extends Site {
  path: string;
  /** 1-based. */
  line: number;
  /** From 0. */
  column: number;
  atLoad?: Mutant['atLoad'];
  /** It stood there before, in a line of which another part was changed. */
  isOld?: true;
}

/** Those of a file's places of which every line was added. */
export function candidatesOf<T extends Site>(path: string, text: string, sites: readonly T[], lines: AddedLines): (T & Candidate)[] {
  const all = text.split('\n');
  const starts = lineStarts(all);
  const added = isAdded(text, lines);
  return sites.flatMap((site) => {
    const [first, last] = [lineAt(starts, site.from), lineAt(starts, site.to)];
    const start = starts[first] ?? 0;
    if (!all.slice(first, last + 1).every(added)) return [];
    const node = { from: site.node.from - start, to: site.node.to - start };
    const isOld = first === last && !isTouched(all[first] ?? '', lines, node);
    return [{ ...site, path, line: first + 1, column: Math.max(0, (site.entry ?? site.from) - start), ...(isOld ? { isOld } : {}) }];
  });
}

/**
 * The next one to try: from the line, function, file and kind of fault that have had the fewest yet.
 * @param candidates in the order of the text, all of them each time.
 */
export function nextOf(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  refused: ReadonlySet<Candidate>,
): Candidate | undefined {
  const counts = new Map<string, number>();
  for (const one of chosen) for (const key of keysOf(one)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const taken = new Set(chosen);
  let best: Candidate | undefined;
  let least: number[] = [];
  for (const [index, candidate] of candidates.entries()) {
    if (taken.has(candidate) || refused.has(candidate)) continue;
    const rank = [...keysOf(candidate).map((key) => counts.get(key) ?? 0), scattered(index, candidates.length)];
    if (best && !isLess(rank, least)) continue;
    [best, least] = [candidate, rank];
  }
  return best;
}

/** Near faults by the place that they belong to, in the order of the text; of each kind one. */
export function nearPlaces<T extends Candidate & { place: number }>(candidates: readonly T[]): T[][] {
  const places = new Map<string, Map<Operator, T>>();
  for (const one of candidates) {
    const key = `${one.path}:${one.place}`;
    const kinds = places.get(key) ?? new Map<Operator, T>();
    if (!kinds.has(one.operator)) kinds.set(one.operator, one);
    places.set(key, kinds);
  }
  return [...places.values()].map((kinds) => [...kinds.values()]);
}

export function mutantAt({ path, line, column, operator, from, to, now, atLoad, wording, declared }: Candidate, text: string): Mutant {
  const changed = text.slice(0, from) + now + text.slice(to);
  const lineOf = (of: string): string => of.split('\n', line)[line - 1] ?? '';
  const about = { ...(atLoad ? { atLoad } : {}), ...(wording ? { wording } : {}), ...(declared ? { declared } : {}) };
  return { path, line, column, operator, was: lineOf(text), now: lineOf(changed), text: changed, ...about };
}

function keysOf({ path, owner, line, operator }: Candidate): string[] {
  return [`${path}:${line}`, `${path}/${owner}`, path, operator];
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((value, i) => value !== other[i]);
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0);
}

/** An order in which the first few are far from each other: the bits of the number, read backwards. */
function scattered(index: number, count: number): number {
  let order = 0;
  for (let bit = 1, left = index; bit < count; bit *= 2, left >>= 1) order = order * 2 + (left & 1);
  return order;
}
