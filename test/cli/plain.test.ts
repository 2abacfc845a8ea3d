/** Text from a model or a program cannot move the terminal's cursor, change its title or fill its clipboard (I13). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plain } from '../../src/cli/plain.ts';

const escape = String.fromCharCode(27);

describe('plain', () => {
  const cases: Record<string, [text: string, expected: string]> = {
    'a colour': [`${escape}[31mred${escape}[0m`, '[31mred[0m'],
    'a window title': [`${escape}]0;owned${String.fromCharCode(7)}`, ']0;owned'],
    'a carriage return that hides a line': ['rm -rf\rls', 'rm -rfls'],
    'an 8-bit control sequence': [`${String.fromCharCode(0x9b)}2J`, '2J'],
    'a turn of the reading direction, which shows other words than are there': ['if (ok\u202e)\u2066 {', 'if (ok) {'],
    'newlines and tabs, which stay': ['a\n\tb', 'a\n\tb'],
    'letters of every script, which stay': ['Grüße, 你好 👋', 'Grüße, 你好 👋'],
  };
  for (const [name, [text, expected]] of Object.entries(cases)) it(`handles ${name}`, () => assert.equal(plain(text), expected));
});
