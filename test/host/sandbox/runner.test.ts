/** Runs of commands and scripts in the real sandbox. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { createRunner } from '../../../src/host/sandbox/runner.ts';
import { createVariables } from '../../../src/host/variables.ts';
import { processesMarked, World } from './world.ts';

describe('runner', () => {
  let world: World;
  before(() => (world = new World()));
  after(() => world.dispose());

  it('runs a shell command in the tree and reports its exit, output and time', async () => {
    const done = await world.run('pwd; echo oops >&2; echo more; exit 3');
    assert.equal(done.output, `${world.tree}\noops\nmore\n`);
    assert.equal(done.exit, 3);
    assert.equal(done.timedOut, false);
    assert.equal(done.dropped, 0);
    assert.ok(done.duration >= 1 && done.duration < 10_000);
  });

  it('uses bash, with a real pipe as standard output and error', async () => {
    assert.equal(await world.prints('[[ a == a ]] && echo one >/dev/stdout && echo two >/dev/stderr'), 'one\ntwo');
  });

  it('gives a command one pipe, and none of those that wait for other commands', async () => {
    const printed = await Promise.all(Array.from({ length: 3 }, () => world.prints('readlink /proc/$$/fd/*; true')));
    const pipes = printed.map((text) => [...new Set(text.match(/\/loop-\w+\/\d+ /g))]);
    for (const [index, own] of pipes.entries()) assert.equal(own.length, 1, printed[index]);
    assert.equal(new Set(pipes.flat()).size, 3);
  });

  it('hides what one run leaves in its pipe from the next run that uses the pipe', async () => {
    const options = { limits: { written: 100_000 } };
    const floods = Array.from({ length: 4 }, () => world.run('while :; do echo flood; done', {}, options));
    await Promise.all([...floods, world.run('yes late; sleep 9', { timeout: 0.3 })]);
    const next = await Promise.all(Array.from({ length: 20 }, (_, n) => world.prints(`echo ${n}`)));
    assert.deepEqual(
      next,
      Array.from({ length: 20 }, (_, n) => String(n)),
    );
  });

  it('keeps both streams in the order they were written', async () => {
    const printed = await world.prints('for i in $(seq 200); do echo $i; echo $i >&2; done');
    assert.deepEqual(
      printed.split('\n'),
      Array.from({ length: 400 }, (_, i) => String(Math.floor(i / 2) + 1)),
    );
  });

  it('lets a command write the tree, except when it is read-only', async () => {
    await world.prints('echo new > written.txt');
    assert.equal(world.inTree('written.txt'), 'new\n');
    assert.notEqual((await world.run('echo other > written.txt', { readonly: true })).exit, 0);
    assert.equal(world.inTree('written.txt'), 'new\n');
    await world.prints('rm written.txt');
  });

  it('shows the programs of the person: node, npm, python3, git', async () => {
    const real = { ...process.env, THE_KEY: 'x' };
    assert.match(await world.prints('node --version', {}, { env: real }), /^v\d+/);
    assert.match(await world.prints('npm --version', {}, { env: real }), /^\d+\.\d+/m);
    assert.match(await world.prints('python3 --version', {}, { env: real }), /^Python 3/);
  });

  it('lets git read the worktree', async () => {
    assert.match(await world.prints('git log --oneline'), /first words/);
    assert.equal(await world.prints('git status --porcelain'), '');
    assert.match(await world.prints('echo more >> README.md; git diff; git checkout README.md 2>/dev/null; true'), /\+more/);
    writeFileSync(join(world.tree, 'README.md'), 'hello\n');
  });

  it('runs a command far longer than an argument may be', async () => {
    const long = 'x'.repeat(400_000);
    assert.equal(await world.prints(`cat > /tmp/long <<'END'\n${long}\nEND\nwc -c < /tmp/long`), '400001');
  });

  it("passes on the person's variables, whatever they hold, and keeps its own", async () => {
    const person = { ONE: `a "b" 'c'\n$(d)`, TWO: 'x'.repeat(100_000), PORT: 'mine' };
    const variables = createVariables(Object.keys(person), person);
    const done = await world.run('[[ $ONE == *c* && $PORT != mine ]]; echo $?-${#ONE}-${#TWO}', {}, { variables });
    assert.equal(done.output, `0-${person.ONE.length}-100000\n`);
  });

  it('redacts what a command prints', async () => {
    const key = ['ghp', 'a1B2'.repeat(9)].join('_');
    assert.equal(await world.prints(`echo token ${key}`), 'token [redacted]');
  });

  it('asks for no colours, but of the tests of a project, and tells what is printed without them', async () => {
    const command = 'printf "\\033[31m%s\\033[0m tomatoes" "${NO_COLOR:-red}"';
    assert.equal(await world.prints(command), '1 tomatoes');
    assert.equal((await world.run(command, { colours: true })).output, 'red tomatoes');
    const hostile = "node -e \"process.stdout.write('\\x1b[' + '1;'.repeat(6e6) + 'end')\"";
    assert.ok((await world.run(hostile)).output.endsWith('end'), 'nothing that it prints breaks the runner');
  });

  it('gives each run its own port, data folder and temporary folder', async () => {
    const show = 'echo $PORT; ls -A $TEST_DATA_DIR | wc -l; touch $TEST_DATA_DIR/x /tmp/y; ls /tmp/y';
    const [one, two] = await Promise.all([world.prints(show), world.prints(show)]);
    const ports = [one, two].map((printed) => Number(printed.split('\n')[0]));
    assert.notEqual(ports[0], ports[1]);
    assert.equal(one.split('\n')[1], '0');
    assert.equal(await world.prints('ls /tmp/y 2>/dev/null || echo fresh'), 'fresh');
  });

  it('gives each run a number to vary by: that of its job, or one that follows from its text', async () => {
    assert.equal(await world.prints('echo $SEED', { seed: '123' }), '123');
    const [one, again, other] = await Promise.all(['echo $SEED', 'echo $SEED', 'echo $SEED; true'].map((text) => world.prints(text)));
    assert.match(one ?? '', /^[1-9]\d*$/);
    assert.equal(again, one);
    assert.notEqual(other, one);
  });

  it('leaves the port free to listen on, with and without a network', async () => {
    const listen = `node -e 'const s = require("net").createServer().listen(process.env.PORT, () => { console.log("free"); s.close() })'`;
    assert.equal(await world.prints(listen), 'free');
    assert.equal(await world.prints(listen, { network: true }, { network: 'all' }), 'free');
  });

  it('works in a scratch checkout, without a .git folder', async () => {
    const scratch = join(world.folder, 'scratch', 'one');
    mkdirSync(scratch, { recursive: true });
    assert.equal(await world.prints('echo x > y; cat y', { at: { scratch } }), 'x');
    assert.notEqual((await world.run('touch .git/config', { at: { scratch } })).exit, 0);
  });

  it('works where the tree is the parent of the home', async () => {
    const tree = mkdtempSync(join(tmpdir(), 'loop-tree-'));
    const home = join(tree, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'private'), 'x');
    const printed = await world.prints('touch a; ls; ls home', {}, { worktree: tree, env: { ...process.env, HOME: home } });
    assert.equal(printed, 'a\nhome');
    rmSync(tree, { recursive: true });
  });

  it('ends a run at once when it is cancelled, before or during it', async () => {
    const runner = createRunner(world.options());
    const job = { run: { command: 'sleep 30' }, at: 'worktree', timeout: 30, network: false } as const;
    const early = await runner.run(job, AbortSignal.abort());
    assert.equal(early.exit, null);
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 150);
    const late = await runner.run(job, cancel.signal);
    assert.equal(late.exit, null);
    assert.equal(late.timedOut, false);
    assert.ok(late.duration < 20_000, `${late.duration} ms`);
  });

  it('leaves no process when a run is cancelled at any moment of its start', async () => {
    const runner = createRunner(world.options());
    const job = { run: { command: 'sleep 30' }, at: 'worktree', timeout: 30, network: false } as const;
    for (let moment = 0; moment < 12; moment += 0.1) {
      const cancel = new AbortController();
      const going = runner.run(job, cancel.signal);
      await waitFor(moment);
      cancel.abort();
      assert.equal((await going).exit, null);
    }
    // Each process has the tree on its command line.
    assert.deepEqual(processesMarked(world.tree), []);
  });

  it('refuses a tree that does not exist or cannot be protected', async () => {
    await assert.rejects(world.run('true', { at: { scratch: join(world.folder, 'missing') } }), InputError);
    const scratch = join(world.folder, 'scratch', 'linked');
    mkdirSync(scratch, { recursive: true });
    symlinkSync('elsewhere', join(scratch, '.vscode'));
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const openBefore = pipes();
    await assert.rejects(world.run('true', { at: { scratch } }), InputError);
    assert.equal(pipes(), openBefore, 'no pipe is left open');
  });

  it('refuses when bubblewrap cannot set the sandbox up', async () => {
    // A file where a folder is to be hidden.
    const file = join(world.folder, 'scratch', 'file', '.git');
    mkdirSync(dirname(file), { recursive: true });
    const hidden = [join(dirname(file), 'is-a-file')];
    writeFileSync(hidden[0] ?? '', 'x');
    await assert.rejects(world.run('true', { at: { scratch: dirname(file) } }, { hidden }), InputError);
  });

  describe('when a folder that it mounts disappears', () => {
    /**
     * A folder that exists when it is looked up and disappears `times` times before the sandbox starts: reading `no_proxy`
     * removes it, since that is the last thing that is read.
     */
    const disappearing = (times: number) => {
      const dir = join(world.folder, 'disappearing verifications');
      let removals = 0;
      const remove = () => {
        if (removals >= times) return;
        removals += 1;
        rmSync(dir, { recursive: true });
      };
      const env = Object.defineProperty({ ...world.env }, 'no_proxy', { get: remove });
      const create = () => (mkdirSync(dir, { recursive: true }), {});
      const variables = Object.defineProperty({ ...createVariables([], {}) }, 'values', { get: create });
      return { options: { env, variables, gitCommonDir: dir, network: 'all' as const }, times: () => removals };
    };

    it('looks again, and runs', async () => {
      const { options, times } = disappearing(2);
      assert.equal(await world.prints('echo here', { network: true }, options), 'here');
      assert.equal(times(), 2);
    });

    it('refuses in the end where it disappears each time', async () => {
      const { options, times } = disappearing(9);
      await assert.rejects(world.run('echo here', { network: true }, options), InputError);
      assert.equal(times(), 3);
    });
  });

  describe('verification scripts', () => {
    const script = (text: string, ext: string) => world.run({ script: text, ext, name: 'area-verification-one' });

    it('are run by their extension', async () => {
      assert.deepEqual(pick(await script('[[ 1 == 1 ]] && echo "$0"', '.sh')), [0, '/run/program/main\n']);
      assert.deepEqual(pick(await script('import os; print(os.getcwd())', 'py')), [0, `${world.tree}\n`]);
      assert.deepEqual(pick(await script('console.log(require("node:path").sep)', 'cjs')), [0, '/\n']);
      assert.deepEqual(pick(await script('import { sep } from "node:path"; console.log(sep)', 'mjs')), [0, '/\n']);
    });

    it('are run by their shebang first', async () => {
      assert.deepEqual(pick(await script('#!/usr/bin/env node\nconsole.log(1 + 1)', '.sh')), [0, '2\n']);
      assert.deepEqual(pick(await script('#!/usr/bin/env -S node --title=x\nconsole.log(process.title)', '.sh')), [0, 'x\n']);
    });

    it('may be TypeScript, or end with 127 and a message about what is missing', async () => {
      const done = await script('const one: number = 1; console.log(one)', '.ts');
      if (done.exit === 0) assert.equal(done.output, '1\n');
      else assert.deepEqual([done.exit, /cannot run TypeScript/.test(done.output)], [127, true]);
    });

    it('end with 127 where there is no interpreter', async () => {
      const done = await script('puts 1', '.unknown');
      assert.equal(done.exit, 127);
      assert.match(done.output, /No interpreter is known for \.unknown/);
      assert.equal((await script('#!/no/such/interpreter\n', '.sh')).exit, 127);
    });

    it('find the packages of the tree', async () => {
      mkdirSync(join(world.tree, 'node_modules', 'thing'), { recursive: true });
      writeFileSync(join(world.tree, 'node_modules', 'thing', 'index.js'), 'module.exports = 42');
      writeFileSync(join(world.tree, 'module_of_ours.py'), 'answer = 42');
      assert.deepEqual(pick(await script('import t from "thing"; console.log(t)', '.mjs')), [0, '42\n']);
      assert.deepEqual(pick(await script('import module_of_ours as m; print(m.answer)', '.py')), [0, '42\n']);
      rmSync(join(world.tree, 'node_modules'), { recursive: true });
      rmSync(join(world.tree, 'module_of_ours.py'));
      assert.equal(await world.prints('git status --porcelain'), '');
    });
  });
});

/** Waits for a time finer than a timer's, without blocking the event loop. */
async function waitFor(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

const pick = (done: { exit: number | null; output: string }) => [done.exit, done.output];
