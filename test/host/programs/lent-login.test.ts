/** A login that is lent to a sandbox, and comes back where the program renewed it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { lendLogin } from '../../../src/host/programs/lent-login.ts';

describe('a login that is lent', () => {
  let folder: string;
  let file: string;
  const login = (token: string): string => JSON.stringify({ token });
  const copy = (): string => join(folder, 'lent', 'auth.json');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loop-test-'));
    file = join(folder, 'auth.json');
    writeFileSync(file, login('mine'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is put back where it was renewed, for its owner alone', () => {
    const lent = lendLogin(file, join(folder, 'lent'));
    assert.equal(readFileSync(copy(), 'utf8'), login('mine'));
    writeFileSync(copy(), login('renewed'));
    lent.end();
    assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], [login('renewed'), 0o600]);
  });

  it('is put back while the program still runs', async () => {
    const lent = lendLogin(file, join(folder, 'lent'));
    writeFileSync(copy(), login('renewed'));
    for (let tries = 0; readFileSync(file, 'utf8') !== login('renewed'); tries += 1) {
      assert.ok(tries < 200, 'it is not put back');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    lent.end();
  });

  it('stays the newer one of another run, and is never half a file', () => {
    const lent = lendLogin(file, join(folder, 'lent'));
    writeFileSync(copy(), login('renewed').slice(0, -3));
    lent.end();
    assert.equal(readFileSync(file, 'utf8'), login('mine'));
    const other = lendLogin(file, join(folder, 'lent'));
    writeFileSync(file, login('theirs'));
    writeFileSync(copy(), login('renewed'));
    other.end();
    assert.equal(readFileSync(file, 'utf8'), login('theirs'));
  });

  it('stays a link where the person keeps it elsewhere', () => {
    const link = join(folder, 'link.json');
    symlinkSync('auth.json', link);
    const lent = lendLogin(link, join(folder, 'lent'));
    writeFileSync(join(folder, 'lent', 'link.json'), login('renewed'));
    lent.end();
    assert.deepEqual([readlinkSync(link), readFileSync(file, 'utf8')], ['auth.json', login('renewed')]);
  });

  it('is none where there is none, until the program logs in', () => {
    rmSync(file);
    const lent = lendLogin(file, join(folder, 'lent'));
    writeFileSync(copy(), login('new'));
    lent.end();
    assert.equal(readFileSync(file, 'utf8'), login('new'));
  });
});
