/**
 * The tools that a session is shown. A provider caches a request by its beginning, and the tools stand first. So sessions of a tier
 * are shown one list: each begins with what the one before has left in the cache. What is not a session's own it may not call (I8).
 */
import { frontOf, type PromptName } from '../ground/prompts.ts';
import { roles, type Role } from '../ground/roles.ts';

/**
 * Those that most sprints ask for. The others are rare and have long tools (`strategy`, `course-correct`, `review-declaration`),
 * another model (`write-hidden`) or the provider's own tools (`research`), so they are shown only their own.
 */
const usual: Readonly<Partial<Record<Role['tier'], readonly PromptName[]>>> = {
  reasoning: ['discovery', 'review-documents', 'plan', 'review-plan', 'plan-health', 'vrc', 'evaluation'],
  execution: ['write-verifications', 'review-verification', 'review-suite', 'execute', 'fix', 'service-fix'],
};

export interface ShownTools {
  /** Names. */
  shown: readonly string[];
  /** Those of them that the session may not call. */
  withheld: readonly string[];
}

export function shownTools(name: PromptName): ShownTools {
  const { role, tools } = frontOf(name);
  const others = usual[roles[role].tier] ?? [];
  if (!others.includes(name)) return { shown: tools, withheld: [] };
  const shown = [...new Set(others.flatMap((other) => frontOf(other).tools))];
  return { shown, withheld: shown.filter((tool) => !tools.includes(tool)) };
}
