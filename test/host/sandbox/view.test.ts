/** Views of a tree, in real sandboxes: what a verification writes is seen by nobody else and is gone with it, in each way to make one. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { after, afterEach, before, describe, it } from 'mocha';
import { startOnce } from '../../../src/engine/run/probe-services.ts';
import { inOrder } from '../../../src/engine/run/schedule.ts';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import { removeLeftovers } from '../../../src/host/git/scratch.ts';
import type { RunnerOptions } from '../../../src/host/sandbox/options.ts';
import { findSandbox } from '../../../src/host/sandbox/programs.ts';
import { createRunner } from '../../../src/host/sandbox/runner.ts';
import { findViewWay, viewWords, type ViewWay } from '../../../src/host/sandbox/view-ways.ts';
import { bundleChild } from '../children.ts';
import { treePrint } from '../git/fingerprint.ts';
import { processesMarked, World } from './world.ts';

const ways: ViewWay[] = ['overlay', 'reflink', 'copy'];
const signal = new AbortController().signal;

for (const viewBy of ways)
  describe(`a view made by ${viewBy}`, () => {
    let world: World;
    let print: Record<string, string>;
    before(async () => {
      world = new World();
      writeFileSync(join(world.tree, 'data.json'), 'first');
      mkdirSync(join(world.tree, 'node_modules', 'thing'), { recursive: true });
      writeFileSync(join(world.tree, 'node_modules', 'thing', 'index.js'), 'module.exports = 42');
      symlinkSync('node_modules/thing', join(world.tree, 'linked'));
      mkdirSync(join(world.tree, 'examples', 'right'), { recursive: true });
      writeFileSync(join(world.tree, 'examples', 'right', 'report.txt'), 'right\n');
      print = await treePrint(world.tree);
    });
    after(() => world.dispose());
    afterEach(async () => {
      assert.deepEqual(await treePrint(world.tree), print, 'the tree is as it was');
      assert.deepEqual(existsSync(world.views) ? readdirSync(world.views) : [], [], 'nothing is left of the views');
    });

    const verify = (script: string, more: Partial<Job> = {}, options: Partial<RunnerOptions> = {}): Promise<Finished> =>
      world.run({ script: `#!/usr/bin/env bash\n${script}`, ext: 'sh', name: 'area-one' }, more, { viewBy, ...options });
    const prints = async (script: string, more: Partial<Job> = {}): Promise<string> => {
      const { exit, output } = await verify(script, more);
      assert.equal(exit, 0, output);
      return output.trim();
    };

    const overwrites: Record<string, string> = {
      overwrite: 'echo cheat > FILE',
      'take away': 'rm -f FILE; echo cheat > FILE',
      'put a folder in the place of its own': 'mv examples/right gone; mkdir -p examples/right; echo cheat > FILE',
      'the same by a call': "python3 -c \"import os; os.rename('examples', 'gone')\"; mkdir -p examples/right; echo cheat > FILE",
      'put a link in its place': 'echo cheat > own; ln -sfn ../../own FILE; mv -f own FILE',
    };
    for (const [how, script] of Object.entries(overwrites))
      it(`keeps what the work is compared with, whatever it does while it is judged: ${how}`, async () => {
        const file = 'examples/right/report.txt';
        const fixed = [file, 'examples/absent.txt'];
        const { exit, output } = await verify(
          `{ ${script.replaceAll('FILE', file)}; } 2>/dev/null; cat ${file}; echo x > examples/new`,
          {},
          { fixed },
        );
        assert.deepEqual([exit, output], [0, 'right\n']);
      });

    it('lets verifications delete and rewrite the file of each other 200 times, ten at a time, and none is red', async () => {
      const runner = world.remoteRunner({ viewBy });
      const exits: (number | null)[] = [];
      const run = async (n: number): Promise<void> => {
        const own = n % 2 === 0 ? 'even' : 'odd';
        const script = `[ "$(cat data.json)" = first ] && rm data.json && sleep 0.01 && [ ! -e data.json ] && echo ${own} >data.json && sleep 0.01 && [ "$(cat data.json)" = ${own} ]`;
        const job = { run: { script, ext: 'sh', name: `area-${own}` }, at: 'worktree' as const, timeout: 60, network: false, view: true };
        exits.push((await runner.run(job, signal)).exit);
      };
      const all = Array.from({ length: 200 }, (_, n) => n);
      await inOrder(all, { parallel: 10, goesOn: () => true, run });
      assert.deepEqual(
        exits,
        all.map(() => 0),
      );
    });

    it('shows a service and its verification what both wrote, and nobody else', async () => {
      const service = (name: string): Service => ({
        name,
        start: { command: `echo ${name} >made; exec sleep 100` },
        ready: { command: 'test -s made' },
        limit: 20,
      });
      const script = (name: string) => `[ "$(cat made)" = ${name} ] || exit 1; sleep 0.5; echo mine >made; ls made*; touch made-${name}`;
      const [one, two, none] = await Promise.all([
        prints(script('one'), { services: [service('one')] }),
        prints(script('two'), { services: [service('two')] }),
        prints('sleep 0.3; ls made* 2>/dev/null || echo none'),
      ]);
      assert.deepEqual([one, two, none], ['made', 'made', 'none']);
    });

    it('is what a service is probed in', async () => {
      const service = {
        name: 'api',
        start: { command: 'rm data.json; touch made; exec sleep 100' },
        ready: { command: 'test -e made' },
        limit: 20,
      };
      const runner = createRunner(world.options({ viewBy }));
      assert.equal((await startOnce(runner, [service], { at: 'worktree', network: false }, signal)).cause, undefined);
    });

    it('shows folders, links, modes and packages as they are, and no git', async () => {
      assert.equal(await prints("node -p \"require('thing') + require('./linked')\"; cat README.md"), '84\nhello');
      assert.equal(await prints('stat -c %a . data.json; ls -A .git 2>/dev/null; git log 2>/dev/null; pwd'), `755\n644\n${world.tree}`);
    });

    it('shows git to what shall not tell it from an agent’s command', async () => {
      assert.equal(await prints('git log --format=%s', { alike: true }), 'first words');
    });

    it('has the user of every other command', async () => {
      const show = 'id -u; id -g; stat -c "%u %g" . data.json; grep Cap /proc/self/status';
      assert.equal(await prints(show), await world.prints(show, { readonly: true }));
    });

    it('takes a new file, a removed folder and a changed mode', async () => {
      await prints('rm -r node_modules; mkdir -p a/b; echo x >a/b/c; chmod 700 .; chmod 0 data.json; mkfifo pipe; mv README.md other; ls');
      assert.equal(await prints('ls'), 'README.md\ndata.json\nexamples\nlinked\nnode_modules');
    });

    it('is gone after a timeout, with everything that ran in it', async () => {
      const mark = `loop-view-${process.pid}`;
      const done = await verify(
        `rm data.json; mkdir closed; touch closed/x; chmod 0 closed; setsid sh -c 'sleep 100; : ${mark}' & sleep 100`,
        { timeout: 1 },
      );
      assert.equal(done.timedOut, true);
      assert.deepEqual(processesMarked(mark), []);
    });

    it('fills only the disk that is watched', async () => {
      const done = await verify('head -c 1000 /dev/zero >big; sleep 100', {}, { limits: { free: 2 ** 60 } });
      assert.match(done.output, /killed, because less than \d+ bytes are free on the disk/);
    });

    it('works for a tree with any name', async () => {
      const scratch = join(world.folder, String.raw`a b,c:d\e`, String.raw`upperdir=x,y\:z "it's"`);
      cpSync(world.tree, scratch, { recursive: true, verbatimSymlinks: true });
      const own = await treePrint(scratch);
      const at = { scratch };
      assert.equal(
        await prints('rm data.json; echo x >new; ls; pwd', { at }),
        `README.md\nexamples\nlinked\nnew\nnode_modules\n${scratch}`,
      );
      assert.equal(await prints('ls', { at }), 'README.md\ndata.json\nexamples\nlinked\nnode_modules');
      assert.deepEqual(await treePrint(scratch), own);
    });

    const attacks: Record<string, string> = {
      'taking the view off': 'umount TREE; umount -l TREE; cd /; umount -lf TREE; echo dead >TREE/data.json',
      'taking it off in a namespace of its own': `unshare -Urm sh -c 'cd /; umount -l TREE; umount -R TREE; ls TREE/; echo dead >TREE/data.json'`,
      'mounting it anew': `unshare -Urm sh -c 'mount -o remount,rw,bind / /; mount -o remount,upperdir=TREE TREE; echo dead >TREE/data.json'`,
      'an overlay of its own': `unshare -Urm sh -c 'mkdir /tmp/w; mount -t overlay o -o lowerdir=/tmp,upperdir=TREE,workdir=/tmp/w,userxattr /tmp; echo dead >/tmp/data.json'`,
      'other ways to the tree':
        'for p in /proc/[0-9]*/root /proc/[0-9]*/cwd; do echo dead >$p/TREE/data.json; echo dead >$p/data.json; done',
      'open descriptors': 'for fd in /proc/*/fd/*; do echo dead >$fd/data.json; echo dead >$fd/../data.json; done',
      'a hard link': 'ln data.json twin && echo dead >twin; ln -f twin data.json; echo dead >>data.json',
      'attributes of overlays': `python3 -c 'import os; [os.setxattr(".", "user.overlay." + n, b"y") for n in ("opaque", "redirect", "metacopy")]'; python3 -c 'import os; os.setxattr("data.json", "user.overlay.redirect", b"/")'; echo dead >data.json`,
      'the folders of views':
        'echo dead >VIEWS/x; for v in VIEWS/*; do echo dead >$v/upper/data.json; echo dead >$v/tree/data.json; echo dead >$v/lower/data.json; done',
    };
    for (const [name, attack] of Object.entries(attacks))
      it(`is not left by ${name}`, async () => {
        const victim = verify('for i in $(seq 6); do [ "$(cat data.json)" = first ] || exit 1; sleep 0.05; done');
        await verify(`cp data.json dead.json; ${attack.replaceAll('TREE', world.tree).replaceAll('VIEWS', world.views)}`);
        assert.equal((await victim).exit, 0);
      });

    it('shows nothing of another one, though its folder would be seen', async () => {
      const views = join(world.outside, 'views');
      const stop = new AbortController();
      const job = { run: { script: 'echo the-secret-of-a-run >secret; sleep 100', ext: 'sh', name: 'area-two' }, timeout: 60, view: true };
      const other = createRunner(world.options({ viewBy, views })).run({ ...job, at: 'worktree', network: false }, stop.signal);
      await until(
        () =>
          existsSync(views) &&
          readdirSync(views).some((name) => ['upper', 'tree'].some((part) => existsSync(join(views, name, part, 'secret')))),
      );
      const { output } = await verify(`ls ${world.outside}; ls -A ${views}; grep -rs the-secret ${world.outside} .`, {}, { views });
      // A checkout below the temporary folder is hidden whole.
      assert.doesNotMatch(output, /the-secret|view-/);
      stop.abort();
      assert.equal((await other).exit, null);
      rmSync(views, { recursive: true });
    });
  });

