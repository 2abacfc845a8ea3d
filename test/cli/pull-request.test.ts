/** `loop finish … keep --pull-request`, with a stand-in for `gh` and a remote of its own. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openPullRequest } from '../../src/host/pull-request.ts';
import { delivered } from '../support/played-once.ts';
import { write, type Ground } from '../support/sprint.ts';
import { loop } from './loop.ts';

describe('a pull request', () => {
  let at: Ground;
  let beside: string;
  let path: string;
  beforeEach(async () => {
    ({ at } = await delivered());
    beside = join(at.sprintDir, '.loop', 'beside');
    path = `${join(beside, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
    await mkdir(join(beside, 'remote'), { recursive: true });
    at.git('init', '--quiet', '--bare', join(beside, 'remote'));
  });
  afterEach(() => at.dispose());

  const standIn = async (last: string, program: 'gh' | 'glab' = 'gh'): Promise<void> => {
    const gh = join(beside, 'bin', program);
    await write(beside, {
      [`bin/${program}`]: `#!/bin/sh\n[ "$1" = --version ] && exit 0\nprintf '%s\\n' "$@" > "${beside}/asked"\n${last}\n`,
    });
    await chmod(gh, 0o755);
  };
  const beforePush = async (script: string): Promise<void> => {
    const hooks = at.git('rev-parse', '--path-format=absolute', '--git-path', 'hooks').trim();
    await write(hooks, { 'pre-push': `#!/bin/sh\n${script}\n` });
    await chmod(join(hooks, 'pre-push'), 0o755);
  };
  const finish = () => loop(['finish', at.sprintDir, 'keep', '--pull-request'], { PATH: path });
  const branches = (): string => at.git('branch', '--list', 'loop/*', '--format=%(refname:short)').trim();

  it('has the branch pushed, and says in its text what is proven', async () => {
    at.git('remote', 'add', 'origin', join(beside, 'remote'));
    await standIn('echo https://host.test/pull/7');
    const { code, out, err } = await finish();
    assert.equal(code, 0, out + err);
    assert.match(out, /^Kept loop\/.*\nhttps:\/\/host\.test\/pull\/7\n$/m);
    assert.equal(at.git('--git-dir', join(beside, 'remote'), 'rev-parse', branches()), at.git('rev-parse', branches()));
    const asked = await readFile(join(beside, 'asked'), 'utf8');
    assert.match(asked, new RegExp(`^pr\ncreate\n--head\n${branches()}\n--base\nmain\n--title\n.*: delivered\n--body\nProven:\n- `));
  });

  it('is a merge request where the remote is of GitLab', async () => {
    const remote = join(beside, 'gitlab');
    await mkdir(remote);
    at.git('init', '--quiet', '--bare', remote);
    at.git('remote', 'add', 'origin', remote);
    await standIn('echo "!3 a title"; echo https://gitlab.test/a/-/merge_requests/3', 'glab');
    const { code, out, err } = await finish();
    assert.equal(code, 0, out + err);
    assert.match(out, /\nhttps:\/\/gitlab\.test\/a\/-\/merge_requests\/3\n$/);
    const asked = await readFile(join(beside, 'asked'), 'utf8');
    assert.match(asked, new RegExp(`^mr\ncreate\n--yes\n--source-branch\n${branches()}\n--target-branch\nmain\n--title\n`));
  });

  it('that the host refuses leaves the branch kept, and says how to go on', async () => {
    at.git('remote', 'add', 'origin', join(beside, 'remote'));
    await standIn('echo "not logged in" >&2\nexit 4');
    const { code, err } = await finish();
    assert.equal(code, 4);
    assert.match(err, /The branch loop\/\S+ is kept, but no pull request was opened: not logged in\.\s.*gh pr create/s);
    assert.notEqual(branches(), '');
  });

  it('has the time that a hook before the push takes, until the person stops it', async () => {
    at.git('remote', 'add', 'origin', join(beside, 'remote'));
    await standIn('echo https://host.test/pull/7');
    const branch = branches();
    await beforePush(`touch ${beside}/begun\nfor n in 1 2 3 4 5 6 7 8 9; do [ -f ${beside}/go ] && exit 0; sleep 1; done\nexit 1`);
    const usual = process.env['PATH'];
    process.env['PATH'] = path;
    try {
      const stop = new AbortController();
      const stopped = openPullRequest(at.sprintDir, stop.signal);
      while (!existsSync(join(beside, 'begun'))) await delay(50);
      stop.abort();
      await assert.rejects(stopped, {
        name: 'Interruption',
        reason: 'cancelled',
        message: `Stopped. The branch ${branch} is kept, and no pull request was opened.`,
      });
      await write(beside, { go: '' });
      assert.equal(await openPullRequest(at.sprintDir), 'https://host.test/pull/7');
    } finally {
      process.env['PATH'] = usual;
    }
  });

  it('that a hook refuses says why, behind all that the hook prints before', async () => {
    at.git('remote', 'add', 'origin', join(beside, 'remote'));
    await standIn('echo https://host.test/pull/7');
    await beforePush('head -c 3000 /dev/zero | tr "\\0" x >&2\necho "the tests are red" >&2\nexit 1');
    const { code, err } = await finish();
    assert.equal(code, 4);
    assert.match(err, /no pull request was opened: …x+the tests are red/);
  });

  it('is opened after hooks that print a lot', async () => {
    at.git('remote', 'add', 'origin', join(beside, 'remote'));
    await standIn('echo https://host.test/pull/7');
    await beforePush('head -c 3000000 /dev/zero | tr "\\0" x >&2');
    const { code, out, err } = await finish();
    assert.equal(code, 0, err);
    assert.match(out, /\nhttps:\/\/host\.test\/pull\/7\n$/);
  });

  it('is refused before anything is finished where no remote or program is there', async () => {
    await standIn('exit 0');
    const { code, err } = await finish();
    assert.equal(code, 4);
    assert.match(err, /Nothing was finished/);
    const wrong = await loop(['finish', at.sprintDir, 'merge', '--pull-request']);
    assert.match(wrong.err, /--pull-request goes with keep/);
  });
});
