/** A person's own run of verifications, from the worker's side: real git, real sandbox, results as they come. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { Overrides } from '../../src/engine/config.ts';
import { InputError, Interruption } from '../../src/engine/errors.ts';
import type { FromWorker } from '../../src/extension/protocol.ts';
import { Verifications } from '../../src/extension/worker-verify.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { verifySprint } from '../../src/host/verify-sprint.ts';
import { sprintView } from '../../src/views/model/sprint-view.ts';
import { selected, testCategories } from '../../src/views/model/test-items.ts';
import type { VerifiedView } from '../../src/views/model/test-report.ts';
import { checks, generateChecks, honest, withSessions } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const endless = {
  write_check: {
    path: 'cli/endless.sh',
    content: '#!/usr/bin/env bash\n# TEST: never ends\n# PRD: 1.2\n# RED: no end\necho "no end"\nsleep 60',
  },
};

describe('verifications by hand', function () {
  this.timeout(60_000);
  let at: Ground;
  afterEach(() => at.dispose());

  it('pass where the sprint passed, one at a time or all, from the scripts that an item opens', async () => {
    at = await ground(honest);
    const { state } = await run(at, honest);
    const categories = testCategories(sprintView(state, Date.now()));
    const all = categories.flatMap((category) => category.checks);
    assert.deepEqual(
      all.map(({ id, latest }) => [id, latest?.report.outcome]),
      ['cli/name', 'cli/world', 'cli/house'].map((id) => [id, 'passed']),
    );
    for (const { file, id } of all)
      assert.match(await readFile(join(at.sprintDir, '.loop', file), 'utf8'), new RegExp(`# TEST: ${id} behaves`));
    const { verifications, found } = listening();
    await verifications.run({ sprintDir: at.sprintDir, only: ['cli/house'] });
    assert.deepEqual(outcomes(found.splice(0)), { 'cli/house': 'passed' });
    await verifications.run({
      sprintDir: at.sprintDir,
      only: selected(categories, { include: undefined, exclude: [], failed: false }),
    });
    assert.deepEqual(outcomes(found), { 'cli/house': 'passed', 'cli/name': 'passed', 'cli/world': 'passed' });
  });

  it('fail with expected and actual before the work is done, and are refused while the sprint runs', async () => {
    at = await ground(honest);
    await runUntilChecked(at, honest);
    const { verifications, found } = listening();
    const only = ['cli/name'];
    const lock = await acquireLock(at.sprintDir);
    await assert.rejects(verifications.run({ sprintDir: at.sprintDir, only }), InputError);
    await lock.release();
    await verifications.run({ sprintDir: at.sprintDir, only });
    const [first] = found;
    assert.deepEqual([found.length, first?.report.outcome], [1, 'failed']);
    assert.deepEqual(first?.report.diff, { expected: "'Hello, Ada!'", actual: "''" });
    assert.match(first?.output ?? '', /expected 'Hello, Ada!'/);
  });

  it('stop when they are told to, and can be run again at once', async () => {
    const sessions = withSessions(generateChecks(checks.name, endless, checks.house));
    at = await ground(sessions);
    await runUntilChecked(at, sessions);
    const { verifications, found } = listening();
    const { sprintDir } = at;
    const begun = Date.now();
    const running = verifications.run({ sprintDir, only: ['cli/endless'] });
    setTimeout(() => verifications.stop(sprintDir), 1000);
    await running;
    assert.ok(Date.now() - begun < 20_000, 'it ran on');
    assert.deepEqual(found, []);
    await verifications.run({ sprintDir, only: ['cli/name'] });
    assert.deepEqual(outcomes(found), { 'cli/name': 'failed' });
  });

  it('give no result to what a stop kept from beginning, neither green nor red', async () => {
    const sessions = withSessions(generateChecks(checks.name, endless, checks.house));
    at = await ground(sessions);
    await runUntilChecked(at, sessions, { checkParallelism: 1 });
    const stopper = new AbortController();
    const came: string[] = [];
    const results = await verifySprint({
      sprintDir: at.sprintDir,
      signal: stopper.signal,
      onResult({ id }) {
        came.push(id);
        setTimeout(() => stopper.abort(), 500);
      },
    });
    assert.deepEqual(came, ['cli/name', 'cli/endless']);
    assert.deepEqual(results.map(({ id }) => id), came); // prettier-ignore
  });
});

function listening(): { verifications: Verifications; found: VerifiedView[] } {
  const found: VerifiedView[] = [];
  const post = (message: FromWorker): void => void (message.type === 'verified' && found.push(message.result));
  return { verifications: new Verifications(post), found };
}

function outcomes(found: VerifiedView[]): Record<string, string> {
  return Object.fromEntries(found.map(({ check, report }) => [check, report.outcome]));
}

/** Until verifications are written: the sprint stops there and could go on. */
async function runUntilChecked(at: Ground, sessions: typeof honest, overrides: Overrides = {}): Promise<void> {
  const stopper = new AbortController();
  const options: Parameters<typeof run>[2] = {
    signal: stopper.signal,
    overrides,
    onEvent: (_event, { work }) => {
      if (Object.keys(work.checks).length === 3) stopper.abort();
    },
  };
  await assert.rejects(run(at, sessions, options), Interruption);
}
