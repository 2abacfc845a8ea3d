/** What the bundles leave out: nobody would notice it but by how long they take to load. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

describe('bundles', () => {
  it('leave out the languages of zod, which `import { z }` in the place of `import * as z` would bring', () => {
    const bundles = readdirSync('dist').filter((name) => /\.m?js$/.test(name));
    assert.ok(bundles.length > 5);
    const found = bundles.filter((name) => readFileSync(`dist/${name}`, 'utf8').includes('Input non valido'));
    assert.deepEqual(found, []);
  });
});
