/** This version continues a sprint of an older version of Loop from its `.loop` folder, with real git and the real sandbox. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { worktreeFolder } from '../../src/host/state-folder.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { honest } from '../support/greeter.ts';
import { run } from '../support/sprint.ts';

const fixtures = 'test/fixtures/journals';

for (const version of readdirSync(fixtures)) {
  describe(`a sprint of ${version}`, () => {
    let folder: string;
    beforeEach(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'loop-older-')));
      process.env['LOOP_STATE_HOME'] = join(folder, 'state');
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    for (const [name, what] of [
      ['waiting', 'stopped to wait for the person'],
      ['killed', 'was killed in the middle of a session'],
    ] as const) {
      it(`that ${what} goes on and is delivered`, async () => {
        execFileSync('tar', ['-xzf', resolve(fixtures, version, `${name}.tar.gz`), '-C', folder]);
        const repo = join(folder, 'repo');
        const sprintDir = join(repo, 'sprint');
        await rememberOpening(repo, sprintDir, readFileSync(join(folder, 'opened')));
        const before = readFileSync(join(sprintDir, '.loop', 'journal.jsonl'));
        const { ending } = await run({ sprintDir, repo }, honest);
        assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
        const after = readFileSync(join(sprintDir, '.loop', 'journal.jsonl'));
        assert.ok(after.subarray(0, before.length).equals(before), 'the lines of the older version are unchanged');
      });
    }
  });
}

/** Puts the opening where the person's state folder keeps it: without it a journal counts as one from another machine. */
async function rememberOpening(repo: string, sprintDir: string, opening: Buffer): Promise<void> {
  const state = await readSprint(sprintDir);
  const worktree = await worktreeFolder(repo, state?.opened.branch ?? '');
  mkdirSync(worktree, { recursive: true });
  writeFileSync(join(worktree, 'opened'), opening);
}
