/** What a control changes (design §6): words without behaviour, behaviour without words. Run by the real programs. */
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

const said = (run: string, text: string): string => execFileSync(run, ['-'], { input: text, encoding: 'utf8' });

describe('source', () => {
  for (const [path, { run, text }] of Object.entries(programs)) {
    it(`${path}: silenced says nothing, and each line stands where it stood`, () => {
      assert.match(said(run, text), /^said$/m);
      const silent = silenced(path, text);
      assert.equal(said(run, silent), '');
      const lines = silent.split('\n');
      const kept = text.split('\n').filter((line) => !/\*\/|'''/.test(line));
      assert.ok(kept.length > 0 && kept.every((line) => lines.includes(line)));
    });

    it(`${path}: reworded says the same`, () => {
      const other = reworded(path, text);
      assert.notEqual(other, text);
      assert.ok(other.startsWith(text));
      assert.equal(said(run, other), said(run, text));
    });
  }

  it('a shebang stays the first line', () => {
    assert.equal(silenced('bin/a', '#!/usr/bin/env node\nf();\n'), '#!/usr/bin/env node\n/*\nf();\n\n*/\n');
    assert.equal(silenced('bin/a', '#!/bin/sh').split('\n')[0], '#!/bin/sh');
  });

  it('what is no source of a known language is blank when silenced, and never reworded', () => {
    for (const [path, text] of [
      ['README.md', 'words'],
      ['page.html', '<p>'],
      ['run', 'no shebang'],
      ['a.js', 'a\0b'],
      ['a.py', '\uFFFD'],
    ] as const)
      assert.deepEqual([silenced(path, text), reworded(path, text)], ['\n', text], path);
  });

  it('languages go by extension, else by the shebang', () => {
    const cases: [string, string, string | undefined][] = [
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
