/** Where each language can be made wrong, with its real grammar. A row is one file; all its faults are listed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Mutant } from '../../../src/engine/prove/mutants.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';
import { adds, mutantsOf } from './support.ts';

const syntax = createSyntax();

/** `[line before] -> line after` of all faults on the lines with a fault, shortest form: the changed line, trimmed. */
async function faultsIn(path: string, text: string): Promise<Mutant[]> {
  return mutantsOf(syntax, { [path]: text }, [adds(path, text.split('\n'))], 200);
}

interface Row {
  path: string;
  source: string;
  /** The changed lines, by what was done. */
  faults: Partial<Record<Mutant['operator'], string[]>>;
}

/** What another last character, or digit, of a value is written as. */
const changed = {
  javascript: (value: string): string =>
    String.raw`((t) => t.slice(0, -1) + (/(?<![\d.])\d+(\.\d\d?)?$/.test(t) ? (+t.slice(-1) + 2) % 10 : "_"))(String(${value}))`,
  python: (value: string): string =>
    String.raw`(lambda t: t[:-1] + (str((int(t[-1]) + 2) % 10) if __import__("re").search(r"(?<![\d.])\d+(\.\d\d?)?\Z", t) else "_"))(str(${value}))`,
};

const rows: Row[] = [
  {
    path: 'a.js',
    source: 'if (a === b && c) {\n  d();\n}',
    faults: {
      'comparison reversed': ['if (a !== b && c) {'],
      'logic changed': ['if (a === b || c) {'],
      'condition negated': ['if (!(a === b && c)) {'],
      'condition always true': ['if (true) {'],
      'condition always false': ['if (false) {'],
      'call left out': [';'],
    },
  },
  {
    path: 'a.py',
    source: 'day = min(wanted, last(month))\n',
    faults: { 'limit left out': ['day = wanted', 'day = last(month)'] },
  },
  {
    path: 'a.js',
    source: 'return_: for (let i = 0; i < n; i += 1) total *= f(i, n);',
    faults: {
      'number changed': [
        'return_: for (let i = 1; i < n; i += 1) total *= f(i, n);',
        'return_: for (let i = 0; i < n; i += 2) total *= f(i, n);',
      ],
      'bound off by one': ['return_: for (let i = 0; i <= n; i += 1) total *= f(i, n);'],
      'comparison reversed': ['return_: for (let i = 0; i >= n; i += 1) total *= f(i, n);'],
      'condition always false': ['return_: for (let i = 0; false; i += 1) total *= f(i, n);'],
      'arithmetic changed': ['return_: for (let i = 0; i < n; i += 1) total /= f(i, n);'],
      'arguments swapped': ['return_: for (let i = 0; i < n; i += 1) total *= f(n, i);'],
    },
  },
  {
    path: 'a.ts',
    source: "type T = 'a' | 1;\nconst f = (x: Map<string, 3>): T => x.get('k') as 'a';",
    faults: {
      'argument given back': ['const f = (x: Map<string, 3>): T => x;'],
      'other value returned': ['const f = (x: Map<string, 3>): T => undefined;'],
      'returned value changed': ["const f = (x: Map<string, 3>): T => (x.get('k') as 'a') + 1;"],
      'text changed': ["const f = (x: Map<string, 3>): T => x.get('~k') as 'a';"],
    },
  },
  {
    path: 'a.tsx',
    source: '<p className="x" title="t">Hello {n - 2}</p>;',
    faults: {
      'text changed': ['<p className="x" title="~t">Hello {n - 2}</p>;', '<p className="x" title="t">~Hello {n - 2}</p>;'],
      'arithmetic changed': ['<p className="x" title="t">Hello {n + 2}</p>;'],
      'number changed': ['<p className="x" title="t">Hello {n - 3}</p>;'],
    },
  },
  {
    path: 'a.py',
    source: 'def f(a):\n    """Doc 1."""\n    if not a:\n        return\n    while a < 3:\n        a += g()\n    return a in b',
    faults: {
      'condition negated': ['if not (not a):'],
      'condition always true': ['if True:'],
      'condition always false': ['if False:', 'while False:'],
      'return left out': ['pass'],
      'bound off by one': ['while a <= 3:'],
      'comparison reversed': ['while a >= 3:', 'return a not in b'],
      'number changed': ['while a < 4:'],
    },
  },
  {
    path: 'a.sh',
    source: 'if [ "$a" -gt 3 ]; then\n  echo "sum $a" >&2\n  exit 1\nfi\ncmd && x=true',
    faults: {
      'condition negated': ['if ! { [ "$a" -gt 3 ]; }; then'],
      'condition always true': ['if true; then'],
      'condition always false': ['if false; then'],
      'bound off by one': ['if [ "$a" -ge 3 ]; then'],
      'comparison reversed': ['if [ "$a" -le 3 ]; then'],
      'number changed': ['if [ "$a" -gt 4 ]; then', 'exit 2'],
      'text changed': ['echo "~sum $a" >&2'],
      'call left out': [': >&2'],
      'return left out': [':'],
      'logic changed': ['cmd || x=true'],
    },
  },
  {
    path: 'a.mjs',
    source: 'for (const row of rows) console.log(`${row}`, 2);\nconsole.error(row);\nconsole.log(...rows);',
    faults: {
      'output extended': ['for (const row of rows) console.log(String(`${row}`) + "~", 2);'],
      'output changed': [`for (const row of rows) console.log(${changed.javascript('`${row}`')}, 2);`],
      'output repeated': ['for (const row of rows) void (console.log(`${row}`, 2), console.log(`${row}`, 2));'],
      'number changed': ['for (const row of rows) console.log(`${row}`, 3);'],
      'output left out': ['for (const row of rows) ;'],
      'call left out': [';', ';'],
    },
  },
  {
    path: 'a.sh',
    source: 'trim() {\n  printf "%s" "$a"\n}',
    faults: {
      'argument given back': [`printf '%s\\n' "$1"`],
      'output extended': ['{ printf "%s" "$a"; echo "~"; }'],
      'output changed': ['printf "%s" "$a" | sed \'$s/.$/_/\''],
      'output repeated': ['{ printf "%s" "$a"; printf "%s" "$a"; }'],
      'output left out': [':'],
      'text changed': ['printf "~%s" "$a"'],
    },
  },
  {
    path: 'a.py',
    source: 'class C:\n    def f(self, a: str):\n        return a.strip()',
    faults: {
      'argument given back': ['return a'],
      'other value returned': ['return None'],
      'returned value changed': ['return (lambda v: v + (1 if isinstance(v, (int, float)) else type(v)("~")))(a.strip())'],
    },
  },
  {
    path: 'a.js',
    source: 'const sortUp = (list) => [...list].sort(g);',
    faults: {
      'argument emptied': ['const sortUp = (list) => (list.length = 0, list);'],
      'argument given back': ['const sortUp = (list) => list;'],
      'other value returned': ['const sortUp = (list) => undefined;'],
      'returned value changed': ['const sortUp = (list) => ([...list].sort(g)) + 1;'],
    },
  },
  {
    path: 'a.py',
    source: 'def f(a):\n    b = sorted(a)\n    return b',
    faults: {
      'argument emptied': ['return [a.clear(), a][1]'],
      'other value returned': ['return None'],
      'returned value changed': ['return (lambda v: v + (1 if isinstance(v, (int, float)) else type(v)("~")))(b)'],
    },
  },
  {
    path: 'a.py',
    source: 'def f(a):\n    b = [c for c in sorted(set(a))]\n    return b',
    faults: {
      'argument emptied': ['return [a.clear(), a][1]'],
      'other value returned': ['return None'],
      'returned value changed': ['return (lambda v: v + (1 if isinstance(v, (int, float)) else type(v)("~")))(b)'],
    },
  },
  {
    path: 'a.py',
    source: 'def f(a):\n    print(a, sep="")\n    print(a, file=log)\n    return g(a)',
    faults: {
      'output extended': ['print(str(a) + "~", sep="")'],
      'output changed': [`print(${changed.python('a')}, sep="")`],
      'output repeated': ['(print(a, sep=""), print(a, sep=""))'],
      'output left out': ['pass'],
      'call left out': ['pass'],
      'argument given back': ['return a'],
      'other value returned': ['return None'],
      'returned value changed': ['return (lambda v: v + (1 if isinstance(v, (int, float)) else type(v)("~")))(g(a))'],
    },
  },
  {
    path: 'a.sh',
    source: 'echo "$a"\nprintf "%s" "$a" >&2',
    faults: {
      'output extended': ['{ echo "$a"; echo "~"; }'],
      'output changed': ['echo "$a" | sed \'$s/.$/_/\''],
      'output repeated': ['{ echo "$a"; echo "$a"; }'],
      'text changed': ['printf "~%s" "$a" >&2'],
      'output left out': [':'],
      'call left out': [': >&2'],
    },
  },
  {
    path: 'a.go',
    source: 'package main\nfunc f(a int) bool {\n\tfor a != 1 { a-- }\n\tg("x", a)\n\treturn a > 2 || h\n}',
    faults: {
      'comparison reversed': ['for a == 1 { a-- }', 'return a <= 2 || h'],
      'number changed': ['for a != 2 { a-- }', 'return a > 3 || h'],
      'text changed': ['g("~x", a)'],
      'call left out': ['{}'],
      'bound off by one': ['return a >= 2 || h'],
      'logic changed': ['return a > 2 && h'],
      'other value returned': ['return !(a > 2 || h)'],
    },
  },
  {
    path: 'a.go',
    source: 'package a\nfunc f() {\n\tif _, ok := m[b]; ok {\n\t\tg(a, b)\n\t}\n}',
    faults: {
      'condition negated': ['if _, ok := m[b]; !(ok) {'],
      'condition always true': ['if _, ok := m[b]; (ok) || true {'],
      'condition always false': ['if _, ok := m[b]; (ok) && false {'],
      'call left out': ['{}'],
      'arguments swapped': ['g(b, a)'],
    },
  },
  {
    path: 'a.rs',
    source: 'fn f(a: [u8; 3]) -> bool {\n    println!("hi {}", a);\n    for i in 0..n { g(i, n); }\n    return !a.is_empty();\n}',
    faults: {
      'call left out': ['();', 'for i in 0..n { (); }'],
      'text changed': ['println!("~hi {}", a);'],
      'bound off by one': ['for i in 0..=n { g(i, n); }'],
      'number changed': ['for i in 1..n { g(i, n); }'],
      'arguments swapped': ['for i in 0..n { g(n, i); }'],
      'other value returned': ['return !(!a.is_empty());'],
    },
  },
  {
    path: 'A.java',
    source: 'class A {\n  @X("y") int f(int a) {\n    boolean b = true;\n    logger.info("x" + 1);\n    return a * 2;\n  }\n}',
    faults: {
      'true and false swapped': ['boolean b = false;'],
      'arithmetic changed': ['return a / 2;'],
      'number changed': ['return a * 3;'],
    },
  },
  {
    path: 'a.kt',
    source: 'fun f(a: Int): Boolean {\n  if (a == 1) { g(a, b) }\n  for (i in 0..a) { }\n  return a <= 2\n}',
    faults: {
      'comparison reversed': ['if (a != 1) { g(a, b) }', 'return a > 2'],
      'condition always true': ['if (true) { g(a, b) }'],
      'condition always false': ['if (false) { g(a, b) }'],
      'number changed': ['if (a == 2) { g(a, b) }', 'for (i in 1..a) { }', 'return a <= 3'],
      'call left out': ['if (a == 1) { Unit }'],
      'arguments swapped': ['if (a == 1) { g(b, a) }'],
      'bound off by one': ['for (i in 0 until a) { }', 'return a < 2'],
    },
  },
  {
    path: 'a.rb',
    source: "require 'x'\ndef f(a)\n  puts 'hi' unless a and b\n  return a + 1\nend",
    faults: {
      'text changed': ["puts '~hi' unless a and b"],
      'logic changed': ["puts 'hi' unless a or b"],
      'condition negated': ["puts 'hi' unless !(a and b)"],
      'condition always true': ["puts 'hi' unless true"],
      'condition always false': ["puts 'hi' unless false"],
      'arithmetic changed': ['return a - 1'],
      'number changed': ['return a + 2'],
      'other value returned': ['return nil'],
    },
  },
  {
    path: 'a.php',
    source: '<?php\nfunction f(int $a) {\n  echo "hi $a";\n  return $a . \'x\';\n}',
    faults: {
      'text changed': ['echo "~hi $a";', "return $a . '~x';"],
      'output left out': [';'],
      'other value returned': ['return null;'],
    },
  },
  {
    path: 'A.cs',
    source: 'class A {\n  bool F(int a) {\n    Console.WriteLine($"hi {a}");\n    return a >= 2;\n  }\n}',
    faults: {
      'text changed': ['Console.WriteLine($"~hi {a}");'],
      'call left out': [';'],
      'comparison reversed': ['return a < 2;'],
      'bound off by one': ['return a > 2;'],
      'number changed': ['return a >= 3;'],
    },
  },
  {
    path: 'a.c',
    source: '#include "x.h"\nint f(int a) {\n  if (a) g(a, b);\n  return a % 2;\n}',
    faults: {
      'condition negated': ['if (!(a)) g(a, b);'],
      'condition always true': ['if (1) g(a, b);'],
      'condition always false': ['if (0) g(a, b);'],
      'call left out': ['if (a) ;'],
      'arguments swapped': ['if (a) g(b, a);'],
      'arithmetic changed': ['return a * 2;'],
      'number changed': ['return a % 3;'],
      'other value returned': ['return 0;'],
    },
  },
  {
    path: 'a.cpp',
    source: 'auto f = [](std::array<int, 3> a) { return a.size() != 3; };',
    faults: {
      'comparison reversed': ['auto f = [](std::array<int, 3> a) { return a.size() == 3; };'],
      'number changed': ['auto f = [](std::array<int, 3> a) { return a.size() != 4; };'],
    },
  },
  {
    path: 'a.html',
    source: '<p class="x" title="t">Hello</p>\n<script>f(true);</script>',
    faults: {
      'text changed': ['<p class="x" title="~t">Hello</p>', '<p class="x" title="t">~Hello</p>'],
      'true and false swapped': ['<script>f(false);</script>'],
      'call left out': ['<script>;</script>'],
    },
  },
  {
    path: 'a.css',
    source: 'a:hover { color: red; width: 10px; display: none }',
    faults: {
      'number changed': ['a:hover { color: red; width: 20px; display: none }'],
      'part left out': ['a:hover { color: red;  display: none }'],
      'visibility changed': ['a:hover { color: red; width: 10px; display: block }'],
    },
  },
  {
    path: 'sizes.css',
    source: 'p { margin: 0; opacity: 0; top: 0.5rem; line-height: 100% }',
    faults: {
      'number changed': [
        'p { margin: 1em; opacity: 0; top: 0.5rem; line-height: 100% }',
        'p { margin: 0; opacity: 1; top: 0.5rem; line-height: 100% }',
        'p { margin: 0; opacity: 0; top: 1.5rem; line-height: 100% }',
        'p { margin: 0; opacity: 0; top: 0.5rem; line-height: 200% }',
      ],
    },
  },
  {
    path: 'borders.css',
    source: 'a { border: 0; border-radius: 0 }',
    faults: { 'number changed': ['a { border: 1; border-radius: 0 }', 'a { border: 0; border-radius: 1em }'] },
  },
  {
    path: 'template.html',
    source: '<b>\n{% if a %}\n{%- if n == 0 %}none{% else %}</b>\n<p>{{ n }}</p><i><% if (a) { %></i>',
    faults: { 'text changed': ['{%- if n == 0 %}~none{% else %}</b>', '<p>~{{ n }}</p><i><% if (a) { %></i>'] },
  },
];

