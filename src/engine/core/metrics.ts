/**
 * Figures about the progress of the work, computed from the ledger and never stored. Only milestones count as progress (I5), and
 * no score of a model is used.
 */
import type { ActionId } from '../state/rows.ts';
import type { Ledger } from '../state/ledger.ts';
import { goesBy } from '../state/rules.ts';
import type { State } from '../state/state.ts';
import { machineCauses } from '../diagnose/causes.ts';
import { blockerOf } from '../judge/blocker.ts';
import { failedSinceGood } from '../judge/failed-fixes.ts';
import { liveVerifications } from '../state/covers.ts';
import type { FixRecord } from '../work/fix.ts';
import { tokensOf } from '../work/spend.ts';
import { isScript } from '../work/verification.ts';

/** For the figures here and for the triggers in `monitor.ts`. */
export const thresholds = {
  /** Nothing is judged before so many decisions at work, or for so many after a review of strategy or course. */
  fewest: 12,
  cooldown: 8,
  /** From this share of the budget on, no change of strategy would pay off. */
  late: 0.95,
  /** Weight of the latest decision in the velocity. */
  weight: 0.3,
  /** A velocity below `plateau` for `patience` decisions in a row: about ten without a milestone, if these were rare before. */
  plateau: 0.05,
  patience: 5,
  /** A milestone may cost twice the average so far, which is known from `knownFrom` milestones on. The excess adds up. */
  allowance: 2,
  knownFrom: 6,
  overspentYellow: 6,
  overspentRed: 12,
  /** Failed fixes of one lineage since it was last green. */
  churnYellow: 2,
  churnRed: 3,
  /** Failed fixes for one failure signature, in any verification. */
  recurrence: 3,
  /** Share of the broken verifications that have one cause, and the least number of these. */
  cluster: 0.6,
  clusterFrom: 3,
  /** Spent budget over reached value. RED if also the last `span` decisions brought less than an eighth of the value that they cost. */
  divergence: 2,
  divergenceFrom: 0.25,
  span: 20,
  spanCost: 0.1,
  spanRed: 8,
  /** Share of the fixes' changes that touch one file, and the least number of these. */
  hotspot: 0.5,
  hotspotFrom: 4,
  /** Latest decisions that are searched for fixes. */
  memory: 40,
} as const;

export interface Metrics {
  /** Decisions at work. */
  decisions: number;
  /** Share of decisions that reach a milestone; the latest count most. */
  velocity: number;
  /** Latest decisions in a row with a velocity below the plateau. */
  slow: number;
  /** CUSUM of tokens beyond the allowance, in average costs of a milestone; 0 while these are not known. */
  overspent: number;
  churn: Worst;
  recurrence: Worst;
  cluster: Worst & { share: number };
  hotspot: Worst & { share: number };
  /** Share of the budget that is spent, and of the value that is reached. */
  budget: number;
  value: number;
  /** The same for the last `thresholds.span` decisions; 0 while there are fewer. */
  span: { budget: number; value: number };
}

/** The item with the highest count. */
interface Worst {
  of: string;
  count: number;
}

export function metrics(state: State): Metrics {
  const { ledger } = state;
  const steps = stepsOf(state);
  const velocities = velocitiesOf(steps);
  const recent = recentFixes(state);
  const [budget, value] = [spendShare(ledger), valueShare(state)];
  return {
    decisions: steps.length,
    velocity: velocities.at(-1) ?? 1,
    slow: velocities.length - 1 - velocities.findLastIndex((v) => v >= thresholds.plateau),
    overspent: overspent(steps, reviewedAt(ledger)),
    churn: worst(recent.map(({ lineage }) => lineage)),
    recurrence: worst(failures(recent)),
    cluster: clusterOf(state),
    hotspot: hotspotOf(state),
    budget,
    value,
    span: spanOf(state, steps, budget),
  };
}

/** Number of decisions when the strategy or the course was last reviewed; 0 if never. */
export function reviewedAt({ strategies, corrections }: Pick<Ledger, 'strategies' | 'corrections'>): number {
  return Math.max(strategies.at(-1)?.decisions ?? 0, corrections.at(-1)?.decisions ?? 0);
}

/** One decision at work that has ended. */
interface Step {
  /** Its number among all decisions. */
  n: number;
  tokens: number;
  milestones: number;
}

