/** Installs of the worktree: made when what they read changed, and only then; a killed one once more. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/core/fold.ts';
import { installInWorktree } from '../../../src/engine/run/installs.ts';
import { prepared } from '../../../src/engine/run/prepared.ts';
import type { Finished } from '../../../src/engine/work/job.ts';
import { world, type World } from '../../support/fakes.ts';
import * as p from '../support/parts.ts';
import { again, play, staged, type Play } from '../support/play.ts';

const manifest = (version: string): string => JSON.stringify({ dependencies: { express: version } });

async function opened(files: Record<string, string>, ends: Partial<Finished>[] = []): Promise<World & Play> {
  const w = world({ files });
  w.runner.decide = () => ends.shift() ?? {};
  await staged(w, p.planned().begin('run-verifications', ''));
  return { ...w, ...play(w) };
}
const installs = (w: World): string[] => jobsWith(w, 'use').map(({ at }) => (at === 'worktree' ? 'worktree' : 'scratch'));
const jobsWith = (w: World, packages: 'fill' | 'use') => w.runner.jobs.filter((job) => job.packages === packages);
/** The same action, begun anew: an action makes each install once. */
async function next(w: World & Play): Promise<Play> {
  await w.kernel.append({ type: 'step.ended', id: w.context.open.id, outcome: 'done', facts: [] });
  const decision = { action: 'run-verifications' as const, target: '', why: '', burns: [], behind: [] };
  await w.kernel.append({ type: 'step.begun', step: { id: 's99', kind: 'action', decision }, burns: [] });
  return w;
}
const recorded = (w: World) =>
  Object.values(fold(w.journal.events).ledger.installs).map(({ install, exit }) => [install.folder, install.manager, exit]);

describe('an install', () => {
  it('is made once for what the manifests declare, and again only when they change', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    await installInWorktree(w.context, 'changed');
    await installInWorktree(w.context, 'changed');
    assert.deepEqual([installs(w), recorded(w)], [['worktree'], [['', 'npm', 0]]]);
    w.repo.files['package.json'] = manifest('5');
    w.repo.files['README.md'] = 'more';
    await installInWorktree(w.context, 'changed');
    assert.equal(installs(w).length, 2);
    w.repo.files['README.md'] = 'much more';
    await installInWorktree(w.context, 'changed');
    assert.equal(installs(w).length, 2);
  });

  it('follows a lock file, and each folder of a monorepo alone', async () => {
    const w = await opened({ 'web/package.json': manifest('4'), 'web/package-lock.json': '1', 'api/requirements.txt': 'flask\n' });
    await installInWorktree(w.context, 'changed');
    assert.deepEqual(recorded(w), [
      ['api', 'pip', 0],
      ['web', 'npm', 0],
    ]);
    w.repo.files['web/package-lock.json'] = '2';
    await installInWorktree(w.context, 'changed');
    assert.equal(installs(w).length, 3);
  });

  it('is not made where no manifest declares anything', async () => {
    const w = await opened({ 'package.json': '{"name":"greeter"}', 'greet.sh': '' });
    await installInWorktree(w.context, 'changed');
    assert.deepEqual(w.runner.jobs, []);
  });

  it('that was killed is made once more', async () => {
    const w = await opened({ 'package.json': manifest('4') }, [{}, { exit: null }, { exit: 0 }]);
    await installInWorktree(w.context, 'changed');
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
  });

  it('that failed is recorded, and made again only where that is asked for', async () => {
    const w = await opened({ 'package.json': manifest('4') }, [{}, { exit: 1, output: 'ERESOLVE' }]);
    await installInWorktree(w.context, 'changed');
    await installInWorktree(w.context, 'changed');
    assert.deepEqual([installs(w).length, recorded(w)], [1, [['', 'npm', 1]]]);
    assert.equal(Object.values(w.kernel.state.ledger.installs)[0]?.excerpt, 'ERESOLVE');
    await installInWorktree((await next(w)).context, 'failed');
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
  });

  it('that ended before a crash is not repeated, and one that was running is', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    w.journal.crashAt = w.kernel.state.n + 2;
    await assert.rejects(installInWorktree(w.context, 'changed'), { name: 'Interruption' });
    const after = await again(w);
    await installInWorktree(after.context, 'changed');
    await installInWorktree((await again(w)).context, 'changed');
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
  });

  it('downloads for the package cache first, in the worktree only, without a script of the work', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    await installInWorktree(w.context, 'changed');
    await prepared(w.context, { revert: [] }, () => Promise.resolve());
    const [download, ...others] = jobsWith(w, 'fill');
    assert.deepEqual([download?.at, others], ['worktree', []]);
    assert.match(download && 'command' in download.run ? download.run.command : '', /npm install --ignore-scripts --git=git /);
  });

  it('is made in a scratch checkout as it was in the worktree', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    await installInWorktree(w.context, 'changed');
    await prepared(w.context, { revert: [] }, () => Promise.resolve());
    assert.deepEqual(installs(w), ['worktree', 'scratch']);
  });
});
