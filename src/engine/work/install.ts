/** Dependencies of the work: what installs them where, and how the latest install of the worktree went. */
import * as z from 'zod';
import { ref } from './ref.ts';

export const packageManager = z.enum([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'pip',
  'uv',
  'poetry',
  'go',
  'cargo',
  'bundler',
  'composer',
  'maven',
  'gradle',
  'dotnet',
]);
export type PackageManager = z.infer<typeof packageManager>;

const install = z.object({
  /** Repository-relative; empty for the root. */
  folder: z.string(),
  manager: packageManager,
  /** What follows the manager's own command: `--all-extras`, `-e .[dev]`. */
  flags: z.array(z.string()),
});
export type Install = z.infer<typeof install>;

export const installed = z.object({
  install,
  /** Hash of the manifests and lock files that it read. */
  declared: ref,
  /** Null when it was killed. */
  exit: z.number().nullable(),
  output: ref,
  excerpt: z.string(),
  /** Hosts that it asked for and may not reach; absent where there are none. */
  refused: z.array(z.string()).optional(),
  /** Registries that wanted a login; absent where there are none. */
  logins: z.array(z.string()).optional(),
  /** When it ended, milliseconds since the epoch; absent in older journals. */
  at: z.number().optional(),
  /** Registries that did not answer, or only with an error of their own; absent where there are none. */
  unreachable: z.array(z.string()).optional(),
  /** Milliseconds. */
  duration: z.number(),
});
export type Installed = z.infer<typeof installed>;

export const installFacts = [
  z.object({ fact: z.literal('install.ran'), installed }),
  /** By `installKey`. */
  z.object({ fact: z.literal('install.forgotten'), key: z.string() }),
] as const;

/** The latest install of each folder and manager in the worktree, by `installKey`. */
export type Installs = Record<string, Installed>;

/** An install with the number of decisions by then, and whether what it read was taken back since. */
export type InstallMade = Installed & { decision: number; forgotten?: true };

/** Parts of the ledger. */
interface InstallsKnown {
  installs: Installs;
  installsMade: InstallMade[];
  readonly decisions: readonly unknown[];
}

type InstallFact = z.infer<(typeof installFacts)[number]>;

export function reduceInstalls(known: InstallsKnown, fact: InstallFact): void {
  if (fact.fact === 'install.forgotten') {
    delete known.installs[fact.key];
    forget(known, ({ install: one }) => installKey(one) === fact.key);
  } else {
    known.installs[installKey(fact.installed.install)] = fact.installed;
    known.installsMade.push({ ...fact.installed, decision: known.decisions.length });
  }
}

/** A change is taken back, and with it what was installed to judge it. */
export function takeBackInstalls(known: InstallsKnown): void {
  known.installs = madeInstalls(known.installs);
  forget(known, ({ decision }) => decision === known.decisions.length);
}

function forget(known: InstallsKnown, isGone: (one: InstallMade) => boolean): void {
  known.installsMade = known.installsMade.map((one) => (isGone(one) ? { ...one, forgotten: true } : one));
}

/** One folder has one install of each manager. */
export function installKey({ folder, manager }: Install): string {
  return `${manager}@${folder}`;
}

/** `npm in web`. */
export function installWords({ folder, manager, flags }: Install): string {
  return `${[manager, ...flags].join(' ')}${folder === '' ? '' : ` in ${folder}`}`;
}

/** Installs that failed or were killed, and were not made again since. */
export function failedInstalls(installs: Installs): Installed[] {
  return Object.values(installs).filter(({ exit }) => exit !== 0);
}

/** Without those that failed: on another tree each is made anew, where it is still declared. */
export function madeInstalls(installs: Installs): Installs {
  return Object.fromEntries(Object.entries(installs).filter(([, { exit }]) => exit === 0));
}
