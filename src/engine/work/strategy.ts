/**
 * The strategy: how the loop works, not what it works on (docs/decisions/0019). No dimension is a limit, a budget or a
 * gate (I6).
 */
import * as z from 'zod';

export const strategy = z.strictObject({
  /** Which ready task is built first. */
  order: z.enum(['dependencies', 'value', 'risk']),
  /** How fixers approach a failure. */
  fix: z.enum(['targeted', 'rewrite', 'revert']),
  /** Whether QC writes smaller verifications than planned. */
  tests: z.enum(['as_planned', 'smaller']),
  /** How much of a task a builder does at a time. */
  scope: z.enum(['whole', 'smallest']),
  /** One fix for each cause, or one for each verification. */
  triage: z.enum(['by_cause', 'one_by_one']),
  /** When research begins: once no fix is left, or earlier. */
  research: z.enum(['exhausted', 'early']),
  /** Thinking effort of builders, fixers, QC and researchers. */
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
  /** What goes wrong repeatedly, in the reasoner's judgement. */
  pattern: z.string(),
  rationale: z.string(),
};

export const strategyFacts = [
  z.object({ fact: z.literal('strategy.changed'), ...judged, changes: strategy.partial() }),
  /** Reviewed, and not changed. */
  z.object({ fact: z.literal('strategy.kept'), ...judged }),
] as const;

/** One review of the strategy, with the number of decisions so far. `changes` is empty if it was kept. */
export interface StrategyRecord {
  pattern: string;
  rationale: string;
  changes: Partial<{ [K in keyof Strategy]: Strategy[K] | undefined }>;
  decisions: number;
}

/** The current strategy: the usual one with all recorded changes in order. */
export function strategyOf({ strategies }: { strategies: readonly StrategyRecord[] }): Strategy {
  return strategies.reduce<Strategy>((known, { changes }) => withChanges(known, changes), usualStrategy);
}

export function withChanges(known: Strategy, changes: StrategyRecord['changes']): Strategy {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...known, ...given };
}
