/**
 * How the work goes, in figures (spec/1 §11.2, layer 0): worked out from the ledger each time and never kept. Progress is a
 * milestone and nothing else (I5); no score that a model gave is in it. Pure (I3).
 */
import type { ActionId } from '../state/events.ts';
import type { Ledger } from '../state/ledger.ts';
import type { State } from '../state/state.ts';
import { machineCauses } from '../diagnose/causes.ts';
import { failedSinceGood } from '../judge/failed-fixes.ts';
import { liveVerifications } from '../state/covers.ts';
import type { FixRecord } from '../work/fix.ts';
import { tokensOf } from '../work/spend.ts';
import { isScript } from '../work/verification.ts';

/** Of all figures and of what is made of them in `monitor.ts`. */
export const thresholds = {
  /** Decisions at work before anything is judged, and after a look at strategy or course. */
  fewest: 12,
  cooldown: 8,
  /** Share of the budget from which on no change would pay. */
  late: 0.95,
  /** Weight of the latest decision in the velocity. */
  weight: 0.3,
  /** A velocity below this for so many decisions in a row: ten decisions without a milestone where these were rare before. */
  plateau: 0.05,
  patience: 5,
  /** A milestone may cost twice what they cost so far; what goes beyond adds up, counted in milestones' cost. */
  allowance: 2,
  knownFrom: 6,
  overspentYellow: 6,
  overspentRed: 12,
  /** Fixes of one thing that failed since it was last green. */
  churnYellow: 2,
  churnRed: 3,
  /** Failed fixes for one failure, in whichever verification it shows. */
  recurrence: 3,
  /** Share of what is broken that one cause is behind, from so many on. */
  cluster: 0.6,
  clusterFrom: 3,
  /** Budget over value; red where besides the last decisions brought less than an eighth of the value that they cost. */
  divergence: 2,
  divergenceFrom: 0.25,
  span: 20,
  spanCost: 0.1,
  spanRed: 8,
  /** Share of the fixes' changes that touch one file, from so many on. */
  hotspot: 0.5,
  hotspotFrom: 4,
  /** Decisions that are looked back on for what was mended. */
  memory: 40,
} as const;

export interface Metrics {
  /** Decisions at work. */
  decisions: number;
  /** Share of decisions that reach a milestone, the latest counting most. */
  velocity: number;
  /** Latest decisions in a row with a velocity below the plateau. */
  slow: number;
  /** CUSUM of tokens beyond the allowance, in the cost of a milestone so far; 0 while that is not known. */
  overspent: number;
  churn: Worst;
  recurrence: Worst;
  cluster: Worst & { share: number };
  hotspot: Worst & { share: number };
  /** Shares of all there is: of the budget that is spent, of the value that is there. */
  budget: number;
  value: number;
  /** The same within the latest decisions; nothing while there are fewer. */
  span: { budget: number; value: number };
}

/** Where it is worst. */
interface Worst {
  of: string;
  count: number;
}

export function metrics(state: State): Metrics {
  const { ledger } = state;
  const steps = stepsOf(ledger);
  const velocities = velocitiesOf(steps);
  const recent = recentFixes(state);
  const [budget, value] = [budgetShare(ledger), valueShare(state)];
  return {
    decisions: steps.length,
    velocity: velocities.at(-1) ?? 1,
    slow: velocities.length - 1 - velocities.findLastIndex((v) => v >= thresholds.plateau),
    overspent: overspent(steps, changedAt(ledger)),
    churn: worst(recent.map(({ lineage }) => lineage)),
    recurrence: worst(failures(recent)),
    cluster: clusterOf(state),
    hotspot: hotspotOf(state),
    budget,
    value,
    span: spanOf(state, steps, budget),
  };
}

/** How many decisions were made when the strategy or the course was last looked at; 0 where neither was. */
export function changedAt({ strategies, corrections }: Pick<Ledger, 'strategies' | 'corrections'>): number {
  return Math.max(strategies.at(-1)?.decisions ?? 0, corrections.at(-1)?.decisions ?? 0);
}

/** One decision at work, over. */
interface Step {
  /** Its number among all decisions. */
  n: number;
  tokens: number;
  milestones: number;
}

/** Qualifying and waiting for a person tell nothing of how the work goes. */
const besides: readonly ActionId[] = ['inputs', 'discovery', 'plan', 'prepare', 'characterise', 'wait', 'close'];

function stepsOf({ decisions }: Ledger): Step[] {
  return decisions.flatMap(({ decision, tokens, milestones }, index) => {
    if (tokens === undefined || milestones === undefined || besides.includes(decision.action)) return [];
    const before = decisions[index - 1];
    return [{ n: index + 1, tokens: tokens - (before?.tokens ?? 0), milestones: milestones - (before?.milestones ?? 0) }];
  });
}

