/** What a resume may make of the network that a sprint opened with (I6). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stricter } from '../../src/host/ports.ts';

describe('a resume', () => {
  const cases = [
    { opened: 'all', now: 'registries', is: 'registries' },
    { opened: 'all', now: 'installs', is: 'installs' },
    { opened: 'registries', now: 'none', is: 'none' },
    { opened: 'registries', now: 'all', is: 'registries' },
    { opened: 'none', now: 'registries', is: 'none' },
    // Neither is less than the other: one is for all commands, one for all hosts.
    { opened: 'installs', now: 'registries', is: 'installs' },
    { opened: 'registries', now: 'installs', is: 'registries' },
    { opened: 'installs', now: undefined, is: 'installs' },
  ] as const;
  for (const { opened, now, is } of cases)
    it(`with the network ${now ?? 'that is not named'} leaves a sprint that opened with ${opened} with ${is}`, () =>
      assert.equal(stricter(opened, now), is));
});
