/** Groups failures with one cause by their output, with outputs of real tools. An output without a clue never groups. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { classify } from '../../../src/engine/diagnose/classify.ts';
import { clueIn } from '../../../src/engine/diagnose/clues.ts';
import { signature, summarize } from '../../../src/engine/diagnose/signature.ts';
import { triage, type Failure } from '../../../src/engine/diagnose/triage.ts';
import { verification } from '../support/parts.ts';
import * as clients from './outputs/clients.ts';
import * as tools from './outputs/tools.ts';
import { cpuMs } from '../../support/cpu.ts';

/** A failure as the engine records it. */
function failure(id: string, output: string, exit = 1): Failure {
  const done = { exit, timedOut: false, output };
  const kind = classify(done);
  const run = { excerpt: output, summary: summarize(done, kind), signature: signature(done, kind) };
  return { verification: verification({ id, lineage: id }), run };
}

const groupIds = (...failures: Failure[]): string[][] => triage(failures).map((g) => g.verifications.map((v) => v.id));

it('groups what prints the same after RED texts of its own, where that is more than a few words', () => {
  const after = (red: string, rest: string): Failure => {
    const { run } = failure(red, `${red}: ${rest}`);
    return { verification: verification({ id: red, lineage: red, red }), run };
  };
  const build = 'go build failed: error obtaining VCS status: exit status 128\n\tUse -buildvcs=false to disable VCS stamping.';
  assert.deepEqual(groupIds(after('NO SUM', build), after('NO LIST', build)), [['NO SUM', 'NO LIST']]);
  assert.deepEqual(groupIds(after('NO SUM', 'exit status 1'), after('NO LIST', 'exit status 1')), [['NO SUM'], ['NO LIST']]);
});

describe('a clue', () => {
  const outputs: [what: string, output: string, key: string | undefined][] = [
    ['node, refused', clients.nodeRefused.output, 'service localhost:9'],
    ['node, no such host', clients.nodeNoHost.output, 'host nosuch.invalid'],
    ['curl, refused', clients.curlRefused.output, 'service localhost:9'],
    ['newer curl', "curl: (7) Failed to connect to ::1 port 80 after 0 ms: Couldn't connect to server", 'service localhost:80'],
    ['psql', 'psql: error: connection to server at "db" (10.0.0.2), port 5432 failed: Connection refused', 'service db:5432'],
    ['go', 'Get "http://127.0.0.1:9/": dial tcp 127.0.0.1:9: connect: connection refused', 'service localhost:9'],
    ['node by IPv6', 'Error: connect ECONNREFUSED ::1:5432', 'service localhost:5432'],
    ['a shell without a command', tools.bashNoCommand.output, 'command total-of'],
    ['dash', tools.shNoCommand.output, 'command total-of'],
    ['npm without a script', tools.npmMissingScript.output, 'script build'],
    ['node without a package', tools.nodeNoPackage.output, 'module left-pad'],
    ['node without a file', tools.nodeNoFile.output, 'module /tmp/sprint/missing.mjs'],
    ['an import of nothing', tools.nodeNoImport.output, 'module /tmp/sprint/sum.mjs'],
    ['python without a module', tools.pythonNoModule.output, 'module nosuchmod'],
    ['node without data', "Error: ENOENT: no such file or directory, open 'words.json'\n at /w/a.js:3:1", 'file words.json'],
    ['cat without data', 'cat: words.txt: No such file or directory', 'file words.txt'],
    ['a stack of node', 'TypeError: x\n    at f (/w/src/a.js:3:9)\n    at /w/src/b.js:7:1', 'place /w/src/a.js:3'],
    ['a stack through a library', 'Error: x\n at g (/w/node_modules/l/i.js:1:1)\n at f (/w/b.js:7:1)', 'place /w/b.js:7'],
    ['a module of the web', 'Error: x\n    at file:///w/src/a.mjs:3:9', 'place /w/src/a.mjs:3'],
    ['a compiler', "src/a.ts(3,5): error TS2304: Cannot find name 'x'.", 'place src/a.ts:3'],
    [
      'python, whose traceback ends with the cause',
      'Traceback (most recent call last):\n  File "/run/program/x.py", line 1\n  File "/w/a.py", line 2, in <module>\n  File "/w/b.py", line 5, in f\nValueError: x',
      'place /w/b.py:5',
    ],
    ['the verification itself', '  File "/run/program/x.py", line 1', undefined],
    ['ruff', tools.ruff.output, 'place total.py:1'],
    ['pylint', tools.pylint.output, 'place total.py:1'],
    ['mypy', tools.mypy.output, 'place total.py:4'],
    ['eslint', tools.eslint.output, 'place /tmp/sprint/total.js:1'],
    ['black', tools.black.output, 'style total.py'],
    ['ruff, which formats', tools.ruffFormat.output, 'place total.py:2'],
    ['maven, which compiles', tools.mavenCompile.output, 'place /tmp/sprint/src/main/java/Total.java:3'],
    ['maven without an artifact', tools.mavenOffline.output, 'artifact org.apache.maven.plugins:maven-resources-plugin:jar:2.6'],
    [
      'a stack of Java that begins in libraries',
      'AssertionFailedError: x\n\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)\n\tat java.base/java.util.List.get(List.java:9)\n\tat app//org.assertj.core.Assert.is(Assert.java:3)\n\tat shop.Cart.adds(Cart.java:12)',
      'place Cart.java:12',
    ],
    ['a function of Node.js that is called as a library of Java', 'Error: x\n    at sun.rise (/w/src/a.js:3:9)', 'place /w/src/a.js:3'],
    ['node, whose port is taken', tools.nodePortInUse.output, 'port 8123'],
    ['go, whose port is taken', tools.goPortInUse.output, 'port 8123'],
    ['a URL and an address', 'GET http://127.0.0.1:80/x gave 500; expected 200 at 12:30', undefined],
    ['what a program does not find', 'error: GET /x: item: not found', undefined],
    ['busybox', 'sh: total-of: not found', 'command total-of'],
    ['a host with its port', 'the list at example.com:8080 is empty, and so is that at db.local:5432', undefined],
    ['an output without a clue', 'expected 4, got 5', undefined],
  ];
  for (const [what, output, key] of outputs)
    it(`is ${key ?? 'absent'} for ${what}`, () => {
      assert.equal(clueIn(output)?.key, key);
    });
});

