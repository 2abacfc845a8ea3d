/** Numbers on the command line: what is wrong with one is said in plain words. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseCommand } from '../../src/cli/arguments.ts';

describe('a number on the command line', () => {
  const most = { '--budget-usd': '10000', '--budget-tokens': '2000000000', '--max-iterations': '500' };
  const wrong = ['abc', '-1', '-0.5', '0', '1e9', '', ' ', 'NaN', 'Infinity', '0x10', '1,5', '5 dollars', '99999999999', '--json'];
  for (const [flag, max] of Object.entries(most)) {
    for (const value of wrong)
      it(`${flag} "${value}" is refused, and what it may be is said`, () => {
        for (const args of [[flag, value], [`${flag}=${value}`]]) {
          if (args.length === 2 && value.startsWith('--')) continue;
          assert.throws(
            () => parseCommand(['run', 'x', ...args]),
            (error: Error) => {
              assert.equal(error.name, 'InputError');
              const given = value.trim() === '' ? 'has no value' : `is "${value}"`;
              assert.ok(error.message.startsWith(`${flag} ${given}; give a `), error.message);
              assert.ok(error.message.includes(`above 0 and at most ${max}, in digits, such as `), error.message);
              return true;
            },
          );
        }
      });
    it(`${flag} without a number is refused`, () => assert.throws(() => parseCommand(['run', 'x', flag]), { name: 'InputError' }));
  }

  it('is taken where it is one', () => {
    const command = parseCommand(['run', 'x', '--budget-usd', '2.50', '--budget-tokens=7', '--max-iterations', '500']);
    assert.ok(command.name === 'run');
    assert.deepEqual([command.overrides.budgetUsd, command.overrides.budgetTokens, command.overrides.maxLoopIterations], [2.5, 7, 500]);
    for (const flag of ['--budget-tokens', '--max-iterations'])
      assert.throws(() => parseCommand(['run', 'x', flag, '1.5']), { message: /give a whole number of / });
  });
});
