/** One owner per sprint: between processes, and after one was killed or hangs. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { after, afterEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import { acquireLock, inspectLock } from '../../src/host/lock.ts';
import { bundleChild, firstOutput, killHard, startChild, temporaryFolder } from './children.ts';

describe('lock', () => {
  const temporary = temporaryFolder();
  const script = bundleChild('hold-lock', temporary.path);
  const children = new Set<ChildProcess>();
  let count = 0;
  after(() => temporary.remove());
  afterEach(async () => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) await killHard(child);
    children.clear();
  });

  function sprint(): string {
    const path = join(temporary.path, `sprint-${(count += 1)}`);
    mkdirSync(path);
    return path;
  }

  function start(path: string): ChildProcess {
    const child = startChild(script, path);
    children.add(child);
    return child;
  }

  it('is held until it is released, and can then be taken again', async () => {
    const path = sprint();
    const lock = await acquireLock(path);
    await assert.rejects(acquireLock(path), InputError);
    await lock.release();
    await lock.release();
    await (await acquireLock(path)).release();
  });

  it('is waited for while its owner may be ending, and refused when it does not end', async () => {
    const path = sprint();
    const lock = await acquireLock(path);
    const second = acquireLock(path, 60_000);
    await assert.rejects(acquireLock(path, 150), InputError);
    await lock.release();
    await (await second).release();
  });

  it('is the same however the folder’s path is spelt, and another for another sprint', async () => {
    const path = sprint();
    const link = join(temporary.path, 'link');
    symlinkSync(path, link);
    const lock = await acquireLock(path);
    await assert.rejects(acquireLock(link), InputError);
    const other = await acquireLock(sprint());
    await other.release();
    await lock.release();
  });

  it('names the process that runs the sprint, and is free as soon as that process is killed', async () => {
    const path = sprint();
    const holder = start(path);
    assert.equal(await firstOutput(holder), 'held');
    const namesHolder = (e: unknown): boolean => e instanceof InputError && e.message.includes(`process ${holder.pid}.`) && e.next !== '';
    await assert.rejects(acquireLock(path), namesHolder);
    await killHard(holder);
    await (await acquireLock(path)).release();
  });

  it('can be inspected without being taken: it has a holder, and none once that process is killed', async () => {
    const path = sprint();
    assert.equal(await inspectLock(path), undefined);
    const holder = start(path);
    assert.equal(await firstOutput(holder), 'held');
    assert.deepEqual(await inspectLock(path), { holder: holder.pid });
    await killHard(holder);
    assert.equal(await inspectLock(path), undefined);
    const lock = await acquireLock(path);
    assert.deepEqual(await inspectLock(path), { holder: process.pid });
    await lock.release();
    assert.equal(await inspectLock(join(temporary.path, 'none')), undefined);
  });

  it('counts as held by a process that hangs and cannot answer with its id', async () => {
    const path = sprint();
    const holder = start(path);
    await firstOutput(holder);
    holder.kill('SIGSTOP');
    assert.deepEqual(await inspectLock(path), { holder: undefined });
  });

  it('stays with a process that hangs', async () => {
    const path = sprint();
    const holder = start(path);
    await firstOutput(holder);
    holder.kill('SIGSTOP');
    const hint = (e: unknown): boolean => e instanceof InputError && /end the process that hangs/.test(e.next);
    await assert.rejects(acquireLock(path), hint);
  });

  it('goes to exactly one of several processes that want it at once, such as 4 concurrent loops', async () => {
    const path = sprint();
    const answers = await Promise.all(Array.from({ length: 5 }, () => firstOutput(start(path))));
    assert.deepEqual(answers.sort(), ['held', 'refused', 'refused', 'refused', 'refused']);
  });

  it('is released although a process that asked keeps its connection open', async () => {
    const path = sprint();
    const lock = await acquireLock(path);
    const name = createHash('sha512').update(path).digest('hex');
    const guest = connect({ path: `\0loop-${name}`.slice(0, 108), allowHalfOpen: true });
    await new Promise((resolve) => guest.once('data', resolve));
    await lock.release();
    await (await acquireLock(path)).release();
    guest.destroy();
  });

  it('is refused for a sprint that does not exist', async () => {
    await assert.rejects(acquireLock(join(temporary.path, 'none')), InputError);
  });
});
