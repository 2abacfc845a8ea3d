/** `npm start -- pipeline`: runs the example pipeline in a new repository, with real git and sandbox, from its recording. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { codeOfError } from '../src/cli/exit-codes.ts';
import { explain } from '../src/cli/explain.ts';
import { pipeline } from '../src/cli/pipeline.ts';

export async function pipelineExample(example = resolve('examples', 'pipeline')): Promise<number> {
  const folder = join(mkdtempSync(join(tmpdir(), 'loop-example-')), 'pipeline');
  cpSync(join(example, 'start'), folder, { recursive: true });
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=You', '-c', 'user.email=you@localhost', 'commit', '--quiet', '--message=First commit');
  const out = (text: string): void => void process.stdout.write(text);
  out(`A fresh repository with the example: ${folder}\n`);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const run = { name: 'pipeline', verb: 'run', target: 'evening', session: undefined, mock: undefined, record: undefined, folder } as const;
  const model = `recorded:${join(example, 'recording.yaml')}`;
  try {
    return await pipeline({ ...run, model, overrides: {}, json: false }, { out, err: out }, stop.signal);
  } catch (error) {
    out(`${explain(error)}\n`);
    return codeOfError(error, undefined);
  }
}
