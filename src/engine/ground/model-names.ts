/**
 * A model's name tells whose it is: `editor:copilot/gpt-5` is one of the editor's, `claude-code:opus` is asked by a program of the
 * person's; a name without such a prefix is the Messages API's.
 */
export const programs = ['claude-code', 'codex'] as const;
/** A program that asks models with the person's own login. */
export type ProgramName = (typeof programs)[number];

export const providers = ['anthropic', 'editor', ...programs] as const;
export type Provider = (typeof providers)[number];

export function providerOf(model: string): Provider {
  return providers.find((provider) => model.startsWith(`${provider}:`)) ?? 'anthropic';
}

/** The name by which the provider itself knows it. */
export function ownName(model: string): string {
  const prefix = `${providerOf(model)}:`;
  return model.startsWith(prefix) ? model.slice(prefix.length) : model;
}

/** What a program calls the model that it takes by itself. */
export const programsChoice = 'default';

export const programTitles: Readonly<Record<ProgramName, string>> = { 'claude-code': 'Claude Code', codex: 'Codex' };

/** Undefined for a model that no program asks. */
export function programOf(model: string): ProgramName | undefined {
  return programs.find((program) => program === providerOf(model));
}

/** A model that a stage names itself, in the place of one that the person chooses at the start. */
export interface NamedModel {
  model: string;
  /** Who names it, as the subject of a sentence: `/home/me/.config/loop/pipelines/stages/plan/stage.yaml:3`. */
  by: string;
  /** What to do where it cannot be asked, as a sentence. */
  mend: string;
}

/** For a person: `copilot/gpt-5 of the editor`, `opus by Claude Code`. */
export function modelWords(model: string): string {
  const program = programOf(model);
  if (program !== undefined) return `${ownName(model)} by ${programTitles[program]}`;
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
