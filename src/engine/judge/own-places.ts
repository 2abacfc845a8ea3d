/**
 * Whose a place in the work is. Where one file serves several requirements, most of what a verification reaches is there for others:
 * what only its own requirement's runs reach tells how much it proves (docs/proof-places.md).
 */
import { liveScripts } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { isReached, type Reached } from '../work/job.ts';
import { lineagesOf, type Settled } from '../work/tree.ts';
import { requirementsOf, type Script } from '../work/verification.ts';
import { measureOf } from './latest-measure.ts';
import { trustOf } from './trust.ts';

/** A verification, and the places that its run reaches. */
export interface Reach {
  verification: Script;
  reached: Reached;
}

/** Those that were measured before, and are proof on this code. */
export function knownReach(state: State): Reach[] {
  const { results, tree } = state.work;
  return liveScripts(state.work).flatMap((verification) => {
    const [result, measure] = [results[verification.id], measureOf(state, verification)];
    const isProof = result?.verdict === 'green' && result.code === tree.code && trustOf(state, verification).trusted;
    return measure && isProof ? [{ verification, reached: measure.reached }] : [];
  });
}

/** Those that have no requirement in common with it. */
export function ofOthers(all: readonly Reach[], verification: Script): Reach[] {
  const own = requirementsOf(verification);
  return all.filter((one) => !requirementsOf(one.verification).some((id) => own.includes(id)));
}

/**
 * Which places are its own: those where only it gets, and those where nobody gets in functions into which only it gets.
 * @param othersAt as `othersOf`.
 * @param mayReach tells where its own run gets.
 */
export function ownPlaces<T extends Spot & { owner: number }>(
  all: readonly T[],
  othersAt: (place: T) => number,
  mayReach: (place: T) => boolean,
): (place: T) => boolean {
  const functionOf = ({ path, owner }: T): string => `${path}/${owner}`;
  const theirs = new Set(all.filter((place) => othersAt(place) > 0).map(functionOf));
  const entered = new Set(all.filter(mayReach).map(functionOf));
  const isItsFunction = (place: T): boolean => place.owner > 0 && entered.has(functionOf(place)) && !theirs.has(functionOf(place));
  return (place) => (mayReach(place) ? othersAt(place) === 0 : isItsFunction(place));
}

/**
 * The places that are the nearest to its requirement: no place of the work that it reaches is reached for fewer others. What nobody sees
 * there is for nobody else to see.
 * @param all those that it reaches.
 * @param othersAt as `othersOf`.
 */
export function nearestPlaces(all: readonly Spot[], othersAt: (place: Spot) => number): (place: Spot) => boolean {
  let fewest = Infinity;
  for (const place of all) fewest = Math.min(fewest, othersAt(place));
  return (place) => othersAt(place) <= fewest;
}

/** What reaches the work for a requirement, and what for others. */
export interface Sides {
  own: readonly Reach[];
  others: readonly Reach[];
}

/** By what PRD.md asks alone: a value proof is shared by many. By value proofs, where a verification has nothing else. */
export function sidesOf({ work }: State, all: readonly Reach[], verification: Script): Sides {
  const ids = askedIn(work, verification);
  if (ids.length === 0) {
    const others = ofOthers(all, verification);
    return { own: all.filter((one) => !others.includes(one)), others };
  }
  const isOwn = (one: Reach): boolean => askedIn(work, one.verification).some((id) => ids.includes(id));
  return { own: all.filter(isOwn), others: all.filter((one) => !isOwn(one) && askedIn(work, one.verification).length > 0) };
}

/** The requirements of PRD.md that it verifies. */
export function askedIn({ requirements }: State['work'], verification: Script): string[] {
  return requirementsOf(verification).filter((id) => requirements.some((one) => one.id === id && one.line > 0));
}

/** It was made for verifications that all ask something of PRD.md, and nothing that this one asks. */
export function isFixForOthers({ work }: State, verification: Script, { author }: Pick<Settled, 'author'>): boolean {
  const ids = askedIn(work, verification);
  const fixed = liveScripts(work).filter(({ lineage }) => lineagesOf(author).includes(lineage));
  const asked = fixed.map((one) => askedIn(work, one));
  return ids.length > 0 && asked.length > 0 && asked.every((others) => others.length > 0 && !others.some((id) => ids.includes(id)));
}

/**
 * All places at which nobody else looks, where no run for a requirement gets to any of them, nor to anything that was made for it.
 * Undefined where one gets there, or may.
 * @param made places in what was made for it; `all` has those that turned its verification green as well, whoever made them.
 */
export function missedPlaces(
  { all, made }: { all: readonly Spot[]; made: readonly Spot[] },
  { own, others }: Sides,
): ((place: Spot) => boolean) | undefined {
  const mayGet = (place: Spot): boolean => own.some((one) => mayGetTo(one, place));
  const isAlone = (place: Spot): boolean => !others.some((one) => getsTo(one, place));
  if (made.length === 0 || made.some(mayGet)) return undefined;
  return all.some((place) => mayGet(place) && isAlone(place)) || !all.some(isAlone) ? undefined : isAlone;
}

export interface Spot {
  path: string;
  line: number;
  column?: number | undefined;
}

export function getsTo({ reached }: Pick<Reach, 'reached'>, { path, line, column }: Spot): boolean {
  const places = reached[path];
  return places !== undefined && isReached(places, { line, column });
}

/** Or nobody tells which places of that file it reaches. */
export function mayGetTo(one: Reach, spot: Spot): boolean {
  return one.reached[spot.path] === undefined || getsTo(one, spot);
}

/** Of how many requirements the runs get there. */
export function requirementsAt(all: readonly Reach[], spot: Spot): number {
  const ids = new Set<string | undefined>();
  for (const one of all) if (getsTo(one, spot)) ids.add(requirementsOf(one.verification)[0]);
  return ids.size;
}

/** The same, for who asks again and again: each place is looked at once. */
export function othersOf(all: readonly Reach[]): (spot: Spot) => number {
  const known = new Map<string, number>();
  return (spot) => {
    const key = `${spot.line}:${spot.column}:${spot.path}`;
    const count = known.get(key) ?? requirementsAt(all, spot);
    known.set(key, count);
    return count;
  };
}
