/** Spent tokens and money, and the sizes of tanks that depend on the plan (I4). */
import * as z from 'zod';
import { config } from '../ground/config.ts';
import { usage } from '../ground/messages.ts';

const overWhat = ['money', 'tokens', 'time'] as const;
export type OverWhat = (typeof overWhat)[number];

/** What a model call cost, or may have cost at most where nobody knows. */
export const spent = z.object({
  fact: z.literal('model.spent'),
  role: z.string(),
  model: z.string(),
  usage,
  /** Null where no price is known. */
  usd: z.number().nullable(),
});

export type Spent = z.infer<typeof spent>;

export const spendFacts = [
  spent,
  /** A model call was not made: its worst case exceeds the budget, or the time is over. */
  z.object({ fact: z.literal('budget.reached'), what: z.enum(overWhat), why: z.string() }),
  /** By a person, at a prompt, never by a file (I6). */
  z.object({ fact: z.literal('budget.raised'), usd: z.number(), tokens: z.number(), hours: z.number() }),
  /** Other models from here on, chosen by the person at a start. A session that is open keeps its own. */
  z.object({ fact: z.literal('models.chosen'), models: config.shape.models }),
  /** Recorded once, when the plan is settled. */
  z.object({
    fact: z.literal('fuel.sized'),
    sprint: z.number(),
    mint: z.number(),
    evaluation: z.number(),
  }),
] as const;

/** The most that a sprint may use; only the person raises it. */
export interface Budget {
  usd: number;
  tokens: number;
  hours: number;
}

export function raised(budget: Budget, by: Budget): Budget {
  return {
    usd: Math.max(budget.usd, by.usd),
    tokens: Math.max(budget.tokens, by.tokens),
    hours: Math.max(budget.hours, by.hours),
  };
}

/** Time in which it ran, in milliseconds, and the time of the event up to which it is counted. */
export interface Ran {
  ms: number;
  until: number;
}

export interface Spend {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** An estimate from the price table. */
  usd: number;
  /** Tokens of calls whose price nobody knows; left out where there were none. */
  unpriced?: number;
  calls: number;
}

export const noSpend = (): Spend => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, usd: 0, calls: 0 });

export function sumOf(spends: readonly Spend[]): Spend {
  const sum = noSpend();
  for (const one of spends) {
    sum.input += one.input;
    sum.output += one.output;
    sum.cacheRead += one.cacheRead;
    sum.cacheWrite += one.cacheWrite;
    sum.usd += one.usd;
    sum.calls += one.calls;
    if (one.unpriced !== undefined) sum.unpriced = (sum.unpriced ?? 0) + one.unpriced;
  }
  return sum;
}

export const tokensOf = (s: Pick<Spend, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>): number =>
  s.input + s.output + s.cacheRead + s.cacheWrite;

export function addCall(spend: Spend, used: Pick<Spend, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>, usd: number | null): void {
  spend.input += used.input;
  spend.output += used.output;
  spend.cacheRead += used.cacheRead;
  spend.cacheWrite += used.cacheWrite;
  if (usd === null) spend.unpriced = (spend.unpriced ?? 0) + tokensOf(used);
  else spend.usd += usd;
  spend.calls += 1;
}
