/**
 * The engine's `Machine`: what a command in the sandbox would find. Honest about the sandbox: a variable counts only if
 * commands get it, a tool only if their PATH has it, a port only if their network reaches it.
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
      return { kind: 'port', listening: await isListening(need.port), reachable: network === 'all' };
    case 'tool':
      return { kind: 'tool', version: tools.get(need.name) ?? null };
    case 'disk': {
      const { bavail, bsize } = await statfs(worktree);
      return { kind: 'disk', megabytes: Math.floor((bavail * bsize) / 1_000_000) };
    }
  }
}

/** A path that is refused is not there. */
async function exists(worktree: string, path: string): Promise<boolean> {
  try {
    await lstat(join(worktree, ...segmentsOf(path)));
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds; loopback answers at once. */
const connectTime = 500;

/** On the loopback, by either protocol. */
async function isListening(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)));
  return answers.includes(true);
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTime });
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

/** Seconds for all tools together, and for one question to one. */
const toolsTime = 30;
const askTime = 5;

type Tool = Extract<Need, { kind: 'tool' }>;

/** Versions by name, empty where a tool does not say; what is not in it is not in the sandbox's PATH. Names are no shell text. */
async function toolVersions(runner: Runner, tools: readonly Tool[], signal: AbortSignal): Promise<Map<string, string>> {
  if (tools.length === 0) return new Map();
  const command = tools.map(({ name, version }) => (version === undefined ? isThere(name) : saysVersion(name))).join('\n');
  const job = { run: { command }, at: 'worktree' as const, timeout: toolsTime, network: false, readonly: true };
  const { output } = await runner.run(job, signal);
  return new Map([...output.matchAll(/^found (\S+) (\S*)$/gm)].map(([, name = '', version = '']) => [name, version]));
}

function isThere(name: string): string {
  return `command -v ${name} >/dev/null && echo 'found ${name} '`;
}

/** The first version in its answer, else its first number. Programs differ in how they are asked; one that hangs is asked once. */
function saysVersion(name: string): string {
  return `if command -v ${name} >/dev/null; then
  version=
  for way in --version version -version; do
    said="$(timeout ${askTime} ${name} "$way" 2>&1 </dev/null)"
    status=$?
    [ $status -eq 124 ] && break
    [ $status -eq 0 ] || continue
    version="$(printf '%s\n' "$said" | grep -Eo '[0-9]+([.][0-9]+)+' | head -n1)"
    [ -n "$version" ] || version="$(printf '%s\n' "$said" | grep -Eo '[0-9]+' | head -n1)"
    [ -n "$version" ] && break
  done
  echo "found ${name} $version"
fi`;
}
