import assert from 'node:assert/strict';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { describe, it } from 'mocha';
import { RetryableModelError, type TerminalModelError } from '../../src/engine/ground/errors.ts';
import { modelErrorOf } from '../../src/models/anthropic-errors.ts';

function http(status: number, headers: Record<string, string> = {}): RetryableModelError | TerminalModelError {
  return modelErrorOf(APIError.generate(status, { error: { type: 'x', message: 'said' } }, undefined, new Headers(headers)), 'request');
}

function waitOf(headers: Record<string, string>): number | undefined {
  const error = http(429, headers);
  assert.ok(error instanceof RetryableModelError);
  return error.retryAfterMs;
}

describe('an error of the API', () => {
  const rows: [status: number, name: string, kind: string][] = [
    [400, 'TerminalModelError', 'request'],
    [401, 'TerminalModelError', 'authentication'],
    [402, 'TerminalModelError', 'authentication'],
    [403, 'TerminalModelError', 'authentication'],
    [404, 'TerminalModelError', 'request'],
    [408, 'RetryableModelError', 'connection'],
    [409, 'RetryableModelError', 'overloaded'],
    [413, 'TerminalModelError', 'size'],
    [422, 'TerminalModelError', 'request'],
    [429, 'RetryableModelError', 'rate-limited'],
    [500, 'RetryableModelError', 'overloaded'],
    [503, 'RetryableModelError', 'overloaded'],
    [529, 'RetryableModelError', 'overloaded'],
  ];
  for (const [status, name, kind] of rows) {
    it(`with status ${status} becomes a ${name} of the kind "${kind}"`, () => {
      const error = http(status);
      assert.deepEqual([error.name, error.kind], [name, kind]);
      assert.match(error.message, new RegExp(`${status}, said`));
      assert.ok(error instanceof RetryableModelError || error.next.length > 20);
    });
  }

  it('gives the time to wait: milliseconds first, a date relative to the response’s own date', () => {
    assert.equal(waitOf({ 'retry-after-ms': '250', 'retry-after': '9' }), 250);
    assert.equal(waitOf({ 'retry-after': '9' }), 9000);
    assert.equal(waitOf({ 'retry-after': '0' }), 0);
    const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
    assert.equal(waitOf({ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT', date }), 30_000);
    assert.equal(waitOf({ 'retry-after': 'Fri, 20 Nov 2026 09:59:00 GMT', date }), 0);
    for (const odd of ['soon', '-5', '', 'Infinity']) assert.equal(waitOf({ 'retry-after-ms': odd }), undefined, odd);
    assert.equal(waitOf({}), undefined);
  });

  it('names the cause of a failed connection', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = modelErrorOf(new APIConnectionError({ cause: new TypeError('fetch failed', { cause: refused }) }), 'request');
    assert.deepEqual([error.kind, error.message], ['connection', 'The API could not be reached: connect ECONNREFUSED.']);
  });

  it('stays unchanged when it is already an error of the engine', () => {
    const own = new RetryableModelError('own', 'cut');
    assert.equal(modelErrorOf(own, 'request'), own);
  });
});
