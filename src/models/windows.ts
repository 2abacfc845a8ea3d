/** How many tokens a request may hold, as published in November 2026. */

/** @param model a name with or without a date. @returns tokens; for an unknown name the least that a model in use has. */
export function windowOf(model: string): number {
  return longest.some((name) => model.startsWith(name)) ? 1_000_000 : 200_000;
}

const longest = ['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5'];
