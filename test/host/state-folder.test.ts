/** The folders that Loop keeps outside of every repository. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import { stateFolder, worktreeFolder, type Machine } from '../../src/host/state-folder.ts';
import { temporaryFolder } from './children.ts';

const machine = (platform: NodeJS.Platform, env: Machine['env'] = {}, home = '/home/me'): Machine => ({ platform, env, home });

describe('state folder', () => {
  it('is the usual place of each platform, or the one that the person sets', () => {
    const windows = { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' };
    const cases: [Machine, string][] = [
      [machine('linux'), '/home/me/.local/state/loop'],
      [machine('linux', { XDG_STATE_HOME: '/xdg' }), '/xdg/loop'],
      [machine('linux', { XDG_STATE_HOME: 'relative' }), '/home/me/.local/state/loop'],
      [machine('linux', { LOOP_STATE_HOME: '/own', XDG_STATE_HOME: '/xdg' }), '/own'],
      [machine('darwin'), '/home/me/Library/Application Support/loop'],
      [machine('win32', windows), 'C:\\Users\\me\\AppData\\Local\\loop'],
      [machine('win32', {}, 'C:\\Users\\me'), 'C:\\Users\\me\\AppData\\Local\\loop'],
      [machine('win32', { ...windows, LOOP_STATE_HOME: 'D:\\state' }), 'D:\\state'],
    ];
    for (const [on, expected] of cases) assert.equal(stateFolder(on), expected);
  });

  it('cannot be a relative path, which would change with the current folder', () => {
    assert.throws(() => stateFolder(machine('linux', { LOOP_STATE_HOME: 'state' })), InputError);
  });
});

describe('worktree folder', () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  const here = machine('linux', { LOOP_STATE_HOME: '/s' });
  beforeEach(() => (temporary = temporaryFolder()));
  afterEach(() => temporary.remove());

  function repo(path: string): string {
    mkdirSync(join(temporary.path, path), { recursive: true });
    return join(temporary.path, path);
  }

  it('is the same for one repository, however its path is spelt', async () => {
    const root = repo('Shop');
    symlinkSync(root, join(temporary.path, 'link'));
    const folder = await worktreeFolder(root, 'loop/cart', here);
    assert.equal(await worktreeFolder(`${root}/`, 'loop/cart', here), folder);
    assert.equal(await worktreeFolder(join(temporary.path, 'link'), 'loop/cart', here), folder);
    assert.match(folder, /^\/s\/worktrees\/shop-[0-9a-f]{10}\/loop-cart-[0-9a-f]{10}$/);
  });

  it('differs between repositories of one name, and between branches, also where case does not count', async () => {
    const folders = await Promise.all([
      worktreeFolder(repo('a/shop'), 'loop/x', here),
      worktreeFolder(repo('b/shop'), 'loop/x', here),
      worktreeFolder(repo('a/shop'), 'loop/X', here),
      worktreeFolder(repo('a/shop'), 'loop-x', here),
      worktreeFolder(repo('a/shop'), 'ブランチ', here),
      worktreeFolder(repo('a/shop'), 'フィーチャー', here),
    ]);
    assert.equal(new Set(folders.map((folder) => folder.toLowerCase())).size, folders.length);
  });

  it('stays short for long names', async () => {
    const folder = await worktreeFolder(repo('r'.repeat(200)), `loop/${'b'.repeat(200)}`, here);
    assert.ok(folder.length <= '/s/worktrees'.length + 2 * 32, folder);
  });
});
