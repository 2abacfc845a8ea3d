/** One model that asks each provider for its own models, by their names. Roles may so have models of several providers. */
import { InputError, TerminalModelError } from '../engine/ground/errors.ts';
import { modelWords, providerOf, type Provider } from '../engine/ground/model-names.ts';
import type { Model } from '../engine/ports.ts';
import { windowOf } from './traits.ts';

export type Providers = Partial<Record<Provider, Model>>;

/** @param models `ask` throws TerminalModelError('request') for a model of a provider that is not among them. */
export function createByProvider(models: Providers): Model {
  const of = (name: string): Model | undefined => models[providerOf(name)];
  return {
    id: Object.keys(models).join('+'),
    web: (name) => of(name)?.web?.(name) === true,
    prices: (name, answered) => of(name)?.prices(name, answered),
    window: (name) => of(name)?.window(name) ?? windowOf(name),
    ask(request, onText, signal) {
      const model = of(request.model);
      if (model) return model.ask(request, onText, signal);
      const { message, next } = notHere(request.model);
      return Promise.reject(new TerminalModelError(message, 'request', next));
    },
    close: () => {
      for (const model of Object.values(models)) model.close?.();
    },
  };
}

/** @throws InputError where a model is none of these providers'. */
export function requireProviders(models: Providers, names: readonly string[]): void {
  const missing = names.find((name) => !models[providerOf(name)]);
  if (missing !== undefined) throw notHere(missing);
}

/** How its models can be asked. */
export const waysTo: Record<Provider, string> = {
  anthropic: 'Give a key for Claude.',
  editor: 'Go on in the editor.',
  'claude-code': 'Install Claude Code, so that `claude` is found, and log in.',
  codex: 'Install Codex, so that `codex` is found, and log in.',
};

const ways: Record<Provider, string> = {
  anthropic: 'Give a key for Claude, or choose other models.',
  editor: 'Go on in the editor, or choose other models, with --models NAME.',
  'claude-code': `${waysTo['claude-code']} Or choose other models.`,
  codex: `${waysTo.codex} Or choose other models.`,
};

function notHere(name: string): InputError {
  return new InputError(`The model ${modelWords(name)} cannot be asked here.`, ways[providerOf(name)]);
}
