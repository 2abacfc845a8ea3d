/**
 * How the loop works, as against what it works on (spec/1 §11.2): seven dimensions, each with the usual way and others. None of
 * them is a cap, a size, a budget or a gate (I6).
 */
import { z } from 'zod';

export const strategy = z.strictObject({
  /** Which of the ready tasks is built first. */
  order: z.enum(['dependencies', 'value', 'risk']),
  /** How fixers go about a failure. */
  fix: z.enum(['targeted', 'rewrite', 'revert']),
  /** What QC writes next. */
  tests: z.enum(['as_planned', 'smaller']),
  /** How much a builder does at a time. */
  scope: z.enum(['whole', 'smallest']),
  /** Whether one fix is made for all that seems to have one cause. */
  triage: z.enum(['by_cause', 'one_by_one']),
  /** When a failure is looked up. */
  research: z.enum(['exhausted', 'early']),
  /** How hard builders, fixers, QC and researchers think. */
  effort: z.enum(['usual', 'raised']),
});
export type Strategy = z.infer<typeof strategy>;

export const usualStrategy: Strategy = {
  order: 'dependencies',
  fix: 'targeted',
  tests: 'as_planned',
  scope: 'whole',
  triage: 'by_cause',
  research: 'exhausted',
  effort: 'usual',
};

const judged = {
  /** What went wrong again and again, as the reasoner sees it. */
  pattern: z.string(),
  rationale: z.string(),
};

export const strategyFacts = [
  z.object({ fact: z.literal('strategy.changed'), ...judged, changes: strategy.partial() }),
  /** It was looked at and stays as it is. */
  z.object({ fact: z.literal('strategy.kept'), ...judged }),
] as const;

/** One look at the process, with the number of decisions then; without changes where the strategy stayed. */
export interface StrategyRecord {
  pattern: string;
  rationale: string;
  changes: Partial<{ [K in keyof Strategy]: Strategy[K] | undefined }>;
  decisions: number;
}

/** What is in force: the usual way, changed by each record in turn. */
export function strategyOf({ strategies }: { strategies: readonly StrategyRecord[] }): Strategy {
  return strategies.reduce<Strategy>((known, { changes }) => withChanges(known, changes), usualStrategy);
}

export function withChanges(known: Strategy, changes: StrategyRecord['changes']): Strategy {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...known, ...given };
}
