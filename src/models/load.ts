/**
 * Loads the Anthropic SDK on the first call, because its half megabyte would delay every start. So `anthropic.ts` may only be
 * imported dynamically, as below.
 */
import { InputError, messageOf, TerminalModelError } from '../engine/ground/errors.ts';
import type { Clock, Model } from '../engine/ports.ts';
import type { AnthropicOptions, AccessOptions } from './anthropic.ts';
import { pricesOf } from './prices.ts';
import { windowOf } from './traits.ts';

/** The Anthropic model; its SDK is loaded by the first `ask`, which then also throws the errors of `createAnthropic`. */
export function createLazyAnthropic(options: AnthropicOptions): Model {
  let loaded: Promise<Model> | undefined;
  return {
    id: 'anthropic',
    // A gateway may refuse a request that names the provider's own tools.
    web: () => options.baseURL === undefined,
    prices: pricesOf,
    window: windowOf,
    async ask(request, onText, signal) {
      loaded ??= import('./anthropic.ts').then((module) => module.createAnthropic(options));
      return (await loaded).ask(request, onText, signal);
    },
  };
}

/** `unreached`: nobody answered who could tell. */
export type KeyAnswer = { kind: 'taken' } | { kind: 'refused' | 'unreached'; why: string };

const checkTimeoutMs = 10_000;

/** Asks the API whether it takes a key, by a count of tokens, which is free. Never throws for what the API answers. */
export async function checkKey(options: AnthropicOptions, model: string): Promise<KeyAnswer> {
  const { createAnthropic } = await import('./anthropic.ts');
  try {
    const { signal } = new AbortController();
    await createAnthropic({ ...options, idleTimeoutMs: checkTimeoutMs }).probe(model, signal);
    return { kind: 'taken' };
  } catch (error) {
    const why = messageOf(error);
    if (error instanceof InputError) return { kind: 'refused', why };
    // A model that is not known is no fault of the key.
    if (error instanceof TerminalModelError) return error.kind === 'authentication' ? { kind: 'refused', why } : { kind: 'taken' };
    return { kind: 'unreached', why };
  }
}

/** See `tryAnthropic` in `anthropic.ts`. */
export async function probe(options: AccessOptions, clock: Clock): Promise<void> {
  const { tryAnthropic } = await import('./anthropic.ts');
  return tryAnthropic(options, clock);
}
