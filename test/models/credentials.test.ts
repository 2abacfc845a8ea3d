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

  it('are refused with the next step, and the key is never shown', () => {
    const assertRefused = (env: Record<string, string>, next: RegExp): void =>
      assert.throws(
        () => credentialsFromEnv(env),
        (error) => error instanceof InputError && next.test(error.next) && !error.message.includes('k-'),
      );
    assertRefused({}, /ANTHROPIC_API_KEY/);
    assertRefused({ ANTHROPIC_API_KEY: ' ' }, /ANTHROPIC_API_KEY/);
    assertRefused({ ANTHROPIC_API_KEY: 'k-1\nk-2' }, /again/);
    assertRefused({ ANTHROPIC_API_KEY: 'k-é' }, /again/);
    assertRefused({ ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: 'file:///etc' }, /ANTHROPIC_BASE_URL/);
    assertRefused({ ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: 'api' }, /ANTHROPIC_BASE_URL/);
  });
});
