/** The two changes of a control: other comments with the same behaviour, and the same text without behaviour. Uses real programs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { languageOf, languages, type Language } from '../../../src/engine/prove/language.ts';
import { isComment } from '../../../src/engine/prove/source-tree.ts';
import { reworded, silenced } from '../../../src/engine/prove/source.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';

const syntax = createSyntax();

const programs: { path: string; run: string; text: string }[] = [
  { path: 'a.js', run: 'node', text: "/** A glob: src/**\\/*.js */\nconsole.log('said'); // it's\nconst t = `\n*/`;" },
  { path: 'bin/a', run: 'node', text: "#!/usr/bin/env node\nconsole.log('said');\n" },
  { path: 'a.py', run: 'python3', text: "'''Doc'''\nprint('said')\nx = \"'''''\"\n" },
  { path: 'b.py', run: 'python3', text: "print('said')\nx = 'c:\\\\'\ny = '''a\\'''b'''\nz = ''''q'''" },
  { path: 'a.sh', run: 'bash', text: "cat <<'END'\nsaid\nEND\n: \"it's $(echo quiet)\"\n" },
  { path: 'b.sh', run: 'sh', text: '# THE_WORDS_ALONE\necho said \\\n  twice # THE_WORDS_ALONE\n' },
  { path: 'bin/b', run: 'bash', text: '#!/usr/bin/env bash\necho said\n' },
];

