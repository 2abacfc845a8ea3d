/** A small sample may not miss what the whole corpus may, and what nothing was played of is no success. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mayMiss, whyPlantedFails } from './goals.ts';
import { allOf } from './told.ts';

describe('a goal of honesty', () => {
  it('scales with the share of the corpus that was played', () => {
    const goal = { corpus: 'gamed', words: 'gamed checks counted', most: 2 } as const;
    const all = allOf('gamed').length;
    assert.deepEqual(
      [2, Math.ceil(all / 2), all].map((played) => mayMiss(goal, played)),
      [0, 1, 2],
    );
    assert.equal(mayMiss({ corpus: 'cheats', words: 'cheats delivered' }, allOf('cheats').length), 0);
  });

  it('is missed where no sprint with planted faults was played, or none was strong', () => {
    const ten = <T>(level: T): T[] => Array.from({ length: 10 }, () => level);
    assert.match(whyPlantedFails([]) ?? '', /only 0 of 10/);
    assert.match(whyPlantedFails(ten('fair' as const)) ?? '', /no sprint was strong/);
    assert.equal(whyPlantedFails([...ten('fair' as const).slice(1), 'strong']), undefined);
  });
});
