/**
 * Configuration from defaults, settings or flags, and `loop.config.yaml`. A repository file may lower limits, the person's too,
 * and set harmless fields. Only the person sets models and network, or raises a limit (I6).
 */
import { isMap, isScalar } from 'yaml';
import * as z from 'zod';
import { InputError } from './errors.ts';
import { readYaml } from './yaml.ts';

/** `host` or `host:port`: a name or an address, without a scheme. */
export const allowedHost = z
  .string()
  .regex(
    /^([A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[1-9]\d{0,4})?$/,
    'give a host such as example.com or localhost:5432',
  )
  .refine(
    (text) => /:\d+$/.test(text) || !/^(localhost$|127\.|\[::1\])/i.test(text),
    'a host of this machine needs its port, such as localhost:5432',
  );

/** Name of an environment variable, as POSIX shells allow it. Its value is never recorded. */
export const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'give the name of a variable, never its value');

const positive = z.number().positive();
const count = z.int().positive();

/** More than any sprint takes, for those that began before there was a limit. */
export const mostHours = 1000;

export const evidenceLevels = ['any', 'fair', 'strong'] as const;

/** How much the documents are looked at before anything is planned. */
export const qualifyProfiles = ['none', 'lean'] as const;

export const config = z.strictObject({
  /** Most decisions of a sprint, whatever its number of tasks. */
  maxLoopIterations: count.max(500),
  /** Attempts of builders on one task. */
  maxTaskAttempts: count.max(10),
  /** Fixes for one lineage, and for one failure signature in it. */
  maxFixAttempts: count.max(20),
  maxFixesPerSignature: count.max(10),
  /** US dollars and tokens that a sprint may spend; never unlimited. */
  budgetUsd: positive.max(10_000),
  budgetTokens: count.max(2_000_000_000),
  /** Hours that a sprint may run; time in which it waits for a person does not count. */
  maxHours: positive.max(mostHours),
  /** Seconds for one command of an agent, and for one verification without a `TIMEOUT`. */
  commandTimeout: count.max(3600),
  verificationTimeout: count.max(3600),
  /** Verifications that run at the same time. */
  verificationParallelism: count.max(32),
  /** Seconds after which no further verification of a change begins. */
  regressionTimeout: count.max(3600),
  /** Settled changes between two assessments; full and quick ones alternate. */
  vrcInterval: count.max(100),
  /**
   * What commands may reach: nothing; the registries of the person's package managers, through a proxy; everything, but only
   * during a dependency install; or everything.
   */
  network: z.enum(['none', 'registries', 'installs', 'all']),
  /** Hosts that commands reach besides the registries. */
  allowedHosts: z.array(allowedHost).max(50),
  /** Names of variables that commands get from the person's environment. */
  environment: z.array(variableName).max(50),
  /**
   * How much a proof must show before its requirement counts: `any`: it can fail because of the work. `fair`, `strong`: it also
   * sees enough of the faults that are put into the work.
   */
  evidence: z.enum(evidenceLevels),
  /** `none`: they are planned and built as they are. `lean`: one session judges both documents, one the plan. */
  qualify: z.enum(qualifyProfiles),
  /** The sprint stops after the plan and its review, until the person approves the plan. */
  approvePlan: z.boolean(),
  /** Loop may start services of the person's compose file. */
  docker: z.boolean(),
  models: z.strictObject({ reasoning: z.string().min(1), execution: z.string().min(1), triage: z.string().min(1) }),
});
export type Config = z.infer<typeof config>;

export const defaults: Config = {
  maxLoopIterations: 500,
  maxTaskAttempts: 3,
  maxFixAttempts: 5,
  maxFixesPerSignature: 3,
  budgetUsd: 25,
  budgetTokens: 20_000_000,
  maxHours: 24,
  commandTimeout: 120,
  verificationTimeout: 60,
  verificationParallelism: 10,
  regressionTimeout: 120,
  vrcInterval: 6,
  network: 'registries',
  allowedHosts: [],
  environment: [],
  evidence: 'fair',
  qualify: 'lean',
  approvePlan: false,
  docker: false,
  models: { reasoning: 'claude-opus-5-5', execution: 'claude-sonnet-5-5', triage: 'claude-haiku-5-5' },
};

/** How a repository file may set each field. */
const fileRule: Record<keyof Config, 'lower' | 'more' | 'free' | 'never'> = {
  maxLoopIterations: 'lower',
  maxTaskAttempts: 'lower',
  maxFixAttempts: 'lower',
  maxFixesPerSignature: 'lower',
  budgetUsd: 'lower',
  budgetTokens: 'lower',
  maxHours: 'lower',
  commandTimeout: 'lower',
  verificationTimeout: 'lower',
  verificationParallelism: 'lower',
  regressionTimeout: 'lower',
  vrcInterval: 'free',
  network: 'never',
  allowedHosts: 'never',
  environment: 'never',
  evidence: 'more',
  qualify: 'more',
  approvePlan: 'more',
  docker: 'never',
  models: 'never',
};

