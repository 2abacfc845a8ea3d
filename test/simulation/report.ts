/** The report of a simulation: a table, the numbers by which it is judged, and how to reproduce a failure. */
import { sprintRowIds } from '../../src/engine/state/rows.ts';
import type { Goal } from './goals.ts';
import type { Guarantee } from './oracle/oracle.ts';
import { draw, type Scenario } from './scenario.ts';
import type { Failure, Totals } from './totals.ts';

/** The number of sprints from which on a share means something. */
const enough = 1000;
/** The number of sprints of one error rate from which on their median means something. */
const enoughForGoals = 40;

export interface Verdict {
  lines: string[];
  /** Why the simulation failed; empty when it did not. */
  problems: string[];
}

export function judge(totals: Totals, goals: readonly Goal[], seconds: number): Verdict {
  const { sprints, fair, honest, attempted, rows } = totals;
  const share = fair.sprints === 0 ? 1 : fair.delivered / fair.sprints;
  const missingRows = sprintRowIds.filter((id) => !rows[id]);
  const broken = count(totals, ...others);
  const lines = [
    ...table(totals),
    '',
    ...rowLines(rows),
    '',
    `${count(totals, 'bound', 'money')} over the bound, ${count(totals, 'stuck', 'broken')} stuck, ${count(totals, 'false delivery', 'audit')} false deliveries out of ${attempted} attempted, ${count(totals, 'limits', 'lineage')} limits raised, ${broken} other guarantees broken`,
    `${honest.delivered} honestly delivered; ${percent(share)} of ${fair.sprints} with an honest model without errors where the world lets it deliver${seedsOf(fair.undelivered)}`,
    `${totals.crashed} sprints resumed at least once`,
    `every row exercised: ${missingRows.length === 0 ? 'yes' : `no, not ${missingRows.join(', ')}`}`,
    ...(totals.pairs.count > 0 ? [pairLine(totals.pairs)] : []),
    ...goals.map(goalLine),
    `${sprints} sprints, ${totals.decisions} decisions, ${Math.round(totals.decisions / seconds)} decisions a second, ${seconds.toFixed(0)} s`,
  ];
  const isJudged = sprints >= enough;
  const problems = [
    ...(totals.failures.length > 0 ? [`${totals.failures.length} sprints broke a guarantee`] : []),
    ...(isJudged && missingRows.length > 0 ? [`no sprint decided for ${missingRows.join(', ')}: give the simulation a reason to`] : []),
    ...(isJudged && isBelow(fair, 0.99)
      ? [`only ${percent(share)} of the honest models without errors delivered, for example seed ${fair.undelivered[0]} did not`]
      : []),
    ...(isWorseWithNoise(totals.pairs) ? ['the noise of the machine keeps honest models from delivering'] : []),
    ...(isJudged && attempted < sprints / 4 ? [`only ${attempted} sprints tried to deceive`] : []),
    ...goals
      .filter((g) => g.sprints >= enoughForGoals && g.median > g.most)
      .map((g) => `a plan task costs ${g.median.toFixed(2)} decisions at ${g.errorRate * 100} % errors, more than ${g.most}`),
    ...(isJudged && honest.delivered < sprints / 5 ? [`only ${honest.delivered} sprints were honestly delivered`] : []),
  ];
  return { lines, problems };
}

function seedsOf(undelivered: readonly number[]): string {
  return undelivered.length === 0 ? '' : `; not delivered: seeds ${undelivered.slice(0, 10).join(', ')}`;
}

/** The command that reproduces this failure. */
export function replay(failure: Failure, scenario: Scenario): string {
  const command = `npm run simulate -- --seed ${failure.seed} --sprints 1`;
  const drawn: Record<string, unknown> = { ...draw(failure.seed) };
  const changed = Object.entries(scenario).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(drawn[name]));
  return changed.length === 0 ? command : `${command} --with '${JSON.stringify(Object.fromEntries(changed))}'`;
}

const others: readonly Guarantee[] = ['fold', 'undo', 'one line a transaction', 'claims', 'verdicts', 'innocence', 'stale', 'consent'];

function count({ failures }: Totals, ...guarantees: Guarantee[]): number {
  return failures.filter((f) => guarantees.includes(f.guarantee)).length;
}

function table({ endings }: Totals): string[] {
  const stops = [...new Set(Object.values(endings).flatMap((by) => Object.keys(by)))].sort();
  const head = ['model'.padEnd(24), ...stops.map((stop) => stop.padStart(14))].join('');
  const lines = Object.keys(endings)
    .sort()
    .map((kind) => [kind.padEnd(24), ...stops.map((stop) => String(endings[kind]?.[stop] ?? 0).padStart(14))].join(''));
  return [head, ...lines];
}

function rowLines(rows: Readonly<Record<string, number>>): string[] {
  const names = [...new Set([...sprintRowIds, ...Object.keys(rows)])].map((id) => `${id} ${rows[id] ?? 0}`);
  return [`decisions: ${names.join(', ')}`];
}

function goalLine({ errorRate, median, mean, most, delivered, ofDelivered, sprints }: Goal): string {
  const holds = median <= most ? 'holds' : 'does not hold';
  return `decisions a plan task, 12 tasks and 24 verifications, ${errorRate * 100} % errors: median ${median.toFixed(2)}, mean ${mean.toFixed(2)}, goal ${most}: ${holds} (${delivered} of ${sprints} delivered, these with a median of ${ofDelivered.toFixed(2)})`;
}

function pairLine({ count: all, calm, noisy, lost }: Totals['pairs']): string {
  const share = (delivered: number): string => percent(delivered / all);
  const seeds = lost.length === 0 ? '' : `; fair, without errors, and lost by it: seeds ${lost.slice(0, 10).join(', ')}`;
  return `side by side, ${all} sprints with an honest model: ${share(calm)} delivered without the machine's noise, ${share(noisy)} with it${seeds}`;
}

/** Within one per cent, as far as so many pairs can show it: each differs by chance too. */
function isWorseWithNoise({ count: all, calm, noisy }: Totals['pairs']): boolean {
  const share = calm / Math.max(all, 1);
  return calm - noisy > 0.01 * all + 3 * Math.sqrt(2 * share * (1 - share) * all);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/**
 * Whether a sample shows that the share of delivered sprints is below a goal: three standard deviations of a binomial. Of few
 * sprints, chance alone may miss it.
 */
function isBelow({ delivered, sprints }: { delivered: number; sprints: number }, goal: number): boolean {
  return delivered < goal * sprints - 3 * Math.sqrt(goal * (1 - goal) * sprints);
}
