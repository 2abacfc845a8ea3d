/** The options that all sandboxes of one sprint share. */
import type { Variables } from '../variables.ts';
import type { Mount } from './bubblewrap.ts';
import type { Limits } from './limits.ts';
import type { ViewWay } from './view-ways.ts';

export interface RunnerOptions {
  worktree: string;
  /** The repository's `.git` that the worktree belongs to; shown read-only. */
  gitCommonDir: string;
  /** Folder for what runs write into their views, on the worktree's disk. Nothing else is in it, and no command sees it. */
  views: string;
  /** Folder of the sprint's package cache. */
  packages?: string;
  /** How views are made; by default the cheapest way that works here. */
  viewBy?: ViewWay;
  /** What the person allowed (I6). A job gets the network only if it asks for it and this is `installs` or `all`. */
  network: 'none' | 'registries' | 'installs' | 'all';
  /** Folders that no command may see or create, such as the sprint's `.loop`. */
  hidden?: string[];
  /** Paths of a tree that are read-only in it, relative to its root: the sprint's own documents. */
  fixed?: readonly string[];
  /** Folder with a record of each sandbox that may hold ports of this machine; by default in the state folder. */
  records?: string;
  limits?: Partial<Limits>;
  /** Variables that the person named for commands. */
  variables?: Variables;
  /** The command `browser` of a sandbox; left out where this machine has no browser. */
  browser?: BrowserCommand;
  /** More of the disk that runs see: what a program of the person's needs. */
  shown?: readonly Mount[];
  /** The person's environment, from which PATH and a few harmless values are taken. */
  env?: NodeJS.ProcessEnv;
}

export interface BrowserCommand {
  /** The browser's canonical path. */
  program: string;
  /** The bundle of `browser/command.ts`. */
  command: string;
}