/** Fields that had another name in an earlier version. */
const formerNames = new Map<string, keyof Config>([
  ['checkTimeout', 'verificationTimeout'],
  ['checkParallelism', 'verificationParallelism'],
]);

export type Overrides = { [K in keyof Config]?: Config[K] | undefined };

/** Defaults that depend on the size of the machine (docs/decisions/0023). */
export type MachineDefaults = Pick<Config, 'verificationParallelism'>;

/**
 * @param file text of `loop.config.yaml`, if there is one.
 * @param person settings or flags; they are validated like the file.
 * @throws InputError with file, line and what is allowed.
 */
export function resolveConfig(
  file: { name: string; text: string } | undefined,
  person: Overrides,
  machine: MachineDefaults = defaults,
): Config {
  const chosen = merge({ ...defaults, ...machine }, person);
  const problem = config.safeParse(chosen).error?.issues[0];
  if (problem)
    throw new InputError(
      `The setting "${problem.path.join('.')}" is not usable: ${problem.message}.`,
      'Change it in the settings or on the command line.',
    );
  return file ? config.parse(withFile(file, chosen, person)) : chosen;
}

/** The lower limit counts. One above the default and above the person's own value is refused (I6). */
function withFile(file: { name: string; text: string }, chosen: Config, person: Overrides): Record<string, unknown> {
  const result: Record<string, unknown> = { ...chosen };
  for (const { key, value, line } of fieldsOf(file)) {
    const where = `${file.name}:${line}`;
    const rule = ruleFor(key, where);
    const parsed = config.shape[rule.key].safeParse(value);
    if (!parsed.success)
      throw invalid(
        where,
        `"${key}" is ${JSON.stringify(value)}: ${parsed.error.issues[0]?.message ?? 'not usable'}`,
        `Give it a value like ${JSON.stringify(defaults[rule.key])}.`,
      );
    const ceiling = Math.max(Number(defaults[rule.key]), Number(chosen[rule.key]));
    if (rule.how === 'lower' && Number(parsed.data) > ceiling) {
      throw invalid(
        where,
        `"${key}" is ${JSON.stringify(value)}, above ${ceiling}; a repository file may only lower a limit`,
        'Raise it in your own settings or by a flag.',
      );
    }
    if (rule.how === 'lower') result[key] = Math.min(Number(parsed.data), Number(chosen[rule.key]));
    else if (rule.how === 'more') result[key] = more(levelsOf(rule.key), chosen[rule.key], parsed.data);
    else result[key] = person[rule.key] ?? parsed.data;
  }
  return result;
}

function levelsOf(key: keyof Config): readonly unknown[] {
  if (key === 'approvePlan') return [false, true];
  return key === 'qualify' ? qualifyProfiles : evidenceLevels;
}

/** A repository may demand more than the person, never less. */
function more(levels: readonly unknown[], one: unknown, other: unknown): unknown {
  return levels.indexOf(one) > levels.indexOf(other) ? one : other;
}

function ruleFor(key: string, where: string): { key: keyof Config; how: 'lower' | 'more' | 'free' } {
  const allowed = Object.entries(fileRule)
    .filter(([, how]) => how !== 'never')
    .map(([name]) => name);
  const renamed = formerNames.get(key);
  if (renamed) throw invalid(where, `"${key}" is called "${renamed}" now`, 'Write the new name.');
  if (!Object.hasOwn(fileRule, key)) throw invalid(where, `there is no field "${key}"`, `Allowed are: ${allowed.join(', ')}.`);
  const known = key as keyof Config;
  const how = fileRule[known];
  if (how === 'never') throw invalid(where, `"${key}" cannot be set by a repository file`, 'Set it in your own settings or by a flag.');
  return { key: known, how };
}

function fieldsOf(file: { name: string; text: string }): { key: string; value: unknown; line: number }[] {
  const { contents, lines } = readYaml(file.name, file.text, 'Correct the YAML.');
  if (contents === null) return [];
  if (!isMap(contents)) throw invalid(`${file.name}:1`, 'the file is not a list of fields', 'Write one `field: value` a line.');
  return contents.items.map((pair) => {
    const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
    const range = isScalar(pair.key) ? pair.key.range : undefined;
    return { key, value: isScalar(pair.value) ? pair.value.value : pair.value, line: lines.linePos(range?.[0] ?? 0).line };
  });
}

function merge(base: Config, over: Overrides): Config {
  const given = Object.entries(over).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
}

function invalid(where: string, what: string, next: string): InputError {
  return new InputError(`${where}: ${what}.`, next);
}
