/**
 * Which faults a verification meets (docs/proof-places.md): those in its requirement's own places, or else those where its run gets; and
 * what is known of some without a run.
 */
import type { Context } from '../../context.ts';
import {
  askedIn,
  getsTo,
  isFixForOthers,
  missedPlaces,
  nearestPlaces,
  othersOf,
  ownPlaces,
  sidesOf,
  type Reach,
  type Sides,
  type Spot,
} from '../../judge/own-places.ts';
import { madeFor } from '../../judge/trust.ts';
import { faultsPerVerification, valuesPerVerification, type Candidate, type Mutant } from '../../prove/mutants.ts';
import { languageOf } from '../../prove/language.ts';
import { isOwnWording } from '../../prove/wording.ts';
import type { Files } from '../../run/files.ts';
import { addedBy, mutantsOf, nearMutantsOf, type Covered, type Reading } from '../../run/mutants.ts';
import { isReached, type Reached } from '../../work/job.ts';
import type { FaultTrial, Operator, Script } from '../../work/verification.ts';

/** A verification, and the work into which faults are put for it. */
export interface Faulty {
  readonly verification: Script;
  readonly files: Files;
  readonly covered: readonly Covered[];
  /** Declarations of types that its requirements are about. */
  readonly declarations: readonly string[];
  /** Where its run gets. */
  readonly reached: Reached;
  /** What reaches the work for other requirements. */
  readonly others: readonly Reach[];
}

/** What one action knows for all of its verifications. */
export interface Common {
  /** Texts that a builder could read. */
  known: readonly string[];
  /** What reaches which places of the work, for all requirements. */
  reaches: readonly Reach[];
  /** All of the sprint's work. */
  files: Files;
  reading: Reading;
}

export interface Drawn {
  /** No fault could be put into its work. */
  readonly isNowhere: boolean;
  /** Its faults are all where only runs for its own requirement get. */
  readonly own: boolean;
  /** No run for its requirement gets to what was made for that, and its faults are there. */
  readonly missed: boolean;
  /** Files that its run turns out not to read are taken out of these two before any is tried. */
  mutants: readonly Mutant[];
  nearMutants: readonly Mutant[];
  /** Faults in its requirement's own places that its run is not known to reach: unseen until one is seen there. */
  readonly beyondMutants: readonly Mutant[];
  beyond: FaultTrial[];
  /** What is known before any run: what no run reaches, or is in the work's own words. */
  trials: FaultTrial[];
  /** Finds faults in values that no other of its faults changes. */
  readonly furtherValues: () => Promise<Mutant[]>;
  /** No place that it reaches is reached for fewer others. */
  readonly isNearest: (place: Spot) => boolean;
}

export async function drawFaults(context: Context, faulty: Faulty, common: Common): Promise<Drawn> {
  const { covered, others } = faulty;
  const mayReach = reachOf(faulty);
  const isOwnWords: IsOwnWords = ({ wording = [] }) => isOwnWording(wording, common.known);
  const first = telling.map((operator) => (place: Candidate) => place.operator === operator && !isOwnWords(place));
  const draw: Draw = (isWanted = () => true) => mutantsOf(covered, faultsPerVerification, { first, isWanted });
  const othersAt = othersOf(others);
  const { isOwn, inOwn, own, missed } = await drawOwn(context, faulty, { common, draw, othersAt, isOwnWords });
  const all = await draw();
  const unreached = all.filter((mutant) => !mayReach(mutant));
  const reachable = own ? inOwn.filter(mayReach) : unreached.length === 0 ? all : await draw(mayReach);
  const isAsked = (place: Candidate): boolean => mayReach(place) && (!own || isOwn(place)) && !isOwnWords(place);
  const asked = reachable.filter((mutant) => !isOwnWords(mutant));
  const without = asked.length >= fewestAsked ? asked : await draw(isAsked);
  const inSameWords = reachable.filter((mutant) => !(isOwnWords(mutant) && isOtherWords(mutant)));
  const few = inSameWords.length > 0 ? inSameWords : reachable;
  const mutants = without.length >= fewestAsked ? without : few;
  const beyondMutants = own ? inOwn.filter((mutant) => !mayReach(mutant)) : [];
  return {
    isNowhere: all.length === 0,
    own,
    missed,
    mutants,
    nearMutants: await nearMutantsOf(covered, (place) => mayReach(place) && othersAt(place) <= 1, others.length > 0),
    beyondMutants,
    beyond: beyondMutants.map((one) => trialOf(one, isOwnWords(one) ? 'wording' : 'unseen')),
    trials: [
      ...unreached.map((mutant) => trialOf(mutant, 'unreached')),
      ...reachable.filter((mutant) => isOwnWords(mutant) && !mutants.includes(mutant)).map((mutant) => trialOf(mutant, 'wording')),
    ],
    furtherValues: () => mutantsOf(covered, valuesPerVerification, { isWanted: furtherThan(mutants, isAsked) }),
    isNearest: nearestPlaces(covered.flatMap(({ places }) => places).filter(mayReach), othersAt),
  };
}

type IsOwnWords = (mutant: Pick<Mutant, 'wording'>) => boolean;
type Draw = (isWanted?: (place: Candidate) => boolean) => Promise<Mutant[]>;

