/**
 * What a change of VISION.md and PRD.md re-opens, and nothing else (docs/requirements-changed.md). A requirement is the same where it
 * asks for the same in the same words, whatever its number and place.
 */
import type { Passage, Requirement } from '../work/requirement.ts';
import type { Reopened } from '../work/revision.ts';
import { leadsIn } from './leads.ts';
import { linesOf } from './lines.ts';
import { readRequirements, type Reading } from './requirements.ts';

export interface Texts {
  vision: string;
  prd: string;
}

export interface Difference extends Reopened {
  /** How PRD.md was read, and is read now. */
  before: Reading;
  now: Reading;
  /** Value proofs in the words that the Vision has for them now. */
  proofs: Requirement[];
}

/** @param proofs the value proofs that were found in the Vision. */
export function differenceOf(before: Texts, after: Texts, proofs: readonly Requirement[] = []): Difference {
  const [was, now] = [readRequirements(before.prd), readRequirements(after.prd)];
  const prd = compared(was.requirements, now.requirements);
  const vision = proofsAfter(before.vision, after.vision, proofs);
  const reworded = [...prd.reworded, ...vision.reworded];
  const removed = [...prd.removed, ...vision.removed];
  const [said, says] = [before, after].map((one) => leadsIn(one.prd));
  const isTold =
    words(before.vision) !== words(after.vision) || !isSame(textsIn(was.constraints), textsIn(now.constraints)) || !isSame(said, says);
  const whole = isTold || [reworded, prd.added, removed].some((ids) => ids.length > 0);
  return { reworded, removed, added: prd.added, renumbered: prd.renumbered, whole, before: was, now, proofs: vision.proofs };
}

function compared(was: readonly Requirement[], now: readonly Requirement[]): Omit<Reopened, 'whole'> {
  const former = new Map(was.map((one) => [one.id, words(one.text)]));
  const told = now.map((one) => ({ id: one.id, words: words(one.text) }));
  const moved = told.filter((one) => former.get(one.id) !== one.words);
  const arrived = new Set(told.filter((one) => former.get(one.id) === one.words).map(({ id }) => id));
  for (const id of arrived) former.delete(id);
  /** Ids that are nowhere yet, by their words. */
  const left = new Map<string, string[]>();
  for (const [id, text] of former) {
    const ids = left.get(text);
    if (ids) ids.push(id);
    else left.set(text, [id]);
  }
  const renumbered: Record<string, string> = {};
  for (const one of moved) {
    const from = left.get(one.words)?.shift();
    if (from === undefined) continue;
    former.delete(from);
    renumbered[from] = one.id;
    arrived.add(one.id);
  }
  const changed = now.map(({ id }) => id).filter((id) => !arrived.has(id));
  const reworded = changed.filter((id) => former.has(id));
  const added = changed.filter((id) => !former.has(id));
  const again = new Set(reworded);
  return { reworded, added, removed: [...former.keys()].filter((id) => !again.has(id)), renumbered };
}

/** Only a value proof whose own words stood in the Vision, and stand there no more, is a machine's to see. */
function proofsAfter(before: string, after: string, proofs: readonly Requirement[]) {
  const [was, now] = [partsOf(before), partsOf(after)];
  const gone = was.filter((part) => !now.includes(part));
  const told = words(after);
  const found = proofs.map((proof) => {
    const own = words(proof.text).replace(/\.$/, '');
    return { proof, part: told.includes(own) ? undefined : gone.find((one) => one.includes(own)) };
  });
  // Comparing all parts with each other takes long for a Vision that was written anew, and mostly nobody asks.
  const successors = found.some(({ part }) => part !== undefined) ? successorsOf(was, now) : new Map<string, string>();
  const left = found.map(({ proof, part }) => {
    if (part === undefined) return { proof, is: 'same' as const };
    const text = successors.get(part);
    return text === undefined ? { proof, is: 'removed' as const } : { proof: { ...proof, title: text, text }, is: 'reworded' as const };
  });
  const idsThat = (is: 'removed' | 'reworded'): string[] => left.filter((one) => one.is === is).map(({ proof }) => proof.id);
  return {
    removed: idsThat('removed'),
    reworded: idsThat('reworded'),
    proofs: left.filter(({ is }) => is !== 'removed').map(({ proof }) => proof),
  };
}

/** What each part became: the one that shares most words with it, and half of the shorter's; else what stands in its place. */
function successorsOf(was: readonly string[], now: readonly string[]): Map<string, string> {
  const [gone, fresh] = [withPlaces(was, now), withPlaces(now, was)];
  const pairs = gone.flatMap((one) =>
    fresh.map((other) => {
      const shared = other.told.filter((word) => one.words.has(word)).length;
      return {
        from: one.part,
        to: other.part,
        shared,
        isNear: one.place === other.place,
        half: Math.min(one.told.length, other.told.length) / 2,
      };
    }),
  );
  const akin = pairs.filter(({ shared, half, isNear }) => isNear || (shared > 0 && shared >= half));
  akin.sort((a, b) => b.shared - a.shared || Number(b.isNear) - Number(a.isNear));
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { from, to } of akin) {
    if (found.has(from) || taken.has(to)) continue;
    found.set(from, to);
    taken.add(to);
  }
  return found;
}

/** The parts that the other text has not, each with the parts around it that both have, and its long words. */
function withPlaces(parts: readonly string[], others: readonly string[]) {
  const there = new Set(others);
  const kept = parts.map((part) => there.has(part));
  return parts.flatMap((part, index) => {
    if (kept[index]) return [];
    const next = kept.indexOf(true, index);
    const place = JSON.stringify([parts[kept.lastIndexOf(true, index)], next < 0 ? undefined : parts[next]]);
    const known = new Set(part.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
    return [{ part, place, words: known, told: [...known] }];
  });
}

/** Paragraphs and items of lists, without their marks. */
function partsOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)]|#+)\s)/)
    .map((part) => words(part.replace(/^\s*(?:[-*+]|\d+[.)]|#+)\s+/, '')))
    .filter((part) => part !== '');
}

function textsIn(passages: readonly Passage[]): string[] {
  return passages.map(({ text }) => text);
}

/** Whatever their order. */
function isSame(was: readonly string[] = [], now: readonly string[] = []): boolean {
  const [one, other] = [was, now].map((all) => all.map(words).sort());
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * As a formatter leaves them: it changes marks of lists and the width of tables outside of code, and blanks everywhere. Nor do ticks of
 * boxes, bold words and comments ask for anything else.
 */
function words(text: string): string {
  const { lines } = linesOf(text);
  const plain = lines.map(({ shown, prose }) => (prose === '' ? shown : withoutLayout(shown)));
  return plain.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function withoutLayout(line: string): string {
  if (/^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('|')) return '|-|';
  if (/^\s*\|/.test(line)) return line.replaceAll(/\s*\|\s*/g, '|');
  const item = line.replace(/^(\s*)[*+](?=\s)/, '$1-').replace(/^(\s*(?:-|\d+[.)])\s+)\[[ xX]\]\s+/, '$1');
  return item.replaceAll(/(`+[^`]*`+)|(?<![\w/*])\*\*(?=\S)([^*]+)(?<=\S)\*\*(?![\w/*])/g, '$1$2');
}
