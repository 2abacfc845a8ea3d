/** What was installed into the tree's `.venv` is found by every command; what the work put there cannot act before a verification. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { installCommand } from '../../../src/engine/parse/install-command.ts';
import { World } from './world.ts';

describe('a virtual environment of the tree', () => {
  let world: World;
  before(() => {
    world = new World();
    const version = execFileSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).trim();
    const site = join(world.tree, '.venv', 'lib', `python${version}`, 'site-packages');
    const bin = join(world.tree, '.venv', 'bin');
    for (const folder of [site, bin, join(world.tree, 'src')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(world.tree, 'src', 'ledger.py'), 'total = 7\n');
    writeFileSync(join(site, 'abacus.py'), 'def add(a, b): return a + b\n');
    writeFileSync(join(site, 'json.py'), 'raise SystemExit(0)\n');
    writeFileSync(join(site, 'evil.pth'), 'import os; os._exit(0)\n/etc\n');
    mkdirSync(join(site, 'a.pth'));
    execFileSync('mkfifo', [join(site, 'b.pth')]);
    writeFileSync(join(site, '__editable__.ledger.pth'), `${join(world.tree, 'src')}\n`);
    for (const name of ['abacus', 'bash', 'python3']) {
      writeFileSync(join(bin, name), '#!/bin/sh\necho from the tree\nexit 0\n');
      chmodSync(join(bin, name), 0o755);
    }
  });
  after(() => world.dispose());

  it('gives its modules and programs to a command', async () => {
    assert.equal(await world.prints('python3 -c "import abacus; print(abacus.add(2, 3))"'), '5');
    assert.equal(await world.prints('abacus'), 'from the tree');
  });

  it('gives them also to a command that sets PYTHONPATH, and what is installed as it is to one in another folder', async () => {
    assert.equal(await world.prints('PYTHONPATH=/tmp python3 -c "import abacus; print(abacus.add(2, 3))"'), '5');
    assert.equal(await world.prints('cd /tmp && python3 -c "import ledger; print(ledger.total)"'), '7');
    assert.equal(await world.prints('cd /tmp && PYTHONPATH=/tmp python3 -c "import ledger; print(ledger.total)"'), '7');
  });

  it('gives what is installed as it is to a verification', async () => {
    const done = await world.run({ script: 'import ledger\nassert ledger.total == 7\n', ext: 'py', name: 'v' });
    assert.equal(done.exit, 0, done.output);
  });

  for (const [ext, script] of [
    ['py', 'import abacus, json\nassert abacus.add(1, 1) == 3, "wrong"\n'],
    ['sh', 'python3 -c "import json, sys; sys.exit(3)"\n'],
  ] as const)
    it(`decides nothing for a verification in ${ext}: neither a start-up file, nor a module, nor a program of its own`, async () => {
      const done = await world.run({ script, ext, name: 'v' });
      assert.ok(done.exit !== 0 && done.exit !== null, `${done.exit} ${done.output}`);
    });
});

describe('a virtual environment that an install makes', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'requirements.txt'), '# nothing yet\n');
  });
  after(() => world.dispose());

  it('is no code of the project for linters, which find no git there', async () => {
    const install = installCommand({ folder: '', manager: 'pip', flags: ['-r', 'requirements.txt'] });
    const done = await world.run({ command: install }, { packages: 'use' });
    assert.equal(done.exit, 0, done.output);
    assert.equal(await world.prints('cat .venv/.ignore'), '*');
  });
});

describe('a virtual environment for another Python', () => {
  let world: World;
  let toolchain: string;
  before(() => {
    world = new World();
    toolchain = join(world.home, 'python', 'bin');
    mkdirSync(toolchain, { recursive: true });
    mkdirSync(join(world.tree, '.venv', 'bin'), { recursive: true });
  });
  after(() => world.dispose());

  const other = (folder: string): void =>
    writeFileSync(join(folder, 'python3.99'), '#!/bin/sh\nOTHER=yes exec python3 "$@"\n', { mode: 0o755 });
  const env = () => ({ ...world.env, PATH: `${world.env['PATH'] ?? ''}:${toolchain}` });
  const script = 'import os\nprint(os.environ.get("OTHER"))\n';
  const verify = (text = script): Promise<string> => world.prints({ script: text, ext: 'py', name: 'v' }, {}, { env: env() });

  const madeFor = (program: string): void => {
    rmSync(join(world.tree, '.venv', 'bin', 'python'), { force: true });
    symlinkSync(program, join(world.tree, '.venv', 'bin', 'python'));
  };

  it('decides which one runs a script, as uv and poetry make it', async () => {
    other(toolchain);
    madeFor(join(toolchain, 'python3.99'));
    assert.equal(await verify(), 'yes');
    assert.equal(await verify(`#!/usr/bin/env python3\n${script}`), 'None', 'a script says for itself what runs it');
  });

  it('never has a script run by what the work could have written, by what no command sees, and by what is no Python', async () => {
    const bin = join(world.tree, '.venv', 'bin');
    const hidden = join(world.home, 'hidden');
    mkdirSync(hidden);
    for (const folder of [bin, hidden]) other(folder);
    symlinkSync(join(bin, 'python3.99'), join(toolchain, 'python3.98'));
    for (const program of [join(bin, 'python3.99'), join(hidden, 'python3.99'), join(toolchain, 'python3.98'), '/usr/bin/env']) {
      madeFor(program);
      assert.equal(await verify(), 'None', program);
    }
  });
});

describe("a virtual environment of the person's checkout, which is in their PATH", () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('gives the Python that it was made from, and no package that only the person installed', async () => {
    const [made, base] = [join(world.repo, '.venv'), join(world.home, 'python', 'bin')];
    execFileSync('python3', ['-m', 'venv', '--without-pip', made]);
    const site = execFileSync(join(made, 'bin', 'python'), ['-c', 'import site; print(site.getsitepackages()[0])'], {
      encoding: 'utf8',
    }).trim();
    writeFileSync(join(site, 'undeclared.py'), '');
    mkdirSync(base, { recursive: true });
    writeFileSync(join(base, 'python3.99'), '#!/bin/sh\necho made from\n', { mode: 0o755 });
    writeFileSync(join(made, 'pyvenv.cfg'), `home = ${base}\nversion = 3.99.1\n`);
    const env = { ...world.env, PATH: `${join(made, 'bin')}:${world.env['PATH'] ?? ''}` };
    const done = await world.run({ script: 'import undeclared\n', ext: 'py', name: 'v' }, {}, { env });
    assert.match(done.output, /No module named 'undeclared'/);
    assert.equal(await world.prints('python3.99', {}, { env }), 'made from');
  });
});

describe('what asdf manages', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('runs, in the version that the home names, also where its folder is in no variable', async () => {
    const shims = join(world.home, '.asdf', 'shims');
    for (const folder of [shims, join(world.home, '.asdf', 'installs')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(world.home, '.tool-versions'), 'word 1.2.3\n');
    const shim = '#!/bin/sh\nls "${ASDF_DATA_DIR:-$HOME/.asdf}" && cat "$HOME/.tool-versions"\n';
    writeFileSync(join(shims, 'word'), shim, { mode: 0o755 });
    const env = { ...world.env, ASDF_DATA_DIR: undefined, PATH: `${shims}:${world.env['PATH'] ?? ''}` };
    assert.equal(await world.prints('word', {}, { env }), 'installs\nshims\nword 1.2.3');
    assert.notEqual((await world.run('echo other > ~/.tool-versions', {}, { env })).exit, 0);
  });
});

describe('a Python that pyenv manages', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('runs, without the step behind pip that writes into its own folder', async () => {
    const root = join(world.home, '.pyenv');
    const [shims, hooks] = [join(root, 'shims'), join(root, 'pyenv.d', 'exec')];
    for (const folder of [shims, hooks, join(root, 'versions')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(hooks, 'pip-rehash.bash'), 'exit 7\n');
    writeFileSync(join(shims, 'installs'), `#!/bin/sh\n. ${join(hooks, 'pip-rehash.bash')} || exit 8\necho installed\n`);
    chmodSync(join(shims, 'installs'), 0o755);
    const env = { ...world.env, PATH: `${shims}:${world.env['PATH'] ?? ''}` };
    assert.equal(await world.prints('installs', {}, { env }), 'installed');
  });
});
