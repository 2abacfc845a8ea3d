import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputError } from '../../src/engine/ground/errors.ts';
import { credentialsFromEnv } from '../../src/models/credentials.ts';

describe('credentials', () => {
  it('come from the environment, trimmed', () => {
    assert.deepEqual(credentialsFromEnv({ ANTHROPIC_API_KEY: ' k-1\n' }), { apiKey: 'k-1' });
    const env = { ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };
    assert.deepEqual(credentialsFromEnv(env), { apiKey: 'k-1', baseURL: 'http://127.0.0.1:1' });
    assert.deepEqual(credentialsFromEnv({ ...env, ANTHROPIC_BASE_URL: ' ' }), { apiKey: 'k-1' });
  });

  it('are refused with what to do about it, and the key is never shown', () => {
    const refused = (env: Record<string, string>, next: RegExp): void =>
      assert.throws(
        () => credentialsFromEnv(env),
        (error) => error instanceof InputError && next.test(error.next) && !error.message.includes('k-'),
      );
    refused({}, /ANTHROPIC_API_KEY/);
    refused({ ANTHROPIC_API_KEY: ' ' }, /ANTHROPIC_API_KEY/);
    refused({ ANTHROPIC_API_KEY: 'k-1\nk-2' }, /again/);
    refused({ ANTHROPIC_API_KEY: 'k-é' }, /again/);
    refused({ ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: 'file:///etc' }, /ANTHROPIC_BASE_URL/);
    refused({ ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: 'api' }, /ANTHROPIC_BASE_URL/);
  });
});