/**
 * What a decision tells about progress: nothing, where it qualifies or waits for a person; or that somebody works; or that somebody
 * looks at what is green, which cannot reach a milestone, and in an older sprint counts as slow work.
 */
const tells: Readonly<Record<ActionId, 'nothing' | 'work' | 'a look'>> = {
  settle: 'work',
  inputs: 'nothing',
  discovery: 'nothing',
  'review-documents': 'nothing',
  plan: 'nothing',
  'review-plan': 'nothing',
  'approve-plan': 'nothing',
  prepare: 'nothing',
  characterise: 'nothing',
  environment: 'work',
  'service-fix': 'work',
  strategy: 'work',
  'course-correct': 'work',
  'write-verifications': 'work',
  'run-verifications': 'work',
  triage: 'work',
  fix: 'work',
  research: 'work',
  'plan-health': 'work',
  vrc: 'work',
  'critical-eval': 'work',
  'run-hidden': 'work',
  execute: 'work',
  prove: 'a look',
  measure: 'a look',
  'write-hidden': 'work',
  final: 'a look',
  wait: 'nothing',
  close: 'nothing',
  queue: 'work',
  verify: 'work',
  iterate: 'work',
};

function stepsOf({ opened, ledger: { decisions } }: State): Step[] {
  const isLeft = (action: ActionId): boolean =>
    tells[action] === 'nothing' || (tells[action] === 'a look' && goesBy(opened, 'green looks'));
  return decisions.flatMap(({ decision, tokens, milestones }, index) => {
    if (tokens === undefined || milestones === undefined || isLeft(decision.action)) return [];
    const before = decisions[index - 1];
    return [{ n: index + 1, tokens: tokens - (before?.tokens ?? 0), milestones: milestones - (before?.milestones ?? 0) }];
  });
}

/** An exponentially weighted average. It begins at 1, so that a sprint has time until its first milestone. */
function velocitiesOf(steps: readonly Step[]): number[] {
  let velocity = 1;
  return steps.map(({ milestones }) => {
    velocity += thresholds.weight * (Math.min(milestones, 1) - velocity);
    return velocity;
  });
}

/** The excess since decision `from`, measured by the cost of milestones in the whole sprint. */
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

/** Failed fixes of everything that is neither retired nor waits for something else, since the last review of strategy or course. */
function recentFixes(state: State): Failed[] {
  const { ledger, work } = state;
  const waiting = liveVerifications(work).filter((v) => blockerOf(state, v));
  const gone = new Set([...work.retired.map((id) => work.verifications[id]), ...waiting].map((v) => v?.lineage));
  const ids = recentSteps(ledger);
  return Object.keys(ledger.fixes)
    .filter((lineage) => !gone.has(lineage))
    .flatMap((lineage) => failedSinceGood(ledger, lineage).map((fix) => ({ lineage, fix })))
    .filter(({ fix }) => ids.has(fix.step));
}

function recentSteps(ledger: Ledger): Set<string> {
  const from = Math.max(reviewedAt(ledger), ledger.decisions.length - thresholds.memory);
  return new Set(ledger.decisions.slice(from).map(({ id }) => id));
}

/** The failed fixes' signatures; a fix for several verifications counts once. */
function failures(recent: readonly Failed[]): string[] {
  const byFix = new Map(recent.map(({ fix }) => [`${fix.signature} ${fix.step}`, fix.signature]));
  return [...byFix.values()].filter((signature) => signature !== '');
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

/** Counts all changes by fixers, kept or undone. */
function hotspotOf({ ledger, work }: State): Metrics['hotspot'] {
  const ids = recentSteps(ledger);
  const changes = [...work.tree.commits, ...ledger.undone.map(({ change }) => change)].filter(
    ({ author, step }) => author.kind === 'fix' && ids.has(step),
  );
  const most = worst(changes.flatMap(({ files }) => files.map(({ path }) => path)));
  return { ...most, share: most.count / Math.max(changes.length, 1) };
}

function spendShare({ spend, budget }: Ledger): number {
  return Math.max(spend.usd / budget.usd, tokensOf(spend) / budget.tokens);
}

function valueShare(state: State): number {
  const reached = state.ledger.milestones.filter((name) => !name.startsWith('gate ')).length;
  return Math.min(reached / allOf(state), 1);
}

/** All milestones that can be reached: tasks settled and verifications green. */
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