/** Faults that nobody could notice, or that would not be faults of the work: there are none (docs/proof-faults.md). */
const none: { why: string; path: string; source: string }[] = [
  { why: 'an import', path: 'a.js', source: "import { a } from 'b';\nconst c = require('d');" },
  { why: 'a comment', path: 'a.js', source: '// if (a === 1) return 2;\n/* f(1); */' },
  { why: 'a directive', path: 'a.js', source: "'use strict';" },
  { why: 'a type', path: 'a.ts', source: "interface A { b: 'c' | 1 }\ntype D = E<2>;\nlet f: 3;" },
  { why: 'a message to a log', path: 'a.js', source: "logger.warn('a', 1);\nlog.info(`b ${c + 1}`);\nconsole.debug(2);" },
  { why: 'a message to a log', path: 'a.py', source: "import logging\nlogging.info('a %s', 1)\nself.logger.debug('b')" },
  { why: 'what only a loss of power shows', path: 'a.js', source: 'fsyncSync(fd);\nfs.fdatasync(fd + 1, done);' },
  {
    why: 'what a server says when it listens',
    path: 'a.js',
    source: 'const server = app.listen(port, () => console.log(`at ${port + 1}`));',
  },
  { why: 'a message to a log', path: 'a.rs', source: 'fn f() { debug!("a {}", 1); log::info!("b"); }' },
  { why: 'code that is never reached', path: 'a.js', source: 'function f() {\n  throw a;\n  g(1);\n}' },
  { why: 'a last return', path: 'a.js', source: 'function f(a) {\n  return;\n}' },
  { why: 'documentation', path: 'a.py', source: '"""Doc 1."""\n@x(1)\nclass A: pass' },
  {
    why: 'what only a checker of types runs',
    path: 'a.py',
    source: 'if TYPE_CHECKING:\n    import a\nelif typing.TYPE_CHECKING:\n    import b',
  },
  { why: 'a name of a type', path: 'a.py', source: 'T = TypeVar("T", bound="A")\nB = typing.NewType("B", int)\nP = t.ParamSpec("P")' },
  { why: 'a type in a text', path: 'a.py', source: 'A = Dict[str, List["B"]]\nf = cast("List[B]", g)\nC = typing.Callable[["B"], "D"]' },
  { why: 'what a module offers', path: 'a.py', source: '__all__ = ["a", "b"]\n__all__ += ["c"]' },
  { why: 'an annotation', path: 'a.kt', source: '@X("y")\nclass A' },
  { why: 'an annotation of a file', path: 'a.kt', source: '@file:JvmName("A")\npackage a' },
  { why: 'where what is handed on comes from', path: 'a.ts', source: "export * from './b';\nexport { c } from './d';" },
  { why: 'which code is compiled', path: 'A.cs', source: '#if A || !(B && C)\n#elif D == E\n#endif\n' },
  { why: 'a file that is loaded once it is needed', path: 'a.rb', source: 'autoload :B, "b"\n' },
  { why: 'what is meant for a browser of old', path: 'a.css', source: 'a { -ms-flex: 0 0 20px; -moz-column-count: 3 }' },
  { why: 'a version that nobody asks for', path: 'A.java', source: 'class A { private static final long serialVersionUID = 1L; }' },
  { why: 'room that is made ahead of time', path: 'a.rs', source: 'fn f() { a.shrink_to_fit(); let b = Vec::with_capacity(10); }' },
  { why: 'settings of the shell', path: 'a.sh', source: '#!/bin/sh\nset -eu\ncd "$x"\n. lib.sh\nx=$y' },
  { why: 'a package and its imports', path: 'a.go', source: 'package a\nimport "fmt"\ntype T struct { A int `json:"a"` }' },
  { why: 'a preprocessor’s line', path: 'a.c', source: '#include <a.h>\n#define B 1' },
  { why: 'a language that is not known', path: 'a.awk', source: 'BEGIN { print 1 + 1 }' },
];

