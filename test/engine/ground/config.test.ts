/** Configuration (I6): a repository file may only lower a limit or choose a harmless value. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { config, defaults, type Config, type Overrides } from '../../../src/engine/ground/config.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { resolveConfig } from '../../../src/engine/ground/resolve-config.ts';

const resolve = (text: string, person: Overrides = {}): Config => resolveConfig({ name: 'loop.config.yaml', text }, person);
const problem = (act: () => unknown): { message: string; next: string } => {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return { message: error.message, next: error.next };
  }
  throw new assert.AssertionError({ message: 'the call must be refused' });
};
const raise = 'Raise it in your own settings or by a flag.';
const allowed =
  'Allowed are: maxLoopIterations, maxTaskAttempts, maxFixAttempts, maxFixesPerSignature, budgetUsd, budgetTokens, maxHours, commandTimeout, verificationTimeout, verificationParallelism, regressionTimeout, vrcInterval, evidence, qualify, approvePlan.';

/** Every limit: a value below and above its default, and an invalid value with its error. */
const limits: { field: keyof Config; below: number; above: number; invalid: unknown; why: string }[] = [
  { field: 'maxLoopIterations', below: 20, above: 500.5, invalid: 501, why: 'Too big: expected number to be <=500' },
  { field: 'maxTaskAttempts', below: 1, above: 4, invalid: 11, why: 'Too big: expected number to be <=10' },
  { field: 'maxFixAttempts', below: 1, above: 6, invalid: 0, why: 'Too small: expected number to be >0' },
  { field: 'maxFixesPerSignature', below: 1, above: 4, invalid: -1, why: 'Too small: expected number to be >0' },
  { field: 'budgetUsd', below: 0.5, above: 26, invalid: 0, why: 'Too small: expected number to be >0' },
  { field: 'budgetTokens', below: 1000, above: 20_000_001, invalid: 1.5, why: 'Invalid input: expected int, received number' },
  { field: 'maxHours', below: 0.5, above: 25, invalid: 1001, why: 'Too big: expected number to be <=1000' },
  { field: 'commandTimeout', below: 10, above: 121, invalid: 'ten', why: 'Invalid input: expected number, received string' },
  { field: 'verificationTimeout', below: 5, above: 61, invalid: null, why: 'Invalid input: expected number, received null' },
  { field: 'verificationParallelism', below: 1, above: 11, invalid: true, why: 'Invalid input: expected number, received boolean' },
  { field: 'regressionTimeout', below: 5, above: 121, invalid: 3601, why: 'Too big: expected number to be <=3600' },
];

const defaultOf = (field: keyof Config): string => JSON.stringify(defaults[field]);