/** An exponentially weighted average; it begins at 1, so that a sprint has time until its first milestone. */
function velocitiesOf(steps: readonly Step[]): number[] {
  let velocity = 1;
  return steps.map(({ milestones }) => {
    velocity += thresholds.weight * (Math.min(milestones, 1) - velocity);
    return velocity;
  });
}

/** Of what was spent since `from`, measured by what milestones cost in the whole sprint. */
function overspent(steps: readonly Step[], from: number): number {
  const paid = steps.slice(0, steps.findLastIndex((s) => s.milestones > 0) + 1);
  const reached = paid.filter((s) => s.milestones > 0).length;
  const cost = paid.reduce((sum, s) => sum + s.tokens, 0) / reached;
  if (reached < thresholds.knownFrom || cost === 0) return 0;
  const since = steps.filter((s) => s.n > from);
  return since.reduce((sum, s) => Math.max(0, sum + s.tokens / cost - (s.milestones > 0 ? thresholds.allowance : 0)), 0);
}

interface Failed {
  lineage: string;
  fix: FixRecord;
}

/** Fixes that failed, of what is still there, made since the last look at strategy or course. */
function recentFixes(state: State): Failed[] {
  const { ledger, work } = state;
  const gone = new Set(work.retired.map((id) => work.verifications[id]?.lineage));
  const ids = recentSteps(ledger);
  return Object.keys(ledger.fixes)
    .filter((lineage) => !gone.has(lineage))
    .flatMap((lineage) => failedSinceGood(ledger, lineage).map((fix) => ({ lineage, fix })))
    .filter(({ fix }) => ids.has(fix.step));
}

function recentSteps(ledger: Ledger): Set<string> {
  const from = Math.max(changedAt(ledger), ledger.decisions.length - thresholds.memory);
  return new Set(ledger.decisions.slice(from).map(({ id }) => id));
}

/** By signature; a fix for several verifications counts once. */
function failures(recent: readonly Failed[]): string[] {
  const seen = new Map(recent.map(({ fix }) => [`${fix.signature} ${fix.step}`, fix.signature]));
  return [...seen.values()].filter((signature) => signature !== '');
}

function worst(names: readonly string[]): Worst {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].reduce((most, [of, count]) => (count > most.count ? { of, count } : most), { of: '', count: 0 });
}

function clusterOf(state: State): Metrics['cluster'] {
  const groups = machineCauses(state).toSorted((a, b) => b.verifications.length - a.verifications.length);
  const all = groups.reduce((sum, { verifications }) => sum + verifications.length, 0);
  const [most] = groups;
  return { of: most?.why ?? '', count: most?.verifications.length ?? 0, share: (most?.verifications.length ?? 0) / Math.max(all, 1) };
}

/** By what fixers changed, kept or not. */
function hotspotOf({ ledger, work }: State): Metrics['hotspot'] {
  const ids = recentSteps(ledger);
  const changes = [...work.tree.commits, ...ledger.undone.map(({ change }) => change)].filter(
    ({ author, step }) => author.kind === 'fix' && ids.has(step),
  );
  const most = worst(changes.flatMap(({ files }) => files.map(({ path }) => path)));
  return { ...most, share: most.count / Math.max(changes.length, 1) };
}

function budgetShare({ spend, budget }: Ledger): number {
  return Math.max(spend.usd / budget.usd, tokensOf(spend) / budget.tokens);
}

function valueShare(state: State): number {
  const reached = state.ledger.milestones.filter((name) => !name.startsWith('gate ')).length;
  return Math.min(reached / allOf(state), 1);
}

/** Milestones that there are to reach in all: tasks settled, verifications green. */
function allOf({ work }: State): number {
  const tasks = Object.values(work.tasks).filter((t) => t.status !== 'descoped').length;
  const verifications = liveVerifications(work).filter(isScript).length;
  return Math.max(tasks + verifications, 1);
}

function spanOf(state: State, steps: readonly Step[], budget: number): Metrics['span'] {
  if (steps.length < thresholds.span) return { budget: 0, value: 0 };
  const latest = steps.slice(-thresholds.span);
  const [tokens, reached] = [latest.reduce((sum, s) => sum + s.tokens, 0), latest.reduce((sum, s) => sum + s.milestones, 0)];
  return { budget: (budget * tokens) / Math.max(tokensOf(state.ledger.spend), 1), value: reached / allOf(state) };
}
