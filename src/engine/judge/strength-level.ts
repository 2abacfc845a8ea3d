/** The level of a proof, and why it is no higher: the rules, from the strictest (docs/proof-strength.md). */
import { liveScripts } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { faultKey, type FaultTrial, type Measure, type Operator } from '../work/verification.ts';
import { isCompiled } from './compiled.ts';
import { needed, partOf, weightOf } from './fault-weight.ts';
import { faultWords } from './fault-words.ts';
import { measureOf } from './latest-measure.ts';
import { together, type Met } from './met-faults.ts';
import type { Lack } from './stronger.ts';

export const strengthLevels = ['weak', 'fair', 'strong'] as const;
export type StrengthLevel = (typeof strengthLevels)[number];

export interface Judged {
  level: StrengthLevel;
  /** As the middle of a sentence; empty for `strong`. */
  why: string;
  /** Faults that it does not see, besides those that are unseen, blind or beside a seen one. */
  also?: readonly FaultTrial[];
  /** What would make it strong: the sentence, or what is lacking besides the usual. */
  way?: string | Partial<Lack>;
}

export function levelOf(state: State, met: Met): Judged {
  return withoutFaults(met) ?? tooLittle(met) ?? notAll(state, met) ?? { level: 'strong', why: '', way: '' };
}

/** Where there is nothing to count. */
function withoutFaults({ all, isOwn, seen, unseen, untold, unreached, limits }: Met): Judged | undefined {
  if (all.length === 0) {
    const none = 'no fault could be put into its work that leaves it running';
    const [limit] = limits;
    return { level: 'fair', why: limit ?? none, way: limit === undefined ? neverStrong : `It is never strong, since ${none}.` };
  }
  if (!isOwn) return ofOtherWork(seen.length, all.length);
  if (seen.length + unseen.length + untold.length > 0) return undefined;
  return { level: 'weak', why: 'it reaches none of the lines of its work into which a fault could be put', way: { blind: unreached } };
}

/** Where its own work, such as a comment, has no place for a fault: it has to look at something that its run reaches. */
function ofOtherWork(seen: number, tried: number): Judged {
  const where = 'its own work has no place for a fault';
  if (seen > 0) return { level: 'fair', why: where, way: neverStrong };
  return { level: 'weak', why: `${where}, and of ${tried} in what its run reaches it sees none`, way: onceFair };
}

const neverStrong = 'It is never strong then.';
export const onceFair = 'It is fair once it turns red with a fault there, and never strong.';

/** Weak. */
function tooLittle(met: Met): Judged | undefined {
  const { measures, seen, unseen, untold, elsewhere } = met;
  const weight = weightOf(seen);
  const over = measures.every((measure) => measure.own) ? needed.fair.own : needed.fair.over;
  if (seen.length === 0) return { level: 'weak', why: countWords(met), also: untold };
  if (weight / (weight + partOf(unseen)) <= over) return { level: 'weak', why: countWords(met) };
  if (weight <= needed.fair.least * (weight + partOf([...unseen, ...elsewhere])))
    return {
      level: 'weak',
      why: `${countWords(met)}, and leaves ${elsewhere.length} more to verifications of other requirements`,
      also: elsewhere,
      way: { first: ['it sees more of these itself'] },
    };
  const lost = lostIn(met);
  if (lost) return { level: 'weak', why: `it does not notice ${faultWords(lost)}` };
  const near = overlooked(measures);
  if (near) return { level: 'weak', why: `it does not notice ${faultWords(near)}`, way: { first: ['it notices that'] } };
  const why = whereNobodyGets(met);
  return why === undefined ? undefined : { level: 'weak', why };
}

/** Fair. */
function notAll(state: State, met: Met): Judged | undefined {
  const { measures, seen, unseen, left, besideSeen, untold, blind, limits } = met;
  const fair = (why: string): Judged => ({ level: 'fair', why });
  if (shareOf(met) < needed.strong.share || seen.length + unseen.length < needed.strong.faults) return fair(countWords(met));
  if (left > 0) return fair(`${countWords(met)}; ${left} more ${left === 1 ? 'was' : 'were'} not tried, because its runs take long`);
  if (besideSeen[0]) return fair(`it sees another fault in its line, and not ${faultWords(besideSeen[0])}`);
  if (untold[0]) return fair(untoldWords(state, untold[0], untold));
  if (blind[0]) return fair(`no verification reaches ${blind[0].path}:${blind[0].line}`);
  if (limits[0] !== undefined) return fair(limits[0]);
  return missedValues(measures);
}

function countWords({ seen, unseen, untold }: Met): string {
  const [first] = seen.length === 0 ? [...unseen, ...untold] : unseen;
  const all = seen.length + unseen.length + (seen.length === 0 ? untold.length : 0);
  return `it sees ${seen.length} of ${all} faults${first ? `, and not ${faultWords(first)}` : ''}`;
}

