/**
 * The processes of the editor tests. Each has a process group of its own and is ended by its id, never by its name, also when this
 * process dies first.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

const graceMs = 5_000;
const pollMs = 100;
const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const keptOutputLength = 64_000;

/** A started program with everything that it starts. */
export interface StartedProcess {
  readonly pid: number;
  /** The end of its output, from both streams. */
  output(): string;
  /** Why it ended; undefined while it runs. */
  ended(): string | undefined;
  /** Ends it and its children; resolves when no process is left. */
  stop(): Promise<void>;
}

/** Starts a program that must end with this process. */
export function startProcess(command: string, args: readonly string[], env: NodeJS.ProcessEnv): StartedProcess {
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let ended: string | undefined;
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString('utf8')).slice(-keptOutputLength));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `exit ${code ?? signal ?? 'unknown'}`));
  const forget = killAtExit(child);
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

/** Waits until `probe` returns a value. @throws an error that names what it waited for */
export async function waitFor<T>(what: string, timeoutMs: number, probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Kills each process of a program that has this variable and a child process. @param variable as `NAME=value` */
export async function killBusy(program: string, variable: string): Promise<void> {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (!(await runs(id, program)) || !(await readWords(id, 'environ')).includes(variable)) continue;
    const [children] = await readWords(id, `task/${id}/children`);
    if (children) process.kill(Number(id), 'SIGKILL');
  }
}

/** Ids of the processes of a program that a process started itself. */
export async function childrenOf(parent: number, program: string): Promise<number[]> {
  const found: number[] = [];
  for (const thread of await readdir(`/proc/${parent}/task`)) {
    const [children = ''] = await readWords(String(parent), `task/${thread}/children`);
    for (const id of children.split(' ').filter(Boolean)) if (await runs(id, program)) found.push(Number(id));
  }
  return found;
}

async function runs(id: string, program: string): Promise<boolean> {
  return (await readWords(id, 'cmdline')).some((word) => word.endsWith(program));
}

async function readWords(id: string, name: string): Promise<string[]> {
  return (await readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')).split('\0');
}

// Only the first process of the group gets SIGTERM. Its children, above all the extension host, then have time to end in order,
// and a deactivated extension ends what it started.
async function endGroup(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const gone = async (): Promise<true | undefined> => ((await isGroupAlive(child)) ? undefined : true);
  await waitFor('the process group to end', graceMs, gone).catch(async () => {
    signalGroup(child, 'SIGKILL');
    await waitFor(`the killed process group ${child.pid ?? ''} to end`, graceMs, gone);
  });
}

// In a container zombies may stay: they still accept signals, and only /proc shows that they are dead.
async function isGroupAlive(child: ChildProcess): Promise<boolean> {
  if (!signalGroup(child, 0)) return false;
  if (process.platform !== 'linux') return true;
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')));
  // The fields after the name in parentheses are state, parent and process group.
  const member = new RegExp(`\\) [^ZX] \\d+ ${child.pid ?? -1} `);
  return states.some((state) => member.test(state));
}

// Returns false when no process of the group is left.
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

function killAtExit(child: ChildProcess): () => void {
  if (living.size === 0) {
    process.prependListener('exit', killLiving);
    for (const signal of endingSignals) process.on(signal, exitUnlessHandled);
  }
  living.add(child);
  return () => {
    if (!living.delete(child) || living.size > 0) return;
    process.off('exit', killLiving);
    for (const signal of endingSignals) process.off(signal, exitUnlessHandled);
  };
}

function killLiving(): void {
  for (const child of living) signalGroup(child, 'SIGKILL');
}

// A signal without another handler would end this process without `exit`, and leave the groups running.
function exitUnlessHandled(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) process.exit(1);
}
