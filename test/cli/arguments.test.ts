/** Numbers on the command line: what is wrong with one is said in plain words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { parseCommand } from '../../src/cli/arguments.ts';
import { commandNames, options } from '../../src/cli/options.ts';
import { usage } from '../../src/cli/usage.ts';
import { loop } from './loop.ts';

describe('models on the command line', () => {
  const modelsOf = (...args: string[]) => {
    const command = parseCommand(['run', 'x', ...args]);
    return command.name === 'run' ? command.overrides.models : assert.fail();
  };

  it('are one for all work, or one for a kind of it', () => {
    assert.equal(modelsOf(), undefined);
    assert.deepEqual(modelsOf('--models', 'm'), { reasoning: 'm', execution: 'm', triage: 'm' });
    assert.deepEqual(modelsOf('--models', 'm', '--models', 'reasoning=us.vendor:0'), {
      reasoning: 'us.vendor:0',
      execution: 'm',
      triage: 'm',
    });
    assert.deepEqual(modelsOf('--models', 'triage=m'), { triage: 'm' });
  });

  it('are refused without a name, or for a kind of work that is none', () => {
    for (const text of ['', 'triage=', 'building=m', 'a b'])
      assert.throws(() => modelsOf('--models', text), { name: 'InputError', message: /reasoning=NAME, execution=NAME, triage=NAME/ }, text);
  });
});

describe('several sprints on the command line', () => {
  it('are one command, with the options of all', () => {
    const command = parseCommand(['run', '/a', '/b', '--max-hours', '2']);
    assert.ok(command.name === 'queue');
    assert.deepEqual([command.sprintDirs, command.overrides.maxHours, command.interactive], [['/a', '/b'], 2, false]);
  });

  it('are refused twice, as JSON and with one recording', () => {
    for (const [args, message] of [
      [['/a', '/a'], /named twice/],
      [['/a', '/b', '--json'], /give --json with one sprint/],
      [['/a', '/b', '--record', 'f'], /give --record with one sprint/],
    ] as const)
      assert.throws(() => parseCommand(['run', ...args]), { name: 'InputError', message });
  });
});

describe('an option on the command line', () => {
  const folder = (name: string): string[] => (commandNames.some((one) => one === name) ? [name, 'x'] : [...name.split(' '), 'x']);

  it('is refused by a command that does not take it, which says whose it is', () => {
    for (const [args, message] of [
      [['run', 'x', '--mock', 'f'], '"loop run" takes no --mock: it is an option of "loop pipeline run", "loop pipeline resume".'],
      [['run', 'x', 'y', '--in', 'z'], /^"loop run" takes no --in: /],
      [['status', 'x', '--failed'], '"loop status" takes no --failed: it is an option of "loop verify".'],
      [['finish', 'x', 'merge', '--json'], /^"loop finish" takes no --json: /],
      [['pipeline', 'resume', 'x', '--session', 'y'], /^"loop pipeline resume" takes no --session: /],
      [['pipeline', 'list', '--evidence', 'fair'], '"loop pipeline list" takes no --evidence: it is an option of "loop run".'],
      [['mcp', '--yes'], /^"loop mcp" takes no --yes: /],
      [['lsp', '--json'], /^"loop lsp" takes no --json: /],
    ] as const)
      assert.throws(() => parseCommand(args), { name: 'InputError', message }, args.join(' '));
  });

  it('is not refused by any that the table names, and the help says so of each', () => {
    for (const [name, { of, type }] of Object.entries(options)) {
      for (const taker of of) {
        const problem = `"loop ${taker}" takes no --${name}`;
        try {
          parseCommand([...folder(taker), type === 'string' ? `--${name}=1` : `--${name}`]);
        } catch (error) {
          assert.ok(!(error as Error).message.startsWith(problem), problem);
        }
      }
      const section = usage.split('\n\n').find((part) => part.startsWith(`Options of ${of.join(', ')}:`));
      assert.match(section ?? '', new RegExp(`^ {2}--${name} `, 'm'), name);
    }
    for (const line of usage.slice(usage.indexOf('Options of')).split('\n')) assert.ok(line.length <= 120 && line === line.trimEnd(), line);
  });

  it('is refused where no command knows it', () => {
    assert.throws(() => parseCommand(['run', 'x', '--mok', 'f']), { name: 'InputError', message: /--mok/ });
  });
});

describe('a number on the command line', () => {
  const most = { '--budget-usd': '10000', '--budget-tokens': '2000000000', '--max-iterations': '500', '--max-hours': '1000' };
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
    const hours = parseCommand(['run', 'x', '--max-hours', '0.5']);
    assert.equal(hours.name === 'run' && hours.overrides.maxHours, 0.5);
    for (const flag of ['--budget-tokens', '--max-iterations'])
      assert.throws(() => parseCommand(['run', 'x', flag, '1.5']), { message: /give a whole number of / });
  });
});

describe('the version', () => {
  it('is that of package.json, by either way to ask', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const asked of ['--version', 'version']) assert.deepEqual(await loop([asked]), { code: 0, out: `${version}\n`, err: '' }, asked);
  });
});
