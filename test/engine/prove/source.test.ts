/** The two changes of a control: other comments with the same behaviour, and the same text without behaviour. Uses real programs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { languageOf, reworded, silenced } from '../../../src/engine/prove/source.ts';

const programs: Record<string, { run: string; text: string }> = {
  'a.js': { run: 'node', text: "/** A glob: src/**\\/*.js */\nconsole.log('said'); // it's\nconst t = `\n*/`;" },
  'a.py': { run: 'python3', text: "'''Doc'''\nprint('said')\nx = \"'''''\"\n" },
  'a.sh': { run: 'bash', text: "cat <<'END'\nsaid\nEND\n: \"it's $(echo quiet)\"\n" },
  'bin/a': { run: 'bash', text: '#!/usr/bin/env bash\necho said\n' },
};

const outputOf = (run: string, text: string): string => execFileSync(run, ['-'], { input: text, encoding: 'utf8' });

describe('source', () => {
  for (const [path, { run, text }] of Object.entries(programs)) {
    it(`${path}: silenced code prints nothing and keeps its lines`, () => {
      assert.match(outputOf(run, text), /^said$/m);
      const silent = silenced(path, text);
      assert.equal(outputOf(run, silent), '');
      const lines = silent.split('\n');
      const kept = text.split('\n').filter((line) => !/\*\/|'''/.test(line));
      assert.ok(kept.length > 0 && kept.every((line) => lines.includes(line)));
    });

    it(`${path}: reworded code prints the same`, () => {
      const other = reworded(path, text);
      assert.notEqual(other, text);
      assert.ok(other.startsWith(text));
      assert.equal(outputOf(run, other), outputOf(run, text));
    });
  }

  it('keeps a shebang as the first line', () => {
    assert.equal(silenced('bin/a', '#!/usr/bin/env node\nf();\n'), '#!/usr/bin/env node\n/*\nf();\n\n*/\n');
    assert.equal(silenced('bin/a', '#!/bin/sh').split('\n')[0], '#!/bin/sh');
  });

  it('is blank after silencing when its language is unknown, and never reworded', () => {
    for (const [path, text] of [
      ['README.md', 'words'],
      ['page.html', '<p>'],
      ['run', 'no shebang'],
      ['a.js', 'a\0b'],
      ['a.py', '\uFFFD'],
    ] as const)
      assert.deepEqual([silenced(path, text), reworded(path, text)], ['\n', text], path);
  });

  it('gets its language from the extension, or else from the shebang', () => {
    const cases: [path: string, text: string, language: string | undefined][] = [
      ['src/a.mts', '', 'javascript'],
      ['a.tsx', '', 'javascript'],
      ['bin/a', '#!/usr/bin/env python3.11\n', 'python'],
      ['bin/a', '#!/bin/dash\n', 'shell'],
      ['bin/a', '#!/usr/bin/env -S node --test\n', 'javascript'],
      ['bin/a', '#!/usr/bin/perl\n', undefined],
      ['a.rb', '#!/bin/sh\n', undefined],
    ];
    for (const [path, text, language] of cases) assert.equal(languageOf(path, text), language, path + text);
  });
});
