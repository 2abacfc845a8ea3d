/** Installs: made when what they read changed, and only then; one that failed or was killed once more, and then it is no verdict. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/core/fold.ts';
import { askForInstalls, whyNotInstallable } from '../../../src/engine/judge/install-fault.ts';
import { installInWorktree } from '../../../src/engine/run/installs.ts';
import { runVerifications } from '../../../src/engine/run/batch.ts';
import { runInCheckout } from '../../../src/engine/run/in-checkout.ts';
import { prepared } from '../../../src/engine/run/prepared.ts';
import { probeService } from '../../../src/engine/run/probe-services.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
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
async function next(w: World & Play, facts: Fact[] = []): Promise<Play> {
  await w.kernel.append({ type: 'step.ended', id: w.context.open.id, outcome: 'done', facts });
  const decision = { action: 'run-verifications' as const, target: '', why: '', burns: [], behind: [] };
  await w.kernel.append({ type: 'step.begun', step: { id: 's99', kind: 'action', decision }, burns: [] });
  return w;
}
const traffic = { refused: [], reached: [], withheld: [], allowed: [] };
const service = { name: 'api', start: { command: 'node server.js' }, ready: { tcp: 3000 }, limit: 5 };
/** The first download works, and no install does. */
const failing = (end: Partial<Finished>): Partial<Finished>[] => [{}, end, {}, end];
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

  it('brings tools for checks beside what is declared, and takes other flags in its place', async () => {
    const flagsWith = async (install: string): Promise<string[][]> => {
      const w = await opened({ 'pyproject.toml': '[project]\nname = "a"\ndependencies = ["rich"]\n' });
      const { context } = w.context.state.work;
      assert.ok(context);
      await w.kernel.append({ type: 'person.said', facts: [{ fact: 'context.discovered', context: { ...context, install } }] });
      await installInWorktree(w.context, 'changed');
      return Object.values(fold(w.journal.events).ledger.installs).map(({ install: one }) => one.flags);
    };
    assert.deepEqual(await flagsWith('pip install mypy && pip install flake8'), [['-e', '.', 'mypy', 'flake8']]);
    assert.deepEqual(await flagsWith('pip install -e .[dev] mypy'), [['-e', '.[dev]', 'mypy']]);
  });

  it('is not made where no manifest declares anything', async () => {
    const w = await opened({ 'package.json': '{"name":"greeter"}', 'greet.sh': '' });
    await installInWorktree(w.context, 'changed');
    assert.deepEqual(w.runner.jobs, []);
  });

  for (const [what, end] of [
    ['was killed', { exit: null }],
    ['was killed behind its shell', { exit: 137, stopped: 'signal' as const }],
    ['failed', { exit: 1 }],
  ] as const)
    it(`that ${what} is made once more`, async () => {
      const w = await opened({ 'package.json': manifest('4') }, [{}, end, {}, { exit: 0 }]);
      await installInWorktree(w.context, 'changed');
      assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 0]]]);
    });

  it('that was killed twice is made a third time, and one that failed twice is not', async () => {
    for (const [end, times, exit] of [
      [{ exit: null }, 3, 0],
      [{ exit: 1 }, 2, 1],
    ] as const) {
      const w = await opened({ 'package.json': manifest('4') }, [{}, end, {}, end, {}, { exit: 0 }]);
      await installInWorktree(w.context, 'changed');
      assert.deepEqual([installs(w).length, recorded(w)], [times, [['', 'npm', exit]]]);
    }
  });

  it('that failed is recorded, and made again only where that is asked for', async () => {
    const w = await opened({ 'package.json': manifest('4') }, failing({ exit: 1, output: 'ERESOLVE' }));
    await installInWorktree(w.context, 'changed');
    await installInWorktree(w.context, 'changed');
    assert.deepEqual([installs(w).length, recorded(w)], [2, [['', 'npm', 1]]]);
    assert.equal(Object.values(w.kernel.state.ledger.installs)[0]?.excerpt, 'ERESOLVE');
    await installInWorktree((await next(w)).context, 'failed');
    assert.deepEqual([installs(w).length, recorded(w)], [3, [['', 'npm', 0]]]);
  });

  for (const { what, end, why } of [
    { what: 'by itself takes the change back that declares it', end: { exit: 1 }, why: 'with it npm cannot be installed: nothing' },
    { what: 'because it was killed takes nothing back', end: { exit: 137, stopped: 'signal' as const }, why: undefined },
    {
      what: 'because a host was refused takes nothing back',
      end: { exit: 1, traffic: { ...traffic, refused: ['x.org'] } },
      why: undefined,
    },
    {
      what: 'because the registry is down takes nothing back',
      end: { exit: 1, traffic: { ...traffic, unreachable: ['r.org'] } },
      why: undefined,
    },
  ])
    it(`that failed ${what}`, async () => {
      const w = await opened({ 'package.json': manifest('4') }, failing(end));
      await installInWorktree(w.context, 'changed');
      const change = p.change({ files: [{ path: 'package.json', kind: 'modified' }] });
      assert.equal(whyNotInstallable(w.kernel.state, change), why);
    });

  it('that the registry kept from being made is shown to the person, for verifications and services alike', async () => {
    const w = await opened({ 'package.json': manifest('4') }, failing({ exit: 1, traffic: { ...traffic, unreachable: ['r.org'] } }));
    await installInWorktree(w.context, 'changed');
    const { state } = w.kernel;
    w.runner.decide = () => ({ exit: 1, dead: { name: 'api', how: 'exited', exit: 1 } });
    const probe = await probeService({ ...w.context, state }, service, { at: 'worktree', code: 0 });
    assert.deepEqual([probe.up, probe.machine, probe.why], [false, true, 'the install npm failed']);
    const [asked] = askForInstalls(state, [], [probe]);
    assert.match(JSON.stringify(asked), /service\/api|service api/);
    assert.match(JSON.stringify(asked), /r\.org did not answer/);
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

  it('that fails in a scratch checkout alone leaves what is red there without a result', async () => {
    const w = await opened({ 'package.json': manifest('4') }, [{}, {}]);
    await installInWorktree(w.context, 'changed');
    w.runner.decide = () => ({ exit: 1, output: 'it is wrong' });
    const verifications = [p.verification()];
    const [run] = await runInCheckout(w.context, { verifications, where: 'clean', code: 1 });
    assert.deepEqual([run?.verdict, run?.why], ['none', 'the install npm failed']);
  });

  it('that cannot be made where what it reads is taken out is no fault of that checkout', async () => {
    const w = await opened({ 'package.json': manifest('4') }, [{}, {}]);
    await installInWorktree(w.context, 'changed');
    const settled = p.settled({ commit: 'c9', files: [{ path: 'package.json', kind: 'added' }] });
    await next(w, [{ fact: 'tree.settled', settled }]);
    w.runner.decide = (_files, job) => (job.packages === 'use' ? { exit: 1 } : { exit: 1, output: 'wrong total' });
    const verdictWithout = async (revert: string[]): Promise<string | undefined> => {
      const batch = { verifications: [p.verification()], where: 'revert' as const, code: null };
      return (await prepared(w.context, { revert }, (at) => runVerifications(w.context, { ...batch, at })))[0]?.verdict;
    };
    assert.equal(await verdictWithout(['c9']), 'red');
    assert.equal(await verdictWithout([]), 'none');
  });

  it('that only the base commit’s manifest keeps from being made there is made with the one that the work mended', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    w.repo.files['package.json'] = manifest('5');
    await installInWorktree(w.context, 'changed');
    await w.repo.commit('mend the manifest', {});
    const settled = p.settled({ commit: 'c9', files: [{ path: 'package.json', kind: 'modified' }] });
    await next(w, [{ fact: 'tree.settled', settled }]);
    w.runner.decide = (files, job) => (job.packages === 'use' && files['package.json'] !== manifest('5') ? { exit: 1 } : {});
    const lacks = (of: 'base' | 'commit') =>
      prepared(w.context, { revert: [], of }, (at) => Promise.resolve(at !== 'worktree' && at.lacks));
    assert.equal(await lacks('base'), undefined);
    w.runner.decide = (_files, job) => (job.packages === 'use' ? { exit: 1 } : {});
    assert.deepEqual([await lacks('base'), await lacks('commit')], ['npm', 'npm']);
  });

  it('that failed before the work, which mended its manifest, is made with that also where the work is taken out', async () => {
    const w = await opened({ 'package.json': manifest('4') }, failing({ exit: 1 }));
    await installInWorktree(w.context, 'changed');
    w.repo.files['package.json'] = manifest('5');
    const { context } = await next(w);
    await installInWorktree(context, 'changed');
    const commit = await w.repo.commit('mend the manifest', {});
    const settled = p.settled({ commit, files: [{ path: 'package.json', kind: 'modified' }] });
    await next(w, [{ fact: 'tree.settled', settled }]);
    w.runner.decide = (files, job) => (job.packages === 'use' && files['package.json'] !== manifest('5') ? { exit: 1 } : {});
    const seen = await prepared(w.context, { revert: [commit] }, (at) => Promise.resolve(at !== 'worktree' && at.lacks));
    assert.equal(seen, undefined);
    assert.deepEqual(installs(w).slice(-3), ['scratch', 'scratch', 'scratch']);
  });

  it('that failed first by what the work itself declared is no fault of a checkout without that', async () => {
    const w = await opened({ 'requirements.txt': 'flask==99\n' }, [{ exit: 1 }, { exit: 1 }]);
    await installInWorktree(w.context, 'changed');
    assert.deepEqual(recorded(w), [['', 'pip', 1]]);
    w.repo.files['requirements.txt'] = 'flask\n';
    await installInWorktree((await next(w)).context, 'changed');
    const settled = p.settled({ commit: 'c9', files: [{ path: 'requirements.txt', kind: 'added' }] });
    await next(w, [{ fact: 'tree.settled', settled }]);
    w.runner.decide = (_files, job) => (job.packages === 'use' ? { exit: 1 } : {});
    assert.equal(await prepared(w.context, { revert: ['c9'] }, (at) => Promise.resolve(at !== 'worktree' && at.lacks)), undefined);
  });

  it('is made on the base commit as it was there, where the work took its manifest away later', async () => {
    const w = await opened({ 'package.json': manifest('4') });
    await installInWorktree(w.context, 'changed');
    const files = (kind: 'modified' | 'deleted') => ({ files: [{ path: 'setup.py', kind }] });
    const settled = [p.settled({ commit: 'c8', ...files('modified') }), p.settled({ commit: 'c9', ...files('deleted') })];
    await next(
      w,
      settled.map((one) => ({ fact: 'tree.settled', settled: one })),
    );
    w.runner.decide = (_files, job) => (job.packages === 'use' ? { exit: 1 } : {});
    assert.equal(await prepared(w.context, { revert: [], of: 'base' }, (at) => Promise.resolve(at !== 'worktree' && at.lacks)), 'npm');
  });

  it('of what nothing declares any more is made in no checkout', async () => {
    const w = await opened({ 'requirements.txt': 'flask\n' });
    await installInWorktree(w.context, 'changed');
    delete w.repo.files['requirements.txt'];
    w.repo.files['package.json'] = manifest('4');
    await installInWorktree((await next(w)).context, 'changed');
    assert.deepEqual(recorded(w), [['', 'npm', 0]]);
    const made = installs(w).length;
    await prepared(w.context, { revert: [] }, () => Promise.resolve());
    assert.equal(installs(w).length, made + 1);
  });

  it('that failed in the worktree explains a red in a scratch checkout only where it fails there, too', async () => {
    for (const [there, verdict] of [
      [0, 'red'],
      [1, 'none'],
    ] as const) {
      const w = await opened({ 'package.json': manifest('4') }, failing({ exit: 1 }));
      await installInWorktree(w.context, 'changed');
      assert.deepEqual(recorded(w), [['', 'npm', 1]]);
      w.runner.decide = (_files, job) => (job.packages === 'use' ? { exit: there } : { exit: 1, output: 'wrong total' });
      const [run] = await runInCheckout(w.context, { verifications: [p.verification()], where: 'clean', code: 1 });
      assert.equal(run?.verdict, verdict);
    }
  });
});
