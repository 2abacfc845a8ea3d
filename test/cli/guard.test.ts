/** `loop guard`: after *Finish*, a push that breaks what the sprint proved is refused. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { delivered } from '../support/played-once.ts';
import { write, type Ground } from '../support/sprint.ts';
import { loop } from './loop.ts';

describe('a guard', () => {
  let at: Ground;
  let hook: string;
  beforeEach(async () => {
    ({ at } = await delivered());
    hook = join(at.repo, '.git', 'hooks', 'pre-push');
    const remote = join(at.sprintDir, '.loop', 'remote');
    await mkdir(remote);
    at.git('init', '--quiet', '--bare', remote);
    at.git('remote', 'add', 'origin', remote);
  });
  afterEach(() => at.dispose());

  const guard = (...more: string[]) => loop(['guard', at.sprintDir, ...more]);
  const push = () =>
    new Promise<{ code: unknown; err: string }>((done) => {
      execFile('git', ['push', 'origin', 'main'], { cwd: at.repo }, (error, _out, err) => done({ code: error?.code ?? 0, err }));
    });
  const merge = async (): Promise<void> => assert.equal((await loop(['finish', at.sprintDir, 'merge'])).code, 0);
  const commit = async (text: string): Promise<void> => {
    await write(at.repo, { 'greet.sh': text });
    at.git('commit', '-qm', 'Change it', '--', 'greet.sh');
  };

  it('lets a push go where all of it holds, refuses one where it does not, and ends on the person’s word', async () => {
    await merge();
    const set = await guard();
    assert.equal(set.code, 0, set.err);
    assert.equal((await guard('on')).code, 0);
    assert.equal((await readFile(hook, 'utf8')).match(/^verify /gm)?.length, 1, 'it is named once');
    const whole = await readFile(join(at.repo, 'greet.sh'), 'utf8');
    const first = await push();
    assert.equal(first.code, 0, first.err);
    await commit('echo Nothing\n');
    const refused = await push();
    assert.notEqual(refused.code, 0);
    assert.match(refused.err, /what .*sprint proved does not hold on this checkout, so nothing was pushed/);
    assert.notEqual(at.git('rev-parse', 'main'), at.git('rev-parse', 'origin/main'));
    await commit(whole);
    const mended = await push();
    assert.equal(mended.code, 0, mended.err);
    assert.equal((await guard('off')).out, 'No push is guarded any more.\n');
    assert.equal(existsSync(hook), false);
  });

  it('is refused before the merge, and beside a hook of the person’s, which stays as it is', async () => {
    const early = await guard();
    assert.deepEqual([early.code, existsSync(hook)], [4, false]);
    assert.match(early.err, /is not merged/);
    await merge();
    await write(at.repo, { '.git/hooks/pre-push': '#!/bin/sh\nexit 0\n' });
    const beside = await guard();
    assert.equal(beside.code, 4);
    assert.match(beside.err, /There is a hook of yours already: .*Add this line to it: .*verify '/s);
    assert.equal(await readFile(hook, 'utf8'), '#!/bin/sh\nexit 0\n');
    at.git('config', 'core.hooksPath', '.husky');
    assert.match((await guard()).err, /lie in \.husky/);
    await rm(hook);
    assert.match((await guard('off')).out, /No push is guarded any more/);
  });

  it('leaves a hook that is a link, or nothing yet, as it is', async () => {
    const elsewhere = join(at.sprintDir, '.loop', 'pre-push');
    await mkdir(dirname(hook), { recursive: true });
    await symlink(elsewhere, hook);
    for (const how of ['off', 'on']) assert.match((await guard(how)).err, /There is a hook of yours already/, how);
    assert.deepEqual([await readlink(hook), existsSync(elsewhere)], [elsewhere, false]);
    await rm(hook);
    await write(at.repo, { '.git/hooks/pre-push': '' });
    for (const how of ['off', 'on']) assert.match((await guard(how)).err, /There is a hook of yours already/, how);
    assert.equal(await readFile(hook, 'utf8'), '');
  });

  it('is refused wherever git is told that hooks lie elsewhere', async () => {
    const home = join(at.sprintDir, '.loop', 'home');
    await write(home, { '.gitconfig': '[include]\n\tpath = more\n', more: '[core]\n\thooksPath = /by/include\n' });
    assert.match((await loop(['guard', at.sprintDir], { HOME: home })).err, /lie in \/by\/include,/);
    at.git('config', 'extensions.worktreeConfig', 'true');
    at.git('config', '--worktree', 'core.hooksPath', '/by/worktree');
    assert.match((await guard()).err, /lie in \/by\/worktree,/);
  });
});
