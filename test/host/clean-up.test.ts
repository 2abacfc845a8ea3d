/** *Clean Up*: only what Loop made is offered, nothing that a sprint still needs, and nothing else is touched. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { sizeWords } from '../../src/engine/render/left-over.ts';
import { findLeftovers, removeLeftovers } from '../../src/host/clean/clean-up.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { encodeLine } from '../../src/host/journal-lines.ts';
import { worktreeFolder } from '../../src/host/state-folder.ts';
import { Story } from '../engine/support/events.ts';

type Standing = 'goes on' | 'over' | 'finished';

function journal(branch: string, standing: Standing, kind: 'sprint' | 'pipeline' = 'sprint'): string {
  const story = new Story();
  if (standing !== 'goes on') story.act('close');
  if (standing === 'finished') story.said({ fact: 'sprint.finished', finished: { how: 'keep', commit: 'c1' } });
  return story.events.map((event) => encodeLine(event.type === 'run.opened' ? { ...event, kind, branch } : event).toString()).join('');
}

describe('what is left over', () => {
  let ground: string;
  let root: string;
  const stateHome = process.env['LOOP_STATE_HOME'];

  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  /** A sprint in a folder, with a worktree and caches in the state folder. */
  const sprint = async (dir: string, branch: string, standing: Standing): Promise<string> => {
    await put(join(root, dir, '.loop', 'journal.jsonl'), journal(branch, standing));
    return caches(branch);
  };
  const caches = async (branch: string): Promise<string> => {
    const folder = await worktreeFolder(root, branch);
    await put(join(folder, 'worktree', 'repo', 'big.txt'), 'x'.repeat(50_000));
    return folder;
  };
  const kinds = async (): Promise<string[]> => (await findLeftovers(root)).leftovers.map(({ kind }) => kind).sort();
  const idOf = async (path: string): Promise<string> =>
    (await findLeftovers(root)).leftovers.find((one) => one.path === path)?.id ?? assert.fail(`${path} is not offered`);

  beforeEach(async () => {
    ground = await realpath(await mkdtemp(join(tmpdir(), 'loop-clean-')));
    process.env['LOOP_STATE_HOME'] = join(ground, 'state');
    root = join(ground, 'repo');
    await put(join(root, 'README.md'), 'mine');
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: root });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
  });
  afterEach(async () => {
    if (stateHome === undefined) delete process.env['LOOP_STATE_HOME'];
    else process.env['LOOP_STATE_HOME'] = stateHome;
    await rm(ground, { recursive: true });
  });

  it('is nothing where Loop never worked', async () => {
    assert.deepEqual(await findLeftovers(root), { leftovers: [], kept: [] });
  });

  it('holds nothing of a sprint that can go on, is not finished, or runs, and says why', async () => {
    await sprint('one', 'loop/one', 'goes on');
    await sprint('deep/two', 'loop/two', 'over');
    await sprint('three', 'loop/three', 'finished');
    const lock = await acquireLock(join(root, 'three'));
    const { leftovers, kept } = await findLeftovers(root);
    await lock.release();
    assert.deepEqual(leftovers, []);
    assert.deepEqual(kept.map(({ why }) => why).sort(), ['goes-on', 'running', 'unfinished']);
    assert.ok(kept.every(({ bytes }) => bytes >= 50_000));
  });

  it('is a finished sprint’s caches, an archive with its own, and removes exactly what was picked', async () => {
    const going = await sprint('one', 'loop/one', 'goes on');
    const finished = await sprint('two', 'loop/two', 'finished');
    const archive = join(root, 'one', '.loop', 'archive', 'old');
    await put(join(archive, 'journal.jsonl'), journal('loop/old', 'over'));
    const older = await caches('loop/old');
    assert.deepEqual(await kinds(), ['archive', 'caches', 'caches']);
    const { bytes, problems } = await removeLeftovers(root, [await idOf(finished), await idOf(archive)]);
    assert.ok(bytes >= 50_000);
    assert.deepEqual(problems, []);
    assert.deepEqual([finished, archive, older, going].map(existsSync), [false, false, false, true], 'an archive takes its caches along');
    assert.ok(existsSync(join(root, 'two', '.loop', 'journal.jsonl')), 'the sprint’s own record stays');
    assert.deepEqual(await kinds(), []);
  });

  for (const picks of ['the record', 'all'])
    it(`takes the caches of a finished session of a pipeline along with its record, where ${picks} is picked`, async () => {
      const session = join(root, '.loop', 'pipelines', 'polish');
      await put(join(session, '.loop', 'journal.jsonl'), journal('loop/polish', 'finished', 'pipeline'));
      // The larger ones are offered first.
      await put(join(session, '.loop', 'payloads', 'big'), 'x'.repeat(80_000));
      const folder = await caches('loop/polish');
      assert.deepEqual(await kinds(), ['caches', 'session']);
      const { leftovers } = await findLeftovers(root);
      const ids = picks === 'all' ? leftovers.map(({ id }) => id) : [await idOf(session)];
      assert.deepEqual((await removeLeftovers(root, ids)).problems, []);
      assert.deepEqual([session, folder].map(existsSync), [false, false]);
      assert.deepEqual(await kinds(), []);
    });

  it('follows no link, and offers none', async () => {
    const outside = join(ground, 'mine');
    await put(join(outside, 'precious.txt'), 'mine');
    await sprint('one', 'loop/one', 'goes on');
    const archive = join(root, 'one', '.loop', 'archive');
    await put(join(archive, 'old', 'journal.jsonl'), journal('loop/old', 'over'));
    await symlink(outside, join(archive, 'old', 'link'));
    await symlink(outside, join(archive, 'linked'));
    assert.deepEqual(await kinds(), ['archive']);
    await removeLeftovers(root, [await idOf(join(archive, 'old'))]);
    assert.deepEqual(await readdir(outside), ['precious.txt']);
    assert.deepEqual(await readdir(archive), ['linked']);
  });

  it('is what belongs to no sprint here, unless a journal cannot be read', async () => {
    await caches('loop/nobody');
    assert.deepEqual(await kinds(), ['unknown']);
    await put(join(root, 'broken', '.loop', 'journal.jsonl'), 'no journal\nat all\n');
    const { leftovers, kept } = await findLeftovers(root);
    assert.deepEqual([leftovers, kept.map(({ why }) => why)], [[], ['unreadable']]);
  });

  it('is what a repository left that is not there any more, and nothing of one that is', async () => {
    const other = join(ground, 'state', 'worktrees', 'other-1', 'loop-x');
    const pointer = join(other, 'worktree', 'other', '.git');
    await put(pointer, `gitdir: ${join(root, '.git', 'worktrees', 'other')}\n`);
    assert.deepEqual(await kinds(), []);
    await put(pointer, `gitdir: ${join(ground, 'vanished', '.git', 'worktrees', 'other')}\n`);
    assert.deepEqual(await kinds(), ['gone']);
    await removeLeftovers(root, [await idOf(other)]);
    assert.ok(!existsSync(other));
  });

  it('is looked at again before a removal: what a sprint needs by now stays', async () => {
    const finished = await sprint('two', 'loop/two', 'finished');
    const id = await idOf(finished);
    await put(join(root, 'two', '.loop', 'journal.jsonl'), journal('loop/two', 'goes on'));
    await assert.rejects(removeLeftovers(root, [id]), { name: 'InputError', message: /Nothing that can be removed is called/ });
    assert.ok(existsSync(finished));
  });

  it('has its sizes in words', () => {
    assert.deepEqual([0, 12_400, 3_440_000, 999_700_000, 1_200_000_000_000].map(sizeWords), [
      '0 kB',
      '12 kB',
      '3.4 MB',
      '1.0 GB',
      '1.2 TB',
    ]);
  });
});
