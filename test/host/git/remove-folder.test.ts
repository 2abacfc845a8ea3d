import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleChild, temporaryFolder } from '../children.ts';

describe('A folder that holds one that cannot be read', () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  it('is removed by an ordinary user', async () => {
    const child = bundleChild('remove-folders', path);
    const folders = join(path, 'folders');
    mkdirSync(folders);
    chmodSync(path, 0o755);
    chmodSync(folders, 0o777);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { stdout } = await promisify(execFile)(process.execPath, [child, folders], user);
    assert.deepEqual([JSON.parse(stdout), readdirSync(folders)], [[], []]);
  });
});
