/** What a session is made of: its role, its prompt, its tools and its place. */
import type { Hears } from '../ground/prompts.ts';
import type { Role, RoleName } from '../ground/roles.ts';
import type { Tool } from '../tools/tool.ts';
import type { Place } from '../work/job.ts';

export interface SessionSpec {
  role: RoleName;
  /** `<action>/<target>#<attempt>`. */
  purpose: string;
  system: string;
  /** What discovery found, with its value proofs; and, where pages are made, how a command starts a browser. */
  context?: string | undefined;
  /** Asked anew after a hand-over: the session itself may have changed what it says. */
  prompt: () => string | Promise<string>;
  tools: Tool[];
  /** Names of tools that may not be called, though the model sees them. */
  withheld?: readonly string[];
  /** Whether the session gets the provider's web tools, where there are any. */
  web: boolean;
  /** Names of tools: an accepted call of one of them ends the session. */
  ends: readonly string[];
  /**
   * Whether the session goes on after such a call, since something of it is not answered yet. Left out: it does not. It gets the
   * names of tools whose call the same reply had refused.
   */
  goesOn?: (refused: readonly string[]) => boolean;
  place: Place;
  /** Which of the person's words it gets. */
  hears: Hears;
  /** In the place of what its role says. */
  tier?: Role['tier'];
  /** In the place of that of its tier. */
  model?: string;
  effort?: Role['effort'];
  /** When it may make no further call, and the words for that. */
  deadline?: { at: number; why: string };
  /** Whether a session that stops without a report has done all the same what it was asked for. Left out: it has not. */
  finished?: () => boolean | Promise<boolean>;
}
