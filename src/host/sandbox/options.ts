/** What the sandboxes of one sprint have in common, whatever runs in them. */
import type { Variables } from '../variables.ts';
import type { Limits } from './limits.ts';

export interface RunnerOptions {
  worktree: string;
  /** The repository's `.git` that the worktree belongs to; shown read-only. */
  gitCommonDir: string;
  /** Where the sprint's verifications lie; shown read-only as `VERIFICATIONS_DIR`. */
  verificationsDir?: string;
  /** What the person allowed. A job gets the network only if it asks for it and this is not `none`. */
  network: 'none' | 'installs' | 'all';
  /** Folders that no command may see or make, such as the sprint's `.loop`. */
  hidden?: string[];
  /** Where sandboxes are written down that may hold ports of this machine; by default in the state folder. */
  records?: string;
  limits?: Partial<Limits>;
  /** What the person named of their environment; nothing else of it gets in. */
  variables?: Variables;
  /** The person's environment, from which PATH and a few harmless values are taken. */
  env?: NodeJS.ProcessEnv;
}