describe('triage', () => {
  const modules = ['a', 'b', 'c'].map((id) => failure(id, `wrong ${id}: Error: Cannot find module 'left-pad'`));
  const services = ['d', 'e'].map((id) => failure(id, `wrong ${id}: connect ECONNREFUSED 127.0.0.1:5432`));

  it('groups failures that lack the same thing, and puts the biggest group first', () => {
    const alone = failure('z', 'expected 1, got 2');
    const groups = triage([alone, ...services, ...modules]);
    assert.deepEqual(
      groups.map(({ key, why, verifications }) => [key, why, verifications.map((v) => v.id)]),
      [
        ['module left-pad', 'the module left-pad is missing', ['a', 'b', 'c']],
        ['service localhost:5432', 'localhost:5432 refuses the connection', ['d', 'e']],
        [`failure ${alone.run?.signature}`, 'the same failure: expected 1, got 2', ['z']],
      ],
    );
  });

  it('groups equal failures, whatever numbers vary', () => {
    const at = (id: string, port: number): Failure => failure(id, `error: cannot reach localhost:${port} in ${port} ms`);
    assert.deepEqual(groupIds(at('a', 41_001), at('b', 41_002)), [['a', 'b']]);
  });

  it('separates failures that differ in the missing thing, the port or the line', () => {
    const pairs: [one: string, other: string][] = [
      ["1: Cannot find module 'a'", "2: Cannot find module 'b'"],
      ['error 1: connect ECONNREFUSED 127.0.0.1:5432', 'error 2: connect ECONNREFUSED 127.0.0.1:6379'],
      ['one is wrong\n at /w/a.js:3:1', 'two is wrong\n at /w/a.js:4:1'],
      ['expected 4, got 5', 'expected 4, got 6'],
    ];
    for (const [one, other] of pairs) assert.equal(groupIds(failure('a', one), failure('b', other)).length, 2, one);
  });

  it('does not group failures without output, because silence shows no cause', () => {
    assert.deepEqual(groupIds(failure('a', ''), failure('b', '')), [['a'], ['b']]);
    const unrun = { verification: verification({ id: 'c' }), run: undefined };
    assert.deepEqual(groupIds(unrun), [['c']]);
  });

  it('puts each verification into one group, and joins groups by any shared clue', () => {
    const clue = fc.constantFrom("Cannot find module 'a'", 'connect ECONNREFUSED 127.0.0.1:1', 'at /w/a.js:1:2', 'expected 1', '');
    fc.assert(
      fc.property(fc.array(fc.array(clue, { maxLength: 2 }), { maxLength: 30 }), (outputs) => {
        const failures = outputs.map((lines, i) => failure(`c/${i}`, lines.join('\n')));
        const groups = triage(failures);
        assert.deepEqual(groups.flatMap((g) => g.verifications.map((v) => v.id)).sort(), failures.map((f) => f.verification.id).sort());
        const groupOf = (f: Failure): number => groups.findIndex((g) => g.verifications.includes(f.verification));
        for (const f of failures)
          for (const g of failures) {
            const key = clueIn(f.run?.excerpt ?? '')?.key;
            if (key !== undefined && key === clueIn(g.run?.excerpt ?? '')?.key) assert.equal(groupOf(f), groupOf(g));
          }
        assert.deepEqual(
          groups.map((g) => -g.verifications.length),
          groups.map((g) => -g.verifications.length).sort((a, b) => a - b),
        );
      }),
    );
  });

  it('is fast for 500 failures, hostile ones included', () => {
    const hostile = ['a', './', '.a', 'a/', ': a', "Cannot find module '", 'host=', '::'].map((part) => part.repeat(4000 / part.length));
    const failures = Array.from({ length: 500 }, (_, i) => failure(`c/${i}`, hostile[i % hostile.length] ?? ''));
    const took = cpuMs(() => triage(failures));
    assert.ok(took < 1000, `${took} ms`);
  });
});
