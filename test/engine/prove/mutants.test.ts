/** Mutants of the covering lines: of which lines, how many, and that each is still a valid program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { mutantsOf, mutantsPerVerification } from '../../../src/engine/prove/mutants.ts';

/** A git patch that adds these lines to a new file. */
function adds(path: string, lines: string[]): string {
  const body = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}
const mutantsFor = (path: string, ...lines: string[]) => mutantsOf({ [path]: `${lines.join('\n')}\n` }, [adds(path, lines)]);
const mutantLines = (path: string, line: string): string[] => mutantsFor(path, line).map((m) => m.now.trim());

describe('mutants', () => {
  const cases: { path: string; line: string; mutants: string[] }[] = [
    { path: 'a.js', line: 'if (a === b) {', mutants: ['if (false && a === b) {', 'if (a !== b) {'] },
    { path: 'a.js', line: '  return total * 2;', mutants: ['return void total * 2;', 'return total / 2;', 'return total * 3;'] },
    {
      path: 'a.js',
      line: 'console.log(`Hello, ${name}!`);',
      mutants: ['// console.log(`Hello, ${name}!`);', 'console.log(`~Hello, ${name}!`);'],
    },
    {
      path: 'a.js',
      line: "const word = on && 'a < b' || 1.5;",
      mutants: ["const word = on || 'a < b' || 1.5;", "const word = on && '~a < b' || 1.5;"],
    },
    {
      path: 'a.js',
      line: "f('//', \"it's\", true); // 2 > 1",
      mutants: ["f('//', \"it's\", false); // 2 > 1", "f('~//', \"it's\", true); // 2 > 1", "// f('//', \"it's\", true); // 2 > 1"],
    },
    { path: 'a.ts', line: 'const x: Map<string, number> = y;', mutants: [] },
    { path: 'a.py', line: '    if total >= 3:', mutants: ['if not total >= 3:', 'if total < 3:', 'if total >= 4:'] },
    { path: 'a.py', line: '    return a + b', mutants: ['return None and a + b', 'return a - b'] },
    { path: 'a.py', line: "print(f'total {n}')", mutants: ["pass  # print(f'total {n}')", "print(f'~total {n}')"] },
    {
      path: 'a.py',
      line: 'ok = True and not done',
      mutants: ['ok = True or not done', 'ok = False and not done', 'pass  # ok = True and not done'],
    },
    {
      path: 'a.sh',
      line: 'if [ "$a" -gt 3 ]; then',
      mutants: ['if ! [ "$a" -gt 3 ]; then', 'if [ "~$a" -gt 3 ]; then', 'if [ "$a" -le 3 ]; then', 'if [ "$a" -gt 4 ]; then'],
    },
    { path: 'a.sh', line: 'echo "$sum" 2>&1', mutants: [': echo "$sum" 2>&1', 'echo "~$sum" 2>&1'] },
    { path: 'a.sh', line: 'cmd && other', mutants: ['cmd || other'] },
    { path: 'a.js', line: "const fs = require('node:fs');", mutants: [] },
    { path: 'a.js', line: '// if (a === b) return 1;', mutants: [] },
    { path: 'a.py', line: 'from x import y', mutants: [] },
    { path: 'a.js', line: '}', mutants: [] },
    { path: 'a.js', line: '', mutants: [] },
    { path: 'a.rb', line: 'puts 1 + 1', mutants: [] },
  ];
  for (const { path, line, mutants } of cases)
    it(`of "${line.trim()}" in ${path}: ${mutants.length}`, () => {
      assert.deepEqual(mutantLines(path, line).toSorted(), mutants.toSorted());
    });

  it('are made only of added lines that still exist, and contain the whole file', () => {
    const text = 'old === 1;\nmine === 1;\nlater();\n';
    const mutants = mutantsOf({ 'a.js': text }, [adds('a.js', ['mine === 1;', 'gone === 2;'])]);
    assert.deepEqual([...new Set(mutants.map((m) => m.line))], [2]);
    assert.equal(mutants[0]?.text, 'old === 1;\nmine !== 1;\nlater();\n');
  });

  it('are never made of a line that also exists without being added, but of a line that was added twice', () => {
    const file = { 'a.js': 'f(1);\nf(1);\n' };
    assert.equal(mutantsOf(file, [adds('a.js', ['f(1);'])]).length, 0);
    assert.ok(mutantsOf(file, [adds('a.js', ['f(1);']), adds('a.js', ['f(1);'])]).length > 0);
  });

  it('ignore added text that looks like a patch header', () => {
    const lines = ['++ b/other.js', 'n === 1;'];
    const mutants = mutantsOf({ 'a.js': lines.join('\n'), 'other.js': 'n === 1;' }, [adds('a.js', lines)]);
    assert.ok(mutants.length > 0 && mutants.every((m) => m.path === 'a.js'));
  });

  it('are never made of the work’s own tests', () => {
    for (const path of ['test/a.js', 'src/a.test.ts', 'src/__tests__/a.js', 'tests/a.py', 'test_a.py', 'a_test.py', 'pkg/conftest.py'])
      assert.equal(mutantsFor(path, 'n == 1').length, 0, path);
    assert.ok(mutantsFor('src/contest.py', 'n == 1').length > 0);
  });

  it('are limited in number, spread over files and lines, and deterministic', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `f(${i} + x);`);
    const files = { 'a.js': lines.join('\n'), 'b.js': lines.join('\n') };
    const patches = ['a.js', 'b.js'].map((path) => adds(path, lines));
    const mutants = mutantsOf(files, patches);
    assert.equal(mutants.length, mutantsPerVerification);
    assert.equal(new Set(mutants.map((m) => `${m.path}:${m.line}`)).size, mutantsPerVerification);
    for (const path of ['a.js', 'b.js']) {
      const at = mutants.filter((m) => m.path === path).map((m) => m.line);
      assert.ok(at.length === 4 && Math.max(...at) - Math.min(...at) > 20, `${path}: ${at.join(', ')}`);
    }
    assert.deepEqual(mutantsOf(files, patches), mutants);
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
    it(`of ${path} are valid programs`, () => {
      for (const line of lines)
        for (const mutant of mutantsOf({ [path]: lines.join('\n') }, [adds(path, [line])])) {
          const { status, stderr } = spawnSync(program, args, { input: mutant.text, encoding: 'utf8' });
          assert.equal(status, 0, `${mutant.was} -> ${mutant.now}: ${stderr}`);
        }
    });
});
