/** Key and endpoint come from the environment of the person's own process, never from a repository file. */
import { InputError } from '../engine/ground/errors.ts';

export interface Credentials {
  apiKey: string;
  /** Left out for Anthropic's own endpoint. */
  baseURL?: string;
}

/**
 * Reads key and endpoint from `ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL`.
 * @throws InputError when the key is missing or one of them cannot be used.
 */
export function credentialsFromEnv(env: Readonly<Record<string, string | undefined>>): Credentials {
  const apiKey = checkedKey(env['ANTHROPIC_API_KEY'] ?? '');
  const baseURL = env['ANTHROPIC_BASE_URL']?.trim();
  return baseURL ? { apiKey, baseURL: checkedURL(baseURL) } : { apiKey };
}

/** @throws InputError, which never shows the key, when it is empty or cannot be part of an HTTP header. */
export function checkedKey(key: string): string {
  const trimmed = key.trim();
  if (!trimmed) throw new InputError('There is no Anthropic API key.', 'Set ANTHROPIC_API_KEY, or store the key with "Loop: Set API Key".');
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new InputError('The Anthropic API key contains a space or a special character.', 'Copy the key again, whole and alone.');
  }
  return trimmed;
}

/** @throws InputError when the text is not an http(s) address. */
export function checkedURL(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new InputError(`The address of the API, "${text}", is not an http(s) address.`, 'Correct or unset ANTHROPIC_BASE_URL.');
  }
  return text;
}