describe('resolveConfig', () => {
  it('has valid defaults', () => {
    assert.deepEqual(config.parse(defaults), defaults);
    assert.deepEqual(resolveConfig(undefined, {}), defaults);
  });

  it('uses a smaller default on a small machine, when neither the file nor the person sets a value', () => {
    const small = { verificationParallelism: 4 };
    const of = (text: string, person: Overrides = {}) =>
      resolveConfig({ name: 'loop.config.yaml', text }, person, small).verificationParallelism;
    assert.equal(resolveConfig(undefined, {}, small).verificationParallelism, 4);
    assert.deepEqual([of(''), of('verificationParallelism: 2'), of('verificationParallelism: 8')], [4, 2, 4]);
    assert.deepEqual([of('', { verificationParallelism: 20 }), of('verificationParallelism: 8', { verificationParallelism: 3 })], [20, 3]);
    assert.equal(problem(() => of('verificationParallelism: 11')).next, raise);
  });

  for (const text of ['', '\n', '# nothing\n', '---\n'])
    it(`reads ${JSON.stringify(text)} as an empty file`, () => {
      assert.deepEqual(resolve(text), defaults);
    });

  for (const { field, below, above, invalid, why } of limits) {
    it(`lets a file lower ${field}, or repeat the default`, () => {
      assert.deepEqual(resolve(`${field}: ${below}\n`), { ...defaults, [field]: below });
      assert.deepEqual(resolve(`${field}: ${defaultOf(field)}\n`), defaults);
    });
    if (field !== 'maxLoopIterations')
      it(`lets no file raise ${field}`, () => {
        const { message, next } = problem(() => resolve(`# ours\n${field}: ${above}\n`));
        const what = `"${field}" is ${above}, above ${defaultOf(field)}; a repository file may only lower a limit.`;
        assert.deepEqual([message, next], [`loop.config.yaml:2: ${what}`, raise]);
      });
    it(`refuses ${String(invalid)} for ${field} from the file and from the person`, () => {
      const { message, next } = problem(() => resolve(`${field}: ${String(invalid)}\n`));
      const what = `"${field}" is ${JSON.stringify(invalid)}: ${why}.`;
      assert.deepEqual([message, next], [`loop.config.yaml:1: ${what}`, `Give it a value like ${defaultOf(field)}.`]);
      assert.equal(problem(() => resolveConfig(undefined, { [field]: invalid })).message, `The setting "${field}" is not usable: ${why}.`);
    });
  }

  it('lets a file ask that the documents are judged, never that they are not', () => {
    const file = (qualify: string) => ({ name: 'loop.config.yaml', text: `qualify: ${qualify}` });
    assert.equal(resolveConfig(file('lean'), { qualify: 'none' }).qualify, 'lean');
    assert.equal(resolveConfig(file('none'), {}).qualify, 'lean');
    const asking = (approvePlan: string) => ({ name: 'loop.config.yaml', text: `approvePlan: ${approvePlan}` });
    assert.equal(resolveConfig(asking('true'), {}).approvePlan, true);
    assert.equal(resolveConfig(asking('false'), { approvePlan: true }).approvePlan, true);
    assert.match(problem(() => resolve('qualify: much')).message, /"qualify" is "much"/);
  });

  it('lets a file ask for more evidence than the person, never for less', () => {
    assert.deepEqual(resolve('evidence: strong'), { ...defaults, evidence: 'strong' });
    assert.deepEqual(resolve('evidence: any'), defaults);
    assert.deepEqual(resolveConfig({ name: 'loop.config.yaml', text: 'evidence: fair' }, { evidence: 'strong' }).evidence, 'strong');
    assert.match(problem(() => resolve('evidence: much')).message, /"evidence" is "much"/);
  });

  it('lets a file set vrcInterval to any value of its range', () => {
    assert.deepEqual(resolve('vrcInterval: 50'), { ...defaults, vrcInterval: 50 });
    assert.match(problem(() => resolve('vrcInterval: 101')).message, /^loop\.config\.yaml:1: "vrcInterval" is 101: Too big/);
  });

  for (const text of [
    'network: none',
    'network: all',
    'environment: [HOME]',
    'allowedHosts: [example.com]',
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

  it('takes hosts as names with a port at most, and those of this machine only with their port', () => {
    const right = ['example.com', 'a-b.example:8443', '10.1.2.3', '127.0.0.1:5432', 'localhost:5432', '[::1]:5432', '[fd00::1]'];
    assert.deepEqual(resolveConfig(undefined, { allowedHosts: right }).allowedHosts, right);
    const wrong = [
      'https://example.com',
      'example.com/',
      '*.example.com',
      'a b',
      '',
      'localhost',
      '127.0.0.1',
      '[::1]',
      'me@example.com',
      'a:b',
      '-x',
    ];
    for (const host of wrong) {
      const { message } = problem(() => resolveConfig(undefined, { allowedHosts: [host] }));
      assert.match(message, /"allowedHosts\.0" is not usable: (give a host|a host of this machine)/);
    }
  });

  it('accepts names of variables from the person, and never a value', () => {
    assert.deepEqual(resolveConfig(undefined, { environment: ['API_KEY'] }).environment, ['API_KEY']);
    assert.match(
      problem(() => resolveConfig(undefined, { environment: ['API_KEY=secret'] })).message,
      /"environment\.0" is not usable: give the name of a variable, never its value/,
    );
  });

  const unknown: [text: string, key: string, line: number][] = [
    ['maxIterations: 5', 'maxIterations', 1],
    ['vrcInterval: 4\nconstructor: 5', 'constructor', 2],
    ['vrcInterval: 4\n__proto__: 5', '__proto__', 2],
    ['apiKey: x', 'apiKey', 1],
    ['? [1, 2]\n: 5', '[1,2]', 1],
  ];
  for (const [text, key, line] of unknown)
    it(`refuses the unknown field ${key}`, () => {
      assert.deepEqual(
        problem(() => resolve(text)),
        { message: `loop.config.yaml:${line}: there is no field "${key}".`, next: allowed },
      );
    });

  for (const [former, now] of [
    ['checkTimeout', 'verificationTimeout'],
    ['checkParallelism', 'verificationParallelism'],
  ])
    it(`says what ${former} is called now`, () => {
      assert.deepEqual(
        problem(() => resolve(`vrcInterval: 4\n${former}: 5`)),
        { message: `loop.config.yaml:2: "${former}" is called "${now}" now.`, next: 'Write the new name.' },
      );
    });

  const notYaml: [text: string, line: number][] = [
    ['vrcInterval: 4\n  budgetUsd: [', 1],
    ['vrcInterval: 4\nvrcInterval: 5', 2],
    ['vrcInterval: "4', 1],
    ['a: b: c', 1],
  ];
  for (const [text, line] of notYaml)
    it(`names the place where ${JSON.stringify(text)} is not YAML`, () => {
      const { message, next } = problem(() => resolve(text));
      assert.ok(message.startsWith(`loop.config.yaml:${line}: `), message);
      assert.match(message, /^.* at line \d+, column \d+\.$/);
      assert.equal(next, 'Correct the YAML.');
    });

  for (const text of ['- vrcInterval', 'vrcInterval', '42'])
    it(`refuses ${text}, which is not a list of fields`, () => {
      assert.deepEqual(
        problem(() => resolve(text)),
        {
          message: 'loop.config.yaml:1: the file is not a list of fields.',
          next: 'Write one `field: value` a line.',
        },
      );
    });

  it('prefers the person’s settings and flags to the defaults, and ignores undefined ones', () => {
    const models = { reasoning: 'a', execution: 'b', triage: 'c' };
    const person: Overrides = { budgetUsd: 100, network: 'all', models, verificationTimeout: undefined };
    assert.deepEqual(resolveConfig(undefined, person), { ...defaults, budgetUsd: 100, network: 'all', models });
    const { models: some } = resolveConfig(undefined, { models: { triage: 'c' } });
    assert.deepEqual(some, { ...defaults.models, triage: 'c' });
  });

  it('takes the lower limit of the person’s and the file’s, which may go up to one that the person raised', () => {
    assert.equal(resolve('budgetUsd: 10', { budgetUsd: 5 }).budgetUsd, 5);
    assert.equal(resolve('budgetUsd: 90', { budgetUsd: 100 }).budgetUsd, 90);
    assert.equal(resolve('vrcInterval: 3', { vrcInterval: 9 }).vrcInterval, 9);
    assert.deepEqual(resolve('budgetUsd: 10', { verificationTimeout: 90 }), {
      ...defaults,
      budgetUsd: 10,
      verificationTimeout: 90,
    });
    assert.match(problem(() => resolve('budgetUsd: 101', { budgetUsd: 100 })).message, /"budgetUsd" is 101, above 100;/);
    assert.match(problem(() => resolve('budgetUsd: 26', { budgetUsd: 5 })).message, /"budgetUsd" is 26, above 25;/);
  });

  const settings: [person: Overrides, path: string][] = [
    [{ network: 'some' as never }, 'network'],
    [{ models: { reasoning: '', execution: 'b', triage: 'c' } }, 'models.reasoning'],
    [{ models: { triage: '' } }, 'models.triage'],
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
