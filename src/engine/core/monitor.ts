/**
 * The process monitor: whether the current strategy leads to progress (docs/decisions/0019). It asks no model and changes
 * nothing; the row `strategy` acts on RED. Steady progress is never RED, however slow it is.
 */
import { reviewedAt, metrics, thresholds as at, type Metrics } from './metrics.ts';
import { percent } from '../ground/text.ts';
import type { State } from '../state/state.ts';

export type Level = 'GREEN' | 'YELLOW' | 'RED';

export interface Trigger {
  metric: 'velocity' | 'efficiency' | 'churn' | 'recurrence' | 'cluster' | 'divergence' | 'hotspot';
  level: Exclude<Level, 'GREEN'>;
  why: string;
}

export interface Health {
  level: Level;
  triggers: Trigger[];
  /** Why nothing is judged now; the level is GREEN then. */
  held?: string;
}

export function health(state: State): Health {
  const m = metrics(state);
  const held = whyHeld(state, m);
  if (held !== undefined) return { level: 'GREEN', triggers: [], held };
  const triggers = judges.flatMap((judge) => judge(m) ?? []);
  const level = triggers.some((t) => t.level === 'RED') ? 'RED' : triggers.length > 0 ? 'YELLOW' : 'GREEN';
  return { level, triggers };
}

function whyHeld({ ledger }: State, { decisions, budget }: Metrics): string | undefined {
  if (decisions < at.fewest) return `only ${decisions} decisions were made at work`;
  const reviewed = reviewedAt(ledger);
  if (reviewed > 0 && ledger.decisions.length - reviewed < at.cooldown) return 'the strategy or the course was reviewed just now';
  return budget >= at.late ? 'the budget is nearly spent' : undefined;
}

type Judge = (m: Metrics) => Trigger | undefined;

const judges: readonly Judge[] = [velocity, efficiency, churn, recurrence, cluster, divergence, hotspot];

function velocity({ velocity: now, slow }: Metrics): Trigger | undefined {
  if (slow < at.patience) return undefined;
  return {
    metric: 'velocity',
    level: 'RED',
    why: `milestones do not come: ${now.toFixed(3)} a decision, and ${slow} slow ones in a row`,
  };
}

function efficiency({ overspent }: Metrics): Trigger | undefined {
  if (overspent < at.overspentYellow) return undefined;
  const level = overspent >= at.overspentRed ? 'RED' : 'YELLOW';
  return {
    metric: 'efficiency',
    level,
    why: `the tokens of ${overspent.toFixed(1)} milestones were spent beyond what they cost before`,
  };
}

function churn({ churn: { of, count } }: Metrics): Trigger | undefined {
  if (count < at.churnYellow) return undefined;
  return {
    metric: 'churn',
    level: count >= at.churnRed ? 'RED' : 'YELLOW',
    why: `${of} was mended ${count} times and still fails`,
  };
}

function recurrence({ recurrence: { count } }: Metrics): Trigger | undefined {
  if (count < at.recurrence) return undefined;
  return { metric: 'recurrence', level: 'RED', why: `the same failure came back after ${count} fixes` };
}

function cluster({ cluster: { of, count, share } }: Metrics): Trigger | undefined {
  if (count < at.clusterFrom || share < at.cluster) return undefined;
  return { metric: 'cluster', level: 'YELLOW', why: `${percent(share)} of what is broken has one cause: ${of}` };
}

function divergence({ budget, value, span }: Metrics): Trigger | undefined {
  if (budget < at.divergenceFrom || budget < at.divergence * value) return undefined;
  const isWorse = span.budget >= at.spanCost && span.budget > at.spanRed * span.value;
  const why = `${percent(budget)} of the budget is spent, and ${percent(value)} of the value is there`;
  return { metric: 'divergence', level: isWorse ? 'RED' : 'YELLOW', why };
}

function hotspot({ hotspot: { of, count, share } }: Metrics): Trigger | undefined {
  if (count < at.hotspotFrom || share < at.hotspot) return undefined;
  return { metric: 'hotspot', level: 'YELLOW', why: `${percent(share)} of the fixes change ${of}` };
}
