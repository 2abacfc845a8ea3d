/** The header of a verification (design §6): any comment style, problems with their line. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseHeader, type Header } from '../../../src/engine/parse/header.ts';

const least: Header = { test: 'adds', tier: 'value', requires: [], timeout: undefined, prd: ['2.1'], red: 'wrong total' };
const full: Header = {
  test: 'adds',
  tier: 'smoke',
  requires: ['db', 'web'],
  timeout: 30,
  prd: ['2.1', 'V1'],
  red: 'wrong total',
};
const lines = ['TEST: adds', 'TIER: smoke', 'REQUIRES: db, web', 'TIMEOUT: 30', 'PRD: 2.1, V1', 'RED: wrong total'];
const three = ['TEST: adds', 'PRD: 2.1', 'RED: wrong total'];

describe('parseHeader', () => {
  const styles: [string, string][] = [
    ['#', lines.map((l) => `# ${l}`).join('\n')],
    ['# without a space', lines.map((l) => `#${l}`).join('\n')],
    ['//', lines.map((l) => `// ${l}`).join('\n')],
    ['--', lines.map((l) => `-- ${l}`).join('\n')],
    [';', lines.map((l) => `; ${l}`).join('\n')],
    ['a block with stars', `/**\n${lines.map((l) => ` * ${l}`).join('\n')}\n */`],
    ['one block a line', lines.map((l) => `/* ${l} */`).join('\n')],
    ['<!-- -->', lines.map((l) => `<!-- ${l} -->`).join('\n')],
    ['a shebang before it', `#!/usr/bin/env bash\n${lines.map((l) => `# ${l}`).join('\n')}\nset -e`],
    ['a byte order mark and a shebang', `\uFEFF#!/usr/bin/env node\n${lines.map((l) => `// ${l}`).join('\n')}`],
    ['blank and other comment lines between', `\n# A check.\n${lines.map((l) => `# ${l}`).join('\n\n#\n# note\n')}`],
    ['CRLF', `#!/bin/sh\r\n${lines.map((l) => `# ${l}`).join('\r\n')}\r\n\r\necho\r\n`],
    ['spaces around the colon and at the ends', lines.map((l) => `  #  ${l.replace(':', ' :  ')}  `).join('\n')],
  ];
  for (const [style, script] of styles)
    it(`reads ${style}`, () => {
      assert.deepEqual(parseHeader(`${script}\necho done\n`), { header: full });
    });

  it('needs TEST, PRD and RED, and has defaults for the rest', () => {
    assert.deepEqual(parseHeader(three.map((l) => `# ${l}`).join('\n')), { header: least });
  });

  it('takes the ids of PRD as people write them', () => {
    const header = parseHeader('# TEST: adds\n# PRD: §2.1, 2.2. v1,V2 § 3\n# RED: wrong total\n');
    assert.deepEqual(header, { header: { ...least, prd: ['2.1', '2.2', 'V1', 'V2', '3'] } });
  });

  it('takes RED as it is printed, colons and all', () => {
    assert.deepEqual(parseHeader('# TEST: adds\n# PRD: 2.1\n# RED: total: expected 5\n'), {
      header: { ...least, red: 'total: expected 5' },
    });
  });

  const tiers: [string, string][] = [
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
    it(`takes TIER "${written}" as ${tier}`, () => {
      const script = [...three, `TIER: ${written}`].map((l) => `# ${l}`).join('\n');
      assert.deepEqual(parseHeader(script), { header: { ...least, tier } });
    });

  const allowed = 'give 0 to 4, or health, smoke, feature, integration, e2e; value is what is taken without one';
  const problems: [string, string, number, string][] = [
    ['an empty script', '', 1, 'the header lacks TEST, PRD, RED'],
    ['a script without a header', 'echo hi\n# TEST: adds\n', 1, 'the header lacks TEST, PRD, RED'],
    ['a header after code', '#!/bin/sh\nset -e\n# TEST: adds\n# PRD: 2.1\n# RED: x\n', 1, 'the header lacks TEST, PRD, RED'],
    ['a field without value', '# TEST: adds\n# PRD:\n# RED: x\n', 1, 'the header lacks PRD'],
    ['a PRD without an id', '# TEST: adds\n# PRD: ,\n# RED: x\n', 2, 'PRD names no requirement'],
    ['lower-case fields', '# test: adds\n# PRD: 2.1\n# red: x\n', 1, 'the header lacks TEST, RED'],
    ['a field given twice', '#!/bin/sh\n# TEST: adds\n# PRD: 2.1\n# RED: x\n\n# PRD: 2.2\n', 6, 'PRD is given twice'],
    ['a field given twice, first empty', '# TEST:\n# TEST: adds\n', 2, 'TEST is given twice'],
    ...['5', '-1', '01', 'unit', 'smoke test', 'values'].map((value): [string, string, number, string] => [
      `a TIER of ${value}`,
      `# TEST: adds\n# PRD: 2.1\n# RED: x\n\n# TIER: ${value}\n`,
      5,
      `TIER is "${value}"; ${allowed}`,
    ]),
    ...['0', '-5', '1.5', '30s', 'ten', '10000', '1e3'].map((value): [string, string, number, string] => [
      `a TIMEOUT of ${value}`,
      `# TEST: adds\n# PRD: 2.1\n# RED: x\n# TIMEOUT: ${value}\n`,
      4,
      `TIMEOUT is "${value}"; give seconds, 1 to 9999`,
    ]),
  ];
  for (const [what, script, line, problem] of problems)
    it(`refuses ${what}`, () => {
      assert.deepEqual(parseHeader(script), { line, problem });
    });

  it('gives back what was written, in any order, for any words', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,20}[A-Za-z]$/);
    const ids = fc.uniqueArray(fc.stringMatching(/^[1-9](\.[1-9]){0,2}$/), { minLength: 1, maxLength: 4 });
    const header = fc.record({ test: word, red: word, prd: ids, timeout: fc.integer({ min: 1, max: 9999 }) });
    fc.assert(
      fc.property(header, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), ({ test, red, prd, timeout }, order) => {
        const written = [`# TEST: ${test}`, `# RED: ${red}`, `# PRD: ${prd.join(', ')}`, `# TIMEOUT: ${timeout}`];
        const script = order.map((i) => written[i]).join('\n');
        assert.deepEqual(parseHeader(script), { header: { test, red, prd, timeout, tier: 'value', requires: [] } });
      }),
    );
  });
});
