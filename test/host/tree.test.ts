/** The agents' view of the worktree: reading, writing and searching, which never leave it, and what changed. */
import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { after, before, beforeEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import type { Tree } from '../../src/engine/ports.ts';
import type { SprintRepo } from '../../src/host/git/repo.ts';
import { stagedPatch } from '../../src/host/git/staging.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { createTree } from '../../src/host/tree-files.ts';
import { createVariables } from '../../src/host/variables.ts';
import { world } from '../support/fakes.ts';
import { git, put, repository, sprint, type Fixture } from './git/fixture.ts';

describe('the tree', () => {
  let at: Fixture;
  let repo: SprintRepo;
  let tree: Tree;
  before(async () => {
    at = repository({
      'src/a.ts': 'const one = 1;\n',
      'src/deep/b.ts': 'let two2 = 2;\n',
      'README.md': 'one\n',
      '.gitignore': 'out/\n',
      'tool.sh': '#!/bin/sh\n',
    });
    put(at.top, { 'outside/secret.txt': 'secret' });
    repo = await sprint(at);
    tree = createTree(repo);
  });
  beforeEach(() => repo.undo());
  after(() => at.dispose());
  const inTree = (path: string) => join(repo.path, path);

  it('reads and writes files, making folders, and knows what is missing', async () => {
    await tree.write('new/deep/x.txt', 'größe\n');
    assert.equal(await tree.read('new/deep/x.txt'), 'größe\n');
    assert.equal(await tree.read('./src//a.ts'), 'const one = 1;\n');
    assert.equal(await tree.read('nothing/here'), undefined);
    chmodSync(inTree('tool.sh'), 0o755);
    await tree.write('tool.sh', 'x');
    assert.equal(lstatSync(inTree('tool.sh')).mode & 0o777, 0o755);
  });

  it('replaces a folder without following a link in it, and reads through none where links are refused', async () => {
    put(repo.path, { 'folder/deep/x.txt': 'x' });
    symlinkSync('../src', inTree('folder/linked'));
    symlinkSync('src', inTree('way'));
    assert.equal(await tree.read('way/a.ts'), 'const one = 1;\n');
    for (const path of ['way/a.ts', 'folder/linked/a.ts']) await assert.rejects(tree.read(path, 'refused'), InputError);
    assert.equal(await tree.read('src/a.ts', 'refused'), 'const one = 1;\n');
    await assert.rejects(tree.replace('way/a.ts', {}), InputError);
    for (const path of ['folder', 'way', 'nothing']) await tree.replace(path, { 'one/two/x.txt': path, 'y.txt': '' });
    assert.deepEqual([existsSync(inTree('folder/deep')), lstatSync(inTree('way')).isDirectory()], [false, true]);
    for (const path of ['folder', 'way', 'nothing']) assert.equal(await tree.read(`${path}/one/two/x.txt`, 'refused'), path);
    assert.equal(await tree.read('src/a.ts'), 'const one = 1;\n');
    for (const [folder, file] of [
      ['../outside', 'x'],
      ['folder', '../x'],
      ['folder', '.git/config'],
      ['.git', 'x'],
    ] as const)
      await assert.rejects(tree.replace(folder, { [file]: 'x' }), InputError);
    assert.deepEqual(readdirSync(join(repo.path, '..')), [basename(repo.path)], 'nothing is left beside the tree');
  });

  it('refuses to read what is not UTF-8 text, so that no edit writes it back garbled', async () => {
    const kinds = {
      latin1: Buffer.from('größe', 'latin1'),
      utf16: Buffer.from('size', 'utf16le'),
      png: Buffer.from([0x89, 0x50, 0x4e, 0x47]),
    };
    for (const [name, bytes] of Object.entries(kinds)) {
      writeFileSync(inTree(name), bytes);
      await assert.rejects(tree.read(name), { name: 'InputError', message: `"${name}" is not UTF-8 text.` });
    }
    writeFileSync(inTree('bom'), '\ufeffgröße 🦊 \ufffd');
    assert.equal(await tree.read('bom'), '\ufeffgröße 🦊 \ufffd');
  });

  it('redacts the values of variables, and refuses a change that adds one', async () => {
    const variables = createVariables(['KEY', 'MODE'], { KEY: 'k9-Zq81/xT+ab', MODE: 'production' });
    const veiled = createTree(repo, variables);
    writeFileSync(inTree('src/mode.ts'), "if (mode === 'production') x();\n");
    assert.deepEqual((await veiled.changes()).files, [{ path: 'src/mode.ts', kind: 'added' }]);
    writeFileSync(inTree('src/key.ts'), "const key = 'k9-Zq81/xT+ab';\n");
    await assert.rejects(veiled.changes(), { name: 'RefusedChange', reasons: ['it holds the value of the variable KEY'] });
    assert.equal(await veiled.read('src/key.ts'), "const key = '[redacted]';\n");
    assert.deepEqual((await veiled.grep({ pattern: 'const key', under: '', limit: 5 })).lines, ["src/key.ts:1:const key = '[redacted]';"]);
    assert.equal(await veiled.read('src/mode.ts'), "if (mode === 'production') x();\n");
  });

  describe('with a secret in a file', () => {
    const secret = 'k9-Zq81/xT+ab';
    const compose = `image: postgres:15\npassword: ${secret}\nmode: '[redacted]'\nagain: ${secret}\n`;
    const variables = createVariables(['KEY'], { KEY: secret });
    const onDisk = () => readFileSync(inTree('compose.yaml'), 'utf8');
    const call = async (name: string, input: object) => {
      const [tool] = toolsNamed([name]);
      assert.ok(tool?.kind === 'world');
      const ports = { ...world().ports, tree: createTree(repo, variables) };
      return tool.run({ path: 'compose.yaml', ...input }, { ports } as Parameters<typeof tool.run>[1]);
    };
    const edit = (old: string, now: string) => call('edit_file', { old_string: old, new_string: now });
    beforeEach(() => writeFileSync(inTree('compose.yaml'), compose));

    const edits: { what: string; old: string; now: string }[] = [
      { what: 'above it', old: 'postgres:15', now: 'postgres:16' },
      { what: 'beside it', old: 'password: ', now: 'key: ' },
      { what: 'between two', old: "mode: '[redacted]'\nagain", now: 'again' },
      { what: 'below it, with the mark itself', old: "mode: '[redacted]'", now: "mark: '[redacted]'" },
    ];
    for (const { what, old, now } of edits)
      it(`edits ${what}, and leaves all other bytes`, async () => {
        assert.equal(await edit(old, now), 'Edited compose.yaml.');
        assert.equal(onDisk(), compose.replace(old, now));
      });

    for (const old of [': [redacted]\nmode', 'password: [redacted]', 'acted]\nmode', 'again: [red'])
      it(`refuses an edit of ${JSON.stringify(old)}, which holds a part that was not shown`, async () => {
        await assert.rejects(edit(old, 'x'), { name: 'InputError', next: /around it/ });
        assert.equal(onDisk(), compose);
      });

    it('refuses to write it anew with the mark, and takes that everywhere else', async () => {
      const shown = compose.replaceAll(secret, '[redacted]');
      assert.equal(await call('read_file', {}), shown);
      await assert.rejects(call('write_file', { content: shown }), { name: 'InputError', next: /edit_file/ });
      assert.equal(onDisk(), compose);
      await call('write_file', { content: 'image: postgres:16\n' });
      await call('write_file', { path: 'redact.ts', content: "const mark = '[redacted]';\n" });
      await call('write_file', { path: 'redact.ts', content: "export const mark = '[redacted]';\n" });
      assert.equal(readFileSync(inTree('redact.ts'), 'utf8'), "export const mark = '[redacted]';\n");
    });

    it('refuses the same of a key that every text is cleaned of', async () => {
      writeFileSync(inTree('compose.yaml'), `key: AKIA${'Q7RZ'.repeat(4)}\n`);
      await assert.rejects(call('write_file', { content: 'key: [redacted]\n' }), {
        name: 'InputError',
        next: /^Change this file with edit_file/,
      });
      await assert.rejects(edit('key: [redacted]', 'x'), { name: 'ToolError', message: /a secret that you were not shown/ });
    });
  });

  it('refuses paths that leave the tree or enter a folder closed to agents, however they are spelt', async () => {
    const paths = [
      '../x',
      'src/../../x',
      '/etc/passwd',
      'C:/x',
      '',
      '.',
      'src',
      '.git',
      '.git/config',
      '.GIT/config',
      'sub/.git/config',
      '.git./x',
      '.git /x',
      '.g\u200Cit/x',
      'git~1/x',
      '.git::$INDEX_ALLOCATION/x',
      '.loop/journal.jsonl',
      's/.Loop/x',
      '.vscode/settings.json',
      '.VSCODE/x',
      '.vſcode/x',
      'src/.vscode/tasks.json',
      '.idea/x',
      'a\0b',
      'src/a.ts/x',
    ];
    for (const path of paths) {
      await assert.rejects(tree.write(path, 'x'), InputError, `write ${path}`);
      await assert.rejects(tree.read(path), InputError, `read ${path}`);
    }
    assert.deepEqual((await tree.changes()).files, []);
  });

  it('follows links within the tree and none out of it', async () => {
    symlinkSync('src', inTree('in'));
    symlinkSync(join(at.top, 'outside'), inTree('out-link'));
    symlinkSync(join(at.top, 'outside/secret.txt'), inTree('file-link'));
    symlinkSync(join(at.top, 'outside/fresh.txt'), inTree('to-nothing'));
    symlinkSync('.git', inTree('git-link'));
    await tree.write('in/a.ts', 'changed');
    assert.equal(readFileSync(inTree('src/a.ts'), 'utf8'), 'changed');
    for (const path of ['out-link/secret.txt', 'out-link/fresh.txt', 'file-link', 'to-nothing', 'git-link']) {
      await assert.rejects(tree.write(path, 'x'), InputError, path);
      await assert.rejects(tree.read(path), InputError, path);
    }
    assert.equal(readFileSync(join(at.top, 'outside/secret.txt'), 'utf8'), 'secret');
  });

  it('never writes through a second name of a file, and never waits at a pipe', async () => {
    linkSync(join(at.top, 'outside/secret.txt'), inTree('hard'));
    execFileSync('mkfifo', [inTree('pipe')]);
    await tree.write('hard', 'x');
    assert.equal(readFileSync(join(at.top, 'outside/secret.txt'), 'utf8'), 'secret');
    assert.equal(await tree.read('hard'), 'x');
    await assert.rejects(tree.write('pipe', 'x'), InputError);
    await assert.rejects(tree.read('pipe'), InputError);
    rmSync(inTree('pipe'));
  });

  it('writes nothing outside while a folder is being swapped for a link', async () => {
    put(repo.path, { 'swap/victim.txt': 'mine' });
    put(at.top, { 'outside/victim.txt': 'theirs' });
    const [swap, kept, outside] = [inTree('swap'), inTree('kept'), join(at.top, 'outside')];
    const worker = new Worker(
      `const fs = require('fs'); const { workerData: [swap, kept, outside] } = require('worker_threads');
       const stay = () => { const until = performance.now() + Math.random() * 0.2; while (performance.now() < until); };
       for (;;) {
         try { stay(); fs.renameSync(swap, kept); fs.symlinkSync(outside, swap); stay(); fs.unlinkSync(swap); fs.renameSync(kept, swap); }
         // A write created the folder again while it was away.
         catch { try { fs.rmSync(swap, { recursive: true, force: true }); fs.renameSync(kept, swap); } catch {} }
       }`,
      { eval: true, workerData: [swap, kept, outside] },
    );
    const tally = { written: 0, refused: 0 };
    try {
      // On a busy machine the other thread may start late.
      const end = performance.now() + 15_000;
      for (let n = 0; n < 1000 || ((tally.written === 0 || tally.refused === 0) && performance.now() < end); n++)
        await tree.write('swap/victim.txt', 'agent').then(
          () => tally.written++,
          () => tally.refused++,
        );
    } finally {
      await worker.terminate();
    }
    assert.equal(readFileSync(join(outside, 'victim.txt'), 'utf8'), 'theirs');
    assert.ok(tally.written > 0 && tally.refused > 0, `the race was on: ${JSON.stringify(tally)}`);
    rmSync(swap, { recursive: true, force: true });
    rmSync(kept, { recursive: true, force: true });
  });

  it('lists what a glob matches below a folder, without ignored and deleted files', async () => {
    put(repo.path, { 'out/x.ts': 'x', 'node_modules/y.ts': 'y', 'src/new.tsx': 'n', 'src/[id].ts': 'i' });
    unlinkSync(inTree('README.md'));
    assert.deepEqual(await tree.glob('**/*.ts', ''), ['src/[id].ts', 'src/a.ts', 'src/deep/b.ts']);
    assert.deepEqual(await tree.glob('*.{ts,tsx}', 'src'), ['src/[id].ts', 'src/a.ts', 'src/new.tsx']);
    assert.deepEqual(await tree.glob('*', ''), ['.gitignore', 'tool.sh']);
    await assert.rejects(tree.glob('*', '../'), InputError);
  });

  it('searches in one file, goes through a link, and names a folder that is not there', async () => {
    symlinkSync('src', inTree('way'));
    assert.deepEqual(await tree.glob('*.ts', 'src/a.ts'), ['src/a.ts']);
    assert.deepEqual(await tree.glob('*.js', 'src/a.ts'), []);
    assert.deepEqual(await tree.glob('*.ts', 'way'), ['src/a.ts']);
    const grep = async (query: object) => (await tree.grep({ pattern: 'o', limit: 9, under: '', ...query })).lines;
    assert.deepEqual(await grep({ under: 'src/a.ts', glob: '*.ts' }), ['src/a.ts:1:const one = 1;']);
    assert.deepEqual(await grep({ under: 'src/a.ts', glob: '*.js' }), []);
    assert.deepEqual(await grep({ under: 'way' }), ['src/a.ts:1:const one = 1;', 'src/deep/b.ts:1:let two2 = 2;']);
    for (const under of ['scr', 'src/a', 'src/a.ts/x'])
      for (const search of [() => tree.glob('*', under), () => grep({ under })])
        await assert.rejects(search(), (error) => error instanceof InputError && error.message.includes(`"${under}"`), under);
  });

  it('asks git for what a glob means, so that other files are not searched', async () => {
    const long = `const one = 2;${'x'.repeat(2000)}\n`.repeat(3000);
    const wanted = { 'z/[id]/wände.tsx': 'one\n', 'z/w?.md': 'one\n', 'zz.tsx': 'one\n' };
    put(repo.path, { 'b.txt': long, ...wanted });
    const grep = async (glob: string, under = '') => {
      const { lines, cut } = await tree.grep({ pattern: '^(const )?one', under, limit: 9, glob });
      assert.ok(!cut, `${glob} searched more`);
      return lines.map((line) => line.split(':')[0]);
    };
    const globs: { glob: string; under?: string; found: string[] }[] = [
      { glob: '*.{tsx,md}', found: ['README.md', 'z/[id]/wände.tsx', 'z/w?.md', 'zz.tsx'] },
      { glob: 'z/**', found: ['z/[id]/wände.tsx', 'z/w?.md'] },
      { glob: 'z/', found: ['z/[id]/wände.tsx', 'z/w?.md'] },
      { glob: './**/w?nd[a-f].tsx', found: ['z/[id]/wände.tsx'] },
      { glob: '**/\\[id]/*', found: ['z/[id]/wände.tsx'] },
      { glob: 'w\\?.md', found: ['z/w?.md'] },
      { glob: '**a[*', found: [] },
      { glob: 'w*', under: 'z/[id]', found: ['z/[id]/wände.tsx'] },
      { glob: '**', under: 'z', found: ['z/[id]/wände.tsx', 'z/w?.md'] },
    ];
    for (const { glob, under, found } of globs) assert.deepEqual(await grep(glob, under), found, glob);
    for (const [path, text] of Object.entries(wanted)) assert.equal(readFileSync(inTree(path), 'utf8'), text);
  });

  it('says where a search was cut', async () => {
    put(repo.path, { 'a.min.js': 'x'.repeat(5 * 1024 * 1024), 'b.js': `${'x'.repeat(2000)}\n`.repeat(3000) });
    const { lines, cut } = await tree.grep({ pattern: 'x', under: '', limit: 100_000 });
    assert.deepEqual([lines.length, lines[0]?.slice(0, 13), cut], [1, 'a.min.js:1:xx', '4 MiB']);
    assert.deepEqual(await tree.grep({ pattern: 'x', under: 'src', limit: 9 }), { lines: ['src/a.ts'].slice(1) });
  });

  it('finds text by common JavaScript patterns, in tracked and new files, up to a limit', async () => {
    put(repo.path, { 'src/new.ts': 'let new3 = 3;\n', 'out/x.ts': 'let x1 = 1', 'bin.ts': 'let b1\0' });
    const grep = (pattern: string, more: object = {}) => tree.grep({ pattern, under: '', limit: 50, ...more }).then(({ lines }) => lines);
    assert.deepEqual(await grep('^let \\w+\\d\\s='), ['src/deep/b.ts:1:let two2 = 2;', 'src/new.ts:1:let new3 = 3;']);
    assert.deepEqual(await grep('(?:one|new)[\\d]? ='), ['src/a.ts:1:const one = 1;', 'src/new.ts:1:let new3 = 3;']);
    assert.deepEqual(await grep('one', { glob: '*.ts' }), ['src/a.ts:1:const one = 1;']);
    assert.deepEqual(await grep('one', { under: 'src', glob: 'deep/*' }), []);
    assert.equal((await grep('o', { limit: 1 })).length, 1);
    assert.deepEqual(await grep('-e', { under: 'src' }), []);
    await assert.rejects(grep('(unclosed'), (error) => error instanceof InputError && /\(unclosed/.test(error.message));
  });

  it('finds letters that are no ASCII as one character each, whatever the language of the machine', async () => {
    put(repo.path, { 'src/größe.txt': 'größe\nÄpfel\n' });
    const { LC_ALL: own } = process.env;
    process.env['LC_ALL'] = 'C';
    try {
      for (const pattern of ['gr.ße', 'gr[üö]ße', '^\\w+ße$', '\\bÄpfel'])
        assert.equal((await tree.grep({ pattern, under: 'src', limit: 9 })).lines.length, 1, pattern);
    } finally {
      if (own === undefined) delete process.env['LC_ALL'];
      else process.env['LC_ALL'] = own;
    }
  });

  it('bounds what a search returns', async () => {
    writeFileSync(inTree('big.txt'), `${'x'.repeat(2000)}\n`.repeat(5000));
    const { lines } = await tree.grep({ pattern: 'x', under: '', limit: 3 });
    assert.deepEqual([lines.length, lines[0]?.length], [3, 'big.txt:1:'.length + 400]);
  });

  it('describes a change as files and one binary patch that git can apply', async () => {
    put(repo.path, {
      'src/a.ts': 'const one = 2;\n',
      'new.bin': Buffer.from([0, 1, 2, 255]),
      'node_modules/x': 'x',
      'odd "n\name"': 'x',
    });
    unlinkSync(inTree('README.md'));
    renameSync(inTree('tool.sh'), inTree('moved.sh'));
    const { files, patch } = await tree.changes();
    assert.deepEqual(
      files.map((file) => `${file.kind} ${file.path}`),
      ['deleted README.md', 'added moved.sh', 'added new.bin', 'added odd "n\name"', 'modified src/a.ts', 'deleted tool.sh'],
    );
    await repo.undo();
    execFileSync('git', ['apply', '-'], { cwd: repo.path, input: patch });
    assert.deepEqual(await tree.changes(), { files, patch });
    assert.equal(await stagedPatch(repo.git), patch);
    assert.equal(git(at.root, 'status', '--porcelain'), '');
  });
});
