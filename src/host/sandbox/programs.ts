/** Finds out whether this computer can make a sandbox, and what to do where it cannot. There is no mode without a sandbox. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../../engine/ground/errors.ts';
import { findProgram } from './places.ts';

export interface SandboxPrograms {
  bubblewrap: string;
  mkfifo: string;
  /** Programs that make views of a tree. Where one is missing, its start fails, and views are made in another way. */
  unshare: string;
  nsenter: string;
  mount: string;
  cp: string;
  /** True for bubblewrap 0.7 and later, which can limit the size of temporary folders. */
  limitsFolders: boolean;
}

/** The facts of the host that the advice depends on. */
export interface HostFacts {
  platform: NodeJS.Platform;
  hasBubblewrap: boolean;
  /** It is older than 0.5, and lacks options that each sandbox needs. */
  isOld?: boolean;
  hasMkfifo: boolean;
  /** The first line that a failed trial of bubblewrap printed; undefined when it worked. */
  failure?: string;
  appArmorRestricts: boolean;
  /** User namespaces are turned off by the kernel's settings. */
  namespacesOff: boolean;
  inContainer: boolean;
}

/** One paragraph: why no sandbox can be made here, and what to do. Undefined where one can be made. */
export async function sandboxProblem(path?: string): Promise<string | undefined> {
  const bubblewrap = findProgram('bwrap', [], path);
  const failure = bubblewrap === undefined ? undefined : await trialFailure(bubblewrap);
  const isOld = bubblewrap !== undefined && (await minorVersionOf(bubblewrap)) < oldest;
  return adviceFor({
    platform: process.platform,
    hasBubblewrap: bubblewrap !== undefined,
    isOld,
    hasMkfifo: findProgram('mkfifo', [], path) !== undefined,
    ...(failure === undefined ? {} : { failure }),
    appArmorRestricts: setting('kernel/apparmor_restrict_unprivileged_userns') === '1',
    namespacesOff: setting('kernel/unprivileged_userns_clone') === '0' || setting('user/max_user_namespaces') === '0',
    inContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  });
}

/**
 * Finds the programs that a run needs.
 * @param writable folders that a sandbox may write; programs in them are not used.
 * @throws InputError where one is missing.
 */
export async function findSandbox(writable: string[]): Promise<SandboxPrograms> {
  const bubblewrap = findProgram('bwrap', writable);
  const mkfifo = findProgram('mkfifo', writable);
  const find = (name: string): string => findProgram(name, writable) ?? name;
  const forViews = { unshare: find('unshare'), nsenter: find('nsenter'), mount: find('mount'), cp: find('cp') };
  if (process.platform === 'linux' && bubblewrap !== undefined && mkfifo !== undefined && (await isAtLeast(oldest, bubblewrap)))
    return { bubblewrap, mkfifo, ...forViews, limitsFolders: await isAtLeast(7, bubblewrap) };
  throw new InputError('Loop cannot make a sandbox here, so it runs no commands.', (await sandboxProblem()) ?? installAdvice);
}

/** 0.5 was the first with `--clearenv` and `--perms`. */
const oldest = 5;

const rule = 'Loop runs every command in a sandbox and never without one.';
const installAdvice =
  'Install bubblewrap: `sudo apt install bubblewrap` on Debian and Ubuntu, `sudo dnf install bubblewrap` on Fedora, ' +
  '`sudo pacman -S bubblewrap` on Arch, `apk add bubblewrap` on Alpine.';

/** Returns the paragraph for these facts. Pure. */
export function adviceFor(facts: HostFacts): string | undefined {
  if (facts.platform === 'win32')
    return `${rule} Windows itself offers none: open the folder in WSL (Windows Subsystem for Linux), or in a dev container.`;
  if (facts.platform !== 'linux')
    return `${rule} On this system it has none yet: open the folder in a Linux dev container, virtual machine or remote.`;
  if (!facts.hasBubblewrap) return `${rule} The program bwrap is missing. ${installAdvice}`;
  if (facts.isOld)
    return `${rule} bwrap is older than 0.${oldest} and lacks options that one needs. Update bubblewrap, or use a newer release of your system or a dev container.`;
  if (!facts.hasMkfifo) return `${rule} The program mkfifo is missing. Install your system's coreutils.`;
  if (facts.failure === undefined) return undefined;
  return `${rule} bwrap is installed but may not make one here (it says: ${facts.failure}). ${remedy(facts)}`;
}

function remedy(facts: HostFacts): string {
  if (facts.inContainer)
    return (
      'In a container, start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined ' +
      '--security-opt systempaths=unconfined` (in devcontainer.json: `runArgs`), and rebuild it.'
    );
  if (facts.appArmorRestricts)
    return (
      'Ubuntu 23.10 and later forbid it by AppArmor: write the file /etc/apparmor.d/bwrap with ' +
      '`abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }`, ' +
      'then run `sudo systemctl reload apparmor`.'
    );
  if (facts.namespacesOff)
    return (
      'User namespaces are turned off: run `sudo sysctl -w user.max_user_namespaces=15000` and, where that setting exists, ' +
      '`sudo sysctl -w kernel.unprivileged_userns_clone=1`; put the same into /etc/sysctl.d/ to keep it.'
    );
  return 'Ask whoever looks after this computer to allow unprivileged user namespaces, or use another one.';
}

/** Milliseconds for a trial, which takes some without load. A busy machine is no reason to refuse a start. */
const patience = 60_000;
export const trialOptions =
  '--die-with-parent --new-session --unshare-all --unshare-user --cap-drop ALL --ro-bind / / --proc /proc --dev /dev --tmpfs /run';

function trialFailure(bubblewrap: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(bubblewrap, [...trialOptions.split(' '), '/bin/sh', '-c', ':'], { timeout: patience, env: {} }, (error, _, stderr) => {
      resolve(error === null ? undefined : (stderr.split('\n')[0] ?? '').trim() || 'nothing');
    });
  });
}

const versions = new Map<string, Promise<number>>();

/** @param minor of the versions 0.x. */
async function isAtLeast(minor: number, bubblewrap: string): Promise<boolean> {
  const version = versions.get(bubblewrap) ?? minorVersionOf(bubblewrap);
  versions.set(bubblewrap, version);
  return (await version) >= minor;
}

/** Infinity from 1.0 on; one that does not say its version is tried. */
function minorVersionOf(bubblewrap: string): Promise<number> {
  return new Promise((resolve) => {
    execFile(bubblewrap, ['--version'], { timeout: patience, env: {} }, (_, stdout) => {
      const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
      resolve(Number(major) > 0 ? Infinity : Number(minor ?? oldest));
    });
  });
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
