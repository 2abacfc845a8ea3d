/** What the faults in a value do when they run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Language } from '../../../src/engine/prove/language.ts';
import { firstAnswer, valuesOf } from '../../../src/engine/prove/values.ts';

type Kind = 'longer' | 'shorter' | 'swapped';

/** Values as JSON; undefined where the work ends with an error, which counts for nothing. */
const rows: { value: string; longer: string | undefined; shorter: string | undefined; swapped: string | undefined }[] = [
  { value: '12', longer: '13', shorter: '11', swapped: undefined },
  { value: '-0.5', longer: '0.5', shorter: '-1.5', swapped: undefined },
  { value: '"aBc 1"', longer: '"aBc 11"', shorter: '"aBc "', swapped: '"AbC 1"' },
  { value: '"é"', longer: '"éé"', shorter: '""', swapped: '"É"' },
  { value: '"12"', longer: '"122"', shorter: '"1"', swapped: '"-12"' },
  { value: '[1,[2]]', longer: '[1,[2],[2]]', shorter: '[1]', swapped: undefined },
  { value: '{"a":1}', longer: undefined, shorter: undefined, swapped: undefined },
];

const programs: { language: Language; run: string[]; program: (expression: string) => string; value: (json: string) => string }[] = [
  {
    language: 'javascript',
    run: ['node', '-e'],
    program: (expression) => `console.log(JSON.stringify(${expression}))`,
    value: (json) => `(${json})`,
  },
  {
    language: 'python',
    run: ['python3', '-c'],
    program: (expression) => `import json; print(json.dumps(${expression}, ensure_ascii=False, separators=(",", ":")))`,
    value: (json) => json,
  },
];

for (const { language, run, program, value } of programs) {
  const values = valuesOf(language);
  assert.ok(values);
  const [command = '', flag = ''] = run;
  const said = (expression: string): string | undefined => {
    const { stdout, status } = spawnSync(command, [flag, program(expression)], { encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };

  describe(`a fault in a value of ${language}`, () => {
    for (const row of rows)
      it(`gives another ${row.value}`, () => {
        const kinds: Kind[] = ['longer', 'shorter', 'swapped'];
        assert.deepEqual(
          kinds.map((kind) => said(values[kind](value(row.value)))),
          kinds.map((kind) => row[kind]),
        );
      });

    it('puts the numbers of JSON in quotes, and ends where there are none', () => {
      const json = (text: string): string | undefined => said(values.quoted(JSON.stringify(text)));
      assert.equal(json('{"a":[1,-2.5],"b":"c 3","d": 4}'), JSON.stringify('{"a":["1","-2.5"],"b":"c 3","d": "4"}'));
      assert.equal(json('{"a":"1"}'), undefined);
    });

    it('keeps its first answer for all later processes', () => {
      const folder = mkdtempSync(join(tmpdir(), 'loop-values-'));
      try {
        const kept = (json: string): string | undefined => said(values.kept(value(json)).replaceAll(firstAnswer, join(folder, 'first')));
        assert.deepEqual([kept('["a",1]'), kept('"b"'), kept('3')], ['["a",1]', '["a",1]', '["a",1]']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
