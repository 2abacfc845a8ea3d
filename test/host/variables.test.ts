/** The person names variables; their values are visible nowhere but in the sandbox. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createVariables } from '../../src/host/variables.ts';

const env = {
  API_KEY: 'k9-Zq81/xT+ab',
  NODE_ENV: 'production',
  SHORT: 'on',
  EMPTY: '',
  MANY: 'first-Line1\nsecond-L1ne',
  OTHER: 'other-Secret-7Zq',
};
const variables = createVariables(['API_KEY', 'NODE_ENV', 'SHORT', 'EMPTY', 'MANY', 'ABSENT'], env);

describe('variables', () => {
  it('are those that the person named and that are set', () => {
    assert.deepEqual(Object.keys(variables.values), ['API_KEY', 'NODE_ENV', 'SHORT', 'MANY']);
    const answers = ['API_KEY', 'EMPTY', 'ABSENT', 'OTHER', 'constructor'].map((name) => variables.has(name));
    assert.deepEqual(answers, ['given', 'not set', 'not set', 'not named', 'not set']);
  });

  const outputs: [what: string, output: string, veiled: string][] = [
    ['a value', 'the key is k9-Zq81/xT+ab.', 'the key is [redacted].'],
    ['a value in an address', '?key=k9-Zq81%2FxT%2Bab', '?key=[redacted]'],
    ['a value in base64', Buffer.from('k9-Zq81/xT+ab').toString('base64'), '[redacted]'],
    ['one line of a value with many', '> second-L1ne', '> [redacted]'],
    ['a value with many lines as JSON', '{"v":"first-Line1\\nsecond-L1ne"}', '{"v":"[redacted]"}'],
    ['values side by side', 'k9-Zq81/xT+abk9-Zq81/xT+ab', '[redacted][redacted]'],
    ['a value that begins within another', 'first-Line1\nsecond-L1ne, second-L1ne', '[redacted], [redacted]'],
    ['a plain word', 'mode: production', 'mode: [redacted]'],
    ['a value too short to be distinguished from other text', 'on and on', 'on and on'],
    ['a value that nobody named', 'other-Secret-7Zq', 'other-Secret-7Zq'],
  ];
  for (const [what, output, veiled] of outputs)
    it(`redact ${what} in an output, or leave it`, () => assert.equal(variables.veil(output), veiled));

  it('redact only secrets in a file, so that code with a plain word can be edited', () => {
    const text = "if (env === 'production') use('k9-Zq81/xT+ab')";
    assert.deepEqual(
      variables.secretsIn(text).map(({ from, to }) => text.slice(from, to)),
      ['k9-Zq81/xT+ab'],
    );
    assert.deepEqual(variables.heldIn('production, k9-Zq81/xT+ab'), ['API_KEY']);
  });
});
