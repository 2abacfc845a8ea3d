/** `loop finish` on a real repository: stopped by Ctrl+C at any time, and of a sprint that is red or not proven. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import type { State } from '../../src/engine/state/state.ts';
import { acquireLock } from '../../src/host/lock.ts';
import { findProgram } from '../../src/host/sandbox/places.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { differences, fingerprint } from '../host/git/fingerprint.ts';
import { processesMarked } from '../host/sandbox/world.ts';
import { delivered } from '../support/played-once.ts';
import { build, planned, script, verifications, withSessions, writeVerifications, type Session } from '../support/greeter.ts';
import { ground, run, write, type Ground } from '../support/sprint.ts';
import { loop } from './loop.ts';

/** A command that marks processes of this test. */
const nap = `sleep 61.${process.pid}`;
/** Takes its time once the person's branch has the file `slow`. */
const slow = {
  write_verification: {
    ...verifications.name.write_verification,
    content: verifications.name.write_verification.content.replace('out=', `[ -f slow ] && ${nap}\nout=`),
  },
};
const sessions = withSessions(writeVerifications(slow, verifications.world, verifications.house));

describe('loop finish', () => {
  let at: Ground;
  afterEach(() => at.dispose());
  const stateOf = ({ opened }: State): string => opened.worktree ?? '';
  const worktreeOf = (state: State): string => join(stateOf(state), 'worktree', basename(at.repo));
  const main = (): string => at.git('rev-parse', 'main');
  const finish = (way: string, env: Record<string, string> = {}) => start(['finish', at.sprintDir, way], env);
  /** The person's branch gets a file, so that a merge runs every verification. */
  const moveOn = async (file: string): Promise<void> => {
    await write(at.repo, { [file]: 'x' });
    at.git('add', file);
    at.git('commit', '-qm', 'Move on', '--', file);
  };

  it('is stopped by one Ctrl+C while the merge is verified, changes nothing, and works the next time', async () => {
    at = await ground(sessions);
    assert.equal((await run(at, sessions)).ending.stop, 'delivered');
    await moveOn('slow');
    const before = await fingerprint(at.repo);
    const command = finish('merge');
    await until(() => processesMarked(nap).length > 0);
    command.child.kill('SIGINT');
    const { code, err } = await command.ended;
    assert.deepEqual([code, differences(before, await fingerprint(at.repo))], [130, []]);
    assert.deepEqual(processesMarked(nap), []);
    assert.match(
      err,
      /^Told to stop \(SIGINT\): ends where nothing is left half done\. A second time ends it at once\.\nStopped before anything was changed\. Nothing that was settled is lost/,
    );
    at.git('rm', '-q', 'slow');
    at.git('commit', '-qm', 'Be fast', '--', 'slow');
    assert.equal((await loop(['finish', at.sprintDir, 'merge'])).code, 0);
    assert.ok(existsSync(join(at.repo, 'greet.sh')));
  });

  it('goes on to the end where it is stopped once while it writes', async () => {
    ({ at } = await delivered());
    const { env, mark } = await slowGit(at);
    const command = finish('merge', env);
    await until(() => existsSync(mark));
    command.child.kill('SIGINT');
    assert.equal((await command.ended).code, 0);
    assert.ok(existsSync(join(at.repo, 'greet.sh')));
    assert.match(at.git('log', '-1', '--format=%s', 'main'), /^Sprint repo: delivered/);
  });

  it('ends at once where it is stopped twice while it writes, and the same command completes it', async () => {
    ({ at } = await delivered());
    const base = main();
    const { env, mark, over } = await slowGit(at);
    const command = finish('merge', env);
    await until(() => existsSync(mark));
    command.child.kill('SIGINT');
    await sleep(200);
    command.child.kill('SIGINT');
    assert.equal((await command.ended).code, 130);
    assert.ok(!existsSync(over), 'git was still at work');
    assert.equal(main(), base);
    await until(() => existsSync(over));
    await until(() => !existsSync(join(at.repo, '.git', 'index.lock')));
    assert.equal((await loop(['finish', at.sprintDir, 'merge'])).code, 0);
    assert.deepEqual([existsSync(join(at.repo, 'greet.sh')), at.git('diff', '--cached', '--name-only')], [true, 'staged.md\n']);
  });

  it('refuses while the sprint or a verification is at work, and touches nothing of it', async () => {
    const { state } = ({ at } = await delivered());
    const kept = ['scratch/1/a', 'views/1/a'].map((path) => join(stateOf(state), path));
    kept.push(join(at.git('-C', worktreeOf(state), 'rev-parse', '--absolute-git-dir').trim(), 'index.lock'));
    for (const path of kept) await write(dirname(path), { [basename(path)]: '' });
    const lock = await acquireLock(at.sprintDir);
    try {
      for (const way of ['keep', 'merge']) {
        const { code, err } = await loop(['finish', at.sprintDir, way]);
        assert.equal(code, 3, err);
        assert.match(err, /is already running, in process \d+/);
      }
    } finally {
      await lock.release();
    }
    assert.deepEqual(kept.filter(existsSync), kept);
  });

  for (const { way, target, says } of [
    { way: 'merge', target: 'main', says: /^It was merged into main before\./m },
    { way: 'drop', target: 'main', says: /^Its branch was gone already\./m },
    { way: 'drop', target: 'renamed', says: /^Its branch was gone already\./m },
  ])
    it(`records a ${way} that was killed after it deleted the branch, where the target is ${target}`, async () => {
      const { state } = ({ at } = await delivered());
      const { branch } = state.opened;
      if (way === 'merge') at.git('update-ref', 'refs/heads/main', branch);
      at.git('worktree', 'remove', '--force', '--force', worktreeOf(state));
      at.git('update-ref', '-d', `refs/heads/${branch}`);
      at.git('branch', '-m', 'main', target);
      const { code, out, err } = await loop(['finish', at.sprintDir, way, '--yes']);
      assert.equal(code, 0, err);
      assert.match(out, says);
      assert.equal((await readSprint(at.sprintDir))?.ledger.finished?.how, way);
    });

  it('completes a merge that was killed before it deleted the branch, whatever is chosen, and says so', async () => {
    const { state } = ({ at } = await delivered());
    const { branch } = state.opened;
    const from = main().trim();
    const to = at.git('commit-tree', `${branch}^{tree}`, '-p', from, '-p', branch, '-m', 'Merge the sprint').trim();
    at.git('update-ref', 'refs/heads/main', to);
    const intent = { how: 'merge', target: 'main', from, to };
    await write(stateOf(state), { 'finish.json': JSON.stringify(intent) });
    const { code, out, err } = await loop(['finish', at.sprintDir, 'drop']);
    assert.equal(code, 0, err);
    assert.match(out, /^The merge into main is made; /m);
    assert.match(out, /^An earlier merge was interrupted and is completed now, instead of drop\. Merged into main as /m);
    assert.deepEqual((await readSprint(at.sprintDir))?.ledger.finished, { how: 'merge', commit: to });
  });

  it('drops nothing that the person committed on the branch of the sprint', async () => {
    const { state } = ({ at } = await delivered());
    const { branch } = state.opened;
    await write(worktreeOf(state), { 'mine.txt': 'mine' });
    at.git('-C', worktreeOf(state), 'add', 'mine.txt');
    at.git('-C', worktreeOf(state), 'commit', '-qm', 'My own fix');
    const before = await fingerprint(at.repo);
    const { code, err } = await loop(['finish', at.sprintDir, 'drop', '--yes']);
    assert.equal(code, 3, err);
    assert.match(err, new RegExp(`^"${branch}" has commits that are not Loop's, and no other branch has them: \\w+ My own fix\\.`));
    assert.deepEqual(differences(before, await fingerprint(at.repo)), []);
  });

  it('refuses to merge what is red, also where the branch did not move, and names it', async () => {
    const red = withSessions(
      writeVerifications(script('cli/name', { prd: '1.1, V1', red: 'wrong greeting', command: 'sh greet.sh Ada', expect: 'Bonjour' })),
      gaveUp,
    );
    at = await ground(red);
    const { ending } = await run(at, red);
    assert.notEqual(ending.stop, 'delivered');
    const before = await fingerprint(at.repo);
    const refused = await loop(['finish', at.sprintDir, 'merge']);
    assert.equal(refused.code, 3, refused.err);
    assert.match(refused.out, /^Failed when they last ran: cli\/name$/m);
    assert.match(refused.err, /^These verifications fail on the sprint's work: cli\/name\. Choose "keep"/);
    assert.deepEqual(differences(before, await fingerprint(at.repo)), []);
  });

  it('merges what is green but not proven, and says what is not', async () => {
    const unproven = withSessions(planned(), writeVerifications(verifications.name, verifications.world), build('T3'));
    at = await ground(unproven);
    const { ending } = await run(at, unproven);
    assert.equal(ending.stop, 'partial', ending.reasons.join());
    const { code, out } = await loop(['finish', at.sprintDir, 'merge']);
    assert.equal(code, 0);
    assert.match(out, /^Not proven: .*\b1\.3\b/m);
    assert.match(out, /^Merged into main .* Not proven: .*\b1\.3\b.*\.$/m);
  });
});

/** A fixer that gives up. */
const gaveUp: Session = { role: 'fixer', purpose: 'fix/*', turns: [{ text: 'I cannot.', repeat: true }] };

function start(args: string[], env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [resolve('dist/cli.mjs'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr?.on('data', (text: Buffer) => (err += text.toString()));
  // Not `close`: git may go on a moment with the same standard error.
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, err }));
  return { child, ended };
}

/** A `git` that waits two seconds before it writes the person's files; `mark` is there while it waits, `over` when it has written. */
async function slowGit({ folder }: Ground): Promise<{ env: Record<string, string>; mark: string; over: string }> {
  const [bin, mark, over] = ['bin', 'mark', 'over'].map((name) => join(folder, name)) as [string, string, string];
  const real = findProgram('git', []) ?? 'git';
  const waits = `touch '${mark}'; sleep 2; '${real}' "$@"; status=$?; touch '${over}'; exit $status`;
  await write(bin, { git: `#!/bin/sh\ncase "$*" in *"read-tree -m -u"*) ${waits};; esac\nexec '${real}' "$@"\n` });
  await chmod(join(bin, 'git'), 0o755);
  return { env: { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }, mark, over };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let left = 600; !isTrue(); left -= 1) {
    assert.ok(left > 0, 'it did not happen in a minute');
    await sleep(100);
  }
}
