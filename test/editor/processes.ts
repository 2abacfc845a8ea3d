// Owns the life of the programs that the editor tests start: each in a process group of its own, ended by its id, never
// by its name, and ended as well when this process dies before it could say so.

import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

const TERM_GRACE_MS = 5_000;
const POLL_MS = 50;
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const KEPT_OUTPUT = 64_000;

/** A started program, and everything that it starts. */
export interface StartedProcess {
  readonly pid: number;
  /** The end of what it has written, both streams. */
  output(): string;
  /** Why it is no longer running; undefined while it is. */
  ended(): string | undefined;
  /** Ends it and its children; resolves when none of them is left. */
  stop(): Promise<void>;
}

/** Starts a program that has to be gone when we are. */
export function startProcess(command: string, args: readonly string[], env: NodeJS.ProcessEnv): StartedProcess {
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let ended: string | undefined;
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `exit ${code ?? signal ?? 'unknown'}`));
  const forget = killWithUs(child);
  return {
    pid: child.pid ?? -1,
    output: () => output,
    ended: () => ended,
    stop: async () => {
      await endGroup(child);
      forget();
    },
  };
}

/** Waits until `probe` returns something; says what it waited for when it does not come. */
export async function waitFor<T>(what: string, timeoutMs: number, probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Ends at once whoever runs a program with this variable and has something going on. @param variable as `NAME=value`. */
export async function killBusy(program: string, variable: string): Promise<void> {
  const lists = async (id: string, name: string): Promise<string[]> =>
    (await readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')).split('\0');
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const runs = (await lists(id, 'cmdline')).some((word) => word.endsWith(program));
    if (!runs || !(await lists(id, 'environ')).includes(variable)) continue;
    const [children] = await lists(id, `task/${id}/children`);
    if (children) process.kill(Number(id), 'SIGKILL');
  }
}

// Only the first of the group is asked: its children, the extension host above all, then have the time to end in order, and
// an extension that is deactivated ends what it has started itself.
async function endGroup(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const gone = async (): Promise<true | undefined> => ((await isGroupAlive(child)) ? undefined : true);
  await waitFor('the process group to end', TERM_GRACE_MS, gone).catch(async () => {
    signalGroup(child, 'SIGKILL');
    await waitFor(`the killed process group ${child.pid ?? ''} to end`, TERM_GRACE_MS, gone);
  });
}

// In a container nobody may collect the dead: they still answer to signals, and only /proc tells that they are dead.
async function isGroupAlive(child: ChildProcess): Promise<boolean> {
  if (!signalGroup(child, 0)) return false;
  if (process.platform !== 'linux') return true;
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')));
  // After the name in parentheses: state, parent, process group.
  const member = new RegExp(`\\) [^ZX] \\d+ ${child.pid ?? -1} `);
  return states.some((state) => member.test(state));
}

// False when nobody of the group is left.
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch {
    return false;
  }
}

const living = new Set<ChildProcess>();

function killWithUs(child: ChildProcess): () => void {
  if (living.size === 0) {
    process.prependListener('exit', killLiving);
    for (const signal of SIGNALS) process.on(signal, exitUnlessHandled);
  }
  living.add(child);
  return () => {
    if (!living.delete(child) || living.size > 0) return;
    process.off('exit', killLiving);
    for (const signal of SIGNALS) process.off(signal, exitUnlessHandled);
  };
}

function killLiving(): void {
  for (const child of living) signalGroup(child, 'SIGKILL');
}

// A signal that nobody else takes care of would end us without `exit`, and leave the groups behind.
function exitUnlessHandled(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) process.exit(1);
}
