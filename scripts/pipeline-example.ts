/** `npm start -- pipeline|sharpen|review|…`: runs an example pipeline in a new repository, with real git and sandbox, from its recording. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { codeOfError } from '../src/cli/exit-codes.ts';
import { explain } from '../src/cli/explain.ts';
import { pipeline } from '../src/cli/pipeline.ts';
import { usualFolder } from '../src/host/pipelines/shelves.ts';

/**
 * By name: the folder below `examples`, its recording there, and the pipeline that runs.
 */
const examples = {
  pipeline: { folder: 'pipeline', recording: 'recording', target: 'evening' },
  sharpen: { folder: 'sharpen', recording: 'recording', target: 'sharpen' },
  review: { folder: 'review', recording: 'recording', target: 'review' },
  'quick-refine': { folder: 'pipeline', recording: 'quick-refine', target: 'quick-refine' },
  'full-refine': { folder: 'pipeline', recording: 'full-refine', target: 'full-refine' },
  'deep-refine': { folder: 'pipeline', recording: 'deep-refine', target: 'deep-refine' },
  elegance: { folder: 'elegance', recording: 'recording', target: 'elegance' },
  'work-issues': { folder: 'issues', recording: 'work-issues', target: 'work-issues' },
  'work-beads': { folder: 'issues', recording: 'work-beads', target: 'work-beads' },
} as const;
export type PipelineExample = keyof typeof examples;
export const pipelineExamples = Object.keys(examples) as PipelineExample[];

export function isPipelineExample(name: string): name is PipelineExample {
  return Object.hasOwn(examples, name);
}

/** The pipeline that it runs, which is its session's name, too. */
export function targetOf(name: PipelineExample): string {
  return examples[name].target;
}

/** The example that has this recording. */
export function exampleOf(recording: string): PipelineExample | undefined {
  return pipelineExamples.find((name) => recordingOf(name) === recording);
}

export async function pipelineExample(name: PipelineExample): Promise<number> {
  process.env['PATH'] = pathWithStandIns();
  const folder = pipelineRepository(name);
  const out = (text: string): void => void process.stdout.write(text);
  out(`A fresh repository with the example: ${folder}\n`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const target = targetOf(name);
  const run = {
    name: 'pipeline',
    verb: 'run',
    target,
    session: undefined,
    inputs: [],
    mock: undefined,
    record: undefined,
    awake: false,
    shelf: usualFolder,
    folder,
  } as const;
  const model = `recorded:${recordingOf(name)}`;
  try {
    return await pipeline({ ...run, model, overrides: {}, json: false }, { out, err: out }, stop.signal);
  } catch (error) {
    out(`${explain(error)}\n`);
    return codeOfError(error, undefined);
  }
}

/** The PATH with stand-ins for programs that need an account, or that a machine may not have. Set it before anything runs. */
export function pathWithStandIns(): string {
  return [resolve('examples', 'issues', 'tools'), process.env['PATH']].join(delimiter);
}

export function recordingOf(name: PipelineExample): string {
  const { folder, recording } = examples[name];
  return resolve('examples', folder, `${recording}.yaml`);
}

/** A new repository with the example's `start`; its `branch`, where it has one, is committed as a sprint would. */
export function pipelineRepository(name: PipelineExample): string {
  const example = resolve('examples', examples[name].folder);
  const folder = join(mkdtempSync(join(tmpdir(), 'loop-example-')), name);
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const commit = (message: string): void => {
    git('add', '--all');
    git('-c', 'user.name=You', '-c', 'user.email=you@localhost', 'commit', '--quiet', `--message=${message}`);
  };
  cpSync(join(example, 'start'), folder, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  commit('First commit');
  if (existsSync(join(example, 'branch'))) {
    git('checkout', '--quiet', '-b', 'loop/tips-20260101-080000');
    cpSync(join(example, 'branch'), folder, { recursive: true });
    commit('tips: T1\n\nLoop-Step: s1');
    git('checkout', '--quiet', 'main');
  }
  return folder;
}
