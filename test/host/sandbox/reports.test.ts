/** The folder for reports, in a real sandbox: Loop reads what a verification leaves there, within bounds and from plain files only. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { bundleChild } from '../children.ts';
import { World } from './world.ts';

describe('reports', () => {
  let world: World;
  const temporary = process.env['TMPDIR'];
  before(() => {
    world = new World();
    // A folder of its own: other tests run at the same time and create such folders too.
    process.env['TMPDIR'] = mkdtempSync(join(world.folder, 'temporary-'));
  });
  after(() => {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    world.dispose();
  });

  const folders = (): string[] =>
    readdirSync(tmpdir())
      .filter((name) => name.startsWith('loop-reports-'))
      .map((name) => join(tmpdir(), name));
  const verify = (script: string, limits = {}) =>
    world.run({ script: `#!/usr/bin/env bash\n${script}`, ext: 'sh', name: 'cli-a' }, {}, { limits });

  /** Calls `use` while a verification runs, so that folders are kept for the next one. `use` gets a function that lists these. */
  const duringAnother = async (use: (listKept: () => string[]) => Promise<void>): Promise<void> => {
    const long = verify('until [ -e $REPORTS_DIR/stop ]; do sleep 0.05; done');
    const [taken = ''] = await untilNotEmpty(() => folders());
    try {
      await use(() => folders().filter((path) => path !== taken));
    } finally {
      writeFileSync(join(taken, 'stop'), '');
      assert.equal((await long).exit, 0);
    }
  };

  it('are the files that a verification leaves, in order of their names, with its root', async () => {
    const done = await verify('cd "$REPORTS_DIR"; echo two >b.xml; echo one >a.xml; : >empty.xml; exit 3');
    assert.deepEqual([done.exit, done.reports, done.root], [3, ['one\n', 'two\n'], world.tree]);
  });

  it('are read also when it was killed', async () => {
    const script = 'echo half >$REPORTS_DIR/a; sleep 20';
    const job = { run: { script, ext: 'sh', name: 'cli-a' }, timeout: 1 };
    const done = await world.run(job.run, { timeout: 1 });
    assert.deepEqual([done.timedOut, done.reports], [true, ['half\n']]);
  });

  it('are redacted', async () => {
    const key = ['ghp', 'a1B2'.repeat(9)].join('_');
    assert.deepEqual((await verify(`echo token ${key} >$REPORTS_DIR/a`)).reports, ['token [redacted]\n']);
  });

  it('are neither links, folders, pipes nor files of others', async () => {
    const done = await verify(
      `cd $REPORTS_DIR; ln -s ${world.canary} a; ln -s / b; mkfifo c; mkdir d; echo x >d/e; echo y >f; chmod 0 f; echo z >g; ln g h`,
    );
    assert.deepEqual(
      done.reports?.filter((text) => text !== 'y\n'),
      ['z\n', 'z\n'],
    );
    assert.equal(done.reports?.join('').includes('alive'), false);
  });

  it('are bounded in number, and cut where they are long', async () => {
    const many = await verify('cd $REPORTS_DIR; for i in $(seq 10 99); do echo $i >$i; done');
    assert.equal(many.reports?.length, 20);
    const long = await verify('cd $REPORTS_DIR; for i in 1 2 3 4; do head -c 3000000 /dev/zero | tr "\\0" x >$i; done');
    const sizes = long.reports?.map((text) => text.length);
    assert.deepEqual(sizes, [2097152, 2097152, 2097152]);
  });

  it('do not fill the disk: a run that leaves too much is killed', async () => {
    const done = await verify('cd $REPORTS_DIR; head -c 2000000 /dev/zero >a; sleep 20', { reports: 1_000_000 });
    assert.equal(done.exit, null);
    assert.match(done.output, /more than 1000000 bytes of reports/);
    const files = await verify('cd $REPORTS_DIR; mkdir a; touch a/$(seq -s " a/" 2500); sleep 20');
    assert.equal(files.exit, null);
  });

  it('count as too many where they cannot be read, and as none where they are gone', () => {
    const child = bundleChild('closed-reports', world.folder);
    const result: unknown = JSON.parse(execFileSync(process.execPath, [child], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } }));
    const tooMany = [false, []];
    assert.deepEqual(result, { open: [true, []], unreadable: tooMany, unsearchable: tooMany, closed: tooMany, gone: [0, []] });
  });

  it('come from an empty folder that can be written, whatever happened to the one before', async () => {
    const attacks = ['chmod 0 $REPORTS_DIR', 'echo x >$REPORTS_DIR/a', 'touch -d 2020-01-01 $REPORTS_DIR', 'true'];
    const inspect = 'stat -c %a $REPORTS_DIR; ls -A $REPORTS_DIR | wc -l; echo y >$REPORTS_DIR/b';
    await duringAnother(async () => {
      for (const attack of attacks) {
        await verify(attack);
        const done = await verify(inspect);
        assert.deepEqual([done.output, done.reports], ['700\n0\n', ['y\n']], attack);
      }
    });
  });

  it('come also where somebody removed or used the folders that were kept for the next', async () => {
    await duringAnother(async (listKept) => {
      for (const attack of [(path: string) => rmdirSync(path), (path: string) => writeFileSync(join(path, 'x'), 'x')]) {
        await verify('true');
        const paths = listKept();
        assert.equal(paths.length, 1);
        paths.forEach(attack);
        assert.deepEqual((await verify('ls -A $REPORTS_DIR; echo y >$REPORTS_DIR/b')).reports, ['y\n']);
      }
      await verify('true');
      listKept().forEach((path) => rmdirSync(path));
    });
    assert.deepEqual(folders(), []);
  });

  it('have the same folder in a command that is no verification, and leave none behind', async () => {
    assert.match(
      await world.prints('echo "[$REPORTS_DIR $PYTEST_ADDOPTS]"; ls -d /run/reports'),
      /^\[\/run\/reports --junitxml[^]*\n\/run\/reports$/,
    );
    await verify('mkdir -p $REPORTS_DIR/a/b; chmod 500 $REPORTS_DIR/a');
    assert.deepEqual(folders(), []);
  });
});

async function untilNotEmpty(list: () => string[]): Promise<string[]> {
  while (list().length === 0) await delay(10);
  return list();
}
