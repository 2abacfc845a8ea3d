/** `kill -9` at any append of the journal loses nothing and repeats nothing (I2). `npm run kills` tries every append. */
import { before, describe, it } from 'mocha';
import { seeded } from '../support/random.ts';
import { killAndResume, killsAt, twice, undisturbed, type Undisturbed } from './kills.ts';
import { moments } from './die-at.ts';

const seed = Number(process.env['LOOP_SEED'] ?? Date.now() % 1_000_000);
const all = process.env['LOOP_KILLS'] === 'all';
/** In a normal test run: so many sprints, each killed so often, because what comes before a kill is the same for all of them. */
const drawn = { sprints: 2, kills: 5 };

describe(`a sprint killed at an append (seed ${seed})`, () => {
  let expected: Undisturbed;
  before(async () => void (expected = await undisturbed()));

  if (all) {
    it('survives every kill', async function () {
      this.timeout(0);
      for (let n = 1; n <= expected.events.length; n += 1) {
        for (const when of moments) await killAndResume(twice({ n, when }, expected.events.length), expected);
        process.stdout.write(
          `      killed at line ${n} of ${expected.events.length}, ${moments.length} ways, and what went on from there\n`,
        );
      }
    });
    return;
  }
  const random = seeded(seed);
  for (let i = 0; i < drawn.sprints; i += 1) {
    const shares = Array.from({ length: drawn.kills }, random).sort((a, b) => a - b);
    const places = shares.map((share) => Math.floor(share * 100)).join(', ');
    it(`goes on after each kill, at ${places} % of the journal`, () => killAndResume(killsAt(shares, expected.events.length, i), expected));
  }
});
