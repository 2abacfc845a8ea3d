/** Commands that need a system package which nobody can install say so in words, and an install says what it runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';

describe('what the checkout needs of the system', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'loop-path-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [`scripts/${script}.mjs`, ...args], { encoding: 'utf8', env: { ...process.env, PATH: folder } });

  for (const script of ['start', 'replay', 'kills', 'honesty', 'screenshots', 'bench'])
    it(`is named without a stack where it is missing: ${script}`, () => {
      const { status, stderr } = run(script);
      assert.match(stderr, /^install these system packages first: git .*\n$/);
      assert.equal(status, 1);
    });

  it('is all that a benchmark uses', () => {
    const packages = process.platform === 'linux' ? 'git bubblewrap unzip procps' : 'git unzip procps';
    assert.equal(run('bench', 'vsix-size').stderr, `install these system packages first: ${packages}\n`);
  });

  it('is installed by a command that is told', () => {
    if (process.getuid?.() !== 0) writeFileSync(join(folder, 'sudo'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\n', { mode: 0o755 });
    const { stdout, stderr } = run('provision', 'bench');
    const command = process.getuid?.() === 0 ? 'apt-get' : 'sudo -n DEBIAN_FRONTEND=noninteractive apt-get';
    assert.ok(stdout.startsWith(`installing package lists: ${command} update … done in `), stdout);
    assert.match(stderr, /^installed, but still not found: git /);
  });
});
