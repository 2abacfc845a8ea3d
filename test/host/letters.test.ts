/** A letter to a running sprint is answered, taken once, and never lost: also when either process is killed. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import type { Draft } from '../../src/engine/state/events.ts';
import type { Saying } from '../../src/engine/person/say.ts';
import { sendLetter, takeLetters } from '../../src/host/letters.ts';
import { play, staged, type Play } from '../engine/support/play.ts';
import * as p from '../engine/support/parts.ts';
import { world } from '../support/fakes.ts';

const said: Saying = { kind: 'tell', words: 'Use tabs.', about: '' };

describe('a letter', () => {
  let sprintDir: string;
  let running: Play['kernel'];
  const stateHome = process.env['LOOP_STATE_HOME'];
  const send = (words: Saying = said, branch = running.state.opened.branch, isRunning = true) =>
    sendLetter(sprintDir, words, { branch, isRunning: () => Promise.resolve(isRunning) });
  const lies = async (): Promise<string[]> => {
    const folder = join(sprintDir, 'state', 'letters');
    return readdir(join(folder, (await readdir(folder))[0] ?? ''));
  };
  const words = (): string[] => running.state.ledger.words.map((word) => word.words);

  beforeEach(async () => {
    sprintDir = await mkdtemp(join(tmpdir(), 'loop-letters-'));
    process.env['LOOP_STATE_HOME'] = join(sprintDir, 'state');
    running = play(await staged(world(), p.awaiting())).kernel;
  });
  afterEach(async () => {
    process.env['LOOP_STATE_HOME'] = stateHome;
    if (stateHome === undefined) delete process.env['LOOP_STATE_HOME'];
    await rm(sprintDir, { recursive: true });
  });

  it('is answered with what was taken, and leaves nothing behind', async () => {
    const letters = await takeLetters(sprintDir, running);
    assert.match((await send()) ?? '', /^Taken as W1, about the whole sprint\./);
    await letters.close();
    assert.deepEqual([words(), await lies()], [['Use tabs.'], []]);
  });

  it('is taken at a later look where the first one fails, as on a full disk', async () => {
    let full = true;
    const desk = {
      ports: running.ports,
      get state() {
        return running.state;
      },
      append: (draft: Draft): Promise<void> => {
        if (!full) return running.append(draft);
        full = false;
        return Promise.reject(new Error('ENOSPC'));
      },
    };
    const letters = await takeLetters(sprintDir, desk);
    assert.match((await send()) ?? '', /^Taken as W1/);
    await letters.close();
    assert.deepEqual([words(), await lies()], [['Use tabs.'], []]);
  });

  it('is answered with the refusal where it does not fit', async () => {
    const letters = await takeLetters(sprintDir, running);
    await assert.rejects(send({ kind: 'tell', words: 'x', about: 'T99' }), (error) => {
      assert.ok(error instanceof InputError);
      return /There is no task, requirement or verification T99/.test(error.message);
    });
    await letters.close();
    assert.deepEqual([words(), await lies()], [[], []]);
  });

  it('is taken back where nobody takes it', async () => {
    assert.equal(await send(said, undefined, false), undefined);
    assert.deepEqual(await lies(), []);
  });

  it('that was left by a killed process is taken when the sprint goes on, and once', async () => {
    await send(said, undefined, false);
    const [folder = ''] = await readdir(join(sprintDir, 'state', 'letters'));
    const text = JSON.stringify({ branch: running.state.opened.branch, saying: said });
    const path = join(sprintDir, 'state', 'letters', folder, '1-left.letter');
    // The second time as after a kill between the journal's line and the letter's end.
    for (let time = 0; time < 2; time += 1) {
      await writeFile(path, text);
      const letters = await takeLetters(sprintDir, running);
      await letters.close();
    }
    assert.deepEqual([words(), await lies()], [['Use tabs.'], ['1-left.answer']]);
  });

  it('to another sprint, or that nobody can read, is thrown away', async () => {
    await send(said, 'loop/other', false);
    const [folder = ''] = await readdir(join(sprintDir, 'state', 'letters'));
    const at = (name: string): string => join(sprintDir, 'state', 'letters', folder, `${name}.letter`);
    await writeFile(at('1'), JSON.stringify({ branch: 'loop/other', saying: said }));
    await writeFile(at('2'), '{"branch":');
    await writeFile(at('3'), JSON.stringify({ branch: running.state.opened.branch, saying: { kind: 'deliver' } }));
    await (await takeLetters(sprintDir, running)).close();
    assert.deepEqual([words(), await lies()], [[], []]);
  });
});
