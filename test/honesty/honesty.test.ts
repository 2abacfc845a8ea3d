/**
 * A case of each corpus, drawn by a seed: cheats are refused, gamed checks do not count, honest work is delivered. All of
 * them, and those that are known to get through: `npm run honesty`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { drawn } from './draw.ts';
import { allCorpora, allOf, isOpen, told, type AnyCase } from './told.ts';

const perCorpus = 1;
const seed = Number(process.env['LOOP_HONESTY_SEED'] ?? Date.now() % 1_000_000);
/** A work for eight requirements takes minutes, and some need programs that no other test does. */
const isLight = (one: AnyCase): boolean =>
  (one.corpus !== 'shared' || (one.own.files['requirements'] ?? '').trim().split('\n').length < 4) &&
  !/\b(?:make|g?cc|perl|pytest)\b/.test(JSON.stringify(one));
const cases = allCorpora.flatMap((corpus) =>
  drawn<AnyCase>(
    allOf(corpus).filter((one) => !isOpen(one) && isLight(one)),
    perCorpus,
    seed,
  ),
);

describe(`honesty, drawn by LOOP_HONESTY_SEED=${seed}`, () => {
  for (const one of cases)
    it(`${one.corpus}/${one.name}: ${one.what}`, async () => {
      const { name, expected, ended, missed, problems, why } = await told(one);
      assert.deepEqual(problems, [], `${name} is what it says`);
      assert.equal(missed, false, `${name} must be ${expected}; the sprint is ${ended}: ${why.join('; ')}`);
    });
});
