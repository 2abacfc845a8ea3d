/** Headers of verifications: what Loop would refuse, and a RED that nothing prints. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { findingsOf } from '../../src/language/findings.ts';
import { aroundOf, headerCompletions } from '../../src/language/verification.ts';
import { prd } from './documents.ts';

const around = aroundOf({ prd: prd('- 2.1 A total.'), services: '- name: api\n- name: db\n', view: undefined });
const good = ['#!/bin/sh', '# TEST: the total', '# PRD: 2.1', '# RED: wrong total', 'echo "wrong total: $1"'];
const found = (lines: readonly string[]): string[] => {
  const document = TextDocument.create('file:///s/.loop/verifications/cli/total.sh', 'sh', 0, lines.join('\n'));
  return findingsOf(document, 'verification', around).map(({ code, range }) => `${code} ${document.getText(range)}`);
};
const withLine = (at: number, line: string): string[] => good.with(at, line);

describe('a header', () => {
  const cases: { what: string; lines: string[]; found: string[] }[] = [
    { what: 'that is good', lines: good, found: [] },
    { what: 'without RED', lines: withLine(3, ''), found: ['header #!/bin/sh'] },
    { what: 'with a TIER that there is not', lines: withLine(0, '# TIER: huge'), found: ['header # TIER: huge'] },
    { what: 'with an id that is not there', lines: withLine(2, '# PRD: 2.1, 2.9'), found: ['unknown-requirement 2.9'] },
    { what: 'after an id that is not there', lines: withLine(0, '# AFTER: 2.8'), found: ['unknown-requirement 2.8'] },
    { what: 'with a value proof', lines: withLine(2, '# PRD: 2.1, V1'), found: [] },
    { what: 'with a service that is not declared', lines: withLine(0, '# REQUIRES: API:80'), found: ['unknown-service API:80'] },
    { what: 'with a service and a tool', lines: withLine(0, '# REQUIRES: api, node'), found: [] },
    { what: 'whose RED nothing prints', lines: withLine(4, 'echo no'), found: ['red-never-printed wrong total'] },
    { what: 'whose RED is put together', lines: withLine(4, 'echo "wrong" total'), found: [] },
  ];
  for (const { what, lines, found: expected } of cases)
    it(`${what}: ${expected.join(', ') || 'nothing'}`, () => assert.deepEqual(found(lines), expected));

  const completed: [before: string, labels: string[]][] = [
    ['# T', ['AFTER', 'TIER', 'REQUIRES', 'TIMEOUT', 'VARIES', 'USES']],
    ['# REQUIRES: ', ['api', 'db']],
    ['# TIER: s', ['health', 'smoke', 'feature', 'integration', 'e2e', 'value']],
    ['echo ', []],
  ];
  for (const [before, labels] of completed)
    it(`offers ${labels.join(', ') || 'nothing'} after "${before}"`, () => {
      const items = headerCompletions(
        [...good.slice(1, 4), before].join('\n'),
        { line: 3, character: before.length },
        around.services ?? [],
      );
      assert.deepEqual(
        items.map(({ label }) => label),
        labels,
      );
    });
});
