/** Describes how the loop works, for the person and for the agent that may change it: health, figures and the strategy in force. */
import { metrics } from '../core/metrics.ts';
import { health } from '../core/monitor.ts';
import { oneLine, percent } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import { strategyOf, usualStrategy, type Strategy, type StrategyRecord } from '../work/strategy.ts';

const choices: { [K in keyof Strategy]: Record<Strategy[K], string> } = {
  order: {
    dependencies: 'ready tasks in the order of the plan',
    value: 'tasks that serve most requirements first',
    risk: 'tasks that most others wait for first',
  },
  fix: {
    targeted: 'fixers mend the cause where it is',
    rewrite: 'fixers write the part at fault anew, and think a step harder',
    revert: 'fixers take back what broke it before they add anything',
  },
  tests: {
    as_planned: 'verifications as planned',
    smaller: 'new verifications test one step each',
  },
  scope: { whole: 'builders do a task as it is', smallest: 'builders do the smallest change that meets the acceptance' },
  triage: { by_cause: 'one fix for all that has one cause', one_by_one: 'each failure is mended alone' },
  research: {
    exhausted: 'a failure is researched when its fixes are used up',
    early: 'a failure is researched after two failed fixes',
  },
  effort: { usual: 'usual effort', raised: 'builders, fixers, QC and researchers think a step harder' },
};

type Chosen = { [K in keyof Strategy]?: Strategy[K] | undefined };

/** Only the choices that are not the usual ones. */
export function strategyWords({ ledger }: State): string {
  const now = strategyOf(ledger);
  const changed = Object.fromEntries(Object.entries(now).filter(([key, value]) => usualStrategy[key as keyof Strategy] !== value));
  return chosenWords(changed) || 'the usual one';
}

/** `RED: milestones do not come …`. */
export function healthWords(state: State): string {
  const { level, triggers } = health(state);
  return [level, triggers.map(({ why }) => why).join('; ')].filter(Boolean).join(': ');
}

/** One line for each time that the strategy changed. */
export function strategyChanges({ ledger }: State): string[] {
  return ledger.strategies
    .filter(({ changes }) => Object.keys(changes).length > 0)
    .map((record) => `- After ${record.decisions} decisions: ${chosenWords(record.changes)}. Why: ${oneLine(record.pattern)}`);
}

/** Earlier reviews of the strategy, for the next one. */
export function strategyReviews(records: readonly StrategyRecord[]): string {
  const lines = records.map(({ decisions, changes, pattern, rationale }) => {
    const what = chosenWords(changes) || 'nothing was changed';
    return `- after ${decisions} decisions: ${what}. ${oneLine(pattern)} ${oneLine(rationale)}`;
  });
  return lines.join('\n') || 'This is the first review.';
}

/** Every dimension with its values; the one in force is marked. */
export function strategyTable({ ledger }: State): string {
  const now = strategyOf(ledger);
  return (Object.keys(choices) as (keyof Strategy)[])
    .map((key) => {
      const values: [string, string][] = Object.entries(choices[key]);
      return `- ${key}: ${values.map(([value, words]) => `\`${value}\`${now[key] === value ? ' (now)' : ''}: ${words}`).join('; ')}`;
    })
    .join('\n');
}

export function metricsTable(state: State): string {
  const m = metrics(state);
  return [
    `- velocity: ${m.velocity.toFixed(3)} milestones a decision (weighted), ${m.slow} slow decisions in a row`,
    `- spent beyond what milestones cost before: ${m.overspent.toFixed(1)} milestones' tokens`,
    `- failed fixes of one thing: ${worstWords(m.churn)}`,
    `- failed fixes for one failure: ${worstWords(m.recurrence)}`,
    `- broken for one cause: ${worstWords(m.cluster)}, ${percent(m.cluster.share)} of what is broken`,
    `- fixes that change one file: ${worstWords(m.hotspot)}, ${percent(m.hotspot.share)} of all`,
    `- budget spent: ${percent(m.budget)}; value there: ${percent(m.value)}; in the last decisions: ${percent(m.span.budget)} for ${percent(m.span.value)}`,
  ].join('\n');
}

function chosenWords(chosen: Chosen): string {
  return Object.entries(chosen)
    .map(([key, value]) => (choices[key as keyof Strategy] as Record<string, string>)[value ?? ''] ?? '')
    .filter(Boolean)
    .join(', ');
}

function worstWords({ of, count }: { of: string; count: number }): string {
  return of === '' ? String(count) : `${count} (${oneLine(of)})`;
}
