/** Which values of a script count as what it wants, and what is put in their place. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { wantsOf } from '../../../src/engine/prove/wants.ts';

const red = 'wrong total';
const told = `{ echo "${red}"; exit 1; }`;
const faults = (script: string): string[] => wantsOf(script, red).map(({ how, line, now }) => `${how} ${line}: ${now}`);
const js = (...lines: string[]): string => lines.join('\n');

describe('what a script wants', () => {
  const rows: [what: string, script: string, faults: string[]][] = [
    ['a word that a shell compares with', `[ "$got" = "42 eggs" ] || ${told}`, [`stated 1: [ "$got" = "42 eggt" ] || ${told}`]],
    ['one without quotes', `[ "$got" = XLIX ] || ${told}`, [`stated 1: [ "$got" = XLIY ] || ${told}`]],
    ['a number', `[ "$got" -eq 49 ] || ${told}`, [`stated 1: [ "$got" -eq 40 ] || ${told}`]],
    ['what is printed there', `[ "$x" = "$(printf 'a\\nb\\n')" ] || ${told}`, [`stated 1: [ "$x" = "$(printf 'a\\nc\\n')" ] || ${told}`]],
    ['what goes into a comparing program', `printf 'a b\\n' | cmp - out || ${told}`, [`stated 1: printf 'a c\\n' | cmp - out || ${told}`]],
    ['a file that is compared', "printf 'XIV\\n' > /tmp/want\ncmp /tmp/want /tmp/got", ["stated 1: printf 'XIW\\n' > /tmp/want"]],
    ['a pattern', `grep -qx '17 eggs' out || ${told}`, [`stated 1: grep -qx '17 eggt' out || ${told}`]],
    ['an assertion of Python', 'assert total(4) == "IV", "x"', ['stated 1: assert total(4) == "IW", "x"']],
    ['an assertion of Node.js', "assert.equal(f([3, 'a,b'], {}), 230, 'no')", ["stated 1: assert.equal(f([3, 'a,b'], {}), 231, 'no')"]],
    ['an assertion of Jest', "expect(f('a')).toBe('bz')", ["stated 1: expect(f('a')).toBe('by')"]],
    [
      'a list',
      `if (got !== ['a', 7]) fail('${red}')`,
      [`stated 1: if (got !== ['b', 7]) fail('${red}')`, `stated 1: if (got !== ['a', 8]) fail('${red}')`],
    ],
    [
      'pairs of which the second part is only compared',
      js('for n, want in [(1, "I"), (4, "IV")]:', '  # want is what we want', '  if f(n) != want:', `    sys.exit("${red}")`),
      ['paired 1: for n, want in [(1, "J"), (4, "IV")]:', 'paired 1: for n, want in [(1, "I"), (4, "IW")]:'],
    ],
    [
      'the last argument of a function that only compares it',
      js('function look(x, want) {', `  if (f(x) !== want) fail('${red}');`, '}', 'look([], 10);'),
      ['paired 4: look([], 11);'],
    ],
    [
      'arithmetic in what is compared',
      js('const want = list.sort((a, b) => a - b);', 'if (got !== want) fail();'),
      ['paired 1: const want = list.sort((a, b) => a + b);', 'paired 1: const want = list.sort((a, b) => a * b);'],
    ],
    [
      'a table that a loop reads',
      js('while read -r n want; do', `  [ "$(f "$n")" = "$want" ] || ${told}`, "done <<'END'", '1 I', '4 IV', '9 IX', 'END'),
      ['first 4: 1 J', 'last 6: 9 IY'],
    ],
  ];
  for (const [what, script, expected] of rows) it(`is ${what}`, () => assert.deepEqual(faults(script), expected));

  const none: [what: string, script: string][] = [
    ['a status', `[ "$status" = 7 ] || ${told}`],
    ['a comparison after which it does not turn red', 'if (kind === "text") lines.push(1);'],
    ['a message', `assert f(x) == y, "${red}: 17"`],
    ['a comment', `# [ "$got" = "42" ] || ${told}`],
    ['the word of a test runner', `grep -q '^# fail 0' out || ${told}`],
    ['pairs that go into the work', js('for key, value in [("a", 4), ("b", 5)]:', '  store(key, value)', '  assert load(key) == value')],
    ['what comes from elsewhere', `[ "$got" = "$want" ] || ${told}`],
    ['a path', `assert f() == "out/17.txt"`],
    ['a default', js("got = 'nothing'", 'got = f()', 'if got != g(): fail()')],
  ];
  for (const [what, script] of none) it(`is not ${what}`, () => assert.deepEqual(faults(script), []));

  it('is changed where it stands, and nothing else is', () => {
    const script = `a\n[ "$got" = "42" ] || ${told}\nb\n`;
    assert.deepEqual(
      wantsOf(script, red).map(({ text }) => text),
      [script.replace('42', '43')],
    );
  });

  it('is not looked for in a line that nobody wrote by hand', () => {
    for (const sign of ['(', '"', "['a', ", 'assert.equal(', ' = "', 'for (const [', 'for a, ', '$('])
      assert.deepEqual(faults(`x == ${sign.repeat(20_000)}`), []);
  });
});
