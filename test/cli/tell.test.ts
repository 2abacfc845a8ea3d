/** The built `loop tell` and `loop amend`: the person's word to a sprint that does not run, and to one that does. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { readSprint } from '../../src/host/sprint.ts';
import { build, honest, prd, supplied, withSessions } from '../support/greeter.ts';
import { ground, write, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

const changedPrd = prd.replace('without a name it prints', 'without any name it prints');

describe('loop tell and loop amend', () => {
  let at: Ground;
  const tell = (...more: string[]) => loop(['tell', at.sprintDir, ...more]);

  before(async () => {
    at = await ground(honest);
  });
  after(() => at.dispose());

  it('says where no sprint was started', async () => {
    const { code, err } = await tell('Hello');
    assert.deepEqual([code, err], [4, `No sprint was started in ${at.sprintDir}. Start one first.\n`]);
  });

  it('take a word', async () => {
    assert.equal((await loop(runOf(at))).code, 3, 'it waits for a file');
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
  });

  it('show what is changed in the PRD and what that re-opens, and take it over', async () => {
    const amend = (...more: string[]) => loop(['amend', at.sprintDir, ...more]);
    assert.deepEqual(await amend(), { code: 0, out: 'The sprint goes by the documents as they are.\n', err: '' });
    assert.match((await amend('take')).err, /VISION\.md and PRD\.md are as the sprint goes by them/);
    assert.match((await amend('perhaps')).err, /is "perhaps"; it is one of take, keep, stop/);
    await write(at.sprintDir, { 'PRD.md': changedPrd });
    const words = 'PRD.md was changed. If you take it over, 1.2 re-opens.\n';
    assert.deepEqual(await amend(), {
      code: 3,
      out: `${words}Say what becomes of it: loop amend ${at.sprintDir} take | keep | stop\n`,
      err: '',
    });
    assert.equal((await amend('keep')).out, 'The sprint goes on with the text of PRD.md that it has.\n');
    assert.deepEqual(await amend(), { code: 0, out: `${words.trimEnd()} You keep the old text.\n`, err: '' });
    assert.deepEqual(await amend('take'), { code: 0, out: 'PRD.md is taken over before the next decision: 1.2 re-opens.\n', err: '' });
  });

  it('are read by the next sessions, and what is open again is verified and done anew', async () => {
    await write(at.repo, { [supplied.path]: supplied.text });
    const { code, out, err } = await loop(runOf(at));
    assert.equal(code, 0, out + err);
    const words = (await readSprint(at.sprintDir))?.ledger.words;
    assert.deepEqual([words?.length, (words?.[0]?.readIn.length ?? 0) > 0], [1, true]);
    assert.match(out, /PRD\.md is taken over: 1\.2 re-opens\n +task T2 is open again: the person changed what 1\.2 asks for\n/);
    assert.match(
      out,
      /Building: T2 \(task T2 is shown done\).*\n +task T2 is reported\n +task T2 is done without a change, as its verifications show\n/,
    );
    assert.doesNotMatch(out, /task T1 is open again|was changed/);
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /- After \d+ decisions you changed PRD\.md: it was taken over, and 1\.2 re-opens\./);
    assert.match(
      report,
      /## What you said\n\n- W1, about requirement 1\.3, .*read in 2 sessions: Writing verifications plan, Building T3\./,
    );
  });

  it('are taken by the process that runs the sprint, and are there when that is killed at once', async () => {
    const slow = await ground(withSessions(build('T1', { bash: { command: 'sleep 30' } })));
    const running = spawn(process.execPath, [resolve('dist/cli.mjs'), ...runOf(slow)]);
    let printed = '';
    running.stdout.on('data', (text: Buffer) => (printed += text.toString()));
    const said = (line: RegExp) =>
      new Promise<void>((seen) => {
        const look = (): void => void (line.test(printed) && seen());
        running.stdout.on('data', look);
        look();
      });
    try {
      await said(/Building: T1/);
      const { code, out, err } = await loop(['tell', slow.sprintDir, 'Keep it small.', '--about', 'T1']);
      await write(slow.sprintDir, { 'PRD.md': changedPrd });
      await said(/PRD\.md was changed\. If you take it over, 1\.2 re-opens\. It goes on with the old text; say "loop amend/);
      const { out: amended } = await loop(['amend', slow.sprintDir, 'take']);
      running.kill('SIGKILL');
      assert.equal(amended, 'PRD.md is taken over before the next decision: 1.2 re-opens.\n');
      assert.deepEqual([code, out], [0, 'Taken as W1, about task T1. Its agents read it from their next turn on.\n'], err);
      const state = await readSprint(slow.sprintDir);
      const words = state?.ledger.words.map((word) => word.words);
      assert.deepEqual(words, ['Keep it small.']);
      assert.deepEqual(
        state?.ledger.revisions.map(({ answer, taken }) => [answer, taken]),
        [['take', null]],
      );
    } finally {
      running.kill('SIGKILL');
      await new Promise((gone) => (running.exitCode === null && running.signalCode === null ? running.once('exit', gone) : gone(0)));
      await slow.dispose();
    }
  });

  it('are refused once the sprint is over', async () => {
    assert.match((await loop(['amend', at.sprintDir])).err, /No sprint goes on in/);
    assert.match((await tell('Hello')).err, /is over and cannot be changed any more/);
  });
});
