/**
 * The engine's `Machine`: looks up what a command in the sandbox would find. A variable counts only if commands get it, a tool
 * only if the PATH inside has it, a port only if the network inside reaches it.
 */
import { lstat, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../engine/ground/config.ts';
import type { AbortSignal, Machine, Runner } from '../engine/ports.ts';
import type { MachineAnswer, Need } from '../engine/work/needs.ts';
import { segmentsOf } from './git/inside.ts';
import type { Variables } from './variables.ts';

export interface MachineOptions {
  worktree: string;
  network: Config['network'];
  allowedHosts?: Config['allowedHosts'];
  variables: Pick<Variables, 'has'>;
  runner: Runner;
}

export function createMachine(options: MachineOptions): Machine {
  return {
    async look(needs, signal) {
      const tools = await toolVersions(
        options.runner,
        needs.flatMap((n) => (n.kind === 'tool' ? [n] : [])),
        signal,
      );
      return Promise.all(needs.map((need) => answerFor(need, options, tools)));
    },
  };
}

async function answerFor(need: Need, options: MachineOptions, tools: ReadonlyMap<string, string>): Promise<MachineAnswer> {
  const { worktree, network, variables } = options;
  switch (need.kind) {
    case 'variable':
      return { kind: 'variable', is: variables.has(need.name) };
    case 'file':
      return { kind: 'file', there: await exists(worktree, need.path) };
    case 'port':
      return { kind: 'port', listening: await isListening(need.port), reachable: network === 'all' || isAllowed(need.port, options) };
    case 'tool':
      return { kind: 'tool', version: tools.get(need.name) ?? null };
    case 'disk': {
      const { bavail, bsize } = await statfs(worktree);
      return { kind: 'disk', megabytes: Math.floor((bavail * bsize) / 1_000_000) };
    }
  }
}

/** A port of this machine that the person named is reached at the same port inside. */
function isAllowed(port: number, { network, allowedHosts = [] }: MachineOptions): boolean {
  return (
    network === 'registries' &&
    allowedHosts.some((host) => /^(localhost|127\.[\d.]+|\[::1\]):\d+$/i.test(host) && host.endsWith(`:${port}`))
  );
}

/** False also for a path that is refused. */
async function exists(worktree: string, path: string): Promise<boolean> {
  try {
    await lstat(join(worktree, ...segmentsOf(path)));
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds; loopback answers at once. */
const connectTimeout = 500;

/** Tries the loopback addresses of IPv4 and IPv6. */
async function isListening(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)));
  return answers.includes(true);
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeout });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false));
  });
}

/** Seconds for all tools together, and for one call of one tool. */
const allToolsTimeout = 30;
const oneToolTimeout = 5;

type Tool = Extract<Need, { kind: 'tool' }>;

/**
 * Versions by name; empty where a tool prints none. A tool without an entry is not in the sandbox's PATH. Names need no shell
 * quoting, since the schema of a need allows only plain names.
 */
async function toolVersions(runner: Runner, tools: readonly Tool[], signal: AbortSignal): Promise<Map<string, string>> {
  if (tools.length === 0) return new Map();
  const command = tools.map(({ name, version }) => (version === undefined ? reportIfInstalled(name) : reportVersion(name))).join('\n');
  const job = { run: { command }, at: 'worktree' as const, timeout: allToolsTimeout, network: false, offline: true, readonly: true };
  const { output } = await runner.run(job, signal);
  return new Map([...output.matchAll(/^found (\S+) (\S*)$/gm)].map(([, name = '', version = '']) => [name, version]));
}

function reportIfInstalled(name: string): string {
  return `command -v ${name} >/dev/null && echo 'found ${name} '`;
}

/** Shell text that prints the first version, else the first number, in a tool's answer. A tool that hangs is called only once. */
function reportVersion(name: string): string {
  return `if command -v ${name} >/dev/null; then
  version=
  for option in --version version -version; do
    answer="$(timeout ${oneToolTimeout} ${name} "$option" 2>&1 </dev/null)"
    status=$?
    [ $status -eq 124 ] && break
    [ $status -eq 0 ] || continue
    version="$(printf '%s\n' "$answer" | grep -Eo '[0-9]+([.][0-9]+)+' | head -n1)"
    [ -n "$version" ] || version="$(printf '%s\n' "$answer" | grep -Eo '[0-9]+' | head -n1)"
    [ -n "$version" ] && break
  done
  echo "found ${name} $version"
fi`;
}
