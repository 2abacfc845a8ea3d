/** A real repository with a pipeline of three stages, and fixtures for the mock. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { write } from './sprint.ts';

export interface PipelineGround {
  folder: string;
  repo: string;
  fixtures: string;
  env: Record<string, string>;
  git(...args: string[]): string;
  dispose(): Promise<void>;
}

const prompt = 'Read ${CTX}, note in ${PROGRESS}, write ${OUTPUT}, decide in ${STATUS}.\n';

/** Ideas twice, a plan from all of them that two must agree on, a queue that the plan's file empties,
 * and two stages side by side. */
export const three: Record<string, string> = {
  'pipelines/three.yaml': `inputs: [docs]
nodes:
  - { id: ideas, stage: ideas, max_iterations: 2 }
  - { id: plan, stage: plan, inputs: { from: ideas, select: all } }
  - { id: work, stage: work, inputs: { from: plan } }
  - id: looks
    parallel: [{ id: a, stage: ideas, max_iterations: 1 }, { id: b, stage: ideas, max_iterations: 2, tier: triage }]
    inputs: { from: plan }
`,
  'pipelines/stages/ideas/stage.yaml': 'termination: { type: fixed }\n',
  'pipelines/stages/ideas/prompt.md': prompt,
  'pipelines/stages/plan/stage.yaml':
    'termination: { type: judgment, verify: test -s docs/plan.md }\nguardrails: { max_iterations: 4 }\noutput: docs/plan.md\n',
  'pipelines/stages/plan/prompt.md': prompt,
  'pipelines/stages/work/stage.yaml': 'termination: { type: queue, command: test ! -e DONE && cat TODO.md || true }\noutput: DONE\n',
  'pipelines/stages/work/prompt.md': prompt,
  'docs/vision.md': 'A vision.\n',
  'TODO.md': 'one\n',
};

export const decisions: Record<string, string> = {
  'default.json': '{"decision": "continue", "reason": "on it goes"}',
  'plan/default.json': '{"decision": "stop", "reason": "nothing left to improve"}',
  'plan/iteration-1.json': '{"decision": "continue", "reason": "improved"}',
  'plan/default.md': 'The plan.\n',
};

export async function pipelineGround(
  files: Record<string, string> = three,
  fixtures: Record<string, string> = decisions,
): Promise<PipelineGround> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-pipeline-')));
  const repo = join(folder, 'repo');
  await write(repo, { ...files, 'notes.md': 'mine\n' });
  await write(join(folder, 'fixtures'), fixtures);
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@localhost');
  git('add', '-A');
  git('commit', '-qm', 'First commit');
  await write(repo, { 'notes.md': 'mine, being edited\n' });
  const env = { LOOP_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
  return { folder, repo, fixtures: join(folder, 'fixtures'), env, git, dispose: () => rm(folder, { recursive: true, force: true }) };
}
