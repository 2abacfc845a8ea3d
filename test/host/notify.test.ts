/** The person's own command, which tells them outside of the editor. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Occasion } from '../../src/engine/ground/occasion.ts';
import { runHook } from '../../src/host/notify.ts';

const asked: Occasion = {
  event: 'needs-you',
  name: 'greeter',
  folder: '/work/greeter/sprint',
  outcome: '',
  words: 'Put house.txt there; $(touch "$HOOK_DIR/made")`touch "$HOOK_DIR/made"`',
};

describe('the command that tells the person', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'loop-hook-'));
    process.env['HOOK_DIR'] = dir;
  });
  afterEach(async () => {
    delete process.env['HOOK_DIR'];
    await rm(dir, { recursive: true });
  });
  const told = (): Promise<string> => readFile(join(dir, 'told'), 'utf8');

  it('gets all of it as variables, and none of an agent’s words as text of a command', async () => {
    const write = 'printf "%s\\n" "$LOOP_EVENT" "$LOOP_SPRINT" "$LOOP_FOLDER" "$LOOP_OUTCOME" "$LOOP_WORDS" "$(pwd)" > "$HOOK_DIR/told"';
    assert.equal(await runHook(write, asked), undefined);
    assert.deepEqual((await told()).split('\n'), ['needs-you', 'greeter', asked.folder, '', asked.words, homedir(), '']);
    await assert.rejects(readFile(join(dir, 'made')), { code: 'ENOENT' });
  });

  it('is said to have failed, with its exit status', async () => {
    assert.equal(await runHook('exit 3', asked), 'The command that tells you (exit 3) ended with exit status 3.');
    assert.match((await runHook('no-such-program-of-loop', asked)) ?? '', /exit status 127/);
  });
});
