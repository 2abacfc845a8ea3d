/** The built `loop tell`: the person's word to a sprint that does not run. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { readSprint } from '../../src/host/sprint.ts';
import { build, honest, supplied, withSessions } from '../support/greeter.ts';
import { ground, write, type Ground } from '../support/sprint.ts';
import { loop } from './loop.ts';

describe('loop tell', () => {
  let at: Ground;
  const sprint = (): string[] => ['run', at.sprintDir, '--model', `recorded:${at.recording}`];
  const tell = (...more: string[]) => loop(['tell', at.sprintDir, ...more]);

  before(async () => {
    at = await ground(honest);
  });
  after(() => at.dispose());

  it('says where no sprint was started', async () => {
    const { code, err } = await tell('Hello');
    assert.deepEqual([code, err], [4, `No sprint was started in ${at.sprintDir}. Start one first.\n`]);
  });

  it('takes a word, and the sprint’s next sessions read it', async () => {
    assert.equal((await loop(sprint())).code, 3, 'it waits for a file');
    assert.deepEqual(await tell('Keep it small.', '--about', '1.3'), {
      code: 0,
      out: 'Taken as W1, about requirement 1.3. Its agents read it from their next turn on.\n',
      err: '',
    });
    assert.match(
      (await loop(['status', at.sprintDir])).out,
      /You said W1, about requirement 1\.3, .*“Keep it small\.” taken, and read by no/,
    );
    const refused = await tell('x'.repeat(2001));
    assert.deepEqual([refused.code, /That is 2001 characters long/.test(refused.err)], [4, true]);
    assert.match((await tell('Hello', '--about', 'nothing')).err, /There is no task, requirement or verification nothing/);
    assert.match((await loop(['pause', at.sprintDir])).err, /The sprint does not run, so there is nothing to pause\./);
    assert.match((await tell()).err, /"loop tell" needs what you say, in quotes/);
    await write(at.repo, { [supplied.path]: supplied.text });
    const { code, out, err } = await loop(sprint());
    assert.equal(code, 0, out + err);
    const words = (await readSprint(at.sprintDir))?.ledger.words;
    assert.deepEqual([words?.length, (words?.[0]?.readIn.length ?? 0) > 0], [1, true]);
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /## What you said\n\n- W1, about requirement 1\.3, .*read in one session: Building T3/);
  });

  it('is taken by the process that runs the sprint, and is there when that is killed at once', async () => {
    const slow = await ground(withSessions(build('T1', { bash: { command: 'sleep 30' } })));
    const running = spawn(process.execPath, [resolve('dist/cli.mjs'), 'run', slow.sprintDir, '--model', `recorded:${slow.recording}`]);
    try {
      const line = /execute T1/;
      await new Promise<void>((begun) => running.stdout.on('data', (text: Buffer) => void (line.test(text.toString()) && begun())));
      const { code, out, err } = await loop(['tell', slow.sprintDir, 'Keep it small.', '--about', 'T1']);
      running.kill('SIGKILL');
      assert.deepEqual([code, out], [0, 'Taken as W1, about task T1. Its agents read it from their next turn on.\n'], err);
      const words = (await readSprint(slow.sprintDir))?.ledger.words.map((word) => word.words);
      assert.deepEqual(words, ['Keep it small.']);
    } finally {
      running.kill('SIGKILL');
      await new Promise((gone) => (running.exitCode === null && running.signalCode === null ? running.once('exit', gone) : gone(0)));
      await slow.dispose();
    }
  });

  it('is refused once the sprint is over', async () => {
    assert.match((await tell('Hello')).err, /is over and cannot be changed any more/);
  });
});
