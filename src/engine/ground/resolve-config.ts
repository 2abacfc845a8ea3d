/**
 * Configuration from defaults, settings or flags, and `loop.config.yaml`. A repository file may lower limits, the person's too,
 * and set harmless fields. Only the person sets models and network, or raises a limit (I6).
 */
import { config, defaults, evidenceLevels, qualifyProfiles, type Config, type MachineDefaults, type Overrides } from './config.ts';
import { readConfigFields } from './config-file.ts';
import { InputError } from './errors.ts';
import type { SourceFile } from './problem.ts';

/**
 * @param file text of `loop.config.yaml`, if there is one.
 * @param person settings or flags; they are validated like the file.
 * @throws InputError with file, line and what is allowed.
 */
export function resolveConfig(file: SourceFile | undefined, person: Overrides, machine: MachineDefaults = defaults): Config {
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
function withFile(file: SourceFile, chosen: Config, person: Overrides): Record<string, unknown> {
  const { fields, problems } = readConfigFields(file, chosen);
  const [problem] = problems;
  if (problem) throw new InputError(`${file.name}:${problem.line}: ${problem.what}.`, problem.mend);
  const result: Record<string, unknown> = { ...chosen };
  for (const { key, how, value } of fields) {
    if (how === 'lower') result[key] = Math.min(Number(value), Number(chosen[key]));
    else if (how === 'more') result[key] = more(levelsOf(key), chosen[key], value);
    else result[key] = person[key] ?? value;
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

function merge(base: Config, over: Overrides): Config {
  const given = Object.entries(over).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given), models: { ...base.models, ...over.models } };
}
