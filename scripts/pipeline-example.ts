/** `npm start -- pipeline|sharpen|review`: runs an example pipeline in a new repository, with real git and sandbox, from its recording. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { codeOfError } from '../src/cli/exit-codes.ts';
import { explain } from '../src/cli/explain.ts';
import { pipeline } from '../src/cli/pipeline.ts';

/** By the example's folder: the pipeline that it runs. */
export const pipelineExamples = { pipeline: 'evening', sharpen: 'sharpen', review: 'review' } as const;
export type PipelineExample = keyof typeof pipelineExamples;

export function isPipelineExample(name: string): name is PipelineExample {
  return Object.hasOwn(pipelineExamples, name);
}

export async function pipelineExample(name: PipelineExample): Promise<number> {
  const folder = pipelineRepository(name);
  const out = (text: string): void => void process.stdout.write(text);
  out(`A fresh repository with the example: ${folder}\n`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const target = pipelineExamples[name];
  const run = {
    name: 'pipeline',
    verb: 'run',
    target,
    session: undefined,
    inputs: [],
    mock: undefined,
    record: undefined,
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

export function recordingOf(name: PipelineExample): string {
  return resolve('examples', name, 'recording.yaml');
}

/** A new repository with the example's `start`; its `branch`, where it has one, is committed as a sprint would. */
export function pipelineRepository(name: PipelineExample): string {
  const example = resolve('examples', name);
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
