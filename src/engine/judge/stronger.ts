/** What would make a proof strong, in one sentence: all that is in its way, as far as somebody can do something about it. */
import type { FaultTrial } from '../work/verification.ts';
import { needed, weightOf } from './fault-weight.ts';
import { withoutLimits } from './limits-of-proof.ts';
import type { Met } from './met-faults.ts';

export interface Lack {
  /** What stands in its way alone, as clauses behind "once". */
  first?: readonly string[];
  /** Faults that would be enough if they were seen, besides those that are. */
  more: readonly FaultTrial[];
  /** Faults that no verification reaches. */
  blind: readonly FaultTrial[];
  /** How many it meets, could be tried at all, and a strong proof takes. */
  faults: { reached: number; all: number; least: number };
  /** Faults that were left out for want of time. */
  left: number;
  limits: readonly string[];
}

export function lackOf({ all, seen, unseen, untold, blind, left, limits }: Met): Lack {
  const reached = seen.length + unseen.length + untold.length;
  const faults = { reached, all: reached + all.filter(isBesides).length, least: needed.strong.faults };
  return { more: [...enoughOf(unseen, [...seen, ...untold]), ...untold], blind, faults, left, limits };
}

/** Where its run does not get, or what another requirement's verification sees. */
function isBesides({ outcome }: FaultTrial): boolean {
  return outcome === 'unreached' || outcome === 'elsewhere' || outcome === 'loaded';
}

/** Those that make a strong proof where they are seen besides these: the weightiest, and no more than it takes. */
function enoughOf(unseen: readonly FaultTrial[], seen: readonly FaultTrial[]): readonly FaultTrial[] {
  const all = weightOf([...seen, ...unseen]);
  const first = unseen.toSorted((a, b) => weightOf([b]) - weightOf([a]));
  const count = first.findIndex((_, n) => weightOf([...seen, ...first.slice(0, n)]) / all >= needed.strong.share);
  return count < 0 ? first : first.slice(0, count);
}

/** Empty where nobody knows. */
export function strongerWords({ first = [], more, blind, faults, left, limits }: Lack): string {
  const remedy = withoutLimits(limits);
  if (remedy === undefined) return '';
  if (faults.all + left < faults.least)
    return `It is never strong, since only ${faults.all} of ${faults.least} faults could be tried in its work.`;
  const isShort = faults.reached + blind.length + left < faults.least;
  const clauses = [
    ...first,
    ...(more.length > 0 ? [moreWords(more)] : []),
    ...(blind.length > 0 ? [`a verification gets to ${placesOf(blind)}`] : []),
    ...(isShort ? [`at least ${faults.least} are seen`] : []),
    ...(left > 0 ? ['the others are tried, too, as `evidence: strong` asks'] : []),
    ...(remedy === '' ? [] : [`a verification ${remedy}`]),
  ];
  return clauses.length === 0 ? '' : `It is strong only once ${clauses.join(', and ')}.`;
}

function moreWords(more: readonly FaultTrial[]): string {
  return more.length === 1 ? `the one in ${placesOf(more)} is seen` : `${more.length} more are seen, such as in ${placesOf(more)}`;
}

/** Places that are named. */
const most = 2;

function placesOf(trials: readonly FaultTrial[]): string {
  const places = [...new Set(trials.map(({ path, line }) => `${path}:${line}`))];
  return places.slice(0, most).join(' and ');
}
