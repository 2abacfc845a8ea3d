/** The values that a script asks for, and which of them a builder could not know. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askedValues, literalsIn, unknownValues } from '../../../src/engine/judge/known-values.ts';

const red = 'wrong total';

describe('the values that a script asks for', () => {
  const rows: [code: string, values: string[]][] = [
    ['[ "$(./total 17 25)" = "42" ] || { echo "wrong total: expected 42"; exit 1; }', ['17', '25', '42']],
    ['out="$(./greet Zoe)"; [ "$out" = "Hello, Zoe!" ]', ['Hello', 'Zoe']],
    ["printf '3,41\\n' | ./total", ['3', '41']],
    ['printf "Ada 7\\n" > "$TEST_DATA_DIR/in.txt"', ['Ada', '7']],
    ['echo "expected Ada, got $out" >&2', []],
    ['if [ "$code" -ne 3 ]; then echo "Ada is missing"; fi', []],
    ['assert.equal(run(["total", "17", "25"]), "42", "wrong total 99")', ['17', '25', '42']],
    ['check(total(17) == 42.5, f"expected 42.5, got {out}")', ['17', '42.5']],
    ['import { execFileSync } from "node:child_process";', []],
    ['const out = execFileSync("./bin/total", ["--all"], { encoding: "utf8", timeout: 5000 });', []],
    ['sleep 3; head -n 7 out.txt; sed -n 5p x; exit 3', []],
    ['name3=x; lines[5]=y; echo ${7} 2>&1', []],
    ['# expects 42 of "Ada"', []],
    ['value = -40', ['-40']],
  ];
  for (const [code, values] of rows)
    it(`are ${JSON.stringify(values)} in: ${code}`, () => assert.deepEqual(askedValues(code, red).toSorted(), values.toSorted()));

  it('are each told once', () => assert.deepEqual(askedValues('./total 17\n./total 17', red), ['17']));
});

describe('a value', () => {
  const texts = ['`total 17 25` prints `42`', 'Greet *Ada*: 7.50 EUR, item42, 3.14.15'];
  const rows: [value: string, known: boolean][] = [
    ['17', true],
    ['42', true],
    ['7.5', true],
    ['ada', true],
    ['4', false],
    ['3.14', false],
    ['15', false],
    ['Zoe', false],
    ['Ad', false],
  ];
  for (const [value, known] of rows)
    it(`${value} is ${known ? '' : 'not '}in the documents`, () => assert.deepEqual(unknownValues([value], texts), known ? [] : [value]));

  for (const [value, text] of [
    ['45.50', 'It costs $45.50.'],
    ['320', '320px wide'],
    ['1500', '1,500 rows'],
    ['500', '1,500 rows'],
    ['20000', '20_000 rows'],
    ['250', 'within 250ms'],
    ['47', 'Issue #47'],
    ['64', '64MB'],
    ['-40', 'from -40 °C'],
    ['41', '3,41'],
  ] as const)
    it(`${value} is in the documents: ${text}`, () => assert.deepEqual(unknownValues([value], [text]), []));

  it('of no script at all is unknown to nobody', () => assert.deepEqual(unknownValues([], texts), []));

  it('are found in a line with an open quote and many backslashes as fast as in any', () => {
    const open = `pattern='${'\\\\'.repeat(5000)}`;
    assert.deepEqual(literalsIn(open), []);
    assert.deepEqual(
      literalsIn(String.raw`split 'a\' "b"`).map(({ text }) => text),
      ['a\\', 'b'],
    );
  });
});
