/** What begins where in a program. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { languageOf } from '../../../src/engine/prove/language.ts';
import { programOutline } from '../../../src/engine/prove/program-outline.ts';
import { createSyntax } from '../../../src/host/syntax/syntax.ts';

const syntax = createSyntax();

describe('the outline of a program', () => {
  const rows: [path: string, text: string, lines: string[]][] = [
    [
      'a.py',
      'class A:\n    def x(self):\n        def z(): pass\ndef y(): pass\n',
      ['1: class A:', '2:     def x(self):', '4: def y(): pass'],
    ],
    ['a.c', 'struct S { int a; };\nint f(int a) {\n  return a;\n}\n', ['1: struct S { int a; };', '2: int f(int a) {']],
    ['a.cpp', 'class A {\n  void m() {}\n};\nint *f() { return 0; }\n', ['1: class A {', '2:   void m() {}', '4: int *f() { return 0; }']],
  ];
  for (const [path, text, lines] of rows)
    it(`names classes and functions of ${path}`, async () => {
      const language = languageOf(path, text);
      assert.ok(language);
      const tree = await syntax.parse(language, text);
      assert.deepEqual(tree && programOutline(language, text, tree), lines);
    });
});