describe('an overlay', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'loop-overlay-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves the tree alone and can be removed at the next start, when everything is killed in the middle', async () => {
    const { tree, views } = place('killed');
    const mark = `loop-view-killed-${process.pid}`;
    const child = spawn(process.execPath, [
      bundleChild('hold-view', folder),
      tree,
      views,
      `rm data.json; echo x >new; sleep 100; : ${mark}`,
    ]);
    await until(() => readdirSync(views).some((name) => existsSync(join(views, name, 'upper', 'new'))));
    await killed(child);
    await until(() => processesMarked(mark).length === 0);
    assert.deepEqual([readdirSync(tree), readFileSync(join(tree, 'data.json'), 'utf8')], [['data.json'], 'first']);
    assert.equal(readdirSync(views).length, 1);
    await removeLeftovers(views);
    assert.deepEqual(readdirSync(views), []);
  });

  it('is mounted for an ordinary user, too', async () => {
    const { tree, views } = place('ordinary');
    const child = bundleChild('hold-view', folder);
    chmodSync(folder, 0o755);
    const isRoot = process.getuid?.() === 0;
    const [uid, gid] = isRoot ? [65534, 65534] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    if (isRoot) for (const path of [tree, join(tree, 'data.json'), views]) chownSync(path, uid, gid);
    const script = 'id -u; rm data.json; echo x >new; stat -c %u new; ls';
    const { stdout } = await promisify(execFile)(process.execPath, [child, tree, views, script], { uid, gid });
    assert.equal(stdout, `0 ${uid}\n${uid}\nnew\n`);
    assert.deepEqual([readdirSync(tree), readdirSync(views)], [['data.json'], []]);
  });

  it('is held by no process after the last run, nor after the death of its engine', async () => {
    const { tree, views } = place('held');
    const child = spawn(process.execPath, [bundleChild('hold-view', folder), tree, views, 'sleep 100']);
    await until(() => processesMarked(join(views, 'view-')).length === 1);
    await killed(child);
    await until(() => processesMarked(views).length === 0);
    const runner = createRunner({ worktree: tree, gitCommonDir: join(tree, '.git'), views, viewBy: 'overlay', network: 'none' });
    const job = {
      run: { script: 'rm data.json', ext: 'sh', name: 'area-one' },
      at: 'worktree' as const,
      timeout: 60,
      network: false,
      view: true,
    };
    await Promise.all([runner.run(job, signal), runner.run(job, signal)]);
    assert.deepEqual(processesMarked(views), []);
  });

  it('whose holder somebody ended is not used again', async () => {
    const { tree, views } = place('ended');
    const runner = createRunner({ worktree: tree, gitCommonDir: join(tree, '.git'), views, viewBy: 'overlay', network: 'none' });
    const run = (script: string, stop = signal): Promise<Finished> =>
      runner.run({ run: { script, ext: 'sh', name: 'area-one' }, at: 'worktree', timeout: 60, network: false, view: true }, stop);
    const stop = new AbortController();
    const other = run('echo x >busy; sleep 100', stop.signal);
    await until(() => existsSync(views) && readdirSync(views).some((name) => existsSync(join(views, name, 'upper', 'busy'))));
    assert.equal((await run('exit 0')).exit, 0);
    for (const line of processesMarked(views)) process.kill(Number(line.trim().split(' ')[0]), 'SIGKILL');
    await until(() => processesMarked(views).length === 0);
    assert.equal((await run('cat data.json; exit 3')).exit, 3);
    stop.abort();
    await other;
  });

  it('is replaced by a copy where none can be mounted, which is said with the reason', async () => {
    const programs = await findSandbox([]);
    const can = await findViewWay(programs, place('can').views);
    assert.deepEqual([can, viewWords(can)], [{ way: 'overlay', why: '' }, undefined]);
    const refusing = join(folder, 'refusing');
    writeFileSync(refusing, '#!/bin/sh\necho "not here" >&2\nexit 1\n', { mode: 0o755 });
    const cannot = await findViewWay({ ...programs, mount: refusing }, place('cannot').views);
    assert.notEqual(cannot.way, 'overlay');
    assert.match(
      viewWords(cannot) ?? '',
      /^each verification runs on .*copy of the tree.*, because no overlay can be mounted here \(not here\)/,
    );
  });

  it('is tried again where the trial itself could not be made', async () => {
    const programs = await findSandbox([]);
    const views = join(folder, 'later', 'views');
    mkdirSync(join(folder, 'later'));
    writeFileSync(views, 'a file, where the folder should be');
    await assert.rejects(findViewWay(programs, views));
    rmSync(views);
    assert.deepEqual(await findViewWay(programs, views), { way: 'overlay', why: '' });
  });

  /** A tree with one file, and a folder for its views. */
  function place(name: string): { tree: string; views: string } {
    const [tree, views] = [join(folder, name, 'tree'), join(folder, name, 'views')];
    for (const path of [tree, views]) mkdirSync(path, { recursive: true });
    writeFileSync(join(tree, 'data.json'), 'first');
    return { tree, views };
  }
});

async function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}
