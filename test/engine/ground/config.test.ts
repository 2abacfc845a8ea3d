/** Configuration (I6): a repository file may lower a limit and choose what is harmless, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { config, defaults, resolveConfig, type Config, type Overrides } from '../../../src/engine/ground/config.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';

const resolve = (text: string, person: Overrides = {}): Config => resolveConfig({ name: 'loop.config.yaml', text }, person);
const problem = (act: () => unknown): { message: string; next: string } => {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return { message: error.message, next: error.next };
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
};
const raise = 'Raise it in your own settings or by a flag.';
const allowed =
  'Allowed are: maxLoopIterations, maxTaskAttempts, maxFixAttempts, maxFixesPerSignature, budgetUsd, budgetTokens, commandTimeout, verificationTimeout, verificationParallelism, regressionTimeout, vrcInterval.';

/** Every limit with a value above its default, and what is wrong with one that no one may have. */
const limits: [keyof Config, below: number, above: number, never: unknown, why: string][] = [
  ['maxLoopIterations', 20, 500.5, 501, 'Too big: expected number to be <=500'],
  ['maxTaskAttempts', 1, 4, 11, 'Too big: expected number to be <=10'],
  ['maxFixAttempts', 1, 6, 0, 'Too small: expected number to be >0'],
  ['maxFixesPerSignature', 1, 4, -1, 'Too small: expected number to be >0'],
  ['budgetUsd', 0.5, 26, 0, 'Too small: expected number to be >0'],
  ['budgetTokens', 1000, 20_000_001, 1.5, 'Invalid input: expected int, received number'],
  ['commandTimeout', 10, 121, 'ten', 'Invalid input: expected number, received string'],
  ['verificationTimeout', 5, 61, null, 'Invalid input: expected number, received null'],
  ['verificationParallelism', 1, 11, true, 'Invalid input: expected number, received boolean'],
  ['regressionTimeout', 5, 121, 3601, 'Too big: expected number to be <=3600'],
];

const defaultOf = (field: keyof Config): string => JSON.stringify(defaults[field]);

