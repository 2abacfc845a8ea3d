/** What a mutant of the engine is: some text of one file, replaced when it is bundled. */
import type { Scenario } from './scenario.ts';

export interface Mutant {
  name: string;
  /** What no longer holds. */
  what: string;
  edits: readonly Edit[];
  /** What is rare in the drawn worlds and matters here. */
  world?: Partial<Scenario>;
}

export interface Edit {
  /** From the repository's root. */
  file: string;
  find: string;
  replace: string;
}

export const edit = (file: string, find: string, replace: string): Edit => ({ file: `src/engine/${file}`, find, replace });
