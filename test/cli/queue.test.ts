/** `loop run A B`: sprints one after the other, unattended. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { sayTo } from '../../src/host/desk-at-rest.ts';
import { honest, prd, supplied, vision } from '../support/greeter.ts';
import { ground, write, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

describe('several sprints on the command line', () => {
  let at: Ground;
  let second: string;
  beforeEach(async () => {
    at = await ground(honest, { 'second/VISION.md': vision, 'second/PRD.md': prd });
    second = join(at.repo, 'second');
  });
  afterEach(() => at.dispose());
  const queue = (): string[] => {
    const [run = '', first = '', ...options] = runOf(at);
    return [run, first, second, ...options];
  };

  it('run one after the other: one that waits does not keep the next, and the same command goes on with all', async () => {
    const first = await loop(queue());
    assert.equal(first.code, 3, first.out + first.err);
    assert.match(
      first.out,
      /^2 sprints, one after the other, without a question\. Together at most \$50 and 40,000,000 tokens, and 48 hours\.$/m,
    );
    assert.match(first.out, /^== 1 of 2: .*\/sprint$[\s\S]*^WAITING:$[\s\S]*^== 2 of 2: .*\/second$[\s\S]*^WAITING:$/m);
    for (const name of ['sprint', 'second'])
      assert.match(first.out, new RegExp(`/${name}: WAITING, \\$.* tokens, .* hours?; only you can do: `));
    await write(at.repo, { [supplied.path]: supplied.text });
    const then = await loop(queue());
    assert.equal(then.code, 0, then.out + then.err);
    assert.match(then.out, /\/sprint: DELIVERED, \$.*\n.*\/second: DELIVERED, /);
    const again = await loop(queue());
    assert.equal(again.code, 4);
    assert.match(again.err, /The sprint in .*\/sprint is over: delivered\. Nothing was begun\./);
  });

  it('end with the one that the person pauses, and the next does not begin', async () => {
    await write(at.repo, { [supplied.path]: supplied.text });
    const running = loop([...queue(), '--models', 'claude-code:opus']);
    await pauseOnceItRuns(at.sprintDir);
    const { code, out } = await running;
    assert.equal(code, 3, out);
    assert.match(out, /Together at most 40,000,000 tokens; no price of .* is known, so its calls count in tokens only, and 48 hours\./);
    assert.doesNotMatch(out, /== 2 of 2/);
    assert.match(out, /\/sprint: PAUSED, .*\n.*\/second: NOT BEGUN/);
  });

  it('begin none anew that ended elsewhere since the queue began', async () => {
    const [, , ...options] = runOf(at);
    for (const code of [3, 0]) {
      assert.equal((await loop(['run', second, ...options])).code, code);
      await write(at.repo, { [supplied.path]: supplied.text });
    }
    const [here, away] = [join(second, '.loop'), join(at.repo, '..', 'delivered')];
    await rename(here, away);
    const running = loop(queue());
    await until(() => existsSync(join(at.sprintDir, '.loop', 'journal.jsonl')));
    await rename(away, here);
    const { out } = await running;
    assert.match(out, /^== 2 of 2: .*\/second\nIt is over since the queue began, and is not begun anew\.\n\n/m);
    assert.match(out, /\/second: DELIVERED, /);
    assert.equal(existsSync(join(here, 'archive')), false);
  });

  it('begin only where each is a folder of its own', async () => {
    const link = join(at.repo, 'link');
    await symlink(second, link);
    const { code, err } = await loop([...queue(), link]);
    assert.equal(code, 4);
    assert.match(err, /link is the folder .*\/second, which is named too\. Nothing was begun\./);
  });

  it('begin only where all of them can', async () => {
    await write(second, { 'PRD.md': '' });
    const { code, out, err } = await loop(queue());
    assert.equal(code, 4);
    assert.match(err, /^The sprint in .*\/second cannot begin, so none was begun: .*PRD\.md is empty .* Write in it/);
    assert.doesNotMatch(out, /== 1 of 2/);
    assert.equal(at.git('branch', '--list', 'loop/*'), '');
  });
});

async function until(isSo: () => boolean, tries = 500): Promise<void> {
  if (isSo() || tries === 0) return assert.ok(tries > 0);
  await setTimeout(100);
  await until(isSo, tries - 1);
}

async function pauseOnceItRuns(sprintDir: string, tries = 500): Promise<void> {
  await sayTo(sprintDir, { kind: 'pause' }).catch(async (error: unknown) => {
    if (tries === 0) throw error;
    await setTimeout(100);
    await pauseOnceItRuns(sprintDir, tries - 1);
  });
}
