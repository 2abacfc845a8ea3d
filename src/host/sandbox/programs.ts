/** Whether this computer can make a sandbox, and in plain words what to do where it cannot. There is no mode without one. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../../engine/ground/errors.ts';
import { findProgram } from './places.ts';

export interface SandboxPrograms {
  bubblewrap: string;
  mkfifo: string;
  /** Bubblewrap 0.7 and later bound the size of temporary folders. */
  limitsFolders: boolean;
}

/** What the host says about itself, as far as the advice depends on it. */
export interface HostFacts {
  platform: NodeJS.Platform;
  hasBubblewrap: boolean;
  hasMkfifo: boolean;
  /** The first line of what bubblewrap said when it failed; undefined when it worked. */
  failure?: string;
  appArmorRestricts: boolean;
  /** User namespaces are turned off by the kernel's settings. */
  namespacesOff: boolean;
  inContainer: boolean;
}

/** What keeps a sandbox from being made and how to mend it, one paragraph; undefined when all is well. */
export async function sandboxProblem(path?: string): Promise<string | undefined> {
  const bubblewrap = findProgram('bwrap', [], path);
  const failure = bubblewrap === undefined ? undefined : await trialFailure(bubblewrap);
  return adviceFor({
    platform: process.platform,
    hasBubblewrap: bubblewrap !== undefined,
    hasMkfifo: findProgram('mkfifo', [], path) !== undefined,
    ...(failure === undefined ? {} : { failure }),
    appArmorRestricts: setting('kernel/apparmor_restrict_unprivileged_userns') === '1',
    namespacesOff: setting('kernel/unprivileged_userns_clone') === '0' || setting('user/max_user_namespaces') === '0',
    inContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  });
}

/** The programs that a run needs. Throws InputError where one is missing. @param writable folders not to trust. */
export async function findSandbox(writable: string[]): Promise<SandboxPrograms> {
  const bubblewrap = findProgram('bwrap', writable);
  const mkfifo = findProgram('mkfifo', writable);
  if (process.platform === 'linux' && bubblewrap !== undefined && mkfifo !== undefined)
    return { bubblewrap, mkfifo, limitsFolders: await isAtLeast07(bubblewrap) };
  throw new InputError('Loop cannot make a sandbox here, so it runs no commands.', (await sandboxProblem()) ?? INSTALL);
}

const WHY = 'Loop runs every command in a sandbox and never without one.';
const INSTALL =
  'Install bubblewrap: `sudo apt install bubblewrap` on Debian and Ubuntu, `sudo dnf install bubblewrap` on Fedora, ' +
  '`sudo pacman -S bubblewrap` on Arch, `apk add bubblewrap` on Alpine.';

/** Pure: the paragraph for these facts. */
export function adviceFor(facts: HostFacts): string | undefined {
  if (facts.platform === 'win32')
    return `${WHY} Windows itself offers none: open the folder in WSL (Windows Subsystem for Linux), or in a dev container.`;
  if (facts.platform !== 'linux')
    return `${WHY} On this system it has none yet: open the folder in a Linux dev container, virtual machine or remote.`;
  if (!facts.hasBubblewrap) return `${WHY} The program bwrap is missing. ${INSTALL}`;
  if (!facts.hasMkfifo) return `${WHY} The program mkfifo is missing. Install your system's coreutils.`;
  if (facts.failure === undefined) return undefined;
  return `${WHY} bwrap is installed but may not make one here (it says: ${facts.failure}). ${remedy(facts)}`;
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

const TRIAL =
  '--die-with-parent --new-session --unshare-all --unshare-user --cap-drop ALL --ro-bind / / --proc /proc --dev /dev --tmpfs /run';

function trialFailure(bubblewrap: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(bubblewrap, [...TRIAL.split(' '), '/bin/sh', '-c', ':'], { timeout: 5000, env: {} }, (error, _, stderr) => {
      resolve(error === null ? undefined : (stderr.split('\n')[0] ?? '').trim() || 'nothing');
    });
  });
}

const known = new Map<string, Promise<boolean>>();

function isAtLeast07(bubblewrap: string): Promise<boolean> {
  const answer = known.get(bubblewrap) ?? versionIsAtLeast07(bubblewrap);
  known.set(bubblewrap, answer);
  return answer;
}

function versionIsAtLeast07(bubblewrap: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(bubblewrap, ['--version'], { timeout: 5000, env: {} }, (_, stdout) => {
      const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
      resolve(Number(major) > 0 || Number(minor) >= 7);
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
