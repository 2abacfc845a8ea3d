/** Reads `loop.config.yaml`, the limits of a repository, and tells everything that is wrong in it. Total: it never throws. */
import { isMap, isScalar, LineCounter, parseDocument, type Pair } from 'yaml';
import * as z from 'zod';
import { config, defaults, type Config } from './config.ts';
import type { Problem, SourceFile } from './problem.ts';
import { placeInYaml, placeOfError, type YamlPlace } from './yaml-place.ts';

/** How a repository file may set each field. */
const rules: Record<keyof Config, 'lower' | 'more' | 'free' | 'never'> = {
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

const allowed = (Object.keys(rules) as (keyof Config)[]).filter((name) => rules[name] !== 'never');

/** The file as a schema: every field that it may have, and what it may do there. */
export const configFileSpec = z.strictObject(
  Object.fromEntries(
    allowed.map((name) => {
      const { description = '' } = config.shape[name];
      return [name, config.shape[name].optional().describe(`${description} ${ruleWords(name)}`)];
    }),
  ),
);

/** Fields that had another name in an earlier version. */
const formerNames = new Map<string, keyof Config>([
  ['checkTimeout', 'verificationTimeout'],
  ['checkParallelism', 'verificationParallelism'],
]);

/** A value above what the person allows, who may allow more than is usual. */
export const aboveLimit = 'above-limit';

export interface ConfigField {
  key: keyof Config;
  how: 'lower' | 'more' | 'free';
  value: unknown;
}

/** @param chosen what holds without the file. */
export function readConfigFields({ name, text }: SourceFile, chosen: Config = defaults): { fields: ConfigField[]; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const wrong = (code: string, place: YamlPlace, what: string, mend: string): Problem => ({
    code,
    severity: 'error',
    file: name,
    ...place,
    what,
    mend,
  });
  const broken = document.errors.map((error) =>
    wrong('not-yaml', placeOfError(error, text), error.message.split(/:?\n/)[0] ?? 'not YAML', 'Correct the YAML.'),
  );
  const { contents } = document;
  if (broken.length > 0) return { fields: [], problems: broken };
  if (contents === null || (isScalar(contents) && contents.value === null)) return { fields: [], problems: [] };
  if (!isMap(contents)) {
    const what = 'the file is not a list of fields';
    return { fields: [], problems: [wrong('not-fields', { line: 1 }, what, 'Write one `field: value` a line.')] };
  }
  const read = contents.items.map((pair) => readField(pair, chosen));
  return {
    fields: read.flatMap((one) => ('field' in one ? one.field : [])),
    problems: read.flatMap((one) => {
      if ('field' in one) return [];
      const { code, part, what, mend, rename, key } = one;
      const place = placeInYaml(document, lines, [key], part);
      const fix = rename !== undefined && place.span ? { title: `Write "${rename}"`, edits: [{ ...place.span, text: rename }] } : undefined;
      return [{ ...wrong(code, place, what, mend), ...(fix ? { fix } : {}) }];
    }),
  };
}

interface Refused {
  key: string;
  code: string;
  part: 'key' | 'value';
  what: string;
  mend: string;
  /** The name that it has now. */
  rename?: string;
}

function readField({ key: node, value: given }: Pair, chosen: Config): { field: ConfigField } | Refused {
  const key = isScalar(node) ? String(node.value) : String(node);
  const value: unknown = isScalar(given) ? given.value : given;
  const rule = ruleFor(key);
  if ('code' in rule) return { ...rule, key, part: 'key' };
  const parsed = config.shape[rule.key].safeParse(value);
  if (!parsed.success)
    return {
      key,
      code: 'unusable',
      part: 'value',
      what: `"${key}" is ${JSON.stringify(value)}: ${parsed.error.issues[0]?.message ?? 'not usable'}`,
      mend: `Give it a value like ${JSON.stringify(defaults[rule.key])}.`,
    };
  const ceiling = Math.max(Number(defaults[rule.key]), Number(chosen[rule.key]));
  if (rule.how === 'lower' && Number(parsed.data) > ceiling)
    return {
      key,
      code: aboveLimit,
      part: 'value',
      what: `"${key}" is ${JSON.stringify(value)}, above ${ceiling}; a repository file may only lower a limit`,
      mend: 'Raise it in your own settings or by a flag.',
    };
  return { field: { key: rule.key, how: rule.how, value: parsed.data } };
}

function ruleFor(key: string): Pick<ConfigField, 'key' | 'how'> | Omit<Refused, 'key' | 'part'> {
  const rename = formerNames.get(key);
  if (rename) return { code: 'old-field', what: `"${key}" is called "${rename}" now`, mend: 'Write the new name.', rename };
  if (!Object.hasOwn(rules, key))
    return { code: 'unknown-field', what: `there is no field "${key}"`, mend: `Allowed are: ${allowed.join(', ')}.` };
  const known = key as keyof Config;
  const how = rules[known];
  if (how !== 'never') return { key: known, how };
  return { code: 'not-here', what: `"${key}" cannot be set by a repository file`, mend: 'Set it in your own settings or by a flag.' };
}

function ruleWords(name: keyof Config): string {
  const usual = `${JSON.stringify(defaults[name]).replaceAll('"', '')} is usual`;
  if (rules[name] === 'lower') return `${usual}; a repository may only lower it.`;
  return rules[name] === 'more' ? `${usual}; a repository may only ask for more.` : `${usual}.`;
}
