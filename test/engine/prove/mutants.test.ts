/** Mutants of the covering lines: of which lines, in which order, how many, and that each is still a valid program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import type { Patch } from '../../../src/engine/prove/added-lines.ts';
import { mutantsPerVerification, type Mutant } from '../../../src/engine/prove/mutants.ts';
import type { Operator } from '../../../src/engine/work/verification.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';
import { adds, mutantsOf } from './support.ts';

const syntax = createSyntax();
const mutantsFor = (path: string, ...lines: string[]): Promise<Mutant[]> =>
  mutantsOf(syntax, { [path]: `${lines.join('\n')}\n` }, [adds(path, lines)], 14);

describe('mutants', () => {
  it('are made only of added lines that still exist, and contain the whole file', async () => {
    const text = 'old === 1;\nmine === 1;\nlater();\n';
    const mutants = await mutantsOf(syntax, { 'a.js': text }, [adds('a.js', ['mine === 1;', 'gone === 2;'])]);
    assert.deepEqual([...new Set(mutants.map((m) => m.line))], [2]);
    assert.deepEqual(
      mutants.find(({ operator }) => operator === 'comparison reversed'),
      {
        path: 'a.js',
        line: 2,
        column: 5,
        operator: 'comparison reversed',
        was: 'mine === 1;',
        now: 'mine !== 1;',
        text: 'old === 1;\nmine !== 1;\nlater();\n',
      },
    );
  });

  it('matter where a run gets to the left side of what they change, if that decides whether the right one runs', async () => {
    const line = '} else if (content === null || own) {';
    const text = `if (a) {\n${line}\n}\n`;
    const mutants = await mutantsOf(syntax, { 'a.js': text }, [adds('a.js', text.trimEnd().split('\n'))], 14);
    const columnOf = (operator: Operator): number | undefined => mutants.find((one) => one.operator === operator)?.column;
    assert.deepEqual([columnOf('logic changed'), columnOf('comparison reversed')], [line.indexOf('content'), line.indexOf('===')]);
  });

  it('change nothing that goes over a line which was not added', async () => {
    const files = { 'a.js': 'f(\n  a,\n);\n' };
    assert.equal((await mutantsOf(syntax, files, [adds('a.js', ['f(', '  a,'])])).length, 0);
    const [all] = await mutantsOf(syntax, files, [adds('a.js', ['f(', '  a,', ');'])]);
    assert.deepEqual([all?.operator, all?.text], ['call left out', ';\n']);
  });

  it('are never made of a line that also exists without being added, but of a line that was added twice', async () => {
    const file = { 'a.js': 'f(1);\nf(1);\n' };
    assert.equal((await mutantsOf(syntax, file, [adds('a.js', ['f(1);'])])).length, 0);
    assert.ok((await mutantsOf(syntax, file, [adds('a.js', ['f(1);']), adds('a.js', ['f(1);'])])).length > 0);
  });

  it('leave what stood in a changed line before, where six other places are new', async () => {
    const [was, now] = ["const words = ['fish', 'rice'];", "const words = ['fish', 'rice', 'luggage'];"];
    const changes = (more: string[]): string =>
      `--- a/a.js\n+++ b/a.js\n@@ -1 +1,${more.length + 1} @@\n-${was}\n+${now}\n${more.map((line) => `+${line}\n`).join('')}`;
    const made = async (more: string[]): Promise<string[]> => {
      const patch = `diff --git a/a.js b/a.js\n${changes(more)}`;
      const mutants = await mutantsOf(syntax, { 'a.js': [now, ...more, ''].join('\n') }, [patch], 14);
      return mutants.filter(({ line }) => line === 1).map((mutant) => mutant.now);
    };
    const added = ["const words = ['fish', 'rice', '~luggage'];"];
    assert.deepEqual(await made(['f(1, 2);', 'g(3, 4);', 'h(5 === 6);']), added);
    assert.equal((await made([])).length, 3);
  });

  it('ignore added text that looks like a patch header', async () => {
    const lines = ['++ b/other.js', 'n === 1;'];
    const mutants = await mutantsOf(syntax, { 'a.js': lines.join('\n'), 'other.js': 'n === 1;' }, [adds('a.js', lines)]);
    assert.ok(mutants.length > 0 && mutants.every((m) => m.path === 'a.js'));
  });

  it('are never made of the work’s own tests', async () => {
    for (const path of ['test/a.js', 'src/a.test.ts', 'src/__tests__/a.js', 'tests/a.py', 'test_a.py', 'a_test.py', 'pkg/conftest.py'])
      assert.equal((await mutantsFor(path, 'n == 1')).length, 0, path);
    assert.ok((await mutantsFor('src/contest.py', 'n == 1')).length > 0);
    const inside = await mutantsFor('src/a.rs', 'fn f() -> i32 { 1 }', '#[cfg(test)]', 'mod tests {', '  fn g() -> i32 { 2 }', '}');
    assert.deepEqual([...new Set(inside.map((m) => m.line))], [1]);
  });

  it('of a page are also made of its scripts and styles', async () => {
    const lines = [
      '<style>',
      'p { display: none }',
      '</style>',
      '<script>',
      'f(1);',
      '</script>',
      '<script type="text/x-data">',
      '2',
      '</script>',
    ];
    const mutants = await mutantsFor('index.html', ...lines);
    assert.deepEqual(mutants.map((m) => m.now).toSorted(), [';', 'f(2);', 'p { display: block }']);
    assert.ok(mutants.every(({ text, now }) => text.split('\n').length === lines.length + 1 && text.includes(`\n${now}\n`)));
  });

  it('are limited in number, spread over files and lines, and deterministic', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => `f(${i} + x);`);
    const files = { 'a.js': lines.join('\n'), 'b.js': lines.join('\n') };
    const patches = ['a.js', 'b.js'].map((path) => adds(path, lines));
    const mutants = await mutantsOf(syntax, files, patches);
    assert.equal(mutants.length, mutantsPerVerification);
    assert.equal(new Set(mutants.map((m) => `${m.path}:${m.line}`)).size, mutantsPerVerification);
    for (const path of ['a.js', 'b.js']) {
      const at = mutants.filter((m) => m.path === path).map((m) => m.line);
      assert.ok(at.length === mutantsPerVerification / 2 && Math.max(...at) - Math.min(...at) > 20, `${path}: ${at.join(', ')}`);
    }
    assert.deepEqual(await mutantsOf(syntax, files, patches), mutants);
  });

  it('begin with one each of what is asked for first, where that is there', async () => {
    const lines = [...Array.from({ length: 60 }, (_, i) => `f(${i} + x);`), 'console.log(x);', 'console.log(y);'];
    const made = async (...first: Operator[]): Promise<string[]> => {
      const choice = {
        first: first.map(
          (one) =>
            ({ operator }: { operator: Operator }) =>
              operator === one,
        ),
      };
      const mutants = await mutantsOf(syntax, { 'a.js': lines.join('\n') }, [adds('a.js', lines)], 4, choice);
      return mutants.map(({ operator }) => operator);
    };
    const [first, second, ...others] = await made('output left out', 'letters swapped', 'output extended');
    assert.deepEqual([first, second, others.length], ['output left out', 'output extended', 2]);
    assert.notEqual((await made())[0], 'output left out');
  });

  it('also change what later commits made of those lines, and nothing else that these wrote', async () => {
    const later = [
      'diff --git a/a.js b/a.js',
      '--- a/a.js',
      '+++ b/a.js',
      '@@ -1,3 +1,4 @@',
      '-a = 1;',
      '+a = 20;',
      '+a += 30;',
      ' other = 4;',
      '-b = 5;',
      '+b = 60;',
      '',
    ].join('\n');
    const text = 'a = 20;\na += 30;\nother = 4;\nb = 60;\n';
    const linesFor = async (...patches: Patch[]) =>
      [...new Set((await mutantsOf(syntax, { 'a.js': text }, patches)).map(({ line }) => line))].toSorted((a, b) => a - b);
    assert.deepEqual(await linesFor(adds('a.js', ['a = 1;']), { replacing: later }), [1, 2]);
    assert.deepEqual(await linesFor({ replacing: later }), []);
  });

  it('are spread over lines, functions and kinds of faults', async () => {
    const lines = [
      'function f(a) {',
      ...Array.from({ length: 30 }, (_, i) => `  a = a + ${i} * 2;`),
      '}',
      'function g(b) {',
      '  return b < 3;',
      '}',
    ];
    const mutants = await mutantsOf(syntax, { 'a.js': lines.join('\n') }, [adds('a.js', lines)], 6);
    const inG = mutants.filter((m) => m.line > 32).map((m) => m.operator);
    assert.equal(inG.length, 1, inG.join());
    assert.equal(new Set(mutants.map((m) => m.line)).size, 6);
    assert.ok(new Set(mutants.map((m) => m.operator)).size >= 3);
  });

  const programs: { path: string; program: string; args: string[]; lines: string[] }[] = [
    {
      path: 'a.js',
      program: 'node',
      args: ['--check', '--input-type=module', '-'],
      lines: [
        "import { argv } from 'node:process';",
        'export function f(a, b = 2) {',
        '  if (a > b && b !== 0) {',
        '    console.log(`${a} > "${b}"`);',
        '    return a + b;',
        '  } else if (a) return;',
        '  const list = [1, 2].map((x) => x * 2);',
        '  list.push(a);',
        '  for (let i = 0; i < 3; i += 1) a -= 1;',
        "  return list.join(', ');",
        '}',
      ],
    },
    {
      path: 'a.py',
      program: 'python3',
      args: ['-c', 'import sys, ast; ast.parse(sys.stdin.read())'],
      lines: [
        'import sys',
        'def f(a, b=2):',
        '    """Doc if a == b."""',
        '    if a > b and not b:',
        '        print(f"{a} > {b}")',
        '        return a + b',
        '    total = [',
        '        1, 2,',
        '    ]',
        '    while a < 3:',
        '        a += 1',
        '    return None',
        'f(1)',
      ],
    },
    {
      path: 'a.sh',
      program: 'bash',
      args: ['-n'],
      lines: [
        'set -eu',
        'f() {',
        '  if [ "$1" -gt 3 ] || [ -z "$2" ]; then',
        '    echo "a" >&2; exit 1',
        '  fi',
        '  while read -r x; do printf \'%s\\n\' "$x"; done < in',
        '  case "$1" in a) echo 1 ;; *) return 2 ;; esac',
        '}',
        'f "$@" && echo done',
      ],
    },
  ];
  for (const { path, program, args, lines } of programs)
    it(`of ${path} are valid programs`, async () => {
      const mutants = await mutantsFor(path, ...lines);
      assert.ok(mutants.length > 12);
      for (const mutant of mutants) {
        const { status, stderr } = spawnSync(program, args, { input: mutant.text, encoding: 'utf8' });
        assert.equal(status, 0, `${mutant.was} -> ${mutant.now}: ${stderr}`);
      }
    });
});