/** So many faults say enough, without those in the work's own wording. */
const fewestAsked = 3;

/**
 * A message that says the same in other words: who asks only for what it names, or that there is one, is right to be green. What a page
 * says is the work.
 */
function isOtherWords({ path, operator }: Mutant): boolean {
  return operator === 'text changed' && languageOf(path, '') !== 'html';
}

/** So many faults where only its own requirement's runs get say enough, without those in what it shares with others. */
const fewestOwn = 6;

/** More faults of one line say no more: they mostly change one expression, such as a number in a message. */
const mostOfLine = 3;

/** Of these a proof is weak where nobody sees one (`judge/strength-level.ts`), so one of each is tried. */
const telling: readonly Operator[] = ['output left out', 'argument given back', 'argument emptied'];

/** Where nobody tells the lines of a file, its run may get anywhere in it. */
function reachOf({ reached }: Pick<Faulty, 'reached'>): (place: Spot) => boolean {
  return (place) => {
    const places = reached[place.path];
    return places === undefined || isReached(places, place);
  };
}

/** Faults in the places where nobody looks for another requirement, and whether they are enough to say how much it sees. */
async function drawOwn(
  context: Context,
  faulty: Faulty,
  { common, draw, othersAt, isOwnWords }: { common: Common; draw: Draw; othersAt: (place: Spot) => number; isOwnWords: IsOwnWords },
): Promise<{ isOwn: (place: Candidate) => boolean; inOwn: Mutant[]; own: boolean; missed: boolean }> {
  const { verification, covered, reached, others } = faulty;
  const mayReach = reachOf(faulty);
  const places = covered.flatMap((one) => one.places);
  const sides = sidesOf(context.state, common.reaches, verification);
  const missing = missedPlaces({ all: places, made: await placesMadeFor(context, faulty, { common, sides }) }, sides);
  const isTold = (place: Spot): boolean => reached[place.path] !== undefined && mayReach(place);
  const isOwn = missing ?? ownPlaces(places, othersAt, isTold);
  const inOwn = missing || others.length > 0 ? await draw(isOwn) : [];
  const missed = missing !== undefined && inOwn.length > 0;
  const isRoom = missed || (inOwn.length >= fewestOwn && roomIn(await draw((place) => isOwn(place) && !isOwnWords(place))) >= fewestOwn);
  return { isOwn, inOwn, own: isRoom, missed };
}

function roomIn(mutants: readonly Mutant[]): number {
  const counts = new Map<string, number>();
  for (const { path, line } of mutants) counts.set(`${path}:${line}`, (counts.get(`${path}:${line}`) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.min(mostOfLine, count), 0);
}

/**
 * In commits of tasks and fixes for what PRD.md asks of it. What a fix for another requirement made of that is the other's; what a fix for
 * it made where others get too, it may have made for them.
 */
async function placesMadeFor(
  { state, ports }: Context,
  { verification, files, declarations }: Faulty,
  { common, sides: { others } }: { common: Common; sides: Sides },
): Promise<Candidate[]> {
  const ids = askedIn(state.work, verification);
  const commits = madeFor(state, ids.length > 0 ? { ...verification, prd: ids } : verification);
  const later = state.work.tree.commits.filter((commit) => !isFixForOthers(state, verification, commit));
  const placesIn = async (some: typeof commits): Promise<Candidate[]> => {
    if (some.length === 0) return [];
    const covered = await common.reading.covered(files, await addedBy(ports.payloads, later, some), declarations);
    return covered.flatMap(({ places }) => places);
  };
  const isTask = ({ author }: (typeof commits)[number]): boolean => author.kind === 'task';
  const ofFixes = await placesIn(commits.filter((commit) => !isTask(commit)));
  return [...(await placesIn(commits.filter(isTask))), ...ofFixes.filter((place) => !others.some((one) => getsTo(one, place)))];
}

/** Values that it would have to see, where no other fault of it was put. */
function furtherThan(mutants: readonly Mutant[], isAsked: (place: Candidate) => boolean): (place: Candidate) => boolean {
  const keyOf = ({ path, line, column }: Pick<Mutant, 'path' | 'line' | 'column'>): string => `${path}:${line}:${column}`;
  const tried = new Set(mutants.map(keyOf));
  return (place) => isValue(place) && isAsked(place) && !tried.has(keyOf(place));
}

/** A number or a text of the work, such as one in a row of a table. */
export function isValue({ operator }: Pick<Candidate, 'operator'>): boolean {
  return operator === 'number changed' || operator === 'text changed';
}

/** The same, or a call of values alone that fills such a table: `irregular("goose", "geese")`. */
export function isRow({ operator, was }: Pick<Mutant, 'operator' | 'was'>): boolean {
  if (isValue({ operator })) return true;
  const [, values = ''] = /^\s*[\w.$]+\((.*)\)\s*;?\s*$/.exec(was) ?? [];
  const isCall = operator === 'call left out' || operator === 'arguments swapped';
  return isCall && values.trim() !== '' && !/[\p{L}_$]/u.test(values.replaceAll(quoted, ''));
}

const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;

export function trialOf({ path, line, column, operator, was, now, place }: Mutant, outcome: FaultTrial['outcome']): FaultTrial {
  return { path, line, column, operator, was, now, outcome, ...(place === undefined ? {} : { place }) };
}
