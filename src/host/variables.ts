/**
 * Variables of the person's environment that they named for a sprint's commands. Their values go into the sandbox and nowhere
 * else: they are removed from every output, and a change that contains one is refused.
 */
import { redact } from '../engine/ground/redact.ts';
import type { TextSpan } from '../engine/ground/text.ts';
import { spansOf, veiled } from './veiled.ts';

export interface Variables {
  /** The values of those that are set, for a command's environment. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether commands get it. A name may be given before the variable is set. */
  has(name: string): 'given' | 'not set' | 'not named';
  /** Removes all values from an output. */
  veil(output: string): string;
  /** Where secret values stand in a file's text: agents edit what they read, and a value that is a plain word is no secret. */
  secretsIn(text: string): TextSpan[];
  /** Names of the variables whose secret value is in a text. */
  heldIn(text: string): string[];
}

/** Shorter values are too common in other text. */
const minLength = 6;

/** @param names from the person's settings or flags, never from a repository file. */
export function createVariables(names: readonly string[], env: NodeJS.ProcessEnv): Variables {
  const valueOf = (name: string): string => (Object.hasOwn(env, name) ? (env[name] ?? '') : '');
  const given = [...new Set(names)].map((name) => [name, valueOf(name)] as const).filter(([, value]) => value !== '');
  const forms = given.flatMap(([name, value]) => formsOf(value).map((form) => ({ name, form })));
  const secret = forms.filter(({ form }) => isSecret(form));
  const spans = (text: string, some: readonly Form[]) =>
    spansOf(
      text,
      some.map(({ form }) => form),
    );
  return {
    values: Object.fromEntries(given),
    has(name) {
      if (given.some(([known]) => known === name)) return 'given';
      // A variable that was set only later is missing in what already runs.
      return valueOf(name) === '' || names.includes(name) ? 'not set' : 'not named';
    },
    veil: (output) => veiled(output, spans(output, forms)),
    secretsIn: (text) => spans(text, secret),
    heldIn: (text) => [...new Set(secret.filter(({ form }) => text.includes(form)).map(({ name }) => name))],
  };
}

interface Form {
  name: string;
  form: string;
}

/** The ways in which a value can occur: as it is, single lines of it, and encoded for addresses, headers and JSON. */
function formsOf(value: string): string[] {
  const encoded = [encodeURIComponent(value), Buffer.from(value).toString('base64')];
  const all = [value, ...value.split(/\r?\n/), ...encoded, JSON.stringify(value).slice(1, -1)];
  return [...new Set(all)].filter((form) => form.trim().length >= minLength);
}

/** Whether redaction would remove the value if it stood after the word `token`. */
function isSecret(value: string): boolean {
  const beside = `token: "${value}"`;
  return redact(beside) !== beside;
}
