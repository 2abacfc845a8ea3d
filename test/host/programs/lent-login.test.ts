/** A login that is lent to a sandbox, and comes back where the program renewed it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { bundleChild } from '../children.ts';
import { lendLogin, type LentLogin } from '../../../src/host/programs/lent-login.ts';

describe('a login that is lent', () => {
  let folder: string;
  let file: string;
  const login = (token: string): string => JSON.stringify({ token });
  let told: string[];
  const lend = (at: string): LentLogin => lendLogin(at, join(folder, 'lent'), (note) => told.push(note));
  const copy = (): string => join(folder, 'lent', 'auth.json');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loop-test-'));
    file = join(folder, 'auth.json');
    writeFileSync(file, login('mine'));
    told = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is put back where it was renewed, for its owner alone', () => {
    const lent = lend(file);
    assert.equal(readFileSync(copy(), 'utf8'), login('mine'));
    writeFileSync(copy(), login('renewed'));
    lent.end();
    assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], [login('renewed'), 0o600]);
  });

  it('is put back while the program still runs', async () => {
    const lent = lend(file);
    writeFileSync(copy(), login('renewed'));
    await until(() => readFileSync(file, 'utf8') === login('renewed'), 'it is not put back');
    lent.end();
  });

  it('stays the newer one of another run, and is never half a file', () => {
    const lent = lend(file);
    writeFileSync(copy(), login('renewed').slice(0, -3));
    lent.end();
    assert.equal(readFileSync(file, 'utf8'), login('mine'));
    const other = lend(file);
    writeFileSync(file, login('theirs'));
    writeFileSync(copy(), login('renewed'));
    other.end();
    assert.equal(readFileSync(file, 'utf8'), login('theirs'));
  });

  it('is outdated where the person has another one, and not where it was renewed itself', () => {
    const lent = lend(file);
    writeFileSync(copy(), login('renewed'));
    assert.equal(lent.isOutdated(), false);
    lent.end();
    assert.equal(lent.isOutdated(), false);
    writeFileSync(file, login('theirs'));
    assert.equal(lent.isOutdated(), true);
  });

  it('stays a link where the person keeps it elsewhere', () => {
    const link = join(folder, 'link.json');
    symlinkSync('auth.json', link);
    const lent = lend(link);
    writeFileSync(join(folder, 'lent', 'link.json'), login('renewed'));
    lent.end();
    assert.deepEqual([readlinkSync(link), readFileSync(file, 'utf8')], ['auth.json', login('renewed')]);
  });

  it('is none where there is none, until the program logs in', () => {
    rmSync(file);
    const lent = lend(file);
    writeFileSync(copy(), login('new'));
    lent.end();
    assert.equal(readFileSync(file, 'utf8'), login('new'));
  });

  it('is put back as soon as that goes, and who lends it is told once what is in the way', async () => {
    const lent = lend(file);
    // As where the disk is full: the new file cannot be written.
    mkdirSync(`${file}.loop`);
    writeFileSync(copy(), login('renewed'));
    await until(() => told.length > 0, 'nobody is told');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    rmSync(`${file}.loop`, { recursive: true, force: true });
    await until(() => readFileSync(file, 'utf8') === login('renewed'), 'it is not put back');
    lent.end();
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /^Your login was renewed and cannot be put back into .*auth\.json: .+\. Make room /);
  });

  it('ends where it cannot be put back at all', () => {
    const lent = lend(file);
    mkdirSync(`${file}.loop`);
    writeFileSync(copy(), login('renewed'));
    lent.end();
    assert.deepEqual([told.length, readFileSync(file, 'utf8')], [1, login('mine')]);
  });

  it('is written where it stands where its file is mounted by itself, which no rename may replace', () => {
    const script = bundleChild('renew-login', folder);
    const mounts = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--bind', file, file];
    const { status, stderr } = spawnSync('bwrap', [...mounts, process.execPath, script, file, join(folder, 'lent'), login('new')]);
    assert.deepEqual([status, String(stderr)], [0, '']);
    assert.deepEqual([readFileSync(file, 'utf8'), existsSync(`${file}.loop`)], [login('new'), false]);
  });
});

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !isTrue(); tries += 1) {
    assert.ok(tries < 200, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
