/**
 * Prices the input of requests as the provider does: what an earlier request of the same model sent up to one of its cache points
 * is read from the cache, the rest is written to it. Nothing of it is older than the cache's five minutes, as in a sprint whose
 * sessions follow each other.
 */
import { createHash } from 'node:crypto';
import type { AskRequest } from '../../../src/engine/ground/messages.ts';
import type { Prices } from '../../../src/engine/ports.ts';

/** About right for English and code. */
const charactersPerToken = 4;

export interface InputPrice {
  /** US dollars. */
  usd: number;
  /** US dollars, where nothing was ever cached. */
  uncached: number;
  /** Characters, and those of them that were read from the cache. */
  sent: number;
  read: number;
}

export const noInput: InputPrice = { usd: 0, uncached: 0, sent: 0, read: 0 };

export function added(one: InputPrice, other: InputPrice): InputPrice {
  return { usd: one.usd + other.usd, uncached: one.uncached + other.uncached, sent: one.sent + other.sent, read: one.read + other.read };
}

export class InputPrices {
  private readonly cached = new Set<string>();

  constructor(private readonly pricesOf: (model: string) => Prices) {}

  /** Tools and system prompt are one part, the context another, then each message; a cache point stands after each. */
  of({ model, tools, system, context, messages }: AskRequest): InputPrice {
    const hash = createHash('sha256').update(model);
    let [sent, read] = [0, 0];
    for (const part of [{ tools, system }, ...(context === undefined ? [] : [context]), ...messages]) {
      const text = JSON.stringify(part);
      sent += text.length;
      const prefix = hash.update(text).copy().digest('hex');
      if (this.cached.has(prefix)) read = sent;
      this.cached.add(prefix);
    }
    const { input, cacheRead, cacheWrite } = this.pricesOf(model);
    const usd = (each: number, characters: number): number => (each * characters) / charactersPerToken / 1e6;
    return { usd: usd(cacheRead, read) + usd(cacheWrite, sent - read), uncached: usd(input, sent), sent, read };
  }
}
