/** Mutants of the covering lines (design §6): which lines, how many, and that each is still a program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { mutantsOf, mutantsPerVerification } from '../../../src/engine/prove/mutants.ts';

/** A patch that adds these lines to a new file. */
function adds(path: string, lines: string[]): string {
  const body = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}
const all = (path: string, ...lines: string[]) => mutantsOf({ [path]: `${lines.join('\n')}\n` }, [adds(path, lines)]);
const made = (path: string, line: string): string[] => all(path, line).map((m) => m.now.trim());

describe('mutants', () => {
  const cases: [string, string, string[]][] = [
    ['a.js', 'if (a === b) {', ['if (false && a === b) {', 'if (a !== b) {']],
    ['a.js', '  return total * 2;', ['return void total * 2;', 'return total / 2;', 'return total * 3;']],
    ['a.js', 'console.log(`Hello, ${name}!`);', ['// console.log(`Hello, ${name}!`);', 'console.log(`~Hello, ${name}!`);']],
    ['a.js', "const word = on && 'a < b' || 1.5;", ["const word = on || 'a < b' || 1.5;", "const word = on && '~a < b' || 1.5;"]],
    [
      'a.js',
      "f('//', \"it's\", true); // 2 > 1",
      ["f('//', \"it's\", false); // 2 > 1", "f('~//', \"it's\", true); // 2 > 1", "// f('//', \"it's\", true); // 2 > 1"],
    ],
    ['a.ts', 'const x: Map<string, number> = y;', []],
    ['a.py', '    if total >= 3:', ['if not total >= 3:', 'if total < 3:', 'if total >= 4:']],
    ['a.py', '    return a + b', ['return None and a + b', 'return a - b']],
    ['a.py', "print(f'total {n}')", ["pass  # print(f'total {n}')", "print(f'~total {n}')"]],
    ['a.py', 'ok = True and not done', ['ok = True or not done', 'ok = False and not done', 'pass  # ok = True and not done']],
    [
      'a.sh',
      'if [ "$a" -gt 3 ]; then',
      ['if ! [ "$a" -gt 3 ]; then', 'if [ "~$a" -gt 3 ]; then', 'if [ "$a" -le 3 ]; then', 'if [ "$a" -gt 4 ]; then'],
    ],
    ['a.sh', 'echo "$sum" 2>&1', [': echo "$sum" 2>&1', 'echo "~$sum" 2>&1']],
    ['a.sh', 'cmd && other', ['cmd || other']],
    ['a.js', "const fs = require('node:fs');", []],
    ['a.js', '// if (a === b) return 1;', []],
    ['a.py', 'from x import y', []],
    ['a.js', '}', []],
    ['a.js', '', []],
    ['a.rb', 'puts 1 + 1', []],
  ];
  for (const [path, line, expected] of cases)
    it(`of ${line.trim() || 'nothing'} in ${path} are ${expected.length}`, () => {
      assert.deepEqual(made(path, line).toSorted(), expected.toSorted());
    });

  it('are of lines that the patches added and that still stand, each in its whole file', () => {
    const text = 'old === 1;\nmine === 1;\nlater();\n';
    const found = mutantsOf({ 'a.js': text }, [adds('a.js', ['mine === 1;', 'gone === 2;'])]);
    assert.deepEqual([...new Set(found.map((m) => m.line))], [2]);
    assert.equal(found[0]?.text, 'old === 1;\nmine !== 1;\nlater();\n');
  });

  it('are never of a line that also stands where no patch added it, but of one added twice', () => {
    const file = { 'a.js': 'f(1);\nf(1);\n' };
    assert.equal(mutantsOf(file, [adds('a.js', ['f(1);'])]).length, 0);
    assert.ok(mutantsOf(file, [adds('a.js', ['f(1);']), adds('a.js', ['f(1);'])]).length > 0);
  });

  it('are not misled by added text that looks like a patch', () => {
    const lines = ['++ b/other.js', 'n === 1;'];
    const found = mutantsOf({ 'a.js': lines.join('\n'), 'other.js': 'n === 1;' }, [adds('a.js', lines)]);
    assert.ok(found.length > 0 && found.every((m) => m.path === 'a.js'));
  });

  it('are never of the work’s own tests', () => {
    for (const path of ['test/a.js', 'src/a.test.ts', 'src/__tests__/a.js', 'tests/a.py', 'test_a.py', 'a_test.py', 'pkg/conftest.py'])
      assert.equal(all(path, 'n == 1').length, 0, path);
    assert.ok(all('src/contest.py', 'n == 1').length > 0);
  });

  it('are bounded, spread over files and lines, and the same each time', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `f(${i} + x);`);
    const files = { 'a.js': lines.join('\n'), 'b.js': lines.join('\n') };
    const patches = ['a.js', 'b.js'].map((path) => adds(path, lines));
    const found = mutantsOf(files, patches);
    assert.equal(found.length, mutantsPerVerification);
    assert.equal(new Set(found.map((m) => `${m.path}:${m.line}`)).size, mutantsPerVerification);
    for (const path of ['a.js', 'b.js']) {
      const at = found.filter((m) => m.path === path).map((m) => m.line);
      assert.ok(at.length === 4 && Math.max(...at) - Math.min(...at) > 20, `${path}: ${at.join(', ')}`);
    }
    assert.deepEqual(mutantsOf(files, patches), found);
  });

  const programs: [string, string[], string[]][] = [
    [
      'a.js',
      ['node', '--check', '--input-type=module', '-'],
      [
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
    ],
    [
      'a.py',
      ['python3', '-c', 'import sys, ast; ast.parse(sys.stdin.read())'],
      [
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
    ],
    [
      'a.sh',
      ['bash', '-n'],
      [
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
    ],
  ];
  for (const [path, [program = '', ...args], lines] of programs)
    it(`of ${path} are programs too`, () => {
      for (const line of lines)
        for (const mutant of mutantsOf({ [path]: lines.join('\n') }, [adds(path, [line])])) {
          const { status, stderr } = spawnSync(program, args, { input: mutant.text, encoding: 'utf8' });
          assert.equal(status, 0, `${mutant.was} -> ${mutant.now}: ${stderr}`);
        }
    });
});
