/** What a session is: who speaks about what, with which tools, and where. */
import type { RoleName } from '../ground/roles.ts';
import type { Tool } from '../tools/tool.ts';
import type { Place } from '../work/job.ts';

export interface SessionSpec {
  role: RoleName;
  /** `<action>/<target>#<attempt>`. */
  purpose: string;
  system: string;
  prompt: string;
  tools: Tool[];
  /** The provider's web tools are wanted, where it has them. */
  web: boolean;
  /** Tools of which an accepted call ends the session. */
  ends: readonly string[];
  place: Place;
}