/** Of the weight of all faults that its runs reach. */
function shareOf({ seen, unseen }: Met): number {
  return weightOf(seen) / weightOf([...seen, ...unseen]);
}

/** Which of those that nobody sees tells that nobody looks at what the work prints, gives or does. */
function lostIn(met: Met): FaultTrial | undefined {
  const share = shareOf(met);
  const unseen = met.unseen.filter(({ others = 0 }) => others === 0);
  const isIdle = ({ operator }: FaultTrial): boolean => /^(output left out|argument given back|argument emptied)$/.test(operator);
  const isGiven = ({ operator, was }: FaultTrial): boolean =>
    (operator === 'return left out' || operator === 'other value returned') && /^\s*return\s+[^\s;]/.test(was);
  const isDeed = ({ operator }: FaultTrial): boolean => operator === 'call left out' || operator === 'condition negated';
  const { strong, fair } = needed;
  const kinds: [is: (trial: FaultTrial) => boolean, under: number][] = [
    [isIdle, strong.share],
    [isGiven, fair.rest],
    [isDeed, fair.own],
  ];
  return kinds.flatMap(([is, under]) => (share < under ? unseen.filter(is) : []))[0];
}

/**
 * A fault that is near to right in a place at which a verification looks: it sees another one there, and ones of this kind in no more
 * places than it does not.
 */
function overlooked(measures: readonly Measure[]): FaultTrial | undefined {
  const known = together(measures.flatMap(({ near = [] }) => near));
  const seen = known.filter(({ outcome }) => outcome === 'seen');
  const isSeen = (trial: FaultTrial): boolean => seen.some((one) => faultKey(one) === faultKey(trial));
  const isSamePlace = (one: FaultTrial, other: FaultTrial): boolean => one.path === other.path && one.place === other.place;
  const looked = measures.flatMap(({ near = [] }) => near.filter((trial) => near.some((one) => isSamePlace(one, trial) && isSeen(one))));
  // Where nobody tells which lines a run reaches, it reaches the place in which it sees another.
  const isGreen = ({ outcome }: FaultTrial): boolean => outcome === 'unseen' || outcome === 'untold';
  const missed = together(looked.filter((trial) => isGreen(trial) && !isSeen(trial)));
  const count = (some: readonly FaultTrial[], kind: Operator): number => some.filter(({ operator }) => operator === kind).length;
  return missed.find(({ operator }) => count(seen, operator) <= count(missed, operator));
}

/** Most of the work, or much of it with all that it prints. */
function whereNobodyGets({ all, seen, unseen, untold, wording, blind }: Met): string | undefined {
  const part = blind.length / (seen.length + unseen.length + wording.length + untold.length + blind.length);
  const prints = all.filter(({ operator }) => operator.startsWith('output '));
  const [first, print] = [blind[0], prints[0]];
  if (first && part > needed.blind.all) return `no verification reaches most of its work, such as ${first.path}:${first.line}`;
  if (!print || part <= needed.blind.prints || !prints.every((one) => blind.includes(one))) return undefined;
  return `no verification gets to where its work prints, ${print.path}:${print.line}`;
}

/** Of a fault of which nobody can tell whether a run gets there: first of one in a line in which no verification sees any. */
function untoldWords(state: State, first: FaultTrial, untold: readonly FaultTrial[]): string {
  const trials = liveScripts(state.work).flatMap(
    (script) => measureOf(state, script)?.trials.filter(({ outcome }) => outcome === 'seen') ?? [],
  );
  const isSeen = ({ path, line }: FaultTrial): boolean => trials.some((one) => one.path === path && one.line === line);
  const open = untold.find((trial) => !isSeen(trial));
  const trial = open ?? first;
  const others = open ? '' : '; a verification of another requirement sees a fault in that line';
  if (!isCompiled(trial.path)) return `nobody can tell whether its run reaches ${trial.path}:${trial.line}${others}`;
  return `Loop cannot see which lines of compiled work its run reaches, and it stays green with ${faultWords(trial)}${others}`;
}

/** A strong proof sees nine of ten of the work's further values, too. */
function missedValues(measures: readonly Measure[]): Judged | undefined {
  const tried = together(measures.flatMap(({ values = [] }) => values));
  const seen = tried.filter(({ outcome }) => outcome === 'seen');
  const unseen = tried.filter(({ outcome }) => outcome === 'unseen');
  const [first] = unseen;
  if (!first || seen.length >= needed.strong.share * (seen.length + unseen.length)) return undefined;
  const all = seen.length + unseen.length;
  const more = unseen.slice(0, Math.ceil(needed.strong.share * all) - seen.length);
  return {
    level: 'fair',
    why: `of ${all} further values it sees ${seen.length}, and not ${faultWords(first)}`,
    also: unseen,
    way: { more },
  };
}
