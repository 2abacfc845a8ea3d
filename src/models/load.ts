/**
 * Loads the Anthropic SDK on the first call, because its half megabyte would delay every start. So `anthropic.ts` may only be
 * imported dynamically, as below.
 */
import type { Clock, Model } from '../engine/ports.ts';
import type { AnthropicOptions, AccessOptions } from './anthropic.ts';
import { pricesOf } from './prices.ts';
import { windowOf } from './windows.ts';

/** The Anthropic model; its SDK is loaded by the first `ask`, which then also throws the errors of `createAnthropic`. */
export function createLazyAnthropic(options: AnthropicOptions): Model {
  let loaded: Promise<Model> | undefined;
  return {
    id: 'anthropic',
    prices: pricesOf,
    window: windowOf,
    async ask(request, onText, signal) {
      loaded ??= import('./anthropic.ts').then((module) => module.createAnthropic(options));
      return (await loaded).ask(request, onText, signal);
    },
  };
}

/** See `tryAnthropic` in `anthropic.ts`. */
export async function probe(options: AccessOptions, clock: Clock): Promise<void> {
  const { tryAnthropic } = await import('./anthropic.ts');
  return tryAnthropic(options, clock);
}
