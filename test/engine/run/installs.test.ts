/** Installs of the worktree: made when what they read changed, and only then; a killed one once more. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/core/fold.ts';
import { installChanged } from '../../../src/engine/run/installs.ts';
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
const installs = (w: World): string[] =>
  w.runner.jobs.flatMap(({ run, at }) =>
    'command' in run && run.command.includes('install') ? [at === 'worktree' ? 'worktree' : 'scratch'] : [],
  );
const recorded = (w: World) =>
  Object.values(fold(w.journal.events).ledger.installs).map(({ install, exit }) => [install.folder, install.manager, exit]);

describe('an install', () => {
  it('is made once for what the manifests declare, and again only when they change', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    await installChanged(w.context);
    await installChanged(w.context);
    assert.deepEqual([installs(w), recorded(w)], [['worktree'], [['', 'npm', 0]]]);
    w.repo.files['package.json'] = manifest('5');
    w.repo.files['README.md'] = 'more';
    await installChanged(w.context);
    assert.equal(installs(w).length, 2);
    w.repo.files['README.md'] = 'much more';
    await installChanged(w.context);
    assert.equal(installs(w).length, 2);
  });

  it('follows a lock file, and each folder of a monorepo alone', async () => {
    const w = await opened({ 'web/package.json': manifest('4'), 'web/package-lock.json': '1', 'api/requirements.txt': 'flask\n' });
    await installChanged(w.context);
    assert.deepEqual(recorded(w), [
      ['api', 'pip', 0],
      ['web', 'npm', 0],
    ]);
    w.repo.files['web/package-lock.json'] = '2';
    await installChanged(w.context);
    assert.equal(installs(w).length, 3);
  });

  it('is not made where no manifest declares anything', async () => {
    const w = await opened({ 'package.json': '{"name":"greeter"}', 'greet.sh': '' });
    await installChanged(w.context);
    assert.deepEqual(w.runner.jobs, []);
  });

  it('that was killed is made once more', async () => {
    const w = await opened({ 'package.json': manifest('4') }, [{ exit: null }, { exit: 0 }]);
    await installChanged(w.context);
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
  });

  it('that failed is recorded, and made again only where that is asked for', async () => {
    const w = await opened({ 'package.json': manifest('4') }, [{ exit: 1, output: 'ERESOLVE' }]);
    await installChanged(w.context);
    await installChanged(w.context);
    assert.deepEqual([installs(w).length, recorded(w)], [1, [['', 'npm', 1]]]);
    assert.equal(Object.values(w.kernel.state.ledger.installs)[0]?.excerpt, 'ERESOLVE');
    await installChanged(w.context, { again: true });
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
  });

  it('that ended before a crash is not repeated, and one that was running is', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    w.journal.crashAt = w.kernel.state.n + 2;
    await assert.rejects(installChanged(w.context), { name: 'Interruption' });
    const after = await again(w);
    await installChanged(after.context);
    await installChanged((await again(w)).context);
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
  });

  it('is made in a scratch checkout as it was in the worktree', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    await installChanged(w.context);
    await prepared(w.context, { revert: [] }, () => Promise.resolve());
    assert.deepEqual(installs(w), ['worktree', 'scratch']);
  });
});
