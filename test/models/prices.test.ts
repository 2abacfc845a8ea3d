import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { defaults } from '../../src/engine/ground/config.ts';
import { pricesOf } from '../../src/models/prices.ts';
import { listed } from '../../src/models/traits.ts';

describe('prices', () => {
  it('are known for a model’s name and its dated name', () => {
    const sonnet = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, search: 0.01 };
    assert.deepEqual(pricesOf('claude-sonnet-5-5'), sonnet);
    assert.deepEqual(pricesOf('claude-sonnet-5-5-20260928'), sonnet);
    assert.deepEqual(pricesOf('claude-opus-5-5'), { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5, search: 0.01 });
  });

  it('use the higher rate where a model has two', () => {
    assert.deepEqual(pricesOf('claude-haiku-5-5'), { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625, search: 0.01 });
  });

  it('use the most expensive row for an unknown model and for a newer one of a known line', () => {
    const dearest = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75, search: 0.01 };
    for (const name of ['gateway/any', 'claude-opus-5-9', 'claude-opus-5-5-fast', '', 'constructor'])
      assert.deepEqual(pricesOf(name), dearest, name);
  });

  it('of a reply are those of the model that it names, or else of the one that was asked', () => {
    assert.deepEqual(pricesOf('claude-haiku-4-5', 'anthropic.claude-haiku-4-5-v1:0'), pricesOf('claude-haiku-4-5'));
    assert.deepEqual(pricesOf('claude-haiku-4-5', 'claude-opus-5'), pricesOf('claude-opus-5'));
    assert.deepEqual(pricesOf('gateway/any', 'gateway/other'), pricesOf('unknown'));
  });

  it('have a row for every model whose traits are listed, but for those whose price nobody told', () => {
    const without = listed.filter((name) => isDeepStrictEqual(pricesOf(name), pricesOf('unknown')));
    // The API's client names it, and no list of prices that we have does; the dearest row bounds what it may cost.
    assert.deepEqual(without, ['claude-mythos-5-2']);
  });

  it('have a row for every default model', () => {
    for (const model of Object.values(defaults.models)) assert.notDeepEqual(pricesOf(model), pricesOf('unknown'), model);
  });
});
