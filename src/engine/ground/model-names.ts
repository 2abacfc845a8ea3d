/** A model's name tells whose it is: `editor:copilot/gpt-5` is one of the editor's; a name without such a prefix is the Messages API's. */
export const providers = ['anthropic', 'editor'] as const;
export type Provider = (typeof providers)[number];

export function providerOf(model: string): Provider {
  return providers.find((provider) => model.startsWith(`${provider}:`)) ?? 'anthropic';
}

/** The name by which the provider itself knows it. */
export function ownName(model: string): string {
  const prefix = `${providerOf(model)}:`;
  return model.startsWith(prefix) ? model.slice(prefix.length) : model;
}

/** A model that a stage names itself, in the place of one that the person chooses at the start. */
export interface NamedModel {
  model: string;
  /** Who names it, as the subject of a sentence: `/home/me/.config/loop/pipelines/stages/plan/stage.yaml:3`. */
  by: string;
  /** What to do where it cannot be asked, as a sentence. */
  mend: string;
}

/** For a person: `copilot/gpt-5 of the editor`. */
export function modelWords(model: string): string {
  return providerOf(model) === 'editor' ? `${ownName(model)} of the editor` : ownName(model);
}

/** Whether calls have a price that is known before they are made. */
export function isPriced(model: string): boolean {
  return providerOf(model) === 'anthropic';
}

/** What bounds a sprint that asks these models, beside its decisions: `$25.00 and 20M tokens`, or tokens alone. */
export function costBound(models: readonly string[], usd: string, tokens: string): string {
  const unpriced = [...new Set(models)].filter((name) => !isPriced(name));
  if (unpriced.length === 0) return `${usd} and ${tokens} tokens`;
  const why = `no price of ${unpriced.map(modelWords).join(' and ')} is known, so its calls count in tokens only`;
  return models.every((name) => !isPriced(name)) ? `${tokens} tokens; ${why}` : `${usd} and ${tokens} tokens; ${why}`;
}
