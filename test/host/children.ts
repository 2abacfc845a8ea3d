/** Starts child processes for the host tests: real ones, which a test can kill, stop or let run out of disk. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bundles `test/host/children/<name>.ts` and returns the script. */
export function bundleChild(name: string, folder: string): string {
  const script = join(folder, `${name}.cjs`);
  const source = join('test', 'host', 'children', `${name}.ts`);
  const flags = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error', `--outfile=${script}`];
  execFileSync(join('node_modules', '.bin', 'esbuild'), [source, ...flags]);
  return script;
}

export function startChild(script: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

export async function firstOutput(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no output');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString();
}

export async function killHard(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** A new folder below the system's temporary one, and how to remove it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'loop-host-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
