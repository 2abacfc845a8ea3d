/** The judged work writes the reports, so they can hold anything. Reading must be fast and bounded, and must not throw. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { casesOf, type Cases } from '../../../../src/engine/diagnose/reports/read-cases.ts';
import { caseLimit } from '../../../../src/engine/diagnose/reports/found.ts';
import { readXml } from '../../../../src/engine/diagnose/reports/xml.ts';
import { testCase } from '../../../../src/engine/work/case.ts';
import { printed, printedNames } from '../../../support/frameworks.ts';
import { cpuMs } from '../../../support/cpu.ts';

const texts = printedNames().map(printed);

function assertValid(cases: Cases | undefined): void {
  if (!cases) return;
  assert.ok(cases.cases.length <= caseLimit);
  for (const one of cases.cases) testCase.strict().parse(one);
  assert.ok(JSON.stringify(cases.cases).length < 8_000_000);
}

function assertFast(what: string, text: string): void {
  const took = cpuMs(() => assertValid(casesOf({ output: text, reports: [text] }, true)));
  assert.ok(took < 8000, `${what}: ${Math.round(took)} ms for ${text.length} characters`);
}

describe('reports that are cut, changed or invented', () => {
  const storedText = fc.constantFrom(...texts);
  it('are read when they are cut anywhere', () => {
    fc.assert(
      fc.property(storedText, fc.nat(), fc.nat(), (text, from, to) =>
        assertValid(casesOf({ output: text.slice(from % 40, to % text.length), reports: [text.slice(0, to % text.length)] }, true)),
      ),
      { numRuns: 100 },
    );
  });

  it('are read when parts are replaced', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('<', '&', '"', '\n', '{', '}', '\\', '--- FAIL: ', 'not ok 1', '  1) '),
    );
    fc.assert(
      fc.property(storedText, fc.array(fc.tuple(fc.nat(), fc.nat(200), piece), { maxLength: 30 }), (text, edits) => {
        const changed = edits.reduce(
          (now, [at, n, by]) => now.slice(0, at % (now.length + 1)) + by + now.slice((at % (now.length + 1)) + n),
          text,
        );
        assertValid(casesOf({ output: changed, reports: [changed] }, true));
      }),
      { numRuns: 100 },
    );
  });

  it('are read when they are not reports', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => assertValid(casesOf({ output: text }, true))));
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        for (const key of ['suites', 'testResults', 'stats', 'passes', 'failures'])
          assertValid(casesOf({ output: `{"errors":[],"${key}":${text}}` }, true));
      }),
    );
  });
});

describe('hostile reports', () => {
  const size = 1_000_000;
  const times = (text: string): string => text.repeat(Math.floor(size / text.length));
  const hostile: [what: string, text: string][] = [
    ['entity bombs', `<!DOCTYPE x [<!ENTITY a "${times('b')}">${times('<!ENTITY c "&a;&a;">')}]><testsuite>${times('&a;&c;')}`],
    ['nested elements', `<testsuite>${times('<testsuite name="a">')}`],
    ['unclosed tags', `<testsuite>${times('<testcase name="')}`],
    ['unclosed attributes', `<testsuite>${times("<testcase name='a' b=")}`],
    ['closing tags without an opening one', `<testsuite>${times('</x>')}`],
    ['blanks in a tag', `<testsuite><testcase${times(' ')}`],
    ['a million attributes', `<testsuite><testcase ${times('a="b" ')}/></testsuite>`],
    ['unclosed CDATA', `<testsuite>${times('<![CDATA[')}`],
    ['unclosed comments', `<testsuite>${times('<!--')}`],
    ['many declarations', `<testsuite>${'<!>'.repeat(size)}`],
    ['many cases', `<testsuite>${times('<testcase name="a"><failure>b</failure></testcase>')}`],
    ['nested JSON', times('{"suites":[')],
    ['nested arrays', `{"errors":[],"suites":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`],
    ['deep suites', `{"errors":[],"suites":${'[{"suites":'.repeat(5000)}[]${'}]'.repeat(5000)}}`],
    ['braces', times('{\n')],
    ['TAP without an end', `TAP version 13\n${times('    not ok 1 - a\n')}`],
    ['TAP in stairs', `TAP version 13\n${Array.from({ length: 1300 }, (_, i) => `${' '.repeat(i)}not ok 1 - a {`).join('\n')}`],
    ['YAML without an end', `TAP version 13\nnot ok 1 - a\n  ---\n${times('  key: "\n')}`],
    ['one long line', times('expected a, got ')],
    ['long paths', times('a/')],
    ['dots', `${times('a.')}:1`],
    ['go results', `FAIL\tx\n${times('--- FAIL: T (0.00s)\n')}`],
    ['go subtests', `FAIL\tx\n${times('=== RUN   T/a/b\n    a.go:1: b\n')}--- FAIL: T/a/b (0.00s)`],
    ['go JSON', times('{"Time":"","Action":"output","Output":"--- FAIL: T (0.00s)\\n"}\n')],
    ['pytest heads', `${times('___ a ___\n')}\n=== 1 failed in 0.1s ===`],
    ['pytest ids', `=== short test summary info ===\n${times('FAILED a.py::b - c\n')}`],
    ['jest heads', `FAIL a.js\n${times('  ● a\n')}\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total`],
    ['vitest heads', `${times(' FAIL  a.js > b\n')}\n Test Files  1 failed (1)\n      Tests  1 failed (1)`],
    ['mocha heads', `  1 passing (1ms)\n${times('  1) a\n')}`],
    ['mocha suites', `${Array.from({ length: 1300 }, (_, i) => `${' '.repeat(i + 2)}a`).join('\n')}\n  1 passing (1ms)`],
    ['node suites', `${times('▶ a\n')}ℹ tests 1`],
    ['playwright heads', `Running 1 test using 1 worker\n${times('  1) a.js:1:1 › b\n')}`],
    ['cargo tests', `running 1 test\n${times('test a ... FAILED\n')}${times('---- a stdout ----\n')}`],
    ['tracebacks', times('Traceback (most recent call last):\n')],
    ['errors', times('Error: a\n')],
    ['sixteen megabytes of short lines', 'ok\n'.repeat(5_600_000)],
    ['differences', times('- Expected\n+ Received\n- a\n')],
  ];
  for (const [what, text] of hostile)
    it(`are read fast: ${what}`, () => {
      assertFast(what, text);
    });
});

describe('readXml', () => {
  it('reads elements, attributes, text, entities and CDATA', () => {
    const [suite] = readXml(
      '<?xml version="1.0"?><!-- a --><s a="&lt;1&gt;" b=\'"\'>x &#65;&#x42; &amp;amp; <c/><![CDATA[<raw>&amp;]]></s>',
    );
    assert.deepEqual(suite, {
      name: 's',
      attributes: { a: '<1>', b: '"' },
      children: [{ name: 'c', attributes: {}, children: [], text: '' }],
      text: 'x AB &amp; <raw>&amp;',
    });
  });

  it('expands no entity that the document defines, and no invalid character', () => {
    const [one] = readXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;&#0;&#1114112;&#xD800;</a>');
    assert.equal(one?.text, '&b;&#0;&#1114112;\uD800');
  });

  it('closes elements that are cut off, and reads an invalid tag as text', () => {
    const [one] = readXml('<a>1 < 2 <b c="d">e</x></b><f g="');
    assert.deepEqual([one?.text, one?.children.map(({ name, text }) => [name, text])], ['1 < 2 <f g="', [['b', 'e']]]);
  });

  it('keeps no elements below a maximum depth', () => {
    let depth = 0;
    for (let [one] = readXml('<a>'.repeat(1000)); one; [one] = one.children) depth += 1;
    assert.equal(depth, 50);
  });
});
