/** The options that all sandboxes of one sprint share. */
import type { Variables } from '../variables.ts';
import type { Limits } from './limits.ts';

export interface RunnerOptions {
  worktree: string;
  /** The repository's `.git` that the worktree belongs to; shown read-only. */
  gitCommonDir: string;
  /** Folder of the sprint's verifications; mounted read-only, and named by the variable `VERIFICATIONS_DIR`. */
  verificationsDir?: string;
  /** What the person allowed (I6). `registries`: no job gets the network, each gets a proxy. Else a job that asks for it gets it. */
  network: 'none' | 'registries' | 'installs' | 'all';
  /** Hosts that the person added to the registries: `host` or `host:port`. */
  allowedHosts?: readonly string[];
  /** Folders that no command may see or create, such as the sprint's `.loop`. */
  hidden?: string[];
  /** Folder with a record of each sandbox that may hold ports of this machine; by default in the state folder. */
  records?: string;
  limits?: Partial<Limits>;
  /** Variables that the person named for commands. */
  variables?: Variables;
  /** The person's environment, from which PATH and a few harmless values are taken. */
  env?: NodeJS.ProcessEnv;
}