describe('faults', () => {
  for (const { path, source, faults } of rows)
    it(`of ${path}: ${source.replaceAll(/\s+/g, ' ').slice(0, 60)}`, async () => {
      const found: Record<string, string[]> = {};
      for (const { operator, now } of await faultsIn(path, source)) (found[operator] ??= []).push(now.trim());
      const sorted = (of: Partial<Record<string, string[]>>) =>
        Object.fromEntries(
          Object.entries(of)
            .map(([key, values]) => [key, values?.toSorted()])
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
        );
      assert.deepEqual(sorted(found), sorted(faults));
    });

  it('in a header of an answer are in words of the work’s own, where no document names it', async () => {
    const wordingIn = async (source: string): Promise<unknown[]> =>
      (await faultsIn('a.js', source)).filter(({ operator }) => operator === 'text changed').map(({ wording }) => wording);
    assert.deepEqual(await wordingIn("response.set('Cache-Control', 'no-store');"), [['Cache-Control'], ['no-store']]);
    assert.deepEqual(await wordingIn("response.set('Content-Type', 'text/csv');"), [undefined, undefined]);
    assert.deepEqual(await wordingIn("rows.set('total', 'none');"), [undefined, undefined]);
  });

  it('are made of values that Python looks up by a text', async () => {
    const found = await faultsIn('a.py', 'a = names["b"]\nc = Color["d"]\nif CHECKING:\n    e = cast(row["f"], g)\n');
    const lines = found.filter(({ operator }) => operator === 'text changed').map(({ now }) => now.trim());
    assert.deepEqual(lines.toSorted(), ['a = names["~b"]', 'c = Color["~d"]', 'e = cast(row["~f"], g)']);
  });

  it('are made of other arithmetic within a text that is put together', async () => {
    const found = await faultsIn('a.js', "x = 'row ' + (a + 1) + ': ' + b * c;\ny += d['e'];");
    const lines = found.filter(({ operator }) => operator === 'arithmetic changed').map(({ now }) => now);
    assert.deepEqual(lines.toSorted(), ["x = 'row ' + (a + 1) + ': ' + b / c;", "x = 'row ' + (a - 1) + ': ' + b * c;", "y -= d['e'];"]);
  });

  it('of arguments that a text is filled with is in the words of that text', async () => {
    const wordingOf = async (call: string): Promise<unknown[]> =>
      (await faultsIn('a.py', `def f(a, b):\n    g(${call})\n`))
        .filter(({ operator }) => operator === 'arguments swapped')
        .map(({ wording }) => wording);
    assert.deepEqual(await wordingOf("'no room in {} for {}'.format(a, b)"), [['no room in', 'for']]);
    assert.deepEqual(await wordingOf("'{}: {}'.format(a, b)"), [undefined]);
    assert.deepEqual(await wordingOf('total(a, b)'), [undefined]);
  });

  it('are made of what a server does when it listens, but for its words', async () => {
    const source = 'const server = app.listen(port, () => {\n  console.log(`at ${port + 1}`);\n  begin(port + 2);\n});';
    const lines = (await faultsIn('a.js', source)).map(({ line }) => line);
    assert.deepEqual([...new Set(lines)], [3]);
  });

  const labels: { path: string; source: string; numbers: string[] }[] = [
    { path: 'a.c', source: 'int f(int a) { switch (a) { case 1: case 2: g(); } }', numbers: ['3'] },
    { path: 'a.cpp', source: 'void f(int a) { switch (a) { case 0: h(); case 1: switch (b) { case 2: g(); } } }', numbers: ['2', '3'] },
    { path: 'A.java', source: 'class A { void f() { switch (a) { case 0: h(); case 1, 2: g(); } } }', numbers: ['3'] },
    { path: 'A.java', source: 'class A { void f() { switch (a) { case -2: h(); case -1: g(); } } }', numbers: ['-3'] },
    { path: 'A.java', source: 'class A { int f() { return switch (a) { case 0 -> b; case 1, 3 -> c; }; } }', numbers: ['2', '4'] },
    { path: 'a.go', source: 'package a\nfunc f() { switch a { case 0: h(); case 1, 3: g() } }', numbers: ['2', '4'] },
    { path: 'A.cs', source: 'class A { void F() { switch (a) { case 0: break; case 1: break; } } }', numbers: ['2'] },
    { path: 'A.cs', source: 'class A { int F() { return a switch { 0 => b, 1 or 3 => c, _ => d }; } }', numbers: ['2', '4'] },
    { path: 'a.js', source: 'switch (a) { case 0: h(); case 1: g(); }', numbers: ['1', '2'] },
  ];
  for (const { path, source, numbers } of labels)
    it(`of ${path} give a switch no label twice where compilers refuse that: ${source}`, async () => {
      const found = (await faultsIn(path, source)).filter(({ operator }) => operator === 'number changed');
      const labelled = found.map(({ column, now }) => /^.?\d/.exec(now.slice(column - 1))?.[0].trim() ?? '');
      assert.deepEqual(labelled.toSorted(), numbers.toSorted());
    });

  for (const { why, path, source } of none)
    it(`are not made of ${why} in ${path}`, async () => {
      assert.deepEqual(
        (await faultsIn(path, source)).map(({ operator, now }) => `${operator}: ${now}`),
        [],
      );
    });

  const never: { path: string; source: string; operators: Mutant['operator'][] }[] = [
    { path: 'a.js', source: 'x = y * 1;', operators: ['arithmetic changed'] },
    { path: 'a.js', source: 'x = y + 0;', operators: ['arithmetic changed'] },
    { path: 'a.js', source: "x = 'a' + b;", operators: ['arithmetic changed'] },
    { path: 'a.js', source: "x = a + ': ' + b.c + d;", operators: ['arithmetic changed'] },
    { path: 'a.js', source: "x += a.b + '\\n' + c;", operators: ['arithmetic changed'] },
    { path: 'A.java', source: 'class A { String f() { return a[0] + (" has " + b) + c; } }', operators: ['arithmetic changed'] },
    { path: 'a.kt', source: 'fun f() { out += a.name + "x" + b }', operators: ['arithmetic changed'] },
    { path: 'A.cs', source: 'class A { void F() { x += a + (": " + b); } }', operators: ['arithmetic changed'] },
    { path: 'a.js', source: 'x = Math.max(a, b);', operators: ['arguments swapped'] },
    { path: 'a.js', source: 'x = Math.max(...all, 1); y = Math.max(1, 2, 3);', operators: ['limit left out'] },
    { path: 'a.py', source: 'x = max(rows, key=size)\n', operators: ['limit left out'] },
    { path: 'A.java', source: 'class A { void f() { g(Set.of(a, b)); h(EnumSet.of(C, D)); } }', operators: ['arguments swapped'] },
    { path: 'a.kt', source: 'fun f() { g(setOf(a, b)); g(hashSetOf(a, b)); g(mutableSetOf("a", "b")) }', operators: ['arguments swapped'] },
    { path: 'a.py', source: 'x = set(["a", "b"]) | {"c", "d"}\n', operators: ['arguments swapped'] },
    { path: 'a.js', source: 'f(a, a);', operators: ['arguments swapped'] },
    { path: 'a.js', source: 'f(a, () => b);', operators: ['arguments swapped'] },
    { path: 'a.go', source: 'package a\nfunc f() int {\n\tif b {\n\t\treturn 1\n\t}\n\tpanic("c")\n}', operators: ['call left out'] },
    { path: 'a.tsx', source: 'const a = <B onClick={() => save(c)} />;', operators: ['returned value changed'] },
    { path: 'a.js', source: 'button.onclick = () => save(c);', operators: ['returned value changed'] },
    { path: 'a.ts', source: 'await new Promise<void>((done) => setTimeout(done, 5));', operators: ['returned value changed'] },
    { path: 'a.sh', source: 'echo ""\nprintf "\\n"\necho\n', operators: ['output changed'] },
    { path: 'A.java', source: 'class A { B b = new ArrayList<>(9); C c = new HashMap<D, E>(2); }', operators: ['number changed'] },
    { path: 'A.cs', source: 'class A { B b = new List<C>(9); D d = new StringBuilder(64); }', operators: ['number changed'] },
    { path: 'a.go', source: 'package a\nvar b = make([]int, n, 10)', operators: ['number changed'] },
    { path: 'a.php', source: '<?php f(a: $x, b: $y); g($x, ["a"]);', operators: ['arguments swapped'] },
    { path: 'a.kt', source: 'fun f() { g(a = x, b = y); h("a", x); k(x, b = y) }', operators: ['arguments swapped'] },
    { path: 'A.cs', source: 'class A { void F() { G(a: x, b: y); H("a", x); K(ref x, out y); } }', operators: ['arguments swapped'] },
    { path: 'a.js', source: 'if (a) {}', operators: ['condition negated', 'condition always true', 'condition always false'] },
    { path: 'a.js', source: 'if (true) f();', operators: ['condition negated', 'condition always true', 'condition always false'] },
    { path: 'a.js', source: 'while (a) { i++; }', operators: ['arithmetic changed', 'condition negated', 'condition always true'] },
    { path: 'a.go', source: 'package a\nfunc f() { for a != 1 { a++ } }', operators: ['arithmetic changed'] },
    {
      path: 'a.py',
      source: "if __name__ == '__main__':\n    f()",
      operators: ['comparison reversed', 'text changed', 'condition negated'],
    },
    { path: 'a.rs', source: 'fn f() { g(&a[..]); }', operators: ['bound off by one'] },
    { path: 'a.ts', source: 'function f() { return null; }', operators: ['other value returned'] },
    { path: 'a.ts', source: 'function f(a) { return a; }', operators: ['argument given back'] },
    { path: 'a.ts', source: 'function f({ a }) { return g(a); }', operators: ['argument given back'] },
    { path: 'a.ts', source: 'function f(a) { return [a.b]; }', operators: ['argument given back'] },
    { path: 'a.ts', source: 'x.map((a) => a.b);', operators: ['argument given back'] },
    { path: 'a.js', source: 'function f(a, b) { return g(a) + [...b].length; }', operators: ['argument emptied'] },
    { path: 'a.go', source: 'package a\nfunc f(a int) int { return a * 2 }', operators: ['argument given back'] },
    { path: 'a.go', source: 'package a\nfunc f() { g(name, false); v.Mul(v, w) }', operators: ['arguments swapped'] },
    { path: 'a.sh', source: 'printf "%s" "$a"', operators: ['argument given back'] },
    { path: 'a.sh', source: 'f() {\n  exit\n  echo 1\n}', operators: ['number changed', 'call left out'] },
  ];
  for (const { path, source, operators } of never)
    it(`of ${source.replaceAll(/\s+/g, ' ')} are never: ${operators.join(', ')}`, async () => {
      const found = (await faultsIn(path, source)).map(({ operator }) => operator);
      assert.deepEqual(
        found.filter((operator) => operators.includes(operator)),
        [],
      );
    });
});
