/** The machine is kept awake by a program that ends with this one; a stand-in for systemd-inhibit tells how it is called. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Wakefulness } from '../../src/extension/worker/wakefulness.ts';
import { canKeepAwake, keepAwake } from '../../src/host/awake.ts';
import { loop } from '../cli/loop.ts';
import { waitFor } from '../editor/processes.ts';

describe('the machine', () => {
  let folder: string;
  const before = process.env['PATH'];
  const until = (what: string, isSo: () => boolean): Promise<true> => waitFor(what, 60_000, async () => isSo() || undefined);
  const held = (): boolean => existsSync(join(folder, 'held'));
  /** Says by a file whether a lock is held. */
  const standIn = (works = true): void => {
    const file = join(folder, 'bin', 'systemd-inhibit');
    const lines = [
      '#!/bin/sh',
      ...(works ? [] : ['exit 1']),
      'for last; do :; done',
      '[ "$last" = true ] && exit 0',
      `printf '%s\\n' "$@" >"${folder}/asked"; touch "${folder}/held"; cat; rm "${folder}/held"`,
    ];
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    chmodSync(file, 0o755);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loop-awake-'));
    process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${before ?? ''}`;
  });
  afterEach(() => {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  });

  it('is held awake until it is let go, by name and reason', async () => {
    standIn();
    assert.equal(await canKeepAwake(), true);
    assert.equal(held(), false);
    const letGo = keepAwake();
    await until('the lock', held);
    assert.deepEqual(readFileSync(join(folder, 'asked'), 'utf8').split('\n').slice(0, 2), ['--what=idle:sleep', '--who=Loop']);
    letGo();
    await until('the end of the lock', () => !held());
  });

  it('is not kept awake where that does not work, and nothing breaks', async () => {
    standIn(false);
    assert.equal(await canKeepAwake(), false);
    keepAwake()();
    process.env['PATH'] = join(folder, 'nowhere');
    assert.equal(await canKeepAwake(), false);
    keepAwake()();
  });

  it('is kept awake only while something runs, and only if the person wants it', async () => {
    standIn();
    const wakefulness = new Wakefulness();
    wakefulness.busy(true);
    assert.equal(await wakefulness.want(false), true);
    assert.equal(held(), false);
    await wakefulness.want(true);
    await until('the lock', held);
    wakefulness.busy(false);
    await until('the end of the lock', () => !held());
    wakefulness.busy(true);
    await until('the lock', held);
    await wakefulness.want(false);
    await until('the end of the lock', () => !held());
  });

  it('is kept awake by a command line that is told so, and lets it sleep at its end', async () => {
    standIn();
    const { code, err } = await loop(['run', folder, '--keep-awake', '--non-interactive'], { PATH: process.env['PATH'] ?? '' });
    assert.equal(err.includes('cannot be kept awake'), false);
    assert.ok(existsSync(join(folder, 'asked')) && code !== null);
    await until('the end of the lock', () => !held());
    standIn(false);
    const without = await loop(['run', folder, '--keep-awake', '--non-interactive'], { PATH: process.env['PATH'] ?? '' });
    assert.deepEqual([without.code, without.err.includes('This machine cannot be kept awake')], [code, true]);
  });
});