const outputOf = (run: string, text: string): string => {
  const { status, stdout, stderr } = spawnSync(run, ['-'], { input: text, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
};

/** Each of these signs looks like an end of PHP, and is none: a played parser of Markdown has them in its patterns. */
const phpWithEnds =
  "<?php\n#[A]\nfunction f() {}\n$a = preg_match('/<(\\/)?>\\'/', $b); # it's\n$c = \"?>\\\"\";\n/* ?> */\n$d = <<<'X'\n?>\nX;\necho $d;\n";

/** An apostrophe in such a text, and one in the page behind it, are no string. */
const phpOfWindows = "<?php\r\n$a = <<<X\r\nit's\r\nX;\r\necho $a;\r\n?>\r\n<p>it's</p>\r\n";

/** Texts that a silent version could trip over, for each language. */
const samples: Record<Language, string[]> = {
  javascript: ['a();\nb(`*/`);\n/* c */ d();\n', '// only\n// comments\n', 'a();', '\uFEFFa();\r\nb();\r\n'],
  typescript: ['const a: number = 1;\n/** d */\nexport { a };\n'],
  tsx: ['export const A = () => <p>{/* c */}</p>;\n'],
  python: ["def f():\n    '''d'''\n    return 'a\\\\'\n", "x = r'\\'", "a = 1 # it's '''"],
  shell: ['echo a\necho b\n', '# c\n\necho "it\'s"\n'],
  go: ['// c\npackage main\n\nimport "fmt"\n\nfunc main() { fmt.Println(1) /* c */ }\n'],
  rust: ['#![warn(\n  unused,\n)]\nfn main() {\n  let a = "/*"; /* b /* c */ */\n}\n', 'pub fn f() -> &\'static str { "src/**/*.rs" }\n'],
  java: ['package a.b;\npublic class A {\n  public static void main(String[] a) { /* c */ }\n}\n'],
  kotlin: ['package a\nfun main() { val a = "/*" }\n'],
  ruby: ['# c\nputs 1\nputs <<X\nsaid\nX\n'],
  php: [
    '<?php\n// c\necho 1; /* d */\n?>\n<p>words</p>\n',
    '<p>words</p>\n<?php echo 1; ?>\n',
    phpWithEnds,
    phpOfWindows,
    "<?= 1 ?>\n<p>it's</p>\n",
  ],
  csharp: ['using System;\nclass A { static void Main() { /* c */ } }\n'],
  c: ['#include <stdio.h>\nint main(void) {\n  return 1; /* c */\n}\n'],
  cpp: ['int f() { return 1; }\n'],
  html: ['<!doctype html>\n<p>words</p><!-- c -->\n<script>more()</script>\n'],
  css: ['a { b: c } /* d */\ne { f: g }\n'],
};
const pathOf: Record<Language, string> = {
  javascript: 'a.js',
  typescript: 'a.ts',
  tsx: 'a.tsx',
  python: 'a.py',
  shell: 'a.sh',
  go: 'a.go',
  rust: 'src/main.rs',
  java: 'A.java',
  kotlin: 'a.kt',
  ruby: 'a.rb',
  php: 'a.php',
  csharp: 'A.cs',
  c: 'a.c',
  cpp: 'a.cpp',
  html: 'a.html',
  css: 'a.css',
};
/** What may be left besides comments: strings that nothing uses, and what a compiler asks for. */
const left: Partial<Record<Language, RegExp>> = {
  python: /^(module|expression_statement|concatenated_string|string|string_start|string_content|string_end|escape_sequence)$/,
  shell: /^(program|redirected_statement|command|command_name|word|heredoc_\w+)$/,
  ruby: /^(program|heredoc_\w+)$/,
  php: /^(program|php_tag)$/,
};
const entries: Partial<Record<Language, RegExp>> = {
  go: /^package main; func main\(\) \{\}$/,
  rust: /^(fn main\(\) \{\})?$/,
  java: /^package a\.b; class A \{ public static void main\(String\[\] words\) \{\} \}$/,
  kotlin: /^package a; fun main\(\) \{\}$/,
  csharp: /^class Silent \{ static void Main\(\) \{\} \}$/,
  c: /^int main\(void\) \{ return 0; \}$/,
};

describe('source', () => {
  for (const { path, run, text } of programs) {
    it(`${path}: silenced code runs and prints nothing, and every word stays on its line`, () => {
      assert.match(outputOf(run, text), /^said/m);
      const silent = silenced(path, text);
      assert.equal(outputOf(run, silent), '');
      assertLines(text, silent);
    });

    it(`${path}: reworded code prints the same`, () => {
      const other = reworded(path, text);
      assert.notEqual(other, text);
      assert.ok(other.startsWith(text));
      assert.equal(outputOf(run, other), outputOf(run, text));
    });
  }

  it('is blank where nothing in it runs: a document is its words', () => {
    for (const [path, text] of [
      ['a.css', 'a { b: c }\n'],
      ['a.html', '<!doctype html>\n<p>words</p>\n'],
      ['a.toml', 'a = 1\n'],
    ] as const)
      assert.equal(silenced(path, text), '\n', path);
    for (const text of ['<form>', '<p onclick="f()">', '<a href="javascript:f()">']) assert.match(silenced('a.html', text), /<!-- /, text);
  });

  for (const language of languages.filter((one) => one !== 'css'))
    it(`in ${language} is silenced to a program that parses and holds only words`, async () => {
      for (const text of samples[language]) {
        const silent = silenced(pathOf[language], text);
        assertLines(text, silent);
        const tree = await syntax.parse(language, silent);
        assert.ok(tree);
        assert.equal(tree.errors, 0, silent);
        const all = tree.nodes.slice(1).filter(({ named }) => named);
        const entry = entries[language];
        if (entry) assert.match(silent.slice(all.findLast(({ type }) => isComment(type))?.to ?? 0).trim(), entry);
        else
          assert.deepEqual(
            all.filter(({ type, parent }) => parent === 0 && !isComment(type) && left[language]?.test(type) !== true),
            [],
            silent,
          );
      }
    });

  for (const language of languages)
    it(`in ${language} parses with one comment more after rewording, and is otherwise the same`, async () => {
      for (const text of samples[language]) {
        const other = reworded(pathOf[language], text);
        const count = async (of: string): Promise<number> =>
          (await syntax.parse(language, of))?.nodes.filter(({ type }) => isComment(type)).length ?? 0;
        assert.equal(await count(other), (await count(text)) + 1, other);
        assert.ok(other.startsWith(text) && /These words change nothing/.test(other.slice(text.length)));
      }
    });

  it('keeps what has to stay first, and the first line of code once more as it was', () => {
    assert.equal(silenced('bin/a', '#!/usr/bin/env node\nf();\n'), '#!/usr/bin/env node\n/*f();\nf();*/\n');
    assert.equal(silenced('bin/a', '#!/bin/sh').split('\n')[0], '#!/bin/sh');
    assert.equal(silenced('a.php', '<?php\nf();\n'), '<?php\n/*f();\nf();*/\n');
    assert.equal(silenced('a.sh', '# c\necho a\n'), "# c\n: <<'THE_WORDS_ALONE' # echo a\necho a\nTHE_WORDS_ALONE\n");
    assert.equal(reworded('a.rb', 'p DATA.read\n__END__\nwords\n'), 'p DATA.read\n# These words change nothing.\n__END__\nwords\n');
  });

  it('adds no line to a page that PHP prints, nor a comment that the first standard of C does not know', () => {
    assert.equal(reworded('a.php', '<p>a</p>'), '<p>a</p><?php # These words change nothing.\n');
    assert.equal(reworded('a.php', '<?php\r\n$a = <<<X\r\n?>\r\nX;\r\n').split('\n').at(-2), '# These words change nothing.');
    assert.equal(reworded('a.c', 'int a;\n'), 'int a;\n/* These words change nothing. */\n');
  });

  it('silences Rust without a comment that would document nothing', () => {
    const silent = silenced('src/a.rs', 'fn f() { g("**/*.rs") }');
    assert.doesNotMatch(silent, /\/\*\*\./);
    assert.doesNotMatch(silenced('src/a.rs', '#![warn(\n  unused,\n)]\n'), /^#!/);
  });

  it('is blank after silencing when its language is unknown, and never reworded', () => {
    for (const [path, text] of [
      ['README.md', 'words'],
      ['run', 'no shebang'],
      ['a.awk', 'BEGIN { }'],
      ['a.js', 'a\0b'],
      ['a.py', '\uFFFD'],
    ] as const)
      assert.deepEqual([silenced(path, text), reworded(path, text)], ['\n', text], path);
  });

  it('gets its language from the extension, or else from the shebang', () => {
    const cases: [path: string, text: string, language: string | undefined][] = [
      ['src/a.mts', '', 'typescript'],
      ['a.tsx', '', 'tsx'],
      ['A.HTML', '', 'html'],
      ['bin/a', '#!/usr/bin/env python3.11\n', 'python'],
      ['bin/a', '#!/bin/dash\n', 'shell'],
      ['bin/a', '#!/usr/bin/env -S node --test\n', 'javascript'],
      ['bin/a', '#!/usr/bin/perl\n', undefined],
      ['a.awk', '#!/bin/sh\n', undefined],
    ];
    for (const [path, text, language] of cases) assert.equal(languageOf(path, text), language, path + text);
  });
});

/** Each line is where it was. Only the first line of code has a sign in front, and stands once more as it was. */
function assertLines(text: string, silent: string): void {
  const lines = silent.replace('\uFEFF', '').split('\n');
  const moved = text
    .replace('\uFEFF', '')
    .split('\n')
    .map((line) => escaped(line))
    .filter((line, i) => {
      assert.match(lines[i] ?? '', new RegExp(line));
      return !new RegExp(`^${line}`).test(lines[i] ?? '');
    });
  assert.ok(moved.length <= 1, moved.join());
  for (const line of moved)
    assert.ok(
      lines.some((other) => new RegExp(`^${line}`).test(other)),
      `${line} begins no line`,
    );
}

/** A pattern for a line in which what ends a comment or a string may be followed by what begins it again. */
function escaped(line: string): string {
  return line
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('/\\*', '/\\*(\\*/)?')
    .replaceAll('\\*/', '\\*/(/\\* ?)?')
    .replaceAll("'''", "'''(r''')?")
    .replaceAll('-->', '-->(<!-- )?');
}
