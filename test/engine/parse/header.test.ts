/** The header of a verification: any comment style is read, and a problem names its line. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseHeader, type Header } from '../../../src/engine/parse/header.ts';
import { cpuMs } from '../../support/cpu.ts';

const minimal: Header = {
  test: 'adds',
  tier: 'value',
  requires: [],
  timeout: undefined,
  prd: ['2.1'],
  after: [],
  red: 'wrong total',
  varies: false,
  uses: [],
};
const full: Header = {
  test: 'adds',
  tier: 'smoke',
  requires: ['db', 'web'],
  timeout: 30,
  prd: ['2.1', 'V1'],
  after: ['3.1', '3.2'],
  red: 'wrong total',
  varies: false,
  uses: [],
};
const lines = ['TEST: adds', 'TIER: smoke', 'REQUIRES: db, web', 'TIMEOUT: 30', 'PRD: 2.1, V1', 'AFTER: 3.1, §3.2', 'RED: wrong total'];
const threeFields = ['TEST: adds', 'PRD: 2.1', 'RED: wrong total'];

describe('parseHeader', () => {
  const styles: [style: string, script: string][] = [
    ['#', lines.map((l) => `# ${l}`).join('\n')],
    ['# without a space', lines.map((l) => `#${l}`).join('\n')],
    ['//', lines.map((l) => `// ${l}`).join('\n')],
    ['--', lines.map((l) => `-- ${l}`).join('\n')],
    [';', lines.map((l) => `; ${l}`).join('\n')],
    ['a block with stars', `/**\n${lines.map((l) => ` * ${l}`).join('\n')}\n */`],
    ['one block for each line', lines.map((l) => `/* ${l} */`).join('\n')],
    ['<!-- -->', lines.map((l) => `<!-- ${l} -->`).join('\n')],
    ['after a shebang', `#!/usr/bin/env bash\n${lines.map((l) => `# ${l}`).join('\n')}\nset -e`],
    ['after a byte order mark and a shebang', `\uFEFF#!/usr/bin/env node\n${lines.map((l) => `// ${l}`).join('\n')}`],
    ['with blank and other comment lines between', `\n# A check.\n${lines.map((l) => `# ${l}`).join('\n\n#\n# note\n')}`],
    ['with CRLF', `#!/bin/sh\r\n${lines.map((l) => `# ${l}`).join('\r\n')}\r\n\r\necho\r\n`],
    ['with spaces around the colon and at the ends', lines.map((l) => `  #  ${l.replace(':', ' :  ')}  `).join('\n')],
  ];
  for (const [style, script] of styles)
    it(`reads a header in the style: ${style}`, () => {
      assert.deepEqual(parseHeader(`${script}\necho done\n`), { header: full });
    });

  it('requires TEST, PRD and RED, and has defaults for the rest', () => {
    assert.deepEqual(parseHeader(threeFields.map((l) => `# ${l}`).join('\n')), { header: minimal });
  });

  it('reads requirement ids in the usual notations', () => {
    const header = parseHeader('# TEST: adds\n# PRD: §2.1, 2.2. v1,V2 § 3\n# RED: wrong total\n');
    assert.deepEqual(header, { header: { ...minimal, prd: ['2.1', '2.2', 'V1', 'V2', '3'] } });
  });

  it('keeps colons in the RED text', () => {
    assert.deepEqual(parseHeader('# TEST: adds\n# PRD: 2.1\n# RED: total: expected 5\n'), {
      header: { ...minimal, red: 'total: expected 5' },
    });
  });

  const tiers: [written: string, tier: string][] = [
    ['0', 'health'],
    ['1', 'smoke'],
    ['2', 'feature'],
    ['3', 'integration'],
    ['4', 'e2e'],
    ['E2E', 'e2e'],
    ['value', 'value'],
    ['', 'value'],
  ];
  for (const [written, tier] of tiers)
    it(`reads TIER "${written}" as ${tier}`, () => {
      const script = [...threeFields, `TIER: ${written}`].map((l) => `# ${l}`).join('\n');
      assert.deepEqual(parseHeader(script), { header: { ...minimal, tier } });
    });

  const varying = `${threeFields.map((l) => `# ${l}`).join('\n')}\n# VARIES: SEED\n`;
  for (const line of ['n=$((SEED % 90))', 'const n = Number(process.env.SEED)', 'n = int(os.environ["SEED"])', 'echo "${SEED}" | ./total'])
    it(`reads that it varies, where it has the line: ${line}`, () => {
      assert.deepEqual(parseHeader(`${varying}${line}\n`), { header: { ...minimal, varies: true } });
    });

  const allowed = 'give 0 to 4, or health, smoke, feature, integration, e2e; value is the default';
  const problems: { what: string; script: string; line: number; problem: string }[] = [
    { what: 'an empty script', script: '', line: 1, problem: 'the header lacks TEST, PRD, RED' },
    { what: 'a script without a header', script: 'echo hi\n# TEST: adds\n', line: 1, problem: 'the header lacks TEST, PRD, RED' },
    {
      what: 'a header after code',
      script: '#!/bin/sh\nset -e\n# TEST: adds\n# PRD: 2.1\n# RED: x\n',
      line: 1,
      problem: 'the header lacks TEST, PRD, RED',
    },
    {
      what: 'another variable',
      script: '# TEST: a\n# VARIES: N\n# PRD: 1\n# RED: x\n',
      line: 2,
      problem: 'VARIES is "N"; only SEED varies',
    },
    ...['./total 2 3', '# $SEED', 'echo $LOOP_SEED $SEEDS'].map((code) => ({
      what: `one that declares SEED and only has the line: ${code}`,
      script: `${varying}${code}\n`,
      line: 4,
      problem:
        'it declares VARIES: SEED, and no line of its code reads the variable SEED; make its inputs from $SEED (process.env.SEED, os.environ["SEED"]), or leave VARIES out',
    })),
    { what: 'a field without value', script: '# TEST: adds\n# PRD:\n# RED: x\n', line: 1, problem: 'the header lacks PRD' },
    { what: 'a PRD without an id', script: '# TEST: adds\n# PRD: ,\n# RED: x\n', line: 2, problem: 'PRD names no requirement' },
    { what: 'lower-case fields', script: '# test: adds\n# PRD: 2.1\n# red: x\n', line: 1, problem: 'the header lacks TEST, RED' },
    {
      what: 'a field given twice',
      script: '#!/bin/sh\n# TEST: adds\n# PRD: 2.1\n# RED: x\n\n# PRD: 2.2\n',
      line: 6,
      problem: 'PRD is given twice',
    },
    { what: 'a field given twice, first empty', script: '# TEST:\n# TEST: adds\n', line: 2, problem: 'TEST is given twice' },
    ...['5', '-1', '01', 'unit', 'smoke test', 'values'].map((value) => ({
      what: `a TIER of ${value}`,
      script: `# TEST: adds\n# PRD: 2.1\n# RED: x\n\n# TIER: ${value}\n`,
      line: 5,
      problem: `TIER is "${value}"; ${allowed}`,
    })),
    ...['0', '-5', '1.5', '30s', 'ten', '3601', '10000', '1e3'].map((value) => ({
      what: `a TIMEOUT of ${value}`,
      script: `# TEST: adds\n# PRD: 2.1\n# RED: x\n# TIMEOUT: ${value}\n`,
      line: 4,
      problem: `TIMEOUT is "${value}"; give seconds, 1 to 3600`,
    })),
  ];
  for (const { what, script, line, problem } of problems)
    it(`refuses ${what}`, () => {
      assert.deepEqual(parseHeader(script), { line, problem });
    });

  it('is fast on a comment with a long row of blanks', () => {
    const took = cpuMs(() => parseHeader(`# TEST: adds${' '.repeat(3000)}up\n# PRD: 2.1\n# RED: wrong total`));
    assert.ok(took < 2000, `${took} ms`);
  });

  it('returns the written values, in any order of the fields and for any words', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,20}[A-Za-z]$/);
    const ids = fc.uniqueArray(fc.stringMatching(/^[1-9](\.[1-9]){0,2}$/), { minLength: 1, maxLength: 4 });
    const header = fc.record({ test: word, red: word, prd: ids, after: ids, timeout: fc.integer({ min: 1, max: 3600 }) });
    fc.assert(
      fc.property(header, fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), ({ test, red, prd, after, timeout }, order) => {
        const written = [
          `# TEST: ${test}`,
          `# RED: ${red}`,
          `# PRD: ${prd.join(', ')}`,
          `# TIMEOUT: ${timeout}`,
          `# AFTER: ${after.join(' ')}`,
        ];
        const script = order.map((i) => written[i]).join('\n');
        assert.deepEqual(parseHeader(script), {
          header: { test, red, prd, after, timeout, tier: 'value', requires: [], varies: false, uses: [] },
        });
      }),
    );
  });
});
