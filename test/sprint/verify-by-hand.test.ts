/** Verifications that the person runs by hand, through the editor's worker, with real git and the real sandbox. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { Overrides } from '../../src/engine/ground/config.ts';
import { InputError, Interruption } from '../../src/engine/ground/errors.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { FromWorker } from '../../src/extension/protocol.ts';
import { RunsByHand } from '../../src/extension/worker/runs-by-hand.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { treeOf, verifySprint } from '../../src/host/verify-sprint.ts';
import { sprintView } from '../../src/views/model/sprint-view.ts';
import { selected, testCategories } from '../../src/views/model/test-items.ts';
import type { VerifiedView } from '../../src/views/model/test-report.ts';
import { delivered } from '../support/played-once.ts';
import { verifications, writeVerifications, honest, withSessions } from '../support/greeter.ts';
import { differences, fingerprint } from '../host/git/fingerprint.ts';
import { ground, run, write, type Ground } from '../support/sprint.ts';

const endless = {
  write_verification: {
    path: 'cli/endless.sh',
    content: '#!/usr/bin/env bash\n# TEST: never ends\n# PRD: 1.2\n# RED: no end\n# TIMEOUT: 5\necho "no end"\nsleep 600',
  },
};

describe('verifications by hand', () => {
  let at: Ground;
  afterEach(() => at.dispose());
  const begin = async () => {
    const sprint = await delivered();
    at = sprint.at;
    return sprint;
  };

  it('pass where the sprint passed, one at a time or all, with the scripts that the editor opens', async () => {
    const { state } = await begin();
    const categories = testCategories(sprintView(state, Date.now()));
    const all = categories.flatMap((category) => category.verifications);
    assert.deepEqual(
      all.map(({ id, latest }) => [id, latest?.report.outcome]),
      ['cli/name', 'cli/world', 'cli/house'].map((id) => [id, 'passed']),
    );
    for (const { file, id } of all)
      assert.match(await readFile(join(at.sprintDir, '.loop', file), 'utf8'), new RegExp(`# TEST: ${id} behaves`));
    const { byHand, views } = startByHand();
    await byHand.run({ sprintDir: at.sprintDir, only: ['cli/house'] });
    assert.deepEqual(outcomes(views.splice(0)), { 'cli/house': 'passed' });
    await byHand.run({
      sprintDir: at.sprintDir,
      only: selected(categories, { include: undefined, exclude: [], failed: false }),
    });
    assert.deepEqual(outcomes(views), { 'cli/house': 'passed', 'cli/name': 'passed', 'cli/world': 'passed' });
  });

  it('run on the person’s checkout after Finish, as it is, and only read it', async () => {
    await begin();
    await finishSprint(at.sprintDir, 'merge');
    const { byHand, views } = startByHand();
    const all = { sprintDir: at.sprintDir, only: ['cli/name', 'cli/world', 'cli/house'] };
    const green = { 'cli/name': 'passed', 'cli/world': 'passed', 'cli/house': 'passed' };
    await byHand.run(all);
    assert.deepEqual(outcomes(views.splice(0)), green, 'also what needs a file that they supplied');
    assert.equal(await treeOf(at.sprintDir), at.repo);
    await write(at.repo, { 'greet.sh': 'echo nothing\n', '.env.local': 'KEY=1\n', 'new.txt': 'new\n' });
    const before = await fingerprint(at.repo);
    await byHand.run(all);
    assert.deepEqual(differences(before, await fingerprint(at.repo)), []);
    assert.deepEqual(outcomes(views.splice(0)), { 'cli/name': 'failed', 'cli/world': 'failed', 'cli/house': 'failed' });
    const left = (await readdir(join(at.folder, 'state', 'worktrees'), { recursive: true })).map((path) => basename(path));
    assert.deepEqual(
      left.filter((name) => /^(inputs|inputs\.json|excludes|index-.*|greet\.sh|house\.txt)$/.test(name)),
      [],
    );
    const key = at.git('hash-object', '.env.local').trim();
    assert.throws(() => at.git('cat-file', '-e', key), 'a key was put into the repository');
  });

  it('are refused after a drop', async () => {
    await begin();
    await finishSprint(at.sprintDir, 'drop');
    await assert.rejects(
      verifySprint({ sprintDir: at.sprintDir, signal: new AbortController().signal }),
      /was dropped, and its work with it/,
    );
  });

  it('fail with expected and actual before the work is done, and are refused while the sprint runs', async () => {
    at = await ground(honest);
    await runUntilVerified(at, honest);
    const { byHand, views } = startByHand();
    const only = ['cli/name'];
    const lock = await acquireLock(at.sprintDir);
    await assert.rejects(byHand.run({ sprintDir: at.sprintDir, only }), InputError);
    await lock.release();
    await byHand.run({ sprintDir: at.sprintDir, only });
    const [first] = views;
    assert.deepEqual([views.length, first?.report.outcome], [1, 'failed']);
    assert.deepEqual(first?.report.diff, { expected: "'Hello, Ada!'", actual: "''" });
    assert.match(first?.output ?? '', /expected 'Hello, Ada!'/);
  });

  it('stop on request, and can be run again at once', async () => {
    const sessions = withSessions(writeVerifications(verifications.name, endless, verifications.house));
    at = await ground(sessions);
    await runUntilVerified(at, sessions);
    const { byHand, views } = startByHand();
    const { sprintDir } = at;
    const begun = Date.now();
    const running = byHand.run({ sprintDir, only: ['cli/endless'] });
    setTimeout(() => byHand.stop(sprintDir), 1000);
    await running;
    assert.ok(Date.now() - begun < 50_000, 'it stopped at once');
    assert.deepEqual(views, []);
    await byHand.run({ sprintDir, only: ['cli/name'] });
    assert.deepEqual(outcomes(views), { 'cli/name': 'failed' });
  });

  it('have no result where a stop kept them from beginning', async () => {
    const sessions = withSessions(writeVerifications(verifications.name, endless, verifications.house));
    at = await ground(sessions);
    await runUntilVerified(at, sessions, { verificationParallelism: 1 });
    const stopper = new AbortController();
    const begun: string[] = [];
    const reported: string[] = [];
    const results = await verifySprint({
      sprintDir: at.sprintDir,
      signal: stopper.signal,
      onBegin(id) {
        begun.push(id);
        if (id === 'cli/endless') setTimeout(() => stopper.abort(), 500);
      },
      onResult: ({ id }) => reported.push(id),
    });
    assert.deepEqual([begun, reported], [['cli/endless'], ['cli/endless']], 'what failed slowest runs first, and none after the stop');
    assert.deepEqual(
      results.map(({ id }) => id),
      reported,
    );
  });

  it('count as not green where they were green on older code, on the command line and in the Test Explorer', async () => {
    const { path, content } = verifications.world.write_verification;
    const slow = { write_verification: { path, content: content.replace('out=', 'sleep 2; out=') } };
    const sessions = withSessions(writeVerifications(verifications.name, slow, verifications.house));
    at = await ground(sessions);
    // The verification that covers the change runs first and uses up the time for the others.
    const overrides = { regressionTimeout: 1, verificationParallelism: 1 };
    const state = await runUntil(at, sessions, ({ work }) => work.tree.code === 2, overrides);
    const green = state.work.results['cli/name'];
    assert.deepEqual([green?.verdict, green?.code, state.work.tree.code], ['green', 1, 2]);
    const results = await verifySprint({ sprintDir: at.sprintDir, failed: true, signal: new AbortController().signal });
    const explorer = selected(testCategories(sprintView(state, Date.now())), { include: undefined, exclude: [], failed: true });
    assert.deepEqual(
      results.map(({ id }) => id),
      explorer,
    );
    assert.ok(explorer.includes('cli/name'));
  });
});

function startByHand(): { byHand: RunsByHand; views: VerifiedView[] } {
  const views: VerifiedView[] = [];
  const post = (message: FromWorker): void => void (message.type === 'verified' && views.push(message.result));
  return { byHand: new RunsByHand(post), views };
}

function outcomes(views: VerifiedView[]): Record<string, string> {
  return Object.fromEntries(views.map(({ verification, report }) => [verification, report.outcome]));
}

/** Runs a sprint until its verifications are written, and stops it there. */
async function runUntilVerified(at: Ground, sessions: typeof honest, overrides: Overrides = {}): Promise<void> {
  await runUntil(at, sessions, ({ work }) => Object.keys(work.verifications).length === 3, overrides);
}

/** @returns the state in which the sprint stopped */
async function runUntil(at: Ground, sessions: typeof honest, when: (state: State) => boolean, overrides: Overrides) {
  const stopper = new AbortController();
  const options: Parameters<typeof run>[2] = {
    signal: stopper.signal,
    overrides,
    onEvent: (_event, state) => {
      if (when(state)) stopper.abort();
    },
  };
  await assert.rejects(run(at, sessions, options), Interruption);
  const state = await readSprint(at.sprintDir);
  assert.ok(state);
  return state;
}
