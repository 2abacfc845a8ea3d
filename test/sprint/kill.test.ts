/** `kill -9` at any append of the journal loses nothing and repeats nothing (I2). `npm run kills` tries every append. */
import { before, describe, it } from 'mocha';
import { seeded } from '../support/random.ts';
import { killAndResume, undisturbed, type Undisturbed } from './kills.ts';
import type { When } from './die-at.ts';

const moments: When[] = ['before', 'torn', 'after'];
const seed = Number(process.env['LOOP_SEED'] ?? Date.now() % 1_000_000);
const all = process.env['LOOP_KILLS'] === 'all';
/** The number of kills in a normal test run. */
const drawn = 10;

describe(`a sprint killed at an append (seed ${seed})`, () => {
  let expected: Undisturbed;
  before(async () => void (expected = await undisturbed()));

  if (all) {
    it('survives every kill', async function () {
      this.timeout(0);
      for (let n = 1; n <= expected.events.length; n += 1) {
        for (const when of moments) await killAndResume(n, when, expected);
        process.stdout.write(`      killed at line ${n} of ${expected.events.length}, ${moments.length} ways\n`);
      }
    });
    return;
  }
  const random = seeded(seed);
  for (let i = 0; i < drawn; i += 1) {
    const share = random();
    const when = moments[i % moments.length] ?? 'after';
    it(`goes on after a kill ${when} the line at ${Math.floor(share * 100)} % of the journal`, async () => {
      await killAndResume(1 + Math.floor(share * expected.events.length), when, expected);
    });
  }
});
