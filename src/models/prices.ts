/**
 * Prices of tokens, so that a call's cost is limited before it is made (I4). List prices in USD per million tokens, as published
 * in November 2026. Where a model has two rates, the higher one is used. An estimate, never an invoice.
 */
import type { Prices } from '../engine/ports.ts';

/**
 * @param model a name with or without a date.
 * @param answered the name that its reply has: a gateway may call one otherwise, or ask another one.
 * @returns its prices; for an unknown name the highest, because the limit must hold.
 */
export function pricesOf(model: string, answered = model): Prices {
  return rowOf(answered) ?? rowOf(model) ?? dearest;
}

function rowOf(model: string): Prices | undefined {
  return rows.get(model.replace(/-(\d{8}|latest)$/, ''));
}

/** Writing to the five-minute cache costs 1.25 times the price of input. */
const row = (input: number, output: number, cacheRead: number): Prices => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
  search: 0.01,
});

const rows: ReadonlyMap<string, Prices> = new Map(
  Object.entries({
    'claude-fable-5-2': row(8, 40, 0.2),
    'claude-fable-5-1': row(10, 50, 0.25),
    'claude-mythos-5-1': row(10, 50, 0.25),
    'claude-fable-5': row(10, 50, 1),
    'claude-mythos-5': row(10, 50, 1),
    'claude-opus-5-5': row(4, 20, 0.2),
    'claude-opus-5': row(5, 25, 0.5),
    'claude-opus-4-8': row(5, 25, 0.5),
    'claude-opus-4-7': row(5, 25, 0.5),
    'claude-opus-4-6': row(5, 25, 0.5),
    'claude-opus-4-5': row(5, 25, 0.5),
    'claude-opus-4-1': row(15, 75, 1.5),
    'claude-sonnet-5-5': row(2, 10, 0.2),
    'claude-sonnet-5': row(2, 10, 0.2),
    'claude-sonnet-4-6': row(3, 15, 0.3),
    'claude-sonnet-4-5': row(3, 15, 0.3),
    // The rate for prompts above 100,000 tokens.
    'claude-haiku-5-5': row(0.5, 2.5, 0.05),
    'claude-haiku-4-5': row(1, 5, 0.1),
  }),
);

const dearest = [...rows.values()].reduce((max, each) => (each.output > max.output ? each : max));
