/** Which values of a script count as what it wants, and what is put in their place. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { otherWants } from '../../../src/engine/prove/wants.ts';

const red = 'wrong total';
const told = `{ echo "${red}"; exit 1; }`;
const lines = (...all: string[]): string => all.join('\n');

/** The lines that differ, after the change. */
function changedLines(script: string, inside: boolean): string[] {
  const text = otherWants(script, red, inside)?.text ?? script;
  const before = script.split('\n');
  return text.split('\n').filter((line, i) => line !== before[i]);
}

describe('a script that wants something else', () => {
  const rows: [what: string, script: string, changed: string[]][] = [
    ['a text that a shell compares with', `[ "$got" = "42 eggs" ] || ${told}`, [`[ "$got" = "42 eggt" ] || ${told}`]],
    ['one without quotes', `[ "$got" = XLIX ] || ${told}`, [`[ "$got" = XLIY ] || ${told}`]],
    ['a number', `[ "$got" -eq 49 ] || ${told}`, [`[ "$got" -eq 40 ] || ${told}`]],
    ['what a shell says is unlike', `if [ "$got" != Z ]; then ${told}; fi`, [`if [ "$got" != Y ]; then ${told}; fi`]],
    ['all of several', `[ "$a" = 'x' ] && [ "$b" = 'y' ] || ${told}`, [`[ "$a" = 'y' ] && [ "$b" = 'z' ] || ${told}`]],
    ['what is printed there', `[ "$x" = "$(printf 'a\\nb\\n')" ] || ${told}`, [`[ "$x" = "$(printf 'a\\nc\\n')" ] || ${told}`]],
    ['what goes into a comparing program', `printf 'a b\\n' | cmp - out || ${told}`, [`printf 'a c\\n' | cmp - out || ${told}`]],
    ['a file that is only compared', lines("printf 'XIV\\n' > /tmp/want", 'cmp /tmp/want /tmp/got'), ["printf 'XIW\\n' > /tmp/want"]],
    ['an assertion of Python', 'assert total("4") == "IV", "x"', ['assert total("4") == "IW", "x"']],
    ['a comparison of Python', lines('if total(4) != {"a": 7}:', `  sys.exit("${red}")`), ['if total(4) != {"b": 8}:']],
    ['an assertion of unittest', 'self.assertEqual(total(4), "IV")', ['self.assertEqual(total(4), "IW")']],
    ['an assertion of Node.js', "assert.equal(f([3, 'a,b'], {}), 230, 'no')", ["assert.equal(f([3, 'a,b'], {}), 231, 'no')"]],
    ['one whose value comes first', 'assertEquals("bz", f("a"))', ['assertEquals("by", f("a"))']],
    [
      'a comparison within a loop',
      `while read -r n; do [ "$(f $n)" = 7 ] || ${told}; done`,
      [`while read -r n; do [ "$(f $n)" = 8 ] || ${told}; done`],
    ],
    [
      'one within a loop of Node.js',
      `while (n < 5) { if (f(n) !== 7) fail("${red}"); }`,
      [`while (n < 5) { if (f(n) !== 8) fail("${red}"); }`],
    ],
    ['an assertion of Jest', "expect(f('a')).toBe('bz')", ["expect(f('a')).toBe('by')"]],
    ['a helper that takes the name of a case first', "check.equal('case one', () => f(3), 7)", ["check.equal('case onf', () => f(3), 8)"]],
    ['such an assertion with its wanted value first', "equal('one', f(3), 'no')", ["equal('onf', f(3), 'np')"]],
    ['a list over several lines', lines('assert.deepEqual(f(), [', "  { name: 'a' },", ']);'), ["  { name: 'b' },"]],
    [
      'a comparison whose red is told by a function',
      lines(
        'function complain(got) {',
        `  console.log("${red}");`,
        '}',
        'const one = 1;',
        'const two = 2;',
        'if (got !== 7) complain(got);',
      ),
      ['if (got !== 8) complain(got);'],
    ],
  ];
  it('asks nothing of what only guards a call, where a function beside its RED text does not tell it', () => {
    const script = lines(
      'const url = (path) => `http://127.0.0.1${path}`;',
      `const RED = '${red}';`,
      'for (const [kind, re] of fields) {',
      "  if (kind !== 'InputTime') must(re.test(page), `${kind} is wrong`);",
      '}',
      "await open(url('/'));",
    );
    assert.deepEqual(changedLines(script, false), []);
    const arrow = lines(
      'const complain = (got) =>',
      `  console.log('${red}', got);`,
      'const one = 1;',
      '',
      '',
      '',
      'if (got !== 7) complain(got);',
    );
    assert.deepEqual(changedLines(arrow, false), ['if (got !== 8) complain(got);']);
  });

  it('asks nothing of what only guards an assertion, which turns it red for a reason of its own', () => {
    const uses = ["if (kind !== 'InputTime') must(re.test(page));", 'done();', 'done();', 'done();'];
    const must = ['function must(holds) {', '  if (holds) return;', `  console.log('${red}');`, '}'];
    assert.deepEqual(changedLines(lines(...must, ...uses), false), []);
    const fail = ['function must(holds) {', `  console.log('${red}');`, '}'];
    assert.deepEqual(changedLines(lines(...fail, ...uses), false), ["if (kind !== 'InputTimf') must(re.test(page));"]);
  });

  for (const [what, script, changed] of rows)
    it(`wants another value for ${what}`, () => assert.deepEqual(changedLines(script, false), changed));

  const handed: [what: string, script: string, changed: string[]][] = [
    [
      'pairs',
      lines('for n, want in [(1, "I"), (4, "IV")]:', '  if f(n) != want:', `    sys.exit(f"${red}: {want}")`),
      ['for n, want in [(1, "J"), (4, "IW")]:'],
    ],
    [
      'a table by name',
      lines(
        "const rows = { a: 'b', 'c d': 'e' };",
        'for (const [text, want] of Object.entries(rows)) {',
        `  if (f(text) !== want) throw Error("${red}");`,
      ),
      ["const rows = { a: 'c', 'c d': 'f' };"],
    ],
    [
      'the last argument of a function of its own',
      lines('function look(x, want) {', `  if (f(x) !== want) fail("${red}");`, '}', 'look([], 10);'),
      ['look([], 11);'],
    ],
  ];
  for (const [what, script, changed] of handed) {
    it(`wants other values in ${what} where the work could look at them`, () => assert.deepEqual(changedLines(script, true), changed));
    it(`leaves ${what} alone where the work runs elsewhere, since they may be inputs`, () =>
      assert.equal(otherWants(script, red, false), undefined));
  }

  const none: [what: string, script: string][] = [
    ['a status', `[ "$status" = 7 ] || ${told}`],
    ['the status of a program that ran', `if (run.status !== 7) fail("${red}")`],
    ['a kind of value', `if (typeof f !== 'function') fail("${red}")`],
    ['what must not be there', `[ "$got" != "bad" ] || ${told}`],
    ['what Python must not find', `assert f() != "bad", "${red}"`],
    ['what turns it red where it is alike', `if (got === 'bad') fail("${red}")`],
    ['a pattern', `grep -qE '^(17|18) eggs' out || ${told}`],
    ['a comparison after which it does not turn red', 'if (kind !== "text") lines.push(1);'],
    ['a message', `assert f(x) == y, "${red}: 17"`],
    ['a comment', `# [ "$got" = "42" ] || ${told}`],
    ['pairs that go into the work', lines('for key, value in [("a", 4), ("b", 5)]:', '  store(key, value)', '  assert load(key) == value')],
    ['pairs that both sides take', lines('for a, b in [(4, 6), (9, 3)]:', '  assert gcd(a, b) == math.gcd(a, b)')],
    [
      'pairs that an assertion hands to both sides',
      lines('for (const [a, b] of [[4, 6], [9, 3]]) {', '  assert.equal(gcd(a, b), slow(a, b));', '}'),
    ],
    ['a file that the work reads too', lines("printf 'XIV\\n' > /tmp/in", 'prog /tmp/in > /tmp/out', 'cmp /tmp/in /tmp/out')],
    [
      'what a shell waits for',
      lines('while [ "$(cat health)" != "OK" ] && [ $n -lt 5 ]; do n=$((n + 1)); done', `grep -q Hello page || ${told}`),
    ],
    [
      'what a shell waits for in another way',
      lines('until [ "$(cat health)" = OK ] || [ $n -ge 5 ]; do n=$((n + 1)); done', `grep -q Hello page || ${told}`),
    ],
    [
      'what a shell waits for in a head of two lines',
      lines(
        'until [ $n -ge 5 ] ||',
        '  [ "$(cat a)" = OK ] || [ "$(cat b)" = OK ]; do n=$((n + 1)); done',
        `grep -q Hello page || ${told}`,
      ),
    ],
    ['what Node.js waits for', lines("while ((await health()) !== 'OK' && n < 5) n += 1;", `if (!page.includes(word)) fail("${red}");`)],
    ['what Python waits for', lines('while health() != "OK" and n < 5:', '  n += 1', 'if word not in page:', `  sys.exit("${red}")`)],
    ['what Jest must not find', "expect(f('a')).not.toBe('bad'); expect(f('a')).not.toEqual(['bad']);"],
    ['what Chai must not find', "expect(f('a')).to.not.equal('bad'); expect(f('a')).not.to.deep.equal(['bad']);"],
    ['what Node.js must not find', "assert.notEqual(f('a'), 'bad'); assert.notDeepStrictEqual(f('a'), ['bad']);"],
    ['what comes from elsewhere', `[ "$got" = "$want" ] || ${told}`],
    ['a part of an expression', 'assert f() == 3 * n'],
    ['a path', `assert f() == "out/17.txt"`],
  ];
  it('has no other value where what stands first may be the name of a case', () => {
    assert.equal(otherWants("check.equal('case one', () => f(3), wanted)", red, false), undefined);
    assert.notEqual(otherWants("assert.equal('one', f(3), wanted)", red, false), undefined);
  });
  for (const [what, script] of none) it(`has no other value for ${what}`, () => assert.equal(otherWants(script, red, true), undefined));

  it('differs nowhere else, and says where it differs first', () => {
    const script = lines('a', `[ "$got" = "42" ] || ${told}`, 'b', '');
    assert.deepEqual(otherWants(script, red, false), {
      text: script.replace('42', '43'),
      was: `[ "$got" = "42" ] || ${told}`,
      now: `[ "$got" = "43" ] || ${told}`,
    });
  });

  it('is soon found, or not at all, in a text that nobody wrote by hand', () => {
    for (const sign of ['(', '"', "['a', ", 'assert.equal(', ' != "', 'for (const [', 'for a, ', '$(', ' = ', '{"a": '])
      for (const size of [900, 20_000]) otherWants(`x == ${sign.repeat(Math.floor(size / sign.length))}\n`.repeat(5), red, true);
  });
});
