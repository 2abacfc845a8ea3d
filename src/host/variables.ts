/**
 * Variables of the person's environment that they named for a sprint's commands. Their values go into the sandbox and
 * nowhere else: they are taken out of every output, and a change that holds one is not kept.
 */
import { redact } from '../engine/ground/redact.ts';

export interface Variables {
  /** Those that are set, for a command's environment. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether commands get it; a name may be given before it is set. */
  has(name: string): 'given' | 'not set' | 'not named';
  /** An output without the values. */
  veil(output: string): string;
  /** A file's text likewise, but without values that are plain words: they are no secret, and agents edit what they read. */
  veilSecrets(text: string): string;
  /** Names of variables whose secret value a text holds. */
  heldIn(text: string): string[];
}

/** Shorter ones cannot be told from other text. */
const shortest = 6;

/** @param names from the person's settings or flags, never from a repository file. */
export function createVariables(names: readonly string[], env: NodeJS.ProcessEnv): Variables {
  const valueOf = (name: string): string => (Object.hasOwn(env, name) ? (env[name] ?? '') : '');
  const given = [...new Set(names)].map((name) => [name, valueOf(name)] as const).filter(([, value]) => value !== '');
  // Longest first: a value may be part of another.
  const forms = given
    .flatMap(([name, value]) => formsOf(value).map((form) => ({ name, form })))
    .sort((a, b) => b.form.length - a.form.length);
  const secret = forms.filter(({ form }) => isSecret(form));
  return {
    values: Object.fromEntries(given),
    has(name) {
      if (given.some(([known]) => known === name)) return 'given';
      // One that was set since then is not set for what runs already.
      return valueOf(name) === '' || names.includes(name) ? 'not set' : 'not named';
    },
    veil: (output) => replaced(output, forms),
    veilSecrets: (text) => replaced(text, secret),
    heldIn: (text) => [...new Set(secret.filter(({ form }) => text.includes(form)).map(({ name }) => name))],
  };
}

interface Form {
  name: string;
  form: string;
}

/** As it is, line by line where it has many, and as programs write it into addresses and headers. */
function formsOf(value: string): string[] {
  const encoded = [encodeURIComponent(value), Buffer.from(value).toString('base64')];
  const all = [value, ...value.split(/\r?\n/), ...encoded, JSON.stringify(value).slice(1, -1)];
  return [...new Set(all)].filter((form) => form.trim().length >= shortest);
}

function replaced(text: string, forms: readonly Form[]): string {
  return forms.reduce((clean, { form }) => clean.replaceAll(form, '[redacted]'), text);
}

/** What would be redacted beside the name of a secret. */
function isSecret(value: string): boolean {
  const beside = `token: "${value}"`;
  return redact(beside) !== beside;
}