describe('resolveConfig', () => {
  it('has defaults that are valid themselves', () => {
    assert.deepEqual(config.parse(defaults), defaults);
    assert.deepEqual(resolveConfig(undefined, {}), defaults);
  });

  it('has less on a small machine, where neither file nor person says how much', () => {
    const small = { verificationParallelism: 4 };
    const of = (text: string, person: Overrides = {}) =>
      resolveConfig({ name: 'loop.config.yaml', text }, person, small).verificationParallelism;
    assert.equal(resolveConfig(undefined, {}, small).verificationParallelism, 4);
    assert.deepEqual([of(''), of('verificationParallelism: 2'), of('verificationParallelism: 8')], [4, 2, 4]);
    assert.deepEqual([of('', { verificationParallelism: 20 }), of('verificationParallelism: 8', { verificationParallelism: 3 })], [20, 3]);
    assert.equal(problem(() => of('verificationParallelism: 11')).next, raise);
  });

  for (const text of ['', '\n', '# nothing\n', '---\n'])
    it(`takes ${JSON.stringify(text)} as nothing said`, () => {
      assert.deepEqual(resolve(text), defaults);
    });

  for (const [field, below, above, never, why] of limits) {
    it(`lets a file lower ${field}, or leave it`, () => {
      assert.deepEqual(resolve(`${field}: ${below}\n`), { ...defaults, [field]: below });
      assert.deepEqual(resolve(`${field}: ${defaultOf(field)}\n`), defaults);
    });
    if (field !== 'maxLoopIterations')
      it(`lets no file raise ${field}`, () => {
        const { message, next } = problem(() => resolve(`# ours\n${field}: ${above}\n`));
        const what = `"${field}" is ${above}, above ${defaultOf(field)}; a repository file may only lower a limit.`;
        assert.deepEqual([message, next], [`loop.config.yaml:2: ${what}`, raise]);
      });
    it(`lets nobody set ${field} to ${String(never)}`, () => {
      const { message, next } = problem(() => resolve(`${field}: ${String(never)}\n`));
      const what = `"${field}" is ${JSON.stringify(never)}: ${why}.`;
      assert.deepEqual([message, next], [`loop.config.yaml:1: ${what}`, `Give it a value like ${defaultOf(field)}.`]);
      assert.equal(problem(() => resolveConfig(undefined, { [field]: never })).message, `The setting "${field}" is not usable: ${why}.`);
    });
  }

  it('lets a file choose vrcInterval freely within its range', () => {
    assert.deepEqual(resolve('vrcInterval: 50'), { ...defaults, vrcInterval: 50 });
    assert.match(problem(() => resolve('vrcInterval: 101')).message, /^loop\.config\.yaml:1: "vrcInterval" is 101: Too big/);
  });

  for (const text of [
    'network: none',
    'network: all',
    'environment: [HOME]',
    'docker: true',
    'models:\n  reasoning: other\n  execution: other\n  triage: other',
  ])
    it(`lets no file set ${text.split(':')[0]}`, () => {
      const key = text.split(':')[0];
      assert.deepEqual(
        problem(() => resolve(`vrcInterval: 4\n\n${text}\n`)),
        {
          message: `loop.config.yaml:3: "${key}" cannot be set by a repository file.`,
          next: 'Set it in your own settings or by a flag.',
        },
      );
    });

  it('takes names of variables from a person, and never a value', () => {
    assert.deepEqual(resolveConfig(undefined, { environment: ['API_KEY'] }).environment, ['API_KEY']);
    assert.match(
      problem(() => resolveConfig(undefined, { environment: ['API_KEY=secret'] })).message,
      /"environment\.0" is not usable: give the name of a variable, never its value/,
    );
  });

  const unknown: [string, string, number][] = [
    ['maxIterations: 5', 'maxIterations', 1],
    ['vrcInterval: 4\nconstructor: 5', 'constructor', 2],
    ['vrcInterval: 4\n__proto__: 5', '__proto__', 2],
    ['apiKey: x', 'apiKey', 1],
    ['? [1, 2]\n: 5', '[1,2]', 1],
  ];
  for (const [text, key, line] of unknown)
    it(`knows no field ${key}`, () => {
      assert.deepEqual(
        problem(() => resolve(text)),
        { message: `loop.config.yaml:${line}: there is no field "${key}".`, next: allowed },
      );
    });

  const notYaml: [string, number][] = [
    ['vrcInterval: 4\n  budgetUsd: [', 1],
    ['vrcInterval: 4\nvrcInterval: 5', 2],
    ['vrcInterval: "4', 1],
    ['a: b: c', 1],
  ];
  for (const [text, line] of notYaml)
    it(`says where ${JSON.stringify(text)} is not YAML`, () => {
      const { message, next } = problem(() => resolve(text));
      assert.ok(message.startsWith(`loop.config.yaml:${line}: `), message);
      assert.match(message, /^.* at line \d+, column \d+\.$/);
      assert.equal(next, 'Mend the YAML.');
    });

  for (const text of ['- vrcInterval', 'vrcInterval', '42'])
    it(`wants fields, not ${text}`, () => {
      assert.deepEqual(
        problem(() => resolve(text)),
        {
          message: 'loop.config.yaml:1: the file is not a list of fields.',
          next: 'Write one `field: value` a line.',
        },
      );
    });

  it('takes settings and flags over the defaults, whole, and what is undefined as not said', () => {
    const models = { reasoning: 'a', execution: 'b', triage: 'c' };
    const person: Overrides = { budgetUsd: 100, network: 'all', models, verificationTimeout: undefined };
    assert.deepEqual(resolveConfig(undefined, person), { ...defaults, budgetUsd: 100, network: 'all', models });
  });

  it('lets what a person said stand over the file, which may go up to what they raised and never above', () => {
    assert.equal(resolve('budgetUsd: 10', { budgetUsd: 5 }).budgetUsd, 5);
    assert.equal(resolve('budgetUsd: 90', { budgetUsd: 100 }).budgetUsd, 100);
    assert.deepEqual(resolve('budgetUsd: 10', { verificationTimeout: 90 }), {
      ...defaults,
      budgetUsd: 10,
      verificationTimeout: 90,
    });
    assert.match(problem(() => resolve('budgetUsd: 101', { budgetUsd: 100 })).message, /"budgetUsd" is 101, above 100;/);
    assert.match(problem(() => resolve('budgetUsd: 26', { budgetUsd: 5 })).message, /"budgetUsd" is 26, above 25;/);
  });

  const settings: [Overrides, string][] = [
    [{ network: 'some' as never }, 'network'],
    [{ models: { reasoning: '', execution: 'b', triage: 'c' } }, 'models.reasoning'],
    [{ models: { reasoning: 'a', execution: 'b' } as never }, 'models.triage'],
    [{ budgetUsd: Infinity }, 'budgetUsd'],
    [{ budgetTokens: NaN }, 'budgetTokens'],
  ];
  for (const [person, path] of settings)
    it(`refuses an unusable setting of ${path}`, () => {
      const { message, next } = problem(() => resolveConfig(undefined, person));
      assert.ok(message.startsWith(`The setting "${path}" is not usable: `), message);
      assert.equal(next, 'Change it in the settings or on the command line.');
    });
});
