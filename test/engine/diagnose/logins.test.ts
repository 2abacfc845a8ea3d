/** Which registries wanted a login, by what package managers print. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loginsIn } from '../../../src/engine/diagnose/logins.ts';

const reached = ['npm.corp.example', 'pypi.corp.example:8443', 'files.example'];

describe('a login that a registry wants', () => {
  const outputs: [manager: string, output: string, hosts: string[]][] = [
    ['npm', 'npm error code E401\nnpm error 401 Unauthorized - GET https://npm.corp.example/left-pad', ['npm.corp.example']],
    ['npm, without a login', 'npm error code ENEEDAUTH\nnpm error need auth This command requires you to be logged in', ['files.example']],
    ['pip', 'WARNING: 401 Error, Credentials not correct for https://pypi.corp.example:8443/simple/x/', ['pypi.corp.example:8443']],
    ['cargo', 'failed to get successful HTTP response from `https://npm.corp.example/x`, got 403', ['npm.corp.example']],
    ['go', 'go: reading https://npm.corp.example/x/@v/v1.zip: 401 Unauthorized', ['npm.corp.example']],
    ['maven', 'Could not transfer artifact a:b:pom:1 from/to corp (https://npm.corp.example/m2): status code: 401', ['npm.corp.example']],
    ['nobody, where it only was not found', 'npm error 404 Not Found - GET https://npm.corp.example/nothing', []],
    ['nobody, by a number in other text', 'added 401 packages', []],
  ];
  for (const [manager, output, hosts] of outputs)
    it(`is read from what is printed by ${manager}`, () => assert.deepEqual(loginsIn(output, reached, ['files.example']), hosts));

  it('is of no host that was not reached', () => {
    assert.deepEqual(loginsIn('401 Unauthorized - GET https://elsewhere.example/x', reached, []), []);
  });
});
