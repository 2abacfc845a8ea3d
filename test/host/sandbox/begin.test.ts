/** The verdict of a script is its own: what runs in its process cannot end it, and what it starts cannot read it (I8). */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Finished } from '../../../src/engine/work/job.ts';
import { World } from './world.ts';

describe('a script', function () {
  let world: World;
  before(() => void (world = new World()));
  after(() => world.dispose());

  const run = (ext: string, script: string, files: Record<string, string> = {}, name = 'cli-a'): Promise<Finished> => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(world.tree, path)), { recursive: true });
      writeFileSync(join(world.tree, path), text, { mode: 0o755 });
    }
    return world.run({ script, ext, name }, { view: true });
  };

  describe('that ends with status 0 is green', () => {
    const rows: [how: string, ext: string, script: string][] = [
      ['shell, at its end', 'sh', 'echo done'],
      ['shell, by exit', 'sh', '[ 1 = 2 ] || exit 0; exit 1'],
      ['shell, in a trap', 'sh', 'trap "exit 0" EXIT; false'],
      ['shell, in a trap that passes on what it sees', 'sh', `trap 'code=$?; rm -f x; exit $code' EXIT; true`],
      ['shell, by a trap that looks at its status', 'sh', `trap '[ $? = 0 ] || exit 1' EXIT; true`],
      ['shell, by exec', 'sh', 'exec true'],
      ['shell, with exits of subshells', 'sh', '(exit 0) && [ "$(exit 0; echo no)" = "" ] && { (exit 213); [ $? = 213 ]; }'],
      ['POSIX shell', 'sh', '#!/bin/sh\nexit 0'],
      ['bash as sh', 'sh', '#!/bin/bash --posix\necho done\nexit 0'],
      ['shell, by the exit that is built in', 'sh', 'command exit 0; exit 1'],
      ['shell, by exit in POSIX mode', 'sh', 'set -o posix; exit 0'],
      ['bash with options', 'sh', '#!/bin/bash -eu\nx=1; echo $x'],
      ['shell that sources a file of the work', 'sh', '. ./lib.sh; greet'],
      ['Python, at its end', 'py', 'print(1)'],
      ['Python, by sys.exit', 'py', 'import sys\nif 1: sys.exit(0)\nraise 1'],
      ['Python, by unittest', 'py', 'import unittest\nclass T(unittest.TestCase):\n  def test_one(self): pass\nunittest.main()'],
      ['Python with a thread', 'py', 'import threading\nthreading.Thread(target=lambda: print(1)).start()'],
      ['CommonJS, at its end', 'cjs', 'setTimeout(() => console.log(require.main === module), 5)'],
      ['CommonJS, by exit', 'cjs', '"use strict"; (() => process.exit(0))()'],
      ['a module, at its end', 'mjs', '#!/usr/bin/env node\nimport fs from "node:fs"; await 1; console.log(fs.constants.O_RDONLY)'],
      [
        'CommonJS that only ends what it waited for by itself',
        'cjs',
        'const never = new Promise(() => {});\nasync function main() { await Promise.race([never, new Promise((r) => setTimeout(r, 5))]); for await (const x of [1, 2]) await x; await Promise.allSettled([main2(), Promise.reject(1)]); }\nasync function main2() { await null; }\nmain().then(() => {});',
      ],
      ['a module, by exit', 'mjs', 'await new Promise((r) => setTimeout(r, 5)); process.exit(0); throw 1'],
      [
        'a module that reads its own address',
        'mjs',
        'import { pathToFileURL } from "node:url"; if (import.meta.url !== pathToFileURL(process.argv[1]).href) throw 1',
      ],
      ['a .js that is a module', 'js', 'import "node:fs"; export const a = 1;'],
      ['node:test', 'mjs', 'import test from "node:test"; test("one", () => {});'],
    ];
    for (const [how, ext, script] of rows)
      it(how, async () => {
        const done = await run(ext, script, { 'lib.sh': 'greet() { echo hi; }\n' });
        assert.deepEqual([done.exit, done.stopped, done.output.includes('[loop')], [0, undefined, false], done.output);
      });
  });

  describe('that fails says so with its own lines and status', () => {
    const rows: [how: string, ext: string, script: string, exit: number, says: RegExp][] = [
      ['shell', 'sh', 'set -e\n\nnosuchcommand', 127, /line 3: nosuchcommand/],
      ['Python', 'py', '\nassert 1 == 2, "no"', 1, /File "\/run\/program\/cli-a\.py", line 2[^]*assert 1 == 2[^]*AssertionError: no/],
      ['Python by a word', 'py', 'import sys; sys.exit("no")', 1, /^no\n$/],
      ['CommonJS', 'cjs', '\nrequire("assert").equal(1, 2)', 1, /cli-a\.cjs:2/],
      ['a module', 'mjs', '\nimport a from "assert";\na.equal(1, 2)', 1, /cli-a\.mjs:3/],
      ['a module with a syntax error', 'mjs', 'let a = ;', 1, /SyntaxError/],
      ['node:test', 'mjs', 'import test from "node:test"; test("one", () => { throw new Error("no") });', 1, /no/],
      ['unittest', 'py', 'import unittest\nclass T(unittest.TestCase):\n  def test_one(self): self.fail("no")\nunittest.main()', 1, /no/],
    ];
    for (const [how, ext, script, exit, says] of rows)
      it(how, async () => {
        const done = await run(ext, script);
        assert.equal(done.exit, exit, done.output);
        assert.match(done.output, says);
      });
  });

  describe('is not ended with status 0 by work in its own process:', () => {
    const check = { cjs: 'const add = require(process.cwd() + "/add.cjs"); if (add(1, 2) !== 3) throw new Error("WRONG");' };
    const python = 'import add\nif add.add(1, 2) != 3: raise SystemExit("WRONG")';
    type Row = [how: string, ext: string, script: string, files: Record<string, string>];
    const rows: Row[] = [
      ['process.exit', 'cjs', check.cjs, { 'add.cjs': 'process.exit(0)' }],
      ['process.exit, later', 'cjs', check.cjs, { 'add.cjs': 'module.exports = () => process.exit(0)' }],
      ['process.reallyExit', 'cjs', check.cjs, { 'add.cjs': 'process.reallyExit(0)' }],
      [
        'a status that is set at the end',
        'cjs',
        check.cjs,
        { 'add.cjs': 'process.on("exit", () => { process.exitCode = 0 }); module.exports = () => 4' },
      ],
      ['errors that are swallowed', 'cjs', check.cjs, { 'add.cjs': 'process.on("uncaughtException", () => {}); module.exports = () => 4' }],
      [
        'process.exit in a module',
        'mjs',
        'import { add } from "/TREE/add.mjs"; if (add(1, 2) !== 3) throw new Error("WRONG");',
        { 'add.mjs': 'process.exit(0); export const add = 1' },
      ],
      ['os._exit', 'py', python, { 'add.py': 'import os\nos._exit(0)' }],
      ['sys.exit', 'py', python, { 'add.py': 'import sys\nsys.exit(0)' }],
      ['SystemExit when it is called', 'py', python, { 'add.py': 'def add(a, b): raise SystemExit' }],
      [
        'os._exit at the end',
        'py',
        python,
        { 'add.py': 'import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): return 4' },
      ],
      ['os._exit left to the end', 'py', python, { 'add.py': 'import atexit, os\natexit.register(os._exit, 0)\ndef add(a, b): return 4' }],
      [
        'os._exit left to a thread',
        'py',
        `${python}\nimport time; time.sleep(2); raise SystemExit("WRONG")`,
        { 'add.py': 'import os, threading\nthreading.Timer(0.1, os._exit, [0]).start()\ndef add(a, b): return 3' },
      ],
      [
        'process.exit left to a timer',
        'cjs',
        `${check.cjs}setTimeout(() => { throw new Error("WRONG"); }, 500);`,
        { 'add.cjs': 'setTimeout(process.exit, 50, 0); module.exports = () => 3' },
      ],
      ['another program in its place', 'py', python, { 'add.py': 'import os\nos.execv("/bin/true", ["true"])' }],
      ...['cjs', 'mjs'].map((ext): Row => [
        `a promise that never settles, in ${ext}`,
        ext,
        `async function main() {\n  const { add } = await import("/TREE/add.cjs");\n  if ((await add(1, 2)) !== 3) throw new Error("WRONG");\n}\nmain();`,
        { 'add.cjs': 'exports.add = () => new Promise(() => {})' },
      ]),
      [
        'a promise that never settles, for a function without a name',
        'cjs',
        `(async () => { await require(process.cwd() + '/add.cjs')(); })();`,
        { 'add.cjs': 'module.exports = () => new Promise(() => {})' },
      ],
      ['a shell that runs nothing any more', 'sh', '. ./add.sh; [ "$(add 1 2)" = 3 ]', { 'add.sh': 'set -n' }],
      ['exit in a file that is sourced', 'sh', '. ./add.sh; [ "$(add 1 2)" = 3 ]', { 'add.sh': 'exit 0' }],
    ];
    for (const [how, ext, script, files] of rows)
      it(how, async () => {
        const done = await run(ext, script.replace('/TREE', world.tree), files);
        assert.notEqual(done.exit, 0, done.output);
      });
  });

  describe('is not ended with status 0 where work in its own process changed', () => {
    const check =
      'const assert = require("node:assert"); const { add } = require(process.cwd() + "/add.cjs"); assert.equal([add(1, 2)].every((n) => n === 3), true);';
    const module =
      'import assert from "node:assert"; import { readFileSync } from "node:fs"; const { add } = await import(process.cwd() + "/add.cjs"); assert.deepEqual([...[add(1, 2)]], [3]);';
    const python = 'import json, unittest, add\nassert all([json.dumps(add.add(1, 2)) == "3"])';
    const rows: [what: string, ext: string, script: string, work: string][] = [
      ['assert', 'cjs', check, 'require("node:assert").equal = () => {}; exports.add = () => 4'],
      ['Array.prototype', 'cjs', check, 'Array.prototype.every = () => true; exports.add = () => 4'],
      ['an iterator', 'mjs', module, 'Array.prototype[Symbol.iterator] = function* () { yield 3 }; exports.add = () => 4'],
      [
        'an assertion that a module uses',
        'mjs',
        module,
        'require("assert").deepEqual = () => {}; require("module").syncBuiltinESMExports(); exports.add = () => 4',
      ],
      ['Date', 'cjs', `${check}new Date();`, 'globalThis.Date = class {}; exports.add = () => 3'],
      ['process.exit', 'cjs', `${check}process.exit(0);`, 'process.exit = () => {}; exports.add = () => 3'],
      ['a builtin of Python', 'py', python, 'import builtins\nbuiltins.all = lambda rows: True\ndef add(a, b): return 4'],
      ['a builtin of Python by another', 'py', python, 'import builtins\nbuiltins.all = bool\ndef add(a, b): return 4'],
      ['a module of Python', 'py', python, 'import json\njson.dumps = lambda x: "3"\ndef add(a, b): return 4'],
      ['a class of a module of Python', 'py', python, 'import unittest\nunittest.TestCase.fail = lambda *a: None\ndef add(a, b): return 3'],
      [
        'which module has a name',
        'py',
        'import add, json\nassert json.dumps(add.add(1, 2)) == "3"',
        'import sys\nclass J:\n  def dumps(self, x): return "3"\nsys.modules["json"] = J()\ndef add(a, b): return 4',
      ],
    ];
    for (const [what, ext, script, work] of rows)
      it(what, async () => {
        const done = await run(ext, script, { [`add.${ext === 'py' ? 'py' : 'cjs'}`]: work });
        assert.notEqual(done.exit, 0, done.output);
      });

    it('but is where a library of the work only hears of what is closed, as graceful-fs does, or of stacks', async () => {
      const library = `const fs = require("fs"); const { close, closeSync } = fs;
        fs.close = (fd, then) => close.call(fs, fd, then);
        fs.closeSync = (fd) => closeSync.call(fs, fd);
        Error.prepareStackTrace = (error, sites) => error + " mapped " + sites.length;
        exports.add = (a, b) => a + b;`;
      const done = await run('cjs', `const fs = require("fs"); ${check} fs.closeSync(fs.openSync("add.cjs")); process.exit(0);`, {
        'add.cjs': library,
      });
      assert.deepEqual([done.exit, done.output], [0, '']);
    });

    it('nor is it ended by work that would tell how its own stacks look', async () => {
      const sites = '[{ getFileName: () => "/elsewhere.js", getLineNumber: () => 1, getPosition: () => 0 }]';
      for (const how of [
        `Object.defineProperty(Error, "prepareStackTrace", { get: () => () => ${sites}, set() {}, configurable: true })`,
        `Object.defineProperty(Error, "prepareStackTrace", { value: () => ${sites}, writable: false })`,
      ]) {
        const done = await run('cjs', check, { 'add.cjs': `${how}; exports.add = () => process.exit(0)` });
        assert.notEqual(done.exit, 0, done.output);
      }
    });

    for (const [what, work, said] of [
      ['a name that the script trusts', '[() { :; }\nadd() { echo 4; }', /the work changed \[ in the process of the script/],
      ['how bash compares', 'shopt -s nocasematch\nadd() { echo 3; }', /the work set nocasematch in the process of the script/],
      [
        'what words mean',
        "shopt -s expand_aliases\nalias '['=true\nadd() { echo 3; }",
        /the work (set expand_aliases|changed \[) in the process/,
      ],
      ['what happens at its end', "trap 'exit 0' EXIT\nadd() { echo 4; }", /WRONG/],
    ] as const)
      it(`${what}, where it sources the work`, async () => {
        const done = await run(
          'sh',
          '# TEST: no trap here, and no `shopt -s nocasematch`\n. ./add.sh; [ "$(add 1 2)" = 3 ] || { echo WRONG; exit 1; }',
          {
            'add.sh': work,
          },
        );
        assert.notEqual(done.exit, 0, done.output);
        assert.match(done.output, said);
      });

    it('says in which line a script still waits, and how to end', async () => {
      const done = await run('cjs', 'async function main() {\n  await new Promise(() => {});\n}\nmain();', {});
      assert.match(done.output, /its line 1 still waits\. Wait there with a limit, or end by process\.exit/);
    });

    it('but is where the script itself sets how bash compares', async () => {
      const done = await run('sh', 'if true; then\n  shopt -qs nocasematch; fi\n[[ a = A ]]', {});
      assert.equal(done.exit, 0, done.output);
    });

    it('but is where a sourced file has functions of its own, and the script traps and functions', async () => {
      const script =
        'if true; then trap "echo bye" EXIT; fi; . ./add.sh; grep() { command grep "$@"; }; [ "$(add 1 2)" = 3 ] && echo 3 | grep -q 3';
      const done = await run('sh', script, { 'add.sh': 'add() { echo $(($1 + $2)); }; sum() { add "$@"; }' });
      assert.deepEqual([done.exit, done.output], [0, 'bye\n']);
    });

    for (const [what, body, script] of [
      ['to everything', '__eq__ = lambda self, other: True', 'assert add.add(1, 2) == 3'],
      ['to whatever is not it', '__ne__ = lambda self, other: False', 'assert not add.add(1, 2) != 3'],
      ['where each text is in it', '__contains__ = lambda self, other: True', 'assert "3" in add.add(1, 2)'],
      ['where it begins with each text', 'startswith = lambda self, *words: True', 'assert add.add(1, 2).startswith("3")'],
    ] as const)
      it(`what its values are equal to: ${what}`, async () => {
        const done = await run('py', `import add\n${script}`, { 'add.py': `class Same(str):\n  ${body}\ndef add(a, b): return Same("?")` });
        assert.notEqual(done.exit, 0, done.output);
        assert.match(done.output, /agrees with everything that it is asked: class Same/);
      });

    it('but is where values compare as they should', async () => {
      const work =
        'class Sum(int):\n  def __eq__(self, other):\n    if not isinstance(other, int): return NotImplemented\n    return int(self) == int(other)\n  __hash__ = int.__hash__\nclass Words(list):\n  def __contains__(self, other): return other.upper() in list(self)\ndef add(a, b): return Sum(a + b)\nwords = Words(["A"])\nclass Everyone:\n  def __contains__(self, other): return True\n';
      const done = await run('py', 'import add\nassert add.add(1, 2) == 3 and "a" in add.words and "b" in add.Everyone()', {
        'add.py': work,
      });
      assert.equal(done.exit, 0, done.output);
    });

    it('but is where the script itself did', async () => {
      const capture =
        'const { log } = console; const lines = []; console.log = (...words) => lines.push(words.join(" ")); process.stdout.write = (text) => { lines.push(text); return true; }; console.log("a"); if (lines.length !== 1) throw 1; require("node:assert").ok(fetch);';
      const replaced =
        'import io, sys\nfrom unittest import mock\nsys.stdout = io.StringIO()\nimport add\nwith mock.patch("builtins.print"): print(1)\nopen = None\nimport builtins\nassert add.add(1, 2) == 3';
      const [node, snake] = [
        await run('cjs', capture, {}),
        await run('py', replaced, { 'add.py': 'import dataclasses, json\nclass E(json.JSONEncoder): pass\ndef add(a, b): return a + b' }),
      ];
      assert.deepEqual([node.exit, snake.exit], [0, 0], node.output + snake.output);
    });
  });

  it('finds the standard library before modules of the tree', async () => {
    const script =
      'import sys\nsys.path.insert(0, ".")\nimport subprocess, wave\nprint(subprocess.run(["echo", "real"], stdout=subprocess.PIPE).stdout)\nimport mine\nprint(mine.a)';
    const done = await run('py', script, { 'subprocess.py': 'run = 1 / 0', 'wave.py': '1 / 0', 'mine.py': 'a = 7' });
    assert.deepEqual([done.exit, done.output], [0, "b'real\\n'\n7\n"]);
  });

  it('cannot be found by what it starts, in no language', async () => {
    const spy = [
      'word=SECRET""_WORD',
      'grep -la $word /run/*/* /run/*/*/* /tmp/* /dev/shm/* 2>/dev/null',
      'for p in /proc/[0-9]*; do',
      '  grep -la $word $p/cmdline $p/environ 2>/dev/null',
      '  for fd in $p/fd/*; do [ -f "$fd" ] && grep -la $word "$fd" 2>/dev/null; done',
      'done; true',
    ].join('\n');
    const files = { 'spy.sh': spy };
    const scripts: [string, string][] = [
      ['sh', '# SECRET_WORD\nbash ./spy.sh'],
      [
        'py',
        '# SECRET_WORD\nimport subprocess\nprint(subprocess.run(["bash", "spy.sh"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout.decode(), end="")',
      ],
      ['cjs', '// SECRET_WORD\nprocess.stdout.write(require("node:child_process").execFileSync("bash", ["spy.sh"]))'],
      ['mjs', '// SECRET_WORD\nimport { execFileSync } from "node:child_process"; process.stdout.write(execFileSync("bash", ["spy.sh"]))'],
    ];
    for (const [ext, script] of scripts) {
      const done = await run(ext, script, files);
      assert.deepEqual([done.exit, done.output], [0, ''], ext);
    }
  });

  it('leaves to what it starts what a command of an agent leaves to it', async () => {
    const look = 'env | sort; ls -A / /run /run/* /tmp; ls /proc/self/fd; tr "\\0" " " </proc/$PPID/cmdline; ulimit -a; umask; id';
    writeFileSync(join(world.tree, 'look.sh'), look, { mode: 0o755 });
    const strip = (text: string): string => text.replaceAll(/^(PORT|SEED|_)=.*\n/gm, '');
    const command = await world.run({ command: 'bash ./look.sh' }, {});
    const verification = await run('sh', 'bash ./look.sh');
    assert.equal(strip(verification.output), strip(command.output));
    assert.ok(verification.output.includes('/run/program/main'));
  });
});
