/** A pipeline whose agents plant links, in a real worktree: the engine writes and reads its files through none of them. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { State } from '../../src/engine/state/state.ts';
import { pathsOf, type PlanNode } from '../../src/engine/work/pipeline.ts';
import type { SprintRepo } from '../../src/host/git/repo.ts';
import { createTree } from '../../src/host/tree-files.ts';
import { begun, decides, decisionsOf, iterations, node, play, status, type Agent } from '../engine/support/pipeline.ts';
import { calls } from '../support/fakes.ts';
import { git, repository, sprint, type Fixture } from './git/fixture.ts';

const once = { type: 'judgment', min_iterations: 1, consensus: 1 } as const;

describe('a pipeline whose agents plant links', () => {
  let at: Fixture;
  let repo: SprintRepo;
  beforeEach(async () => {
    at = repository({ 'README.md': 'mine\n', 'docs/plan.md': 'plan\n' });
    repo = await sprint(at);
  });
  afterEach(() => at.dispose());

  async function run(nodes: readonly PlanNode[], agent: Agent): Promise<State> {
    const w = begun(nodes, agent);
    const [first] = w.journal.events;
    if (first?.type === 'run.opened') first.base.commit = at.base;
    Object.assign(w.ports, { tree: createTree(repo), repo });
    return play(w);
  }
  /** As a command of an agent would. */
  const link = (target: string, path: string): void => {
    const whole = join(repo.path, path);
    mkdirSync(dirname(whole), { recursive: true });
    rmSync(whole, { recursive: true, force: true });
    symlinkSync(target, whole);
  };
  const readme = (): string => readFileSync(join(repo.path, 'README.md'), 'utf8');

  const nodes = [node({ termination: once }), node({ id: 'b', termination: once, writes: ['**'] })];
  const { status: file, progress, stageDir, context } = pathsOf({ nodes }, 'b', 1);
  const up = (path: string): string => '../'.repeat(path.split('/').length - 1);
  const both = ['a1 stop', 'b1 stop'];
  const planted: [what: string, target: string, path: string, decisions: string[]][] = [
    ['the file for its decision', `${up(file)}README.md`, file, both],
    ['its notes', `${up(progress)}README.md`, progress, both],
    ['its context', `${up(context)}README.md`, context, both],
    ['its folder', `${up(stageDir)}docs`, stageDir, both],
    ['the whole run folder', 'docs', '.loop-run', ['a1 error']],
  ];
  for (const [what, target, path, decisions] of planted)
    it(`keeps the person's files where an earlier stage made a link of ${what}`, async () => {
      const state = await run(nodes, (asked) => {
        if (asked.node === 'a') link(target, path);
        return calls(status('stop'));
      });
      assert.deepEqual(decisionsOf(state), decisions);
      assert.equal(readme(), 'mine\n');
      assert.equal(git(repo.path, 'diff', '--stat', at.base), '', 'nothing was committed');
      assert.equal(git(repo.path, 'status', '--porcelain', '--', 'docs', 'README.md'), '');
    });

  it('takes no output through a link, whether the file lies in the repository or in the run folder', async () => {
    for (const output of ['docs/plan.md', undefined]) {
      const linking = node({ termination: once, writes: ['**'], ...(output === undefined ? {} : { output }) });
      const state = await run([linking], (asked, w) => {
        link(`${up(asked.paths.output)}README.md`, asked.paths.output);
        return output === undefined ? calls(status('stop')) : decides(() => 'stop')(asked, w);
      });
      assert.deepEqual(
        iterations(state).map((one) => [one.status.decision, one.output]),
        [['error', null]],
      );
      assert.match(state.stopped?.reasons[0] ?? '', /goes through something that is not a folder, or a link/);
      assert.equal(readme(), 'mine\n', 'taken back');
    }
  });
});
