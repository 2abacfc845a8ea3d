/**
 * Owns when the Anthropic SDK is loaded: on the first call, since half a megabyte of it must not delay a start. Importing
 * this file loads none of it; `anthropic.ts` is only ever reached by the dynamic imports below.
 */
import type { Clock, Model } from '../engine/ports.ts';
import type { AnthropicOptions, AccessOptions } from './anthropic.ts';
import { pricesOf } from './prices.ts';

/** The Anthropic model, its SDK loaded when it is first asked. Throws what `createAnthropic` throws, at that moment. */
export function createLazyAnthropic(options: AnthropicOptions): Model {
  let loaded: Promise<Model> | undefined;
  return {
    id: 'anthropic',
    prices: pricesOf,
    async ask(request, onText, signal) {
      loaded ??= import('./anthropic.ts').then((module) => module.createAnthropic(options));
      return (await loaded).ask(request, onText, signal);
    },
  };
}

/** See `probeAnthropic` in `anthropic.ts`. */
export async function probe(options: AccessOptions, clock: Clock): Promise<void> {
  const { tryAnthropic } = await import('./anthropic.ts');
  return tryAnthropic(options, clock);
}
