/** Faults in files of settings and data: one value each, and never a key. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { settingSites } from '../../../src/engine/prove/settings.ts';
import { addedLines } from '../../../src/engine/prove/added-lines.ts';
import { settingMutantsOf } from '../../../src/engine/run/mutants.ts';
import { adds } from './support.ts';

function faultsIn(path: string, text: string): string[] {
  return settingSites(path, text).map(({ from, to, now }) => text.slice(0, from) + now + text.slice(to));
}

describe('faults of settings', () => {
  it('change each value of JSON, and it still parses', () => {
    const text = '{ "theme": "dark", "size": 14, "on": true, "list": ["a", 2], "none": null }';
    const now = faultsIn('settings.json', text).map((fault) => JSON.parse(fault) as Record<string, unknown>);
    assert.deepEqual(
      now.map(({ theme, size, on, list }) => [theme, size, on, list]),
      [
        ['~dark', 14, true, ['a', 2]],
        ['dark', 15, true, ['a', 2]],
        ['dark', 14, false, ['a', 2]],
        ['dark', 14, true, ['~a', 2]],
        ['dark', 14, true, ['a', 3]],
      ],
    );
  });

  const values: [path: string, text: string, faults: string[]][] = [
    ['pyproject.toml', '[project]\nname = "tally"\n', ['[project]\nname = "~tally"\n']],
    [
      'a.yml',
      "on: push\njobs:\n  - test\n  - 'lint'\n",
      ["on: push0\njobs:\n  - test\n  - 'lint'\n", "on: push\njobs:\n  - test0\n  - 'lint'\n", "on: push\njobs:\n  - test\n  - '~lint'\n"],
    ],
    ['app.ini', '[app]\nport=80\n', ['[app]\nport=81\n']],
    ['a.js', 'const a = 1;\n', []],
  ];
  for (const [path, text, faults] of values)
    it(`are in ${path}: ${faults.length}`, () => {
      assert.deepEqual(faultsIn(path, text), faults);
    });

  it('are made only of lines that the work added', () => {
    const text = '{\n  "old": "a",\n  "mine": "b"\n}\n';
    const mutants = settingMutantsOf({ 'a.json': text }, addedLines([adds('a.json', ['  "mine": "b"'])]));
    assert.deepEqual(
      mutants.map(({ line, now }) => [line, now]),
      [[3, '  "mine": "~b"']],
    );
  });
});
