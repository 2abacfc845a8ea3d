/** A real repository with a worktree, a home and a canary to attack, and a real runner over them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { createLauncher } from '../../../src/host/launcher/launcher.ts';
import { createRunner, type TalkingRunner } from '../../../src/host/sandbox/runner.ts';
import type { RunnerOptions } from '../../../src/host/sandbox/options.ts';

export class World {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'loop-world-')));
  /** A folder that a sandbox sees, unlike the rest of this world: it is below the checkout, not below the temporary folder. */
  readonly outside: string;
  readonly home = join(this.folder, 'home');
  readonly repo = join(this.home, 'project');
  readonly tree = join(this.home, '.state', 'loop', 'tree');
  readonly views = join(this.home, '.state', 'loop', 'views');
  readonly canary: string;
  readonly env: NodeJS.ProcessEnv;

  constructor() {
    mkdirSync(join(process.cwd(), 'node_modules', '.cache'), { recursive: true });
    this.outside = realpathSync(mkdtempSync(join(process.cwd(), 'node_modules', '.cache', 'loop-outside-')));
    this.canary = join(this.outside, 'canary');
    writeFileSync(this.canary, 'alive');
    mkdirSync(join(this.home, '.ssh'), { recursive: true });
    writeFileSync(join(this.home, '.ssh', 'id_canary'), 'the key of the house');
    writeFileSync(join(this.home, '.npmrc'), 'the key of the house');
    mkdirSync(this.repo, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    writeFileSync(join(this.repo, 'README.md'), 'hello\n');
    this.git('add', '.');
    this.git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '-m', 'first words');
    this.git('remote', 'add', 'origin', 'https://user:the-key-of-the-house@example.invalid/x.git');
    this.git('worktree', 'add', '-q', '-b', 'sprint', this.tree);
    this.env = { ...process.env, HOME: this.home, THE_KEY: 'the key of the house' };
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.repo, encoding: 'utf8' });
  }

  options(more: Partial<RunnerOptions> = {}): RunnerOptions {
    const folders = { worktree: this.tree, gitCommonDir: join(this.repo, '.git'), views: this.views };
    return { ...folders, network: 'none', env: this.env, ...more };
  }

  /** A runner in a process of its own, as in a sprint. */
  remoteRunner(more: Partial<Omit<RunnerOptions, 'variables'>> = {}, variables: Record<string, string> = {}, idle?: number): TalkingRunner {
    return createLauncher(resolve('dist/launcher.js'), idle).runner({ ...this.options(more), variables });
  }

  run(run: string | Job['run'], more: Partial<Job> = {}, options: Partial<RunnerOptions> = {}): Promise<Finished> {
    const job: Job = {
      run: typeof run === 'string' ? { command: run } : run,
      at: 'worktree',
      timeout: 20,
      network: false,
      view: typeof run !== 'string' && 'script' in run,
      ...more,
    };
    return createRunner(this.options(options)).run(job, new AbortController().signal);
  }

  /** Returns what a command prints. @throws where the command fails. */
  async prints(command: string | Job['run'], more: Partial<Job> = {}, options: Partial<RunnerOptions> = {}): Promise<string> {
    const { exit, output } = await this.run(command, more, options);
    if (exit !== 0) throw new Error(`exit ${exit}: ${output}`);
    return output.trim();
  }

  inTree(path: string): string | undefined {
    const file = join(this.tree, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.outside, { recursive: true, force: true });
  }
}

/** Processes of the host with `mark` on their command line. */
export function processesMarked(mark: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(mark) && !/^\s*\d+\s+Z/.test(line));
}
