/** How many verifications run at once by default: two for each core, within bounds. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { config, type Overrides } from '../../src/engine/ground/config.ts';
import { readInputs } from '../../src/host/read-inputs.ts';
import { machineDefaults } from '../../src/host/machine-defaults.ts';

describe('the defaults of a machine', () => {
  it('are two verifications for each core, at least four and at most ten', () => {
    const at = [1, 2, 3, 4, 5, 64].map((cores) => machineDefaults(cores).verificationParallelism);
    assert.deepEqual(at, [4, 4, 6, 8, 10, 10]);
  });

  it('hold for a sprint unless the person sets another value', async () => {
    const parallelism = async (person: Overrides) =>
      (await readInputs('examples/lent/sprint', person, { verificationParallelism: 7 })).config.verificationParallelism;
    assert.deepEqual([await parallelism({}), await parallelism({ verificationParallelism: 12 })], [7, 12]);
  });

  it('are usable, whatever this machine has', () => {
    const { verificationParallelism } = machineDefaults();
    assert.equal(config.shape.verificationParallelism.parse(verificationParallelism), verificationParallelism);
  });
});
