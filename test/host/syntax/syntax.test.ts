/** Parsing the work with its real grammars: every language loads, and nothing that a builder writes stops or crashes a proof. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { describe, it } from 'mocha';
import { languages, type Language } from '../../../src/engine/prove/language.ts';
import type { Range, SourceNode } from '../../../src/engine/prove/source-tree.ts';
import { silentTests } from '../../../src/engine/run/own-tests.ts';
import { grammarOf } from '../../../src/host/syntax/grammars.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';
import { adds, mutantsOf } from '../../engine/prove/support.ts';

const syntax = createSyntax(20_000);
const mutantsIn = (path: string, text: string) => mutantsOf(syntax, { [path]: text }, [adds(path, text.split('\n'))], 8);

const wrongIn: Partial<Record<Language, string>> = { html: '<p <', php: '<?php "{([' };

describe('syntax', () => {
  it('has the grammar of each language beside the bundle, and no other', () => {
    const files = languages.map((language) => `tree-sitter-${grammarOf[language]}.wasm`);
    for (const file of files) assert.ok(existsSync(`dist/syntax/${file}`), file);
    assert.deepEqual(new Set(readdirSync('dist/syntax')), new Set([...files, 'web-tree-sitter.wasm']));
  });

  for (const language of languages)
    it(`parses ${language}, and tells errors`, async () => {
      assert.equal((await syntax.parse(language, ''))?.errors, 0);
      assert.equal(await syntax.errors(language, ''), 0);
      const wrong = wrongIn[language] ?? '"{([ \u0001 ';
      assert.ok(((await syntax.errors(language, wrong)) ?? 0) > 0);
      assert.equal((await syntax.parse(language, wrong))?.errors, await syntax.errors(language, wrong));
    });

  it('gives nodes in the order of the text, each with its parent', async () => {
    const tree = await syntax.parse('javascript', 'if (ä) f("𝒳", 1);');
    assert.ok(tree);
    const number = tree.nodes.find(({ type }) => type === 'number');
    assert.deepEqual([number?.from, number?.to, number?.named, tree.nodes[number?.parent ?? 0]?.type], [15, 16, true, 'arguments']);
    assert.equal(tree.nodes.find(({ field }) => field === 'condition')?.type, 'parenthesized_expression');
    assert.ok(tree.nodes.every(({ parent }, index) => parent < index));
  });

  it('reads no text that is too long, or takes too long', async () => {
    assert.equal(await syntax.parse('javascript', 'a;'.repeat(500_000)), undefined);
    assert.equal(await createSyntax(-1).parse('javascript', 'a;\n'.repeat(50_000)), undefined);
    assert.equal((await syntax.parse('javascript', 'a;'))?.errors, 0, 'the next one is read from its beginning');
  });

  it('reads what stands behind a line that the grammar does not know', async () => {
    // A here-document in a substitution in a case, and an index in an index: both are Bash.
    const odd = 'first() {\n  for ((;;)); do case $(cat <<X\n) in *) ((a[b[1]]++)) ;; X\n}\n';
    const text = `${odd}\n# The second one.\nsecond() {\n  if [ "$1" -gt 3 ]; then\n    echo "𝒳 many"\n  fi\n}\n\nsecond "$2"\n`;
    const tree = await syntax.parse('shell', text);
    assert.ok(tree && tree.errors > 0);
    assert.equal(await syntax.errors('shell', text), tree.errors);
    assert.ok(
      tree.nodes.every(({ parent, from, to }, index) => parent < index && (parent < 0 || isWithin(tree.nodes[parent], { from, to }))),
    );
    const texts = tree.nodes.filter(({ type }) => type === 'function_definition').map(({ from, to }) => text.slice(from, to));
    assert.deepEqual(
      texts.map((one) => one.split('\n')[0]),
      ['second() {'],
    );
    const changed = new Set((await mutantsIn('a.sh', text)).map(({ line }) => text.split('\n')[line - 1]));
    assert.deepEqual(changed, new Set(['    echo "𝒳 many"', '  if [ "$1" -gt 3 ]; then', 'second "$2"']));
  });

  it('reads a file of more blocks than a person writes as one', async () => {
    const odd = 'first() {\n  case $(cat <<X\n) in *) ((a[b[1]]++)) ;; X\n}\n';
    const callsIn = async (count: number): Promise<number> => {
      const tree = await syntax.parse('shell', `${odd}\n${'echo "$1"\n\n'.repeat(count)}`);
      return tree?.nodes.filter(({ type, parent }) => type === 'command' && parent === 0).length ?? 0;
    };
    assert.equal(await callsIn(900), 900);
    assert.ok((await callsIn(1100)) < 900);
  });

  it('knows an index in an index of Bash, and leaves it as it is', async () => {
    const text = 'show() {\n  echo "${names[order[i]]}" "${#names[$((n % sizes[0]))]}"\n}\n\nshow "$1"\n';
    assert.equal(await syntax.errors('shell', text), 0);
    for (const { text: changed, now, line } of await mutantsIn('a.sh', text))
      assert.equal(
        text
          .split('\n')
          .with(line - 1, now)
          .join('\n'),
        changed,
      );
  });

  const hostile: { what: string; path: string; text: string; mutants: 'some' | 'none' }[] = [
    { what: 'errors around good code', path: 'a.js', text: 'function f( {\n}}\nconst a = 1 + b;\n', mutants: 'some' },
    { what: 'errors in each line', path: 'a.py', text: 'def (:\n'.repeat(50), mutants: 'none' },
    { what: 'one megabyte', path: 'a.js', text: 'f(1);\n'.repeat(180_000), mutants: 'none' },
    { what: 'many statements', path: 'a.js', text: Array.from({ length: 20_000 }, (_, i) => `f(${i});`).join('\n'), mutants: 'some' },
    { what: 'one long line', path: 'a.js', text: 'f(1);'.repeat(20_000), mutants: 'some' },
    { what: 'a binary', path: 'a.js', text: 'f(1);\0\u0001\n', mutants: 'none' },
    { what: 'CRLF', path: 'a.js', text: 'f(1);\r\nif (a) g();\r\n', mutants: 'some' },
    { what: 'a byte order mark', path: 'a.js', text: '\uFEFFf(1);\n', mutants: 'some' },
    { what: 'no newline at the end', path: 'a.js', text: 'f(1)', mutants: 'some' },
    { what: 'nothing', path: 'a.js', text: '', mutants: 'none' },
    { what: 'deep brackets', path: 'a.js', text: `f(${'('.repeat(20_000)}1${')'.repeat(20_000)});`, mutants: 'some' },
    { what: 'brackets that never close', path: 'a.js', text: '[('.repeat(50_000), mutants: 'none' },
    { what: 'a long chain of calls', path: 'a.js', text: `a${'.b(1)'.repeat(20_000)};`, mutants: 'some' },
    { what: 'deep blocks', path: 'a.py', text: Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}if a:`).join('\n'), mutants: 'some' },
    { what: 'deep markup', path: 'a.html', text: `${'<p><b>'.repeat(2000)}x${'</b></p>'.repeat(2000)}`, mutants: 'some' },
    { what: 'a here-document that never ends', path: 'a.sh', text: 'cat <<X\nf 1\n'.repeat(200), mutants: 'some' },
    { what: 'deep comments', path: 'a.rs', text: `${'/*'.repeat(5000)}${'*/'.repeat(5000)} fn f() { g(1); }`, mutants: 'some' },
  ];
  for (const { what, path, text, mutants } of hostile)
    it(`bears ${what}`, async () => {
      const from = performance.now();
      const found = await mutantsIn(path, text);
      await silentTests(syntax, { [path]: `${text}\n#[test] describe( TestCase def test >>> import.meta.vitest\n` });
      assert.ok(performance.now() - from < 60_000);
      assert.equal(found.length > 0, mutants === 'some');
      for (const { text: changed, now, line } of found) {
        assert.notEqual(changed, text);
        assert.equal(changed.split('\n')[line - 1], now);
        assert.equal(changed.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
        assert.equal(changed.split('\r\n').length, text.split('\r\n').length);
      }
    });
});

function isWithin(outer: SourceNode | undefined, inner: Range): boolean {
  return outer !== undefined && outer.from <= inner.from && inner.to <= outer.to;
}
