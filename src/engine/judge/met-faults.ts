/** The faults that some verifications met, each once, by what came of it. */
import { liveScripts } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { isReached } from '../work/job.ts';
import { faultKey, type FaultTrial, type Measure } from '../work/verification.ts';
import { measureOf } from './latest-measure.ts';
import { limitsOfAll } from './limits-of-proof.ts';

export interface Met {
  /** Those that count: not those that only reach the work of others, as far as there are any besides. */
  measures: readonly Measure[];
  /** In work of its own. */
  isOwn: boolean;
  all: readonly FaultTrial[];
  seen: readonly FaultTrial[];
  unseen: readonly FaultTrial[];
  /** Green, and nobody tells whether a run gets there. */
  untold: readonly FaultTrial[];
  /** Those of `untold` in whose line another was seen, so that a run does get there. */
  besideSeen: readonly FaultTrial[];
  unreached: readonly FaultTrial[];
  /** Those of `unreached` to which no verification of the sprint gets. */
  blind: readonly FaultTrial[];
  /** Another requirement's verification sees them. */
  elsewhere: readonly FaultTrial[];
  /** In words that no document names. */
  wording: readonly FaultTrial[];
  /** Left out for want of time. */
  left: number;
  /** What keeps all of these from being strong, whatever they see. */
  limits: readonly string[];
}

/** @param of measures of verifications that prove one requirement. */
export function metBy(state: State, of: readonly Measure[]): Met {
  const own = of.filter(({ inOtherWork }) => !inOtherWork);
  const looking = own.filter(({ missed }) => !missed);
  const measures = [looking, own, of].find(({ length }) => length > 0) ?? of;
  const all = together(measures.flatMap((measure) => measure.trials));
  const by = (outcome: FaultTrial['outcome']): FaultTrial[] => all.filter((trial) => trial.outcome === outcome);
  const [seen, untold, unreached] = [by('seen'), by('untold'), by('unreached')];
  return {
    measures,
    isOwn: own.length > 0,
    all,
    seen,
    unseen: by('unseen'),
    untold,
    besideSeen: untold.filter((one) => seen.some(({ path, line }) => path === one.path && line === one.line)),
    unreached,
    blind: blindIn(state, unreached),
    elsewhere: by('elsewhere'),
    wording: by('wording'),
    left: measures.reduce((sum, one) => sum + (one.left ?? 0), 0),
    limits: limitsOfAll(measures.map((measure) => measure.limits)),
  };
}

/** A fault counts once: seen if any verification sees it. */
export function together(trials: readonly FaultTrial[]): FaultTrial[] {
  const rank = { unreached: 0, untold: 1, unseen: 2, wording: 3, loaded: 4, elsewhere: 5, seen: 6 };
  const best = new Map<string, FaultTrial>();
  for (const trial of trials) {
    const key = faultKey(trial);
    const known = best.get(key);
    if (!known || rank[trial.outcome] > rank[known.outcome]) best.set(key, trial);
  }
  return [...best.values()];
}

/** Those to which no verification gets: elsewhere it is that one's to see a fault. */
function blindIn(state: State, unreached: readonly FaultTrial[]): FaultTrial[] {
  if (unreached.length === 0) return [];
  const { measures, places } = lookingIn(state);
  return unreached.filter((trial) => {
    const place = `${trial.path}:${trial.line}:${trial.column}`;
    const isReachedThere = places.get(place) ?? measures.some((measure) => getsTo(measure, trial));
    places.set(place, isReachedThere);
    return !isReachedThere;
  });
}

interface Looking {
  /** Of all scripts, but for those that look only at the work of others. */
  measures: readonly Measure[];
  /** Whether one of them gets to a place. */
  places: Map<string, boolean>;
  /** So many measures there were. */
  count: number;
}

/** Each requirement asks for all of them, at each event. */
const lookingAt = new WeakMap<State['work'], Looking>();

function lookingIn(state: State): Looking {
  // The ledger only adds to its list (I9).
  const count = state.ledger.measures.length;
  const before = lookingAt.get(state.work);
  if (before?.count === count) return before;
  const all = liveScripts(state.work).flatMap((script) => measureOf(state, script) ?? []);
  const looking = { measures: all.filter(({ inOtherWork }) => !inOtherWork), places: new Map<string, boolean>(), count };
  lookingAt.set(state.work, looking);
  return looking;
}

function getsTo({ reached, trials }: Measure, { path, line, column }: FaultTrial): boolean {
  if (reached[path]) return isReached(reached[path], { line, column });
  // Nobody tells its lines, but that run cannot do without the file.
  return trials.some((trial) => trial.path === path && (trial.outcome === 'seen' || trial.outcome === 'untold'));
}
